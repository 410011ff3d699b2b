// One cause, one finding: a fault that occurs in many places of a message is reported once, with all its places.
import type { Finding, Place } from './types.ts';

/** Places of one finding that are listed; further places are counted. */
export const PLACES_MAX = 1_000;

/**
 * Findings that differ in nothing but their place become one, which has the first place in `where`, all of them in
 * `places`, and in `count` how many there are; the order is that of the first of each. One alone stays as it is.
 */
export function onePerCause<F extends Finding>(findings: readonly F[]): F[] {
  const causes = Map.groupBy(findings, (finding) => JSON.stringify({ ...finding, where: undefined }));
  return [...causes.values()].map((same) => (same.length === 1 ? same[0]! : joined(same)));
}

function joined<F extends Finding>(same: readonly F[]): F {
  const first = same[0]!;
  const places = same.flatMap(({ where }): Place[] => (where ? [where] : [])).slice(0, PLACES_MAX);
  return { ...first, ...(places.length > 0 && { where: places[0]!, places }), count: same.length };
}

/** The same finding at each of its places. */
export function atEachPlace<F extends Finding>(finding: F): F[] {
  const { places: listed, ...own } = finding;
  return listed === undefined ? [finding] : listed.map((where) => ({ ...(own as F), where }));
}
