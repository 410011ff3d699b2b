// The words that events are filtered by: terms joined by AND, OR and NOT.
export { parseFilter, type FilterTree } from './parse-filter.ts';
