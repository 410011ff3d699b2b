// When a post that failed is made again: pure functions.
import type { Attempt } from './post.ts';

/** Waits between attempts, in seconds: with the first one, there are seven, over 7.5 hours. */
const WAITS = [300, 600, 900, 3600, 7200, 14_400];

export const isSuccess = (code: number | null): boolean => code !== null && code >= 200 && code < 300;
/** The receiver wants no such post. */
export const NOT_WANTED = 406;

/** What becomes of a delivery: `attempts` are all of its attempts, the last one included. */
export function stateAfter(
  attempts: readonly Attempt[],
  now: Date,
  waits: readonly number[] = WAITS,
): { state: 'delivered' | 'rejected' | 'failed' } | { state: 'waiting'; dueAt: Date } {
  const code = attempts.at(-1)?.code ?? null;
  if (isSuccess(code)) return { state: 'delivered' };
  if (code === NOT_WANTED) return { state: 'rejected' };
  const wait = waits[attempts.length - 1];
  return wait === undefined ? { state: 'failed' } : { state: 'waiting', dueAt: new Date(now.getTime() + wait * 1000) };
}
