// What follows from an attempt: pure functions.
import type { Attempt, Standing } from './outbox-store.ts';

/** Waits between attempts, in seconds: with the first one, there are seven. */
const WAITS = [300, 600, 900, 3600, 7200, 14_400];

/** Failed attempts in a row after which a URL is paused. */
const PAUSE_AFTER = 100;
/** Answers 410 in a row after which a URL is disabled. */
const GONE_AFTER = 3;
const PROBE_MS = 600_000;

export const isSuccess = (code: number | null): boolean => code !== null && code >= 200 && code < 300;
const NOT_WANTED = 406;
const GONE = 410;

/** The URL answers as it should: it took the event, or said that it wants no such event. */
const isAlive = ({ code }: Attempt): boolean => isSuccess(code) || code === NOT_WANTED;

/** What becomes of a delivery: `attempts` are all of its attempts, the last one included. */
export function stateAfter(
  attempts: readonly Attempt[],
  now: Date,
): { state: 'delivered' | 'rejected' | 'failed' } | { state: 'waiting'; dueAt: Date } {
  const code = attempts.at(-1)?.code ?? null;
  if (isSuccess(code)) return { state: 'delivered' };
  if (code === NOT_WANTED) return { state: 'rejected' };
  const wait = WAITS[attempts.length - 1];
  return wait === undefined ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(now.getTime() + wait * 1000) };
}

/** How a URL stands after these attempts, which are in the order in which they ended. */
export function standingAfter(before: Standing, attempts: readonly Attempt[], now: Date): Standing {
  let { failures, gone, pausedAt, probeAt, disabledAt } = before;
  for (const attempt of attempts) {
    const isDown = !isAlive(attempt);
    failures = isDown ? failures + 1 : 0;
    gone = attempt.code === GONE ? gone + 1 : 0;
    if (!isDown) [pausedAt, probeAt] = [null, null];
    if (gone >= GONE_AFTER) disabledAt ??= now;
    if (failures >= PAUSE_AFTER) [pausedAt, probeAt] = [pausedAt ?? now, probeAfter(now)];
  }
  return { failures, gone, pausedAt, probeAt, disabledAt };
}

/** When a paused URL is asked again. */
export function probeAfter(now: Date): Date {
  return new Date(now.getTime() + PROBE_MS);
}
