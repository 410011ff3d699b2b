// Which band of reputation a domain belongs to, from what became of its messages.
export { BANDS, WINDOW_DAYS, type Band } from './limits.ts';
export { judgeBand, type Verdict } from './judge.ts';
