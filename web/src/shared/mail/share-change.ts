// Whether a share differs from an earlier one by more than so few seeds explain.

/** A share with its interval at 95 %, as the service gives it. */
export interface MeasuredShare {
  share: number;
  low: number;
  high: number;
}

export interface ShareChange {
  change: number;
  verdict: 'changed' | 'within noise';
}

/** By the interval of the difference (Newcombe 1998, method 10): the share changed when that leaves out 0. */
export function changeOfShare(before: MeasuredShare, after: MeasuredShare): ShareChange {
  const change = after.share - before.share;
  const low = change - Math.hypot(after.share - after.low, before.high - before.share);
  const high = change + Math.hypot(after.high - after.share, before.share - before.low);
  return { change, verdict: low > 0 || high < 0 ? 'changed' : 'within noise' };
}
