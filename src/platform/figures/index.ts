// Sums of what happened, by the hour and by the day, and who did something for the first time. PostgreSQL keeps them,
// embedded or not; what is counted, and when, is said by who adds.
export {
  addFirsts,
  addSums,
  deleteOldSums,
  deleteSums,
  isOverRows,
  readingSums,
  readSums,
  type First,
  type Sum,
  type SumColumn,
  type SumRow,
} from './sums.ts';
export { makeSpans } from './spans.ts';
export type { Detail } from './sets.ts';
