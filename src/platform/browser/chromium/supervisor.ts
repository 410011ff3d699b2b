// Keeps one Chromium process at hand: started when first needed, replaced when it dies, is worn out or has to be ended.
import { setTimeout as wait } from 'node:timers/promises';
import type { ChromiumProcess } from './process.ts';
import type { ChromiumStarter } from './start.ts';
import { RenderError } from '../errors.ts';
import { memoryOfTree, treeNow, usageOf } from '../guard/process-tree.ts';

export interface WearLimits {
  /**
   * After so many renders, so long, or above so much memory the process is replaced. Default 200, 30 minutes, 1 GiB.
   */
  rendersMax?: number;
  ageMsMax?: number;
  memoryBytesMax?: number;
}

/** A running process and what its user keeps with it. */
export interface Running<Kept> {
  process: ChromiumProcess;
  kept: Kept;
  startedAt: number;
  renders: number;
  /** Rejects when the process goes away or is ended, with the reason. */
  gone: Promise<never>;
  fail: (error: RenderError) => void;
}

export interface ChromiumSupervisor<Kept> {
  readonly running: Running<Kept> | undefined;
  /** The process, started if need be. Throws `RenderError` (`start_failed`, `closed`). */
  acquire(): Promise<Running<Kept>>;
  /** Ends this process; what waits on its `gone` hears the error. */
  discard(used: Running<Kept>, error: RenderError): Promise<void>;
  /** Counts a render that was seen with so much memory, and ends the process when it was one too many. */
  wear(used: Running<Kept>, seenBytes: number): Promise<void>;
  close(): Promise<void>;
}

const MEMORY_CHECK_EVERY = 10;
/** The rough figure leaves out the pages of files: those of a browser are some tens of megabytes, and do not grow. */
const ROUGH_SHARE = 0.8;

const closedError = (): RenderError => new RenderError('closed', 'The browser was closed.');

const refuse =
  (isClosed: () => boolean) =>
  (error: unknown): never => {
    throw isClosed() ? closedError() : error;
  };

/** `keep` makes what is kept with each new process. */
export function superviseChromium<Kept>(
  starter: ChromiumStarter,
  options: { limits: WearLimits; keep: (process: ChromiumProcess) => Kept },
): ChromiumSupervisor<Kept> {
  let running: Running<Kept> | undefined;
  let starting: Promise<Running<Kept>> | undefined;
  let isClosed = false;
  /** Processes that were discarded and are not gone yet. */
  const ending = new Set<Promise<void>>();
  const starts = new AbortController();

  const start = async (): Promise<Running<Kept>> => {
    // Whoever closes ends what is starting: that is no failure of the browser's.
    const process = await starter.start(starts.signal).catch(refuse(() => isClosed));
    const started = attend(process, options.keep(process));
    process.browser.once('disconnected', () => {
      if (running === started) running = undefined;
      void explainExit(process.exit, starter.install.version).then((error) => {
        started.fail(error);
        return process.end();
      });
    });
    if (isClosed) {
      await process.end();
      throw closedError();
    }
    return started;
  };
  const discard = async (used: Running<Kept>, error: RenderError): Promise<void> => {
    if (running === used) running = undefined;
    used.fail(error);
    const end = used.process.end().finally(() => ending.delete(end));
    ending.add(end);
    await end;
  };

  return {
    get running() {
      return running;
    },
    async acquire() {
      if (isClosed) throw closedError();
      if (running !== undefined) return running;
      starting ??= start().finally(() => {
        starting = undefined;
      });
      running = await starting;
      return running;
    },
    discard,
    async wear(used, seenBytes) {
      used.renders += 1;
      if (running === used && (await isWornOut(used, seenBytes, options.limits)))
        await discard(used, new RenderError('closed', 'The browser was replaced.'));
    },
    async close() {
      isClosed = true;
      if (running === undefined) starts.abort();
      const used = running ?? (await starting?.catch(() => undefined));
      if (used !== undefined) await discard(used, closedError());
      // Whoever closes may end this process next, and with it what still ends a browser.
      await Promise.all(ending);
    },
  };
}

function attend<Kept>(process: ChromiumProcess, kept: Kept): Running<Kept> {
  const { promise: gone, reject: fail } = Promise.withResolvers<never>();
  gone.catch(() => {}); // heard by the render that runs, if one does
  return { process, kept, startedAt: performance.now(), renders: 0, gone, fail };
}

async function isWornOut(used: Running<unknown>, seenBytes: number, limits: WearLimits): Promise<boolean> {
  const { rendersMax = 200, ageMsMax = 30 * 60_000, memoryBytesMax = 2 ** 30 } = limits;
  if (used.renders >= rendersMax || performance.now() - used.startedAt > ageMsMax) return true;
  const isLookedAt = seenBytes > memoryBytesMax || used.renders % MEMORY_CHECK_EVERY === 0;
  if (!isLookedAt) return false;
  // The exact figure is dear: the kernel walks through all pages for it.
  const roughly = usageOf(treeNow(used.process.pid))?.memoryBytes ?? 0;
  if (roughly < memoryBytesMax * ROUGH_SHARE) return false;
  return ((await memoryOfTree(used.process.pid)) ?? 0) > memoryBytesMax;
}

const EXIT_MS = 1_000;

/**
 * A browser that ended itself during a render broke over the document; one that was killed, or left silently, did not.
 */
async function explainExit(exit: ChromiumProcess['exit'], version: string): Promise<RenderError> {
  const how = await Promise.race([exit, wait(EXIT_MS, undefined, { ref: false })]);
  if (how === undefined || how === 0 || how === 'SIGKILL')
    return new RenderError('crashed', `${version} went away.`, how);
  return new RenderError('broke', 'The browser broke over the document.', how);
}
