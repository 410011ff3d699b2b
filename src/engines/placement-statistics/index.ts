// How sure a share of so few seeds is, and whether two shares really differ; pure.

interface Proportion {
  count: number;
  of: number;
}

export interface Interval {
  low: number;
  high: number;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959964;

const rounded = (value: number, digits = 4): number => Math.round(value * 10 ** digits) / 10 ** digits;

/**
 * The Wilson score interval at 95 % (Wilson 1927), from 0 to 1; null when nothing was counted. Holds for small numbers,
 * too. `digits` behind the point.
 */
export function wilsonInterval({ count, of }: Proportion, digits = 4): Interval | null {
  if (of <= 0) return null;
  const share = count / of;
  const z2 = (Z * Z) / of;
  const middle = share + z2 / 2;
  const half = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of));
  // At the ends the formula gives exactly 0 or 1 but for the arithmetic.
  return {
    low: count === 0 ? 0 : rounded((middle - half) / (1 + z2), digits),
    high: count === of ? 1 : rounded((middle + half) / (1 + z2), digits),
  };
}

export interface Comparison {
  before: number;
  after: number;
  change: number;
  /** Interval of the change, at 95 %. */
  interval: Interval;
  verdict: 'changed' | 'within noise';
}

/**
 * Two shares compared by the interval of their difference (Newcombe 1998, method 10, from two Wilson intervals): the
 * share changed when that interval leaves out 0. Null when one of them was not counted.
 */
export function compareProportions(before: Proportion, after: Proportion): Comparison | null {
  const first = wilsonInterval(before);
  const second = wilsonInterval(after);
  if (!first || !second) return null;
  const from = before.count / before.of;
  const to = after.count / after.of;
  const change = to - from;
  const low = change - Math.hypot(to - second.low, first.high - from);
  const high = change + Math.hypot(second.high - to, from - first.low);
  return {
    before: rounded(from),
    after: rounded(to),
    change: rounded(change),
    interval: { low: rounded(low), high: rounded(high) },
    verdict: low > 0 || high < 0 ? 'changed' : 'within noise',
  };
}
