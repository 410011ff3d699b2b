// How often callers do something: in memory, for a bounded number of them. Each process counts for itself.
import { Recent } from './recent.ts';

const CALLERS_MAX = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  left: number;
  at: number;
}

/** What each caller may do within a minute, or another time: a bucket that refills evenly. 0 means no limit. */
export class Buckets {
  readonly #buckets = new Recent<Bucket>(CALLERS_MAX);
  readonly #perTime: number;
  readonly #now: () => number;
  readonly #timeMs: number;

  constructor(perTime: number, now: () => number, timeMs: number = MINUTE_MS) {
    this.#perTime = perTime;
    this.#now = now;
    this.#timeMs = timeMs;
  }

  #bucketOf(caller: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(caller) ?? { left: this.#perTime, at: now };
    const passedMs = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.#perTime, bucket.left + (passedMs * this.#perTime) / this.#timeMs);
    bucket.at = now;
    this.#buckets.set(caller, bucket);
    return bucket;
  }

  /** Seconds until the caller may go on; 0: now. */
  waitSeconds(caller: string): number {
    if (this.#perTime === 0) return 0;
    const { left } = this.#bucketOf(caller);
    return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * this.#timeMs) / this.#perTime / 1000));
  }

  spend(caller: string): void {
    if (this.#perTime > 0) this.#bucketOf(caller).left -= 1;
  }

  giveBack(caller: string): void {
    if (this.#perTime > 0) this.#bucketOf(caller).left += 1;
  }
}
