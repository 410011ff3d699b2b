// Keeps one process of an engine warm: started when first needed, one render at a time, ended after any failure.
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineEnd } from './guard/engine-process.ts';
import { RenderError } from './errors.ts';
import { memoryOfTree } from './guard/process-tree.ts';
import { boundsFor, effortBounds, meterRender, type RenderBounds, type RenderMeter } from './guard/render-bounds.ts';

/** A running engine. */
export interface WarmProcess {
  readonly pid: number;
  /** Resolves with the reason once the process has ended. */
  readonly ended: Promise<EngineEnd>;
  /** Ends it and lets go of everything it holds. Safe to call twice. */
  end(): Promise<void>;
}

export interface WarmLimits {
  /** One render, from the document's opening to its pixels; then the process is ended. Default: a patient one's. */
  bounds?: RenderBounds;
  /** After so many renders (200), so long (30 min), or above so much memory (1.5 GiB) the process is replaced. */
  rendersMax?: number;
  ageMsMax?: number;
  memoryBytesMax?: number;
  /** After so long without a render the process is ended. Default 10 minutes. */
  idleMsMax?: number;
}

interface Running<P> {
  process: P;
  startedAt: number;
  renders: number;
  /** Rejects when the process goes away or is told to. */
  gone: Promise<never>;
  fail: (error: RenderError) => void;
}

const BOUNDS: RenderBounds = { ...effortBounds().patient, processBytes: 1.5 * 2 ** 30 };

/** The bounds of a renderer that was given none. */
export function boundsOrDefault(limits: WarmLimits = {}): RenderBounds {
  return limits.bounds ?? BOUNDS;
}

const DEFAULTS: Required<WarmLimits> = {
  bounds: BOUNDS,
  rendersMax: 200,
  ageMsMax: 30 * 60_000,
  memoryBytesMax: 1.5 * 2 ** 30,
  idleMsMax: 10 * 60_000,
};
const MEMORY_CHECK_EVERY = 10;
const EXIT_MS = 1_000;

/** One engine's process and the queue before it. */
export class WarmEngine<P extends WarmProcess> {
  readonly #label: string;
  readonly #start: () => Promise<P>;
  readonly #limits: Required<WarmLimits>;
  #running: Running<P> | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  /** `label` names the engine in errors, such as `Thunderbird 140.5.0esr (dark)`. */
  constructor(label: string, start: () => Promise<P>, limits: WarmLimits = {}) {
    this.#label = label;
    this.#start = start;
    this.#limits = { ...DEFAULTS, ...limits };
  }

  /** The process that runs now, if any. */
  get pid(): number | undefined {
    return this.#running?.process.pid;
  }

  /**
   * Runs `work` with the process, after all work that was asked for before. Throws what `work` throws, or
   * `RenderError`: `start_failed`, `crashed`, `aborted`, `closed`, or what the document brought about. After any
   * failure the next work gets a new process.
   */
  use<T>(work: (process: P) => Promise<T>, signal: AbortSignal, wanted: { cpuMsMax?: number } = {}): Promise<T> {
    const next = this.#last.then(() => this.#useNow(work, signal, wanted));
    this.#last = next.catch(() => undefined);
    return next;
  }

  /** Starts the process now instead of at the first work. */
  async warm(): Promise<void> {
    await this.use(() => Promise.resolve(), new AbortController().signal);
  }

  /** Ends the process; work that waits or runs fails with `closed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    if (this.#running) await this.#discard(this.#running, this.#closed());
    await this.#last;
  }

  async #useNow<T>(work: (process: P) => Promise<T>, signal: AbortSignal, wanted: { cpuMsMax?: number }): Promise<T> {
    const aborted = (): RenderError => new RenderError('aborted', 'The render was called off.', signal.reason);
    if (signal.aborted) throw aborted();
    clearTimeout(this.#idleTimer);
    const used = await this.#acquire();
    const onAbort = (): void => used.fail(aborted());
    const meter = meterRender(used.process.pid, boundsFor(wanted, this.#limits.bounds), (error) => used.fail(error));
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const result = await Promise.race([work(used.process), used.gone]);
      used.renders += 1;
      if (await this.#isWornOut(used))
        await this.#discard(used, new RenderError('closed', `${this.#label} was replaced.`));
      return result;
    } catch (failure) {
      meter.stop();
      const error = await this.#explain(used, failure, meter);
      // Nobody knows what a failed render has left behind, so the process is not used again.
      await this.#discard(used, new RenderError('crashed', `${this.#label} was ended after a failure.`, error));
      throw error;
    } finally {
      meter.stop();
      signal.removeEventListener('abort', onAbort);
      this.#rest();
    }
  }

  /** A process that went away breaks the connection to it first: the reason why it went is the better one. */
  async #explain(used: Running<P>, failure: unknown, meter: RenderMeter): Promise<unknown> {
    if (!(failure instanceof RenderError)) return failure;
    const ended: RenderError =
      failure.reason === 'crashed'
        ? await Promise.race([used.gone.catch((gone: RenderError) => gone), wait(EXIT_MS, failure, { ref: false })])
        : failure;
    if (ended.reason === 'broke') return meter.explainBreak(ended);
    ended.cpuMs ||= meter.cpuMs;
    return ended;
  }

  async #acquire(): Promise<Running<P>> {
    if (this.#isClosed) throw this.#closed();
    const used = this.#running ?? (await this.#launch());
    if (this.#isClosed) {
      await used.process.end();
      throw this.#closed();
    }
    return used;
  }

  async #launch(): Promise<Running<P>> {
    const process = await this.#start().catch((error: unknown) => {
      if (this.#isClosed) throw this.#closed();
      return asStartFailure(error);
    });
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => undefined); // heard by the render that runs, if one does
    const started: Running<P> = { process, startedAt: performance.now(), renders: 0, gone, fail: reject };
    this.#running = started;
    void process.ended.then(({ why, isBroken }) => {
      const error = isBroken
        ? new RenderError('broke', 'The mail client or browser broke over the document.', why)
        : new RenderError('crashed', `${this.#label} went away.`, why);
      return this.#discard(started, error);
    });
    return started;
  }

  async #discard(used: Running<P>, error: RenderError): Promise<void> {
    if (this.#running === used) this.#running = undefined;
    used.fail(error);
    await used.process.end();
  }

  async #isWornOut(used: Running<P>): Promise<boolean> {
    const { rendersMax, ageMsMax, memoryBytesMax } = this.#limits;
    if (used.renders >= rendersMax || performance.now() - used.startedAt > ageMsMax) return true;
    if (used.renders % MEMORY_CHECK_EVERY !== 0) return false;
    return ((await memoryOfTree(used.process.pid)) ?? 0) > memoryBytesMax;
  }

  #rest(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#idleTimer);
    this.#idleTimer = setTimeout(() => {
      if (this.#running)
        void this.#discard(
          this.#running,
          new RenderError('closed', `${this.#label} was ended after a time without work.`),
        );
    }, this.#limits.idleMsMax).unref();
  }

  #closed(): RenderError {
    return new RenderError('closed', `${this.#label} was closed.`);
  }
}

/** Whatever goes wrong before there is a document is not the document's. */
function asStartFailure(error: unknown): never {
  if (error instanceof RenderError && (error.isPassing || error.reason === 'start_failed')) throw error;
  throw new RenderError('start_failed', 'The engine did not start.', error);
}
