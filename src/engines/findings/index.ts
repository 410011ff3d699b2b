// One shape for what any check finds; pure.
export { listedDetails, shownInList } from './listed-details.ts';
export { atEachPlace, onePerCause } from './one-per-cause.ts';
export type { Finding, Place, Severity } from './types.ts';
