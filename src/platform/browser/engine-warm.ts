// Keeps one process of an engine warm: started when first needed, one render at a time, ended after any failure.
import { RenderError } from './errors.ts';
import { memoryOfTree } from './process-tree.ts';

/** A running engine. */
export interface WarmProcess {
  readonly pid: number;
  /** Resolves with the reason once the process has ended. */
  readonly ended: Promise<string>;
  end(): Promise<void>;
}

export interface WarmLimits {
  /** One render, from the message's opening to its pixels; then the process is ended. Default 40,000. */
  renderTimeoutMs?: number;
  /** After so many renders, so long, or above so much memory the process is replaced. */
  rendersMax?: number;
  ageMsMax?: number;
  memoryBytesMax?: number;
  /** After so long without a render the process is ended. Default 10 minutes. */
  idleMsMax?: number;
}

export interface WarmEngine<P extends WarmProcess> {
  /**
   * Runs `work` with the process, after all work that was asked for before. Throws what `work` throws, or `RenderError`:
   * `start_failed`, `crashed`, `timeout`, `aborted`, `closed`. After any failure the next work gets a new process.
   */
  use<T>(work: (process: P) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** The process that runs now, if any. */
  readonly pid: number | undefined;
  close(): Promise<void>;
}

interface Running<P> {
  process: P;
  startedAt: number;
  renders: number;
  /** Rejects when the process goes away or is told to. */
  gone: Promise<never>;
  fail: (error: RenderError) => void;
}

const MEMORY_CHECK_EVERY = 10;

/** `label` names the engine in errors, such as `Thunderbird 140.5.0esr (dark)`. */
export function keepWarm<P extends WarmProcess>(label: string, start: () => Promise<P>, limits: WarmLimits = {}): WarmEngine<P> {
  const { renderTimeoutMs = 40_000, rendersMax = 200, ageMsMax = 30 * 60_000, memoryBytesMax = 1.5 * 2 ** 30, idleMsMax = 10 * 60_000 } = limits;
  let running: Running<P> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;
  const closed = (): RenderError => new RenderError('closed', `${label} was closed.`);

  const launch = async (): Promise<Running<P>> => {
    const process = await start();
    const { promise: gone, reject } = Promise.withResolvers<never>();
    gone.catch(() => undefined); // heard by the render that runs, if one does
    const started: Running<P> = { process, startedAt: performance.now(), renders: 0, gone, fail: reject };
    void process.ended.then((reason) => {
      if (running === started) running = undefined;
      reject(new RenderError('crashed', `${label} went away.`, reason));
      return process.end(); // what it held of ours is let go
    });
    return started;
  };
  const discard = async (used: Running<P>, error: RenderError): Promise<void> => {
    if (running === used) running = undefined;
    used.fail(error);
    await used.process.end();
  };
  const isWornOut = async (used: Running<P>): Promise<boolean> => {
    if (used.renders >= rendersMax || performance.now() - used.startedAt > ageMsMax) return true;
    if (used.renders % MEMORY_CHECK_EVERY !== 0) return false;
    return (await memoryOfTree(used.process.pid) ?? 0) > memoryBytesMax;
  };
  const acquire = async (): Promise<Running<P>> => {
    if (isClosed) throw closed();
    const used = running ?? await launch();
    if (isClosed) {
      await used.process.end();
      throw closed();
    }
    running = used;
    return used;
  };
  const rest = (): void => {
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      if (running) void discard(running, new RenderError('closed', `${label} was ended after a time without work.`));
    }, idleMsMax).unref();
  };

  const useNow = async <T>(work: (process: P) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const aborted = (): RenderError => new RenderError('aborted', 'The render was called off.', signal.reason);
    if (signal.aborted) throw aborted();
    clearTimeout(idleTimer);
    const used = await acquire();
    const onAbort = (): void => used.fail(aborted());
    const timer = setTimeout(() => used.fail(new RenderError('timeout', `${label} took more than ${renderTimeoutMs} ms and was ended.`)), renderTimeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const result = await Promise.race([work(used.process), used.gone]);
      used.renders += 1;
      if (await isWornOut(used)) await discard(used, new RenderError('closed', `${label} was replaced.`));
      return result;
    } catch (error) {
      // Nobody knows what a failed render has left behind, so the process is not used again.
      await discard(used, new RenderError('crashed', `${label} was ended after a failure.`, error));
      throw error;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      if (!isClosed) rest();
    }
  };

  return {
    use(work, signal) {
      const next = last.then(() => useNow(work, signal));
      last = next.catch(() => undefined);
      return next;
    },
    get pid() { return running?.process.pid; },
    async close() {
      isClosed = true;
      clearTimeout(idleTimer);
      if (running) await discard(running, closed());
      await last;
    },
  };
}
