// Whoever computes with passwords takes a turn: each fills a thread, and memory.
import { AppError } from '../errors/index.ts';

/** More at once would keep every thread that reads files from its work. */
const AT_ONCE = 2;
const WAITING_MAX = 200;
const RETRY_SECONDS = 5;

let running = 0;
const waiting: (() => void)[] = [];

/** Runs when it is its turn: two passwords are computed at once, the others wait. Throws `unavailable` when too many wait. */
export async function inTurn<Result>(compute: () => Promise<Result>): Promise<Result> {
  if (running >= AT_ONCE) {
    if (waiting.length >= WAITING_MAX)
      throw new AppError('unavailable', `${WAITING_MAX} passwords wait to be checked. Try again in a few seconds.`, {
        headers: { 'retry-after': String(RETRY_SECONDS) },
      });
    // Whoever ends hands its place on.
    await new Promise<void>((resolve) => waiting.push(resolve));
  } else running += 1;
  try {
    return await compute();
  } finally {
    const next = waiting.shift();
    if (next) next();
    else running -= 1;
  }
}
