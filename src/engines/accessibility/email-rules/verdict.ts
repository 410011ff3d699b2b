import type { Spot, Verdict } from '../types.ts';

/** The rule has nothing to look at. */
export const NOTHING: Verdict = { applies: false, failures: [], review: [] };

/** Fails at each spot. */
export function failing(failures: Spot[], applies = true): Verdict {
  return { applies: applies || failures.length > 0, failures, review: [] };
}

/** Leaves each spot to a person. */
export function doubting(review: Spot[], applies = true): Verdict {
  return { applies: applies || review.length > 0, failures: [], review };
}
