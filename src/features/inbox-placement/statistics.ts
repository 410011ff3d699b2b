// Counts per provider and over all, with what they are worth.
import { compareProportions, wilsonInterval, type Comparison } from '../../engines/placement-statistics/index.ts';
import type { SeedDelivery } from '../seeds/index.ts';
import type { DeliveryStats } from './view.ts';

function statsOf(provider: string, deliveries: readonly SeedDelivery[]): DeliveryStats {
  const count = (test: (one: SeedDelivery) => boolean): number => deliveries.filter(test).length;
  const categories: Record<string, number> = {};
  for (const { placement, category } of deliveries) {
    if (placement !== 'inbox' && placement !== 'category') continue;
    const name = placement === 'inbox' ? 'primary' : (category ?? 'other');
    categories[name] = (categories[name] ?? 0) + 1;
  }
  const times = deliveries.flatMap(({ receivedAt }) => (receivedAt ? [receivedAt.toISOString()] : [])).sort();
  const inbox = count(({ placement }) => placement === 'inbox' || placement === 'category');
  const spam = count(({ placement }) => placement === 'spam');
  const rejected = count(({ state }) => state === 'bounced');
  const missing = rejected + count(({ state }) => state === 'missing');
  const decided = inbox + spam + missing;
  return {
    provider,
    delivered: count(({ state }) => state === 'delivered'),
    missing,
    pending: count(({ settledAt }) => settledAt === null),
    spam,
    inbox,
    total: deliveries.length,
    categories,
    rejected,
    undetermined: count(({ state }) => state === 'unknown'),
    inbox_interval: wilsonInterval({ count: inbox, of: decided }),
    spam_interval: wilsonInterval({ count: spam, of: decided }),
    first_received_at: times[0] ?? null,
    last_received_at: times.at(-1) ?? null,
  };
}

/** By provider, and `all`, which is always there. */
export function deliveryStats(deliveries: readonly SeedDelivery[]): Record<string, DeliveryStats> {
  const providers = [...Map.groupBy(deliveries, ({ provider }) => provider)];
  return { ...Object.fromEntries(providers.map(([provider, own]) => [provider, statsOf(provider, own)])), all: statsOf('all', deliveries) };
}

const decidedOf = ({ inbox, spam, missing }: DeliveryStats): number => inbox + spam + missing;

export interface StatsComparison {
  inbox: Comparison | null;
  spam: Comparison | null;
}

/** The share in the inbox and in spam, now and then, for every provider that both have. */
export function compareStats(before: Record<string, DeliveryStats>, after: Record<string, DeliveryStats>): Record<string, StatsComparison> {
  const compared: Record<string, StatsComparison> = {};
  for (const [provider, now] of Object.entries(after)) {
    const then = before[provider];
    if (!then) continue;
    const share = (field: 'inbox' | 'spam') => compareProportions({ count: then[field], of: decidedOf(then) }, { count: now[field], of: decidedOf(now) });
    compared[provider] = { inbox: share('inbox'), spam: share('spam') };
  }
  return compared;
}
