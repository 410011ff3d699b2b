// One browser process per core, and the queue in front of them.
import { availableParallelism } from 'node:os';
import type { Auditor, AuditRequest } from './axe/types.ts';
import { createChromium, type ChromiumLimits, type ChromiumRenderer } from './chromium/chromium.ts';
import type { ChromiumStarter } from './chromium/start.ts';
import { withEfforts } from './efforts.ts';
import { RenderError } from './errors.ts';
import { effortBounds, type EffortBounds } from './guard/render-bounds.ts';
import type { Renderer, RenderRequest } from './types.ts';

interface RenderPoolOptions {
  starter: ChromiumStarter;
  /** Browser processes. Default: one per core. */
  size?: number;
  limits?: ChromiumLimits;
  /** What renders of each effort may use. */
  bounds?: EffortBounds;
}

export interface RenderPool extends Renderer, Auditor {
  /** Starts every process now instead of at the first renders. */
  warm(): Promise<void>;
  /** The processes that run now. */
  pids(): number[];
}

interface Job {
  request: AuditRequest | RenderRequest;
  queuedAt: number;
  /** Does it in this browser; settles when the browser is free again. */
  run: (browser: ChromiumRenderer) => Promise<void>;
  reject: (error: unknown) => void;
}

/** The patient browser is rarely needed. */
const PATIENT_IDLE_MS = 60_000;

/**
 * A renderer made of `size` Chromium processes, and one more while documents need it that were too much for the quick
 * bounds. Scopes take turns, so that one preview need not wait for sixty; of one scope a browser takes what its page is
 * nearest to.
 */
export function createRenderPool(options: RenderPoolOptions): RenderPool {
  const { starter, limits = {}, size = availableParallelism(), bounds = effortBounds() } = options;
  const quick = createSeats({ starter, size, limits: { bounds: bounds.quick, auditBounds: bounds.audit, ...limits } });
  const patient = createSeats({
    starter,
    size: 1,
    limits: { ...limits, bounds: bounds.patient, idleMsMax: PATIENT_IDLE_MS },
  });
  return {
    ...withEfforts(quick, patient),
    pids: () => [...quick.pids(), ...patient.pids()],
    warm: () => quick.warm(),
    audit: (request, signal) => quick.audit(request, signal),
  };
}

/** A render that waited this long goes before all others. */
const FAIR_WAIT_MS = 5_000;

function createSeats({
  starter,
  size,
  limits,
}: {
  starter: ChromiumStarter;
  size: number;
  limits: ChromiumLimits;
}): RenderPool {
  const browsers = Array.from({ length: Math.max(1, size) }, () => createChromium(starter, limits));
  const idle = new Set(browsers);
  const queue: Job[] = [];
  const turns = new Map<string, number>();
  let isClosed = false;

  const run = async (browser: ChromiumRenderer, job: Job): Promise<void> => {
    idle.delete(browser);
    await job.run(browser);
    idle.add(browser);
    dispatch();
  };
  const dispatch = (): void => {
    while (queue.length > 0 && idle.size > 0) {
      const job = nextJob(queue, idle, turns);
      queue.splice(queue.indexOf(job), 1);
      noteTurn(turns, job.request.scope);
      void run(bestBrowser(idle, job), job);
    }
  };

  const enqueue = <T>(request: Job['request'], signal: AbortSignal, work: Work<T>): Promise<T> => {
    if (isClosed) return Promise.reject(new RenderError('closed', 'The browser was closed.'));
    if (signal.aborted) return Promise.reject(calledOff(signal));
    const done = queueUp(queue, { request, signal, work });
    dispatch();
    return done;
  };

  return {
    engine: 'chromium',
    version: starter.install.version,
    pids: () => browsers.flatMap((browser) => browser.pid ?? []),
    async warm() {
      await Promise.all(browsers.map((browser) => browser.warm()));
    },
    render: (request, signal) => enqueue(request, signal, (browser) => browser.render(request, signal)),
    audit: (request, signal) => enqueue(request, signal, (browser) => browser.audit(request, signal)),
    async close() {
      isClosed = true;
      for (const job of queue.splice(0)) job.reject(new RenderError('closed', 'The browser was closed.'));
      await Promise.all(browsers.map((browser) => browser.close()));
    },
  };
}

type Work<T> = (browser: ChromiumRenderer) => Promise<T>;

function calledOff(signal: AbortSignal): RenderError {
  return new RenderError('aborted', 'The render was called off.', signal.reason);
}

/** Settles when the job is done, or called off while it waits. */
function queueUp<T>(
  queue: Job[],
  { request, signal, work }: { request: Job['request']; signal: AbortSignal; work: Work<T> },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      const index = queue.indexOf(job);
      if (index === -1) return; // it runs: the browser hears the signal itself
      queue.splice(index, 1);
      reject(calledOff(signal));
    };
    const leave = (): void => {
      signal.removeEventListener('abort', onAbort);
    };
    const job: Job = {
      request,
      queuedAt: performance.now(),
      run: (browser) => work(browser).then(resolve, reject).finally(leave),
      reject: (error) => {
        leave();
        reject(error);
      },
    };
    signal.addEventListener('abort', onAbort, { once: true });
    queue.push(job);
  });
}

/** Waited too long, then the scope whose last turn is longest ago, then what an idle browser is nearest to, then the oldest. */
function nextJob(queue: Job[], idle: Set<ChromiumRenderer>, turns: ReadonlyMap<string, number>): Job {
  const first = queue[0]!;
  if (performance.now() - first.queuedAt > FAIR_WAIT_MS) return first;
  const nearest = new Map(queue.map((job) => [job, Math.max(...[...idle].map((browser) => nearness(browser, job)))]));
  const turnOf = ({ request }: Job): number => turns.get(request.scope) ?? Number.NEGATIVE_INFINITY;
  const isBefore = (one: Job, other: Job): boolean =>
    turnOf(one) === turnOf(other) ? nearest.get(one)! > nearest.get(other)! : turnOf(one) < turnOf(other);
  return queue.reduce((best, job) => (isBefore(job, best) ? job : best));
}

/** How little this browser has to do before it draws the document: a process, a context and a page may be there. */
function nearness(browser: ChromiumRenderer, { request }: Job): number {
  if (browser.continuesWith(request)) return 3;
  if (browser.holds(request)) return 2;
  return browser.pid === undefined ? 0 : 1;
}

function bestBrowser(idle: Set<ChromiumRenderer>, job: Job): ChromiumRenderer {
  return [...idle].reduce((best, browser) => (nearness(browser, job) > nearness(best, job) ? browser : best));
}

/** So many scopes are remembered with their last turn; one that was forgotten has had none. */
const TURNS_MAX = 200;

/** The scope has had its turn just now. */
function noteTurn(turns: Map<string, number>, scope: string): void {
  turns.delete(scope);
  turns.set(scope, performance.now());
  if (turns.size > TURNS_MAX) turns.delete(turns.keys().next().value!);
}
