// What follows from an attempt: pure functions.
import { isSuccess, NOT_WANTED, type Attempt } from '../../../platform/posting/index.ts';
import type { Standing } from './outbox-store.ts';

/** Failed attempts in a row after which a URL is paused. */
const PAUSE_AFTER = 100;
/** Answers 410 in a row after which a URL is disabled. */
const GONE_AFTER = 3;
const PROBE_MS = 600_000;

const GONE = 410;

/** The URL answers as it should: it took the event, or said that it wants no such event. */
const isAlive = ({ code }: Attempt): boolean => isSuccess(code) || code === NOT_WANTED;

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
