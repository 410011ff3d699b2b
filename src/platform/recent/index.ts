// Facts about callers whose number has no bound, in memory of bounded size.
export { Buckets } from './buckets.ts';
export { Recent } from './recent.ts';
