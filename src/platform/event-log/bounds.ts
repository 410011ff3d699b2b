// What every keeper of the log holds to.
import type { EventFilter } from './types.ts';

/** Transactions that write events end sooner. */
const SETTLED_MS = 2000;
/** Counting further takes too long. */
export const COUNT_MAX = 1_000_000;

/** Ends two seconds before a moment. */
export function settled<Filter extends EventFilter>(filter: Filter, now: Date): Filter {
  const end = now.getTime() - SETTLED_MS;
  return filter.to.getTime() <= end ? filter : { ...filter, to: new Date(end) };
}
