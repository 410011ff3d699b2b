// Of how many calls that wait there is room in this process.
import { AppError } from '../../../platform/errors/index.ts';

/** Of one account, and of all. */
const OF_ACCOUNT_MAX = 250;
const OF_ALL_MAX = 2000;

/** How many an account may have: never more than are free, so a few accounts leave room for the others. */
export const allowance = (taken: number): number => Math.min(OF_ACCOUNT_MAX, OF_ALL_MAX - taken);

const counts = new Map<string, number>();
let countOfAll = 0;

/** Takes one of the places in which an account may wait; the function gives it back. Throws `too_many_requests`. */
export function takePlace(accountId: string): () => void {
  const count = counts.get(accountId) ?? 0;
  if (count >= allowance(countOfAll))
    throw new AppError(
      'too_many_requests',
      count >= OF_ACCOUNT_MAX
        ? `${count} calls of this account wait for messages of its sandbox, and no more may. Try again when some have ended.`
        : 'As many calls wait for messages of sandboxes as may. Try again in a few seconds.',
      { headers: { 'retry-after': '5' } },
    );
  counts.set(accountId, count + 1);
  countOfAll += 1;
  return () => {
    countOfAll -= 1;
    const left = (counts.get(accountId) ?? 1) - 1;
    if (left > 0) counts.set(accountId, left);
    else counts.delete(accountId);
  };
}
