// The metrics of the wire: which counters each is the sum of, and which counts each rate is made of.
import type { Counter } from '../_figures/index.ts';
import { RATES, type COUNT_NAMES } from './contract.ts';

const DELIVERED: readonly Counter[] = ['delivered_at_once', 'delivered_later'];
const SUPPRESSED: readonly Counter[] = ['suppress_bounce', 'suppress_unsubscribe', 'suppress_complaint'];
const SOFT: readonly Counter[] = ['soft', 'espblock'];
/** Refused for good, after a try. */
const REFUSED: readonly Counter[] = ['bounce', 'delayed_bounce', ...SOFT, 'old', 'webhook', 'permanent_other'];
const PERMANENT: readonly Counter[] = [...REFUSED, ...SUPPRESSED];
const TEMPORARY: readonly Counter[] = ['temporary', 'temporary_espblock'];
/** Nothing of the kind happens here: no routes, no times that are chosen for a reader. */
const NONE: readonly Counter[] = [];

/** Counts, by name. */
const COUNTS: Readonly<Record<(typeof COUNT_NAMES)[number], readonly Counter[]>> = {
  accepted_incoming_count: NONE,
  accepted_outgoing_count: ['accepted'],
  accepted_count: ['accepted'],
  delivered_smtp_count: DELIVERED,
  delivered_http_count: NONE,
  delivered_optimized_count: NONE,
  delivered_count: DELIVERED,
  stored_count: ['stored'],
  processed_count: [...DELIVERED, ...PERMANENT.filter((name) => name !== 'webhook' && name !== 'delayed_bounce')],
  sent_count: [...DELIVERED, ...REFUSED],
  opened_count: ['opened'],
  clicked_count: ['clicked'],
  unique_opened_count: ['unique_opened'],
  unique_clicked_count: ['unique_clicked'],
  unsubscribed_count: ['unsubscribed'],
  complained_count: ['complained'],
  failed_count: [...TEMPORARY, ...PERMANENT],
  temporary_failed_count: TEMPORARY,
  permanent_failed_count: PERMANENT,
  esp_block_count: ['temporary_espblock'],
  temporary_failed_esp_block_count: ['temporary_espblock'],
  permanent_failed_esp_block_count: ['espblock'],
  rate_limit_count: NONE,
  webhook_count: ['webhook'],
  permanent_failed_optimized_count: NONE,
  permanent_failed_old_count: ['old'],
  bounced_count: REFUSED,
  hard_bounces_count: ['bounce'],
  soft_bounces_count: SOFT,
  delayed_bounce_count: ['delayed_bounce'],
  suppressed_bounces_count: ['suppress_bounce'],
  suppressed_unsubscribed_count: ['suppress_unsubscribe'],
  suppressed_complaints_count: ['suppress_complaint'],
  delivered_first_attempt_count: ['delivered_at_once'],
  delayed_first_attempt_count: ['delivered_later', 'old'],
  delivered_subsequent_count: ['delivered_later'],
  delivered_two_plus_attempts_count: ['delivered_later'],
};
export type CountName = keyof typeof COUNTS;

type RateName = keyof typeof RATES;

export type MetricName = CountName | RateName;

const isRate = (name: MetricName): name is RateName => Object.hasOwn(RATES, name);

type Counts = Readonly<Partial<Record<Counter, number>>>;

const countOf = (name: CountName, counts: Counts): number =>
  COUNTS[name].reduce((sum: number, counter: Counter) => sum + (counts[counter] ?? 0), 0);

/** A count, or a rate from 0; undefined for the rate of nothing. */
export function metricOf(name: MetricName, counts: Counts): number | undefined {
  if (!isRate(name)) return countOf(name, counts);
  const [part, whole] = RATES[name];
  const of = countOf(whole, counts);
  return of === 0 ? undefined : countOf(part, counts) / of;
}

/** The counters that metrics need. */
export function countersOf(names: readonly MetricName[]): Counter[] {
  const counts = names.flatMap((name): readonly CountName[] => (isRate(name) ? RATES[name] : [name]));
  return [...new Set(counts.flatMap((name): readonly Counter[] => COUNTS[name]))];
}

/** As the wire has them: counts are numbers, rates are texts with four places; the rate of nothing is left out. */
export function metricsView(names: readonly MetricName[], counts: Counts): Record<string, number | string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = metricOf(name, counts);
      return value === undefined ? [] : [[name, isRate(name) ? value.toFixed(4) : value]];
    }),
  );
}
