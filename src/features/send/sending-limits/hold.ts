// What is over a limit waits for its next window. Counted in the database when it is taken: exact over all processes.
import type { Outside } from '../../../platform/feature/index.ts';
import type { Attempt, DeliveryHolder, Hold } from '../deliveries/index.ts';
import { LIMITS, type Delivery } from '../messages/index.ts';
import * as store from './store.ts';
import type { Limit } from './store.ts';
import { reasonOf, windowAt } from './windows.ts';

type Doors = Pick<Outside, 'db' | 'clock' | 'mailer'>;
type Db = Outside['db'];

interface Grant {
  limit: Limit;
  startsAt: Date;
}

/** What was counted for a delivery that is on its way. */
const grants = new WeakMap<Delivery, Grant[]>();

/** Those that this process refused, by their limit: they do not all come again for the same window. */
const refused = new WeakMap<Db, Map<string, { startsAt: number; count: number }>>();

function promise(db: Db, limit: Limit, now: Date): Date {
  const all = refused.get(db) ?? new Map<string, { startsAt: number; count: number }>();
  refused.set(db, all);
  const { startsAt, endsAt, ms } = windowAt(limit, now);
  const known = all.get(limit.id) ?? { startsAt: startsAt.getTime(), count: 0 };
  const passed = Math.round((startsAt.getTime() - known.startsAt) / ms);
  const count = Math.max(0, known.count - passed * limit.maxMessages);
  all.set(limit.id, { startsAt: startsAt.getTime(), count: count + 1 });
  return new Date(endsAt.getTime() + Math.floor(count / limit.maxMessages) * ms);
}

/** The providers of destinations, where somebody limits one. */
async function providersOf({ mailer }: Doors, attempts: readonly Attempt[], limits: readonly Limit[]) {
  const found = new Map<string, string | undefined>();
  const limiting = new Set(limits.filter(({ scope }) => scope === 'provider').map(({ accountId }) => accountId));
  const wanted = attempts.filter(
    ({ delivery, message }) => message.mode === 'live' && limiting.has(delivery.accountId),
  );
  for (const destination of new Set(wanted.map(({ delivery }) => delivery.destination))) {
    const place = await mailer.destinationOf(`postmaster@${destination}`).catch(() => undefined);
    found.set(destination, place?.provider);
  }
  return ({ delivery: { destination } }: Attempt): string | undefined => found.get(destination);
}

function isOf(limit: Limit, { delivery, message }: Attempt, provider: string | undefined): boolean {
  if (limit.accountId !== delivery.accountId) return false;
  if (limit.scope === 'domain') return limit.name === message.domain;
  return limit.scope === 'account' || (limit.scope === 'provider' && limit.name === provider);
}

async function holdOver(doors: Doors, attempts: readonly Attempt[]): Promise<Map<string, Hold>> {
  const { db, clock } = doors;
  const real = attempts.filter(({ message }) => !message.options.isTest);
  if (real.length === 0) return new Map();
  const limits = await store.listLimitsOf(db, [...new Set(real.map(({ delivery }) => delivery.accountId))]);
  if (limits.length === 0) return new Map();
  const providerOf = await providersOf(doors, real, limits);
  const mine = new Map(
    real.map((attempt) => [attempt, limits.filter((limit) => isOf(limit, attempt, providerOf(attempt)))]),
  );
  const asked = [...new Set([...mine.values()].flat())];
  if (asked.length === 0) return new Map();
  const now = clock.now();
  const { held, granted } = await db.tx(async (tx) => {
    const keys = asked.map(({ id: limitId, accountId, ...limit }) => ({
      accountId,
      limitId,
      startsAt: windowAt(limit, now).startsAt,
    }));
    const used = await store.lockWindows(tx, keys);
    const before = new Map(used);
    const full = (limit: Limit): boolean => used.get(limit.id)! >= limit.maxMessages;
    const out = new Map<Attempt, Limit[]>();
    const ins = new Map<Delivery, Limit[]>();
    for (const [attempt, own] of mine) {
      if (own.length === 0) continue;
      if (own.some(full)) out.set(attempt, own.filter(full));
      else {
        for (const { id } of own) used.set(id, used.get(id)! + 1);
        ins.set(attempt.delivery, own);
      }
    }
    for (const key of keys) {
      const more = used.get(key.limitId)! - before.get(key.limitId)!;
      if (more > 0) await store.addUses(tx, key, more);
    }
    return { held: out, granted: ins };
  });
  for (const [delivery, own] of granted)
    grants.set(
      delivery,
      own.map((limit) => ({ limit, startsAt: windowAt(limit, now).startsAt })),
    );
  return new Map([...held].map(([{ delivery }, full]) => [delivery.id, holdBy(db, full, now)]));
}

/** For the one that lets it go last. */
function holdBy(db: Db, full: readonly Limit[], now: Date): Hold {
  const [first, ...others] = full.map((limit) => ({ limit, until: promise(db, limit, now) })) as [
    { limit: Limit; until: Date },
    ...{ limit: Limit; until: Date }[],
  ];
  const { limit, until } = others.reduce((last, one) => (one.until > last.until ? one : last), first);
  return { reason: reasonOf(limit, { now, until }), until, by: LIMITS, isExtended: true };
}

async function giveBack({ db }: Pick<Outside, 'db'>, deliveries: readonly Delivery[]): Promise<void> {
  const all = deliveries.flatMap((delivery) => {
    const own = grants.get(delivery) ?? [];
    grants.delete(delivery);
    return own;
  });
  if (all.length === 0) return;
  const windows = [...Map.groupBy(all, ({ limit, startsAt }) => `${limit.id} ${startsAt.getTime()}`).values()];
  // One after the other, in no transaction: nobody waits for two.
  for (const some of windows) {
    const { limit, startsAt } = some[0]!;
    await store.addUses(db, { accountId: limit.accountId, limitId: limit.id, startsAt }, -some.length);
  }
}

/** Added to what holds deliveries back, behind what else does: nothing is counted that waits for something else. */
export const limitsHolder: DeliveryHolder = { hold: holdOver, giveBack };
