// How often callers do something: in memory, for a bounded number of them. Each process counts for itself.
import { Recent } from './recent.ts';

const CALLERS_MAX = 10_000;
const MINUTE_MS = 60_000;

interface Bucket {
  left: number;
  at: number;
}

/** What each caller may do within a minute: a bucket that refills evenly. 0 per minute means no limit. */
export class Buckets {
  readonly #buckets = new Recent<Bucket>(CALLERS_MAX);
  readonly #perMinute: number;
  readonly #now: () => number;

  constructor(perMinute: number, now: () => number) {
    this.#perMinute = perMinute;
    this.#now = now;
  }

  #bucketOf(caller: string): Bucket {
    const now = this.#now();
    const bucket = this.#buckets.get(caller) ?? { left: this.#perMinute, at: now };
    const passedMs = Math.max(0, now - bucket.at);
    bucket.left = Math.min(this.#perMinute, bucket.left + (passedMs * this.#perMinute) / MINUTE_MS);
    bucket.at = now;
    this.#buckets.set(caller, bucket);
    return bucket;
  }

  /** Seconds until the caller may go on; 0: now. */
  waitSeconds(caller: string): number {
    if (this.#perMinute === 0) return 0;
    const { left } = this.#bucketOf(caller);
    return left >= 1 ? 0 : Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / this.#perMinute / 1000));
  }

  spend(caller: string): void {
    if (this.#perMinute > 0) this.#bucketOf(caller).left -= 1;
  }

  giveBack(caller: string): void {
    if (this.#perMinute > 0) this.#bucketOf(caller).left += 1;
  }
}
