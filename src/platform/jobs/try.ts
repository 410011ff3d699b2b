// Runs one try of one job, within a time limit. It always ends with an outcome, and never throws.
import { setTimeout as delay } from 'node:timers/promises';
import { Check, Errors } from 'typebox/value';
import { patiently } from '../db/index.ts';
import { isPassing, messageOf } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { Hopeless, type Job } from './declare.ts';
import type { Taken } from './store.ts';

export type Outcome =
  | { end: 'done' }
  /** The process stops: the try does not count. */
  | { end: 'cut-off' }
  /** `attempts`: how many tries count from now on. */
  | { end: 'again'; attempts: number; afterSeconds: number; error: string };

interface Trying<Outside> {
  outside: Outside;
  log: Log;
  /** Aborted when the process stops. */
  stop: AbortSignal;
}

/** How long a handler may go on after its time limit; then the worker stops waiting for it. */
const GRACE_MS = 5_000;
/** A job is given up after its process died so many times: the job may be the cause. */
const LOSSES_MAX = 30;
const BACKOFF_SECONDS_MAX = 60;

function backoffSeconds(attempt: number): number {
  return Math.min(BACKOFF_SECONDS_MAX, 2 ** (attempt - 1)) * (0.75 + Math.random() / 2);
}

/** Rejects when the work goes on after its limit and the grace time: a handler that ignores the abort keeps no slot. */
async function inTime(
  work: (signal: AbortSignal) => Promise<void>,
  { timeoutMs, stop }: { timeoutMs: number; stop: AbortSignal },
): Promise<void> {
  const limit = new AbortController();
  const ended = new AbortController();
  const overdue = (async () => {
    const { signal } = ended;
    await delay(timeoutMs, undefined, { signal });
    const tooLong = new Error(`It ran for ${Math.round(timeoutMs / 1000)} seconds and was ended.`);
    limit.abort(tooLong);
    await delay(GRACE_MS, undefined, { signal });
    throw tooLong;
  })();
  const running = work(AbortSignal.any([stop, limit.signal]));
  try {
    await Promise.race([running, overdue]);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    ended.abort();
    // The promise that loses the race may reject later, and nobody waits for it then.
    overdue.catch(() => undefined);
    running.catch(() => undefined);
  }
}

async function runOnce<Outside>(job: Job<Outside>, taken: Taken, { outside, stop }: Trying<Outside>): Promise<void> {
  const { payload } = taken;
  if (!Check(job.payload, payload)) {
    const faults = [...Errors(job.payload, payload)].map((fault) => fault.message).join('; ');
    throw new Hopeless(`${job.name} got a payload it does not know: ${faults}`);
  }
  const timeoutMs = typeof job.timeoutMs === 'number' ? job.timeoutMs : job.timeoutMs(outside);
  const isLast = taken.attempts >= job.attempts;
  // The try waits for a database that is away: that is not the job's fault.
  await inTime(
    (signal) =>
      patiently(signal, () => job.run(outside, payload as never, { signal, attempt: taken.attempts, isLast })),
    { timeoutMs, stop },
  );
}

/** The end of a job that is not tried again. If its feature cannot be notified now, it is notified later. */
async function giveUp<Outside>(
  job: Job<Outside>,
  taken: Taken,
  { outside, log, ...failure }: Trying<Outside> & { reason: string; tries: number },
): Promise<Outcome> {
  const { reason, tries } = failure;
  log.error({ job: job.name, payload: taken.payload, tries, losses: taken.losses, reason }, 'a job was given up');
  try {
    await job.gaveUp?.(outside, taken.payload as never, { reason, tries });
    return { end: 'done' };
  } catch (error) {
    log.error({ job: job.name, err: error }, 'the feature could not be notified of the end of a job');
    return {
      end: 'again',
      attempts: Math.max(job.attempts, tries),
      afterSeconds: BACKOFF_SECONDS_MAX / 4,
      error: reason,
    };
  }
}

/** Puts off a job because a part of the service is away or full; the try does not count. */
function putOff<Outside>(
  job: Job<Outside>,
  { attempts, payload }: Taken,
  { log, error }: { log: Log; error: unknown },
): Outcome {
  log.warn({ job: job.name, payload, message: messageOf(error) }, 'a job was put off: a part of the service is away');
  return { end: 'again', attempts: attempts - 1, afterSeconds: 2 + Math.random() * 3, error: messageOf(error) };
}

/** Runs a job that a worker took. Never throws. */
export async function tryJob<Outside>(job: Job<Outside>, taken: Taken, trying: Trying<Outside>): Promise<Outcome> {
  const { log, stop } = trying;
  const started = performance.now();
  const tries = taken.attempts - 1;
  if (tries >= job.attempts) return giveUp(job, taken, { ...trying, reason: taken.lastError ?? 'It failed.', tries });
  if (taken.losses >= LOSSES_MAX)
    return giveUp(job, taken, {
      ...trying,
      reason: `The service was cut off ${taken.losses} times while it worked on this.`,
      tries: tries + taken.losses,
    });
  try {
    await runOnce(job, taken, trying);
    log.debug({ job: job.name, payload: taken.payload, ms: Math.round(performance.now() - started) }, 'job done');
    return { end: 'done' };
  } catch (error) {
    if (stop.aborted) return { end: 'cut-off' };
    if (isPassing(error)) return putOff(job, taken, { log, error });
    log.warn({ job: job.name, payload: taken.payload, attempt: taken.attempts, err: error }, 'job failed');
    const isOver = error instanceof Hopeless || taken.attempts >= job.attempts;
    if (isOver) return giveUp(job, taken, { ...trying, reason: messageOf(error), tries: taken.attempts });
    return {
      end: 'again',
      attempts: taken.attempts,
      afterSeconds: backoffSeconds(taken.attempts),
      error: messageOf(error),
    };
  }
}
