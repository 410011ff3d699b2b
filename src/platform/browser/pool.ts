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
 * bounds. Small scopes go first, so that one preview need not wait for sixty; a browser stays with the scope that is
 * open in it while that costs nobody anything.
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

/** A render that waited this long goes before smaller tests. */
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
  let isClosed = false;

  const run = async (browser: ChromiumRenderer, job: Job): Promise<void> => {
    idle.delete(browser);
    await job.run(browser);
    idle.add(browser);
    dispatch();
  };
  const dispatch = (): void => {
    while (queue.length > 0 && idle.size > 0) {
      const job = nextJob(queue, idle);
      queue.splice(queue.indexOf(job), 1);
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

/** Waited too long, then the smallest scope, then a scope that an idle browser has open, then the oldest. */
function nextJob(queue: Job[], idle: Set<ChromiumRenderer>): Job {
  const first = queue[0]!;
  if (performance.now() - first.queuedAt > FAIR_WAIT_MS) return first;
  const waiting = new Map<string, number>();
  for (const { request } of queue) waiting.set(request.scope, (waiting.get(request.scope) ?? 0) + 1);
  const rank = (job: Job): number => {
    const isOpen = [...idle].some((browser) => browser.holds(job.request));
    return waiting.get(job.request.scope)! * 2 - (isOpen ? 1 : 0);
  };
  return queue.reduce((best, job) => (rank(job) < rank(best) ? job : best));
}

/** The one with the scope open, else one that runs already, else any. */
function bestBrowser(idle: Set<ChromiumRenderer>, job: Job): ChromiumRenderer {
  const browsers = [...idle];
  return (
    browsers.find((browser) => browser.holds(job.request)) ??
    browsers.find((browser) => browser.pid !== undefined) ??
    browsers[0]!
  );
}
