// How much of the machine one render may use, and the meter that watches it.
import { setTimeout as wait } from 'node:timers/promises';
import { RenderError } from '../errors.ts';
import { treeNow, usageOf, wantsProcessor, type TreeUsage } from './process-tree.ts';

/** One render's share of the machine. */
export interface RenderBounds {
  /**
   * Milliseconds of processor time of the engine's processes together: what others take from the machine does not
   * count.
   */
  cpuMs: number;
  /** Memory of one process of the engine. The system itself holds it to that, where it can. */
  processBytes: number;
  /** Memory of the engine's processes together. */
  memoryBytes: number;
  /** Milliseconds in which there was nothing to compute, and still no picture. */
  idleMs: number;
}

export interface EffortBounds {
  quick: RenderBounds;
  patient: RenderBounds;
  /** An accessibility audit has one try. */
  audit: RenderBounds;
}

export interface EffortOptions {
  /** Processor seconds of a patient render (`GALLEY_RENDER_SECONDS`). */
  secondsMax: number;
  /** Memory of one process of the engine, in bytes (`GALLEY_RENDER_MEMORY_MB`). */
  processBytesMax: number;
}

/** Pictures of ordinary messages take 0.1 to 0.5 seconds, the largest that are allowed 2. */
const QUICK_SHARE = 0.2;
/** The rules look at pairs of elements: seconds for a long message. */
const AUDIT_SHARE = 0.67;
/** Longer than any wait that a render has a right to: for an image that does not come it is half of that. */
const IDLE_MS = 20_000;
/** An engine has several processes; few of them are large at the same time. */
const PROCESSES = 2.5;

export const DEFAULT_EFFORT: EffortOptions = { secondsMax: 10, processBytesMax: 2 ** 30 };

export function effortBounds({ secondsMax, processBytesMax }: EffortOptions = DEFAULT_EFFORT): EffortBounds {
  const memoryBytes = Math.round(PROCESSES * processBytesMax);
  const others = { processBytes: processBytesMax, memoryBytes, idleMs: IDLE_MS };
  const share = (of: number): RenderBounds => ({ cpuMs: Math.round(secondsMax * 1000 * of), ...others });
  return { quick: share(QUICK_SHARE), patient: share(1), audit: share(AUDIT_SHARE) };
}

/** What this one may use: what its engine allows, or less where less was asked for. */
export function boundsFor({ cpuMsMax }: { cpuMsMax?: number }, bounds: RenderBounds): RenderBounds {
  return cpuMsMax === undefined ? bounds : { ...bounds, cpuMs: Math.min(bounds.cpuMs, cpuMsMax) };
}

/** An ordinary render ends before the first look, which therefore costs it nothing. */
const FIRST_LOOK_MS = 1_000;
const LOOK_MS = 250;
/** To find the processes is the dear part of a look, and they hardly change. */
const FIND_EVERY = 8;
/** Less than this share of one processor is what an idle engine takes. */
const IDLE_SHARE = 0.02;
/** A process that ended itself above this share of its bound has run into it: it grows between two looks. */
const LARGE_SHARE = 0.66;

export interface RenderMeter {
  /** Processor time of the render so far, as far as it was looked at. */
  readonly cpuMs: number;
  /** Memory of all processes when they were last looked at; 0 for an ordinary render, which is over before. */
  readonly memoryBytes: number;
  /**
   * What to say of a process that ended itself: that it was too large, if it was seen to be; else what may be the case.
   */
  explainBreak(error: RenderError): RenderError;
  stop(): void;
}

/**
 * Watches the processes of an engine during one render. `onOver` is called once, with the reason, when the render has
 * used up its bounds. The first look comes late, and what was used before it is not counted.
 */
export function meterRender(pid: number, bounds: RenderBounds, onOver: (error: RenderError) => void): RenderMeter {
  const ended = new AbortController();
  let cpuMs = 0;
  let last: TreeUsage | undefined;
  let idleMs = 0;
  let looks = 0;
  let pids: number[] = [];
  const over = (reason: 'too_slow' | 'too_large' | 'stalled', message: string): void => {
    ended.abort();
    const error = new RenderError(reason, message);
    error.cpuMs = cpuMs;
    onOver(error);
  };
  const look = (elapsedMs: number): void => {
    if (looks % FIND_EVERY === 0) pids = treeNow(pid);
    looks += 1;
    const usage = usageOf(pids);
    const used = usage === undefined ? elapsedMs : growth(last, usage);
    last = usage;
    cpuMs += used;
    if (usage !== undefined && usage.memoryBytes > bounds.memoryBytes)
      return over('too_large', tooLarge(bounds.memoryBytes));
    if (cpuMs >= bounds.cpuMs)
      return over('too_slow', `The picture was not ready after ${inSeconds(bounds.cpuMs)} of computing.`);
    // A look that came late says nothing of the time before it: it may be this process that was busy.
    const isIdle = used <= elapsedMs * IDLE_SHARE && usage !== undefined && !wantsProcessor(usage.cpuMs.keys());
    if (isIdle) idleMs += Math.min(elapsedMs, 2 * LOOK_MS);
    if (idleMs > bounds.idleMs)
      over('stalled', `The picture was not ready, and nothing was computed for it for ${inSeconds(bounds.idleMs)}.`);
  };
  const watch = async (): Promise<void> => {
    let since = performance.now();
    for (let pause = FIRST_LOOK_MS; !ended.signal.aborted; pause = LOOK_MS) {
      await wait(pause, undefined, { signal: ended.signal, ref: false });
      const now = performance.now();
      try {
        look(now - since);
      } catch {
        // A look that fails, such as for want of a free file descriptor, says nothing of the render; the next one
        // follows.
      }
      since = now;
    }
  };
  watch().catch(() => undefined); // the pause was called off
  return {
    get cpuMs() {
      return Math.round(cpuMs);
    },
    get memoryBytes() {
      return last?.memoryBytes ?? 0;
    },
    explainBreak(error) {
      const explained = breakOf(error, last, bounds);
      explained.cpuMs = cpuMs;
      return explained;
    },
    stop: () => ended.abort(),
  };
}

function breakOf(error: RenderError, last: TreeUsage | undefined, { processBytes }: RenderBounds): RenderError {
  if ((last?.dataBytesMost ?? 0) > processBytes * LARGE_SHARE)
    return new RenderError('too_large', tooLarge(processBytes), error);
  const message = `${error.message} It met a fault of its own, or the end of the ${inMebibytes(processBytes)} that it may use.`;
  return new RenderError('broke', message, error);
}

/** Usage since the previous look, of the processes that existed then. */
function growth(before: TreeUsage | undefined, now: TreeUsage): number {
  if (before === undefined) return 0;
  let sum = 0;
  for (const [pid, cpuMs] of now.cpuMs) sum += Math.max(0, cpuMs - (before.cpuMs.get(pid) ?? cpuMs));
  return sum;
}

function tooLarge(bytes: number): string {
  return `The picture needs more memory than the ${inMebibytes(bytes)} that it may use.`;
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / 2 ** 20)} MiB`;
}

function inSeconds(ms: number): string {
  const seconds = Math.round(ms / 100) / 10;
  return seconds === 1 ? '1 second' : `${seconds} seconds`;
}
