// Counts per provider and over all, with what they are worth. A simulated receiver is one rule: however many addresses
// it has, it is one observation and has no interval. Intervals and tests of change are about real mailboxes only.
import { compareProportions, wilsonInterval, type Comparison } from '../../../engines/placement-statistics/index.ts';
import type { SeedDelivery } from '../../proof/_seeds/index.ts';
import type { DeliveryStats, DeliveryTotals } from './view.ts';

const isSimulated = ({ seedKind }: Pick<SeedDelivery, 'seedKind'>): boolean => seedKind === 'receiver';

interface Shares {
  inbox: number;
  spam: number;
  missing: number;
  /** Seeds with an outcome: the sum of the three. */
  decided: number;
}

function sharesOf(deliveries: readonly SeedDelivery[]): Shares {
  const count = (test: (one: SeedDelivery) => boolean): number => deliveries.filter(test).length;
  const inbox = count(({ placement }) => placement === 'inbox' || placement === 'category');
  const spam = count(({ placement }) => placement === 'spam');
  const missing = count(({ state }) => state === 'bounced' || state === 'missing');
  return { inbox, spam, missing, decided: inbox + spam + missing };
}

const isDecided = (one: SeedDelivery): boolean => sharesOf([one]).decided === 1;

/** A real mailbox is one observation, and so is a simulated receiver with all of its addresses. */
function observationsOf(deliveries: readonly SeedDelivery[]): number {
  const decided = deliveries.filter(isDecided);
  const receivers = new Set(decided.filter(isSimulated).map(({ seedId }) => seedId));
  return receivers.size + decided.filter((one) => !isSimulated(one)).length;
}

function categoriesOf(deliveries: readonly SeedDelivery[]): Record<string, number> {
  const categories: Record<string, number> = {};
  for (const { placement, category } of deliveries) {
    if (placement !== 'inbox' && placement !== 'category') continue;
    const name = placement === 'inbox' ? 'primary' : (category ?? 'other');
    categories[name] = (categories[name] ?? 0) + 1;
  }
  return categories;
}

function statsOf(provider: string, deliveries: readonly SeedDelivery[]): DeliveryStats {
  const count = (test: (one: SeedDelivery) => boolean): number => deliveries.filter(test).length;
  const times = deliveries.flatMap(({ receivedAt }) => (receivedAt ? [receivedAt.toISOString()] : [])).sort();
  const { inbox, spam, missing } = sharesOf(deliveries);
  const real = sharesOf(deliveries.filter((one) => !isSimulated(one)));
  return {
    provider,
    delivered: count(({ state }) => state === 'delivered'),
    missing,
    pending: count(({ settledAt }) => settledAt === null),
    spam,
    inbox,
    total: deliveries.length,
    categories: categoriesOf(deliveries),
    rejected: count(({ state }) => state === 'bounced'),
    undetermined: count(({ state }) => state === 'unknown'),
    simulated: count(isSimulated),
    observations: observationsOf(deliveries),
    inbox_interval: wilsonInterval({ count: real.inbox, of: real.decided }),
    spam_interval: wilsonInterval({ count: real.spam, of: real.decided }),
    first_received_at: times[0] ?? null,
    last_received_at: times.at(-1) ?? null,
  };
}

/** Statistics by provider, and `all`, which always exists. */
export function deliveryStats(deliveries: readonly SeedDelivery[]): Record<string, DeliveryStats> {
  const providers = [...Map.groupBy(deliveries, ({ provider }) => provider)];
  const own = Object.fromEntries(providers.map(([provider, some]) => [provider, statsOf(provider, some)]));
  return { ...own, all: statsOf('all', deliveries) };
}

/** The mailboxes that somebody could own, and Galley's own receivers, each summed up alone. */
export function deliveryTotals(deliveries: readonly SeedDelivery[]): DeliveryTotals {
  return {
    real: statsOf(
      'real',
      deliveries.filter((one) => !isSimulated(one)),
    ),
    simulated: statsOf('simulated', deliveries.filter(isSimulated)),
  };
}

/** Simulated receivers have no interval: a difference between them comes from their rules. */
type ShareComparison =
  | Comparison
  | (Omit<Comparison, 'interval' | 'verdict'> & { interval: null; verdict: 'simulated' });

interface StatsComparison {
  inbox: ShareComparison | null;
  spam: ShareComparison | null;
}

function compareShare(before: Shares, after: Shares, field: 'inbox' | 'spam'): Comparison | null {
  return compareProportions({ count: before[field], of: before.decided }, { count: after[field], of: after.decided });
}

function compareProvider(before: readonly SeedDelivery[], after: readonly SeedDelivery[]): StatsComparison {
  const isRule = after.every(isSimulated);
  const counted = (some: readonly SeedDelivery[]): Shares =>
    sharesOf(some.filter((one) => isSimulated(one) === isRule));
  const compare = (field: 'inbox' | 'spam'): ShareComparison | null => {
    const compared = compareShare(counted(before), counted(after), field);
    return compared && isRule ? { ...compared, interval: null, verdict: 'simulated' } : compared;
  };
  return { inbox: compare('inbox'), spam: compare('spam') };
}

/**
 * The share in the inbox and in spam, now and then, for every provider that both tests have, and for all. Where real
 * mailboxes take part, only they are compared.
 */
export function compareDeliveries(
  before: readonly SeedDelivery[],
  after: readonly SeedDelivery[],
): Record<string, StatsComparison> {
  const earlier = Map.groupBy(before, ({ provider }) => provider);
  const compared: Record<string, StatsComparison> = {};
  for (const [provider, now] of Map.groupBy(after, ({ provider: name }) => name)) {
    const then = earlier.get(provider);
    if (then) compared[provider] = compareProvider(then, now);
  }
  if (before.length && after.length) compared['all'] = compareProvider(before, after);
  return compared;
}

/** The share in the inbox of those real mailboxes that took part both times; null where none did. */
export function compareInboxes(before: readonly SeedDelivery[], after: readonly SeedDelivery[]): Comparison | null {
  const real = (some: readonly SeedDelivery[], others: readonly SeedDelivery[]): Shares => {
    const known = new Set(others.map(({ email }) => email));
    return sharesOf(some.filter((one) => !isSimulated(one) && known.has(one.email)));
  };
  return compareShare(real(before, after), real(after, before), 'inbox');
}
