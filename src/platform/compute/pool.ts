// A pool of child processes that compute. A child is started when it is needed, kept warm, and ended when a
// computation takes too much time or memory.
import { ComputeError, stopping, type ComputeLimits } from './compute-error.ts';
import type { Computation } from './computation.ts';
import { EngineChild } from './engine-child.ts';
import { KEPT_RSS_BYTES } from './wire.ts';

/** `answer`: a request waits for it, so it goes first and has less time. `job`: no request waits for it. */
type Urgency = 'answer' | 'job';

export interface PoolOptions {
  /** Computations that run at once; one more while those are busy and a request waits. */
  processes: number;
  memoryMb: number;
  /** Processor time for one computation, by its urgency. */
  seconds: Record<Urgency, number>;
  /** Called for every computation that was ended because it took too much. */
  onOverrun?: (error: Error, computation: string) => void;
}

export interface RunOptions {
  urgency?: Urgency;
  signal?: AbortSignal | undefined;
  /** Called when the computation's turn comes. If it throws, nothing is computed, and the caller gets the error. */
  allow?: () => void;
}

interface Waiting {
  urgency: Urgency;
  begin(child: EngineChild): Promise<void>;
}

/** Idle children are ended after this time, except one. */
const IDLE_MS = 60_000;

export class ComputePool {
  #options: PoolOptions;
  #idle: EngineChild[] = [];
  #busy = new Set<EngineChild>();
  #waiting: Waiting[] = [];
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Tests and metrics read these. */
  get size(): number {
    return this.#idle.length + this.#busy.size;
  }

  async run<Input, Output>(
    computation: Computation<Input, Output>,
    input: Input,
    { urgency = 'job', signal, allow }: RunOptions = {},
  ): Promise<Output> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw stopping();
    const limits: ComputeLimits = { seconds: this.#options.seconds[urgency], memoryMb: this.#options.memoryMb };
    const { promise, resolve, reject } = Promise.withResolvers<Output>();
    const begin = async (child: EngineChild): Promise<Output> => {
      allow?.();
      return child.run(computation, input, { limits, signal });
    };
    const waiting: Waiting = {
      urgency,
      begin: (child) =>
        begin(child).then(resolve, (error: unknown) => {
          if (error instanceof ComputeError) this.#options.onOverrun?.(error, computation.name);
          reject(error);
        }),
    };
    const leave = (): void => {
      const place = this.#waiting.indexOf(waiting);
      if (place < 0) return;
      this.#waiting.splice(place, 1);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', leave, { once: true });
    this.#waiting.push(waiting);
    this.#next();
    return promise.finally(() => signal?.removeEventListener('abort', leave));
  }

  /** Starts a child, so that the first computation finds it warm. */
  async warm(): Promise<void> {
    if (this.size > 0 || this.#isClosed) return;
    const child = new EngineChild(this.#options.memoryMb);
    this.#idle.push(child);
    await child.ready.catch(() => {});
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const children = [...this.#idle, ...this.#busy];
    for (const child of this.#busy) child.kill(stopping());
    for (const child of this.#idle) child.dismiss();
    await Promise.all(children.map((child) => child.exited));
  }

  /** A request gets a child beyond the others when those are busy. */
  #next(): void {
    const isAnswer = this.#waiting.some(({ urgency }) => urgency === 'answer');
    if (this.#waiting.length === 0 || this.#busy.size >= this.#options.processes + (isAnswer ? 1 : 0)) return;
    const place = isAnswer ? this.#waiting.findIndex(({ urgency }) => urgency === 'answer') : 0;
    const [waiting] = this.#waiting.splice(place, 1);
    const child = this.#idle.pop() ?? new EngineChild(this.#options.memoryMb);
    this.#busy.add(child);
    void waiting?.begin(child).finally(() => this.#took(child));
    this.#next();
  }

  #took(child: EngineChild): void {
    this.#busy.delete(child);
    if (!child.hasEnded && (this.#isClosed || child.rssBytes > KEPT_RSS_BYTES)) child.dismiss();
    if (!child.hasEnded) this.#idle.push(child);
    this.#timer ??= setInterval(() => this.#shrink(), IDLE_MS).unref();
    this.#next();
  }

  #shrink(): void {
    this.#idle = this.#idle.filter((child) => !child.hasEnded);
    // The child that was used last is the last of the list, and is used next.
    if (this.size > 1) this.#idle.shift()?.dismiss();
  }
}
