// Stats as the wire has them: nested sums of counters, by kind of event.
import type { Counter, FigureDimension } from '../_figures/index.ts';
import { metricOf, type CountName } from '../metrics/index.ts';
import type { STAT_EVENTS } from './contract.ts';

export type StatEvent = (typeof STAT_EVENTS)[number];

type Counts = Readonly<Partial<Record<Counter, number>>>;

/** What each kind of event is shown as. */
const VIEWS: Readonly<Record<StatEvent, (of: (name: CountName) => number) => object>> = {
  accepted: (of) => ({
    incoming: of('accepted_incoming_count'),
    outgoing: of('accepted_outgoing_count'),
    total: of('accepted_count'),
  }),
  delivered: (of) => ({
    smtp: of('delivered_smtp_count'),
    http: of('delivered_http_count'),
    optimized: of('delivered_optimized_count'),
    total: of('delivered_count'),
  }),
  failed: (of) => ({
    temporary: { espblock: of('temporary_failed_esp_block_count'), total: of('temporary_failed_count') },
    permanent: {
      'suppress-bounce': of('suppressed_bounces_count'),
      'suppress-unsubscribe': of('suppressed_unsubscribed_count'),
      'suppress-complaint': of('suppressed_complaints_count'),
      bounce: of('hard_bounces_count'),
      'delayed-bounce': of('delayed_bounce_count'),
      webhook: of('webhook_count'),
      optimized: of('permanent_failed_optimized_count'),
      total: of('permanent_failed_count'),
    },
  }),
  opened: (of) => ({ total: of('opened_count'), unique: of('unique_opened_count') }),
  clicked: (of) => ({ total: of('clicked_count'), unique: of('unique_clicked_count') }),
  unsubscribed: (of) => ({ total: of('unsubscribed_count') }),
  complained: (of) => ({ total: of('complained_count') }),
  stored: (of) => ({ total: of('stored_count') }),
};

/** The kinds that are asked for, of one hour, day or month. */
export function statView<Head extends object>(head: Head, counts: Counts, events: readonly StatEvent[]) {
  const of = (name: CountName): number => metricOf(name, counts) ?? 0;
  return { ...head, ...Object.fromEntries(events.map((event) => [event, VIEWS[event](of)])) };
}

const READERS = {
  clicked: 'clicked_count',
  complained: 'complained_count',
  opened: 'opened_count',
  unique_clicked: 'unique_clicked_count',
  unique_opened: 'unique_opened_count',
  unsubscribed: 'unsubscribed_count',
} as const satisfies Record<string, CountName>;

/** What is counted of one provider, device or country. At acceptance no provider is known. */
export function aggregateView(dimension: FigureDimension, counts: Counts): Record<string, number> {
  const names: Record<string, CountName> =
    dimension === 'recipient_provider' ? { delivered: 'delivered_count', ...READERS } : READERS;
  return Object.fromEntries(Object.entries(names).map(([name, count]) => [name, metricOf(count, counts) ?? 0]));
}
