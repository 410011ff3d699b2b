// What alerts on sending mean: pure functions.
import { sentOf, type Counts } from '../../../engines/sending-health/index.ts';
import type { COMPARATORS, SEND_METRICS } from './send-contract.ts';
import type { FilterComparator } from './send-store.ts';

type Comparator = (typeof COMPARATORS)[number];
type SendMetric = (typeof SEND_METRICS)[number];

const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 };
const PERIOD_MAX_MINUTES = 31 * 1440;

/** The minutes of `30m`, `1h`, `7d`, at most `31d`; undefined for anything else. */
export function minutesOf(period: string): number | undefined {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([mhd])$/.exec(period) ?? [];
  const minutes = Number(count) * (UNITS[unit] ?? Number.NaN);
  return minutes <= PERIOD_MAX_MINUTES ? minutes : undefined;
}

/** A share from 0 to 1 as texts have it; undefined for anything else. */
export function shareIn(text: string): number | undefined {
  const share = /^\d(\.\d{1,10})?$/.test(text.trim()) ? Number(text) : Infinity;
  return share <= 1 ? share : undefined;
}

/** A share as a text: six digits behind the point. */
export const shareText = (share: number): string => String(Number(share.toFixed(6)));

/** Whether a value stands so to a bound. */
export function holds<Value extends number | string>(value: Value, comparator: Comparator, bound: Value): boolean {
  const results: Record<Comparator, boolean> = {
    '=': value === bound,
    '!=': value !== bound,
    '<': value < bound,
    '<=': value <= bound,
    '>': value > bound,
    '>=': value >= bound,
  };
  return results[comparator];
}

/** What passes a filter: for `!=` and `not contains` who passes all of its values, for others who passes one of them. */
export function passing({
  comparator,
  values,
}: {
  comparator: FilterComparator;
  values: readonly string[];
}): (given: string) => boolean {
  const wanted = [...new Set(values.map((one) => one.toLowerCase()))];
  const named = new Set(wanted);
  return (given) => {
    const value = given.toLowerCase();
    if (comparator === '=') return named.has(value);
    if (comparator === '!=') return !named.has(value);
    if (comparator === 'contains') return wanted.some((one) => value.includes(one));
    if (comparator === 'not contains') return !wanted.some((one) => value.includes(one));
    return wanted.some((one) => holds(value, comparator, one));
  };
}

/** A metric: so many of so many. */
export function partOf(metric: SendMetric, counts: Counts): { part: number; whole: number } {
  const sent = sentOf(counts);
  const parts: Record<SendMetric, { part: number; whole: number }> = {
    hard_bounce_rate: { part: counts.hardBounces, whole: sent },
    temporary_fail_rate: { part: counts.softBounces, whole: counts.softBounces + sent },
    delivered_rate: { part: counts.delivered, whole: sent },
    complained_rate: { part: counts.complaints, whole: counts.delivered },
  };
  return parts[metric];
}
