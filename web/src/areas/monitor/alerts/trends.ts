// Which rates got worse, by more than chance explains; pure.
import type { Reply } from '@galley/sdk';
import { changeOfShare, type MeasuredShare } from '../../../shared/mail/share-change.ts';

type HealthTotal = Reply<'GET /v1/health-score/total'>;

/** With fewer on either side nothing is said: one message more or less would be a trend. */
export const SENT_MIN = 200;

type TrendName = 'delivered' | HealthTotal['components'][number]['name'];

interface Count {
  count: number;
  of: number;
}

export interface Trend {
  name: TrendName;
  now: Count;
  before: Count;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/** By the Wilson score interval, as the service measures rates. */
function measured({ count, of }: Count): MeasuredShare {
  const share = count / of;
  const z2 = (Z * Z) / of;
  const half = Z * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of));
  return { share, low: (share + z2 / 2 - half) / (1 + z2), high: (share + z2 / 2 + half) / (1 + z2) };
}

type Period = Pick<HealthTotal, 'counters' | 'components'>;

const countsOf = ({ counters, components }: Period): Map<TrendName, Count> =>
  new Map<TrendName, Count>([
    ['delivered', { count: counters.delivered, of: counters.sent }],
    ...components.filter((one) => one.is_measured).map((one) => [one.name, one] as const),
  ]);

/** Undefined: too little was sent in one of the periods to compare them. */
export function worsened(before: Period, now: Period): Trend[] | undefined {
  if (Math.min(before.counters.sent, now.counters.sent) < SENT_MIN) return undefined;
  const earlier = countsOf(before);
  return [...countsOf(now)].flatMap(([name, after]) => {
    const first = earlier.get(name);
    if (!first || first.of === 0 || after.of === 0) return [];
    const { change, verdict } = changeOfShare(measured(first), measured(after));
    const isWorse = verdict === 'changed' && (name === 'delivered' ? change < 0 : change > 0);
    const { count, of } = after;
    return isWorse ? [{ name, now: { count, of }, before: { count: first.count, of: first.of } }] : [];
  });
}
