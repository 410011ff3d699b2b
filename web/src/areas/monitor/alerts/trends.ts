// Which rates changed, by more than chance explains; pure.
import type { Reply } from '@galley/sdk';
import { changeOfShare, type MeasuredShare } from '../../../shared/mail/share-change.ts';

type HealthTotal = Reply<'GET /v1/health-score/total'>;

/** With fewer on either side nothing is said: one message more or less would be a trend. */
export const SENT_MIN = 200;

export type TrendName = 'delivered' | 'inbox' | 'inbox_simulated' | HealthTotal['components'][number]['name'];

export interface Count {
  count: number;
  of: number;
  /** How many independent observations that is; default: all. */
  observations?: number;
}

/** `few`: too little to compare. `rules`: simulated, so that no chance is at work. */
export type TrendVerdict = 'worse' | 'better' | 'same' | 'few' | 'rules';

export interface Trend {
  name: TrendName;
  now: Count;
  before: Count;
  verdict: TrendVerdict;
}

/** Quantile of the normal distribution for 95 %. */
const Z = 1.959964;

/** By the Wilson score interval, as the service measures rates. */
function measured({ count, of, observations = of }: Count): MeasuredShare {
  const share = count / of;
  const z2 = (Z * Z) / observations;
  const half = Z * Math.sqrt((share * (1 - share)) / observations + z2 / (4 * observations));
  return { share, low: (share + z2 / 2 - half) / (1 + z2), high: (share + z2 / 2 + half) / (1 + z2) };
}

type Period = Pick<HealthTotal, 'counters' | 'components' | 'placement'>;

/** Of a mailbox that is written to again and again the tests say the same, so that each mailbox counts once. */
function countsOf({ counters, components, placement: { real, simulated } }: Period): Map<TrendName, Count> {
  return new Map<TrendName, Count>([
    ['delivered', { count: counters.delivered, of: counters.sent }],
    ['inbox', { count: real.inbox, of: real.decided, observations: real.addresses }],
    ['inbox_simulated', { count: simulated.inbox, of: simulated.decided }],
    ...components.filter((one) => one.is_measured).map(({ name, count, of }) => [name, { count, of }] as const),
  ]);
}

const GOOD: ReadonlySet<TrendName> = new Set(['delivered', 'inbox', 'inbox_simulated']);

function verdictOf(name: TrendName, { before, now }: { before: Count; now: Count }): TrendVerdict {
  const isPlacement = name === 'inbox' || name === 'inbox_simulated';
  if (Math.min(before.of, now.of) < (isPlacement ? 1 : SENT_MIN)) return 'few';
  if (name === 'inbox_simulated') return 'rules';
  const { change, verdict } = changeOfShare(measured(before), measured(now));
  if (verdict !== 'changed') return 'same';
  return change > 0 === GOOD.has(name) ? 'better' : 'worse';
}

const NONE: Count = { count: 0, of: 0 };

/** What is known of either period, in one order; rates that nothing was counted for are left out. */
export function trendsOf(before: Period, now: Period): Trend[] {
  const [earlier, later] = [countsOf(before), countsOf(now)];
  return [...new Set([...later.keys(), ...earlier.keys()])].flatMap((name) => {
    const counts = { before: earlier.get(name) ?? NONE, now: later.get(name) ?? NONE };
    if (counts.before.of + counts.now.of === 0) return [];
    return [{ name, ...counts, verdict: verdictOf(name, counts) }];
  });
}
