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

/** What may be counted for a delivery when it is known which address it leaves from. */
const ofIps = new WeakMap<Delivery, Limit[]>();

/** What was counted for a delivery that is on its way. */
const grants = new WeakMap<Delivery, Grant[]>();

/** Those that this process refused, by their limit: they do not all come again for the same window. */
const refused = new WeakMap<Db, Map<string, { startsAt: number; count: number }>>();

/** Where the count of those that were refused stands in the window of this moment. */
function refusedNow(db: Db, limit: Limit, now: Date): { startsAt: number; count: number } {
  const all = refused.get(db) ?? new Map<string, { startsAt: number; count: number }>();
  refused.set(db, all);
  const { startsAt, ms } = windowAt(limit, now);
  const known = all.get(limit.id) ?? { startsAt: startsAt.getTime(), count: 0 };
  const passed = Math.round((startsAt.getTime() - known.startsAt) / ms);
  const current = { startsAt: startsAt.getTime(), count: Math.max(0, known.count - passed * limit.maxMessages) };
  all.set(limit.id, current);
  return current;
}

/** When the next one that is refused may come again. */
function nextOf(db: Db, limit: Limit, now: Date): Date {
  const { endsAt, ms } = windowAt(limit, now);
  return new Date(endsAt.getTime() + Math.floor(refusedNow(db, limit, now).count / limit.maxMessages) * ms);
}

/** They come again then: so many more, or fewer, are promised their place. */
function promise(db: Db, limits: readonly Limit[], { now, count }: { now: Date; count: 1 | -1 }): void {
  for (const limit of limits) {
    const current = refusedNow(db, limit, now);
    current.count = Math.max(0, current.count + count);
  }
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
  for (const { delivery } of real) {
    const own = limits.filter(({ scope, accountId }) => scope === 'ip' && accountId === delivery.accountId);
    if (own.length > 0) ofIps.set(delivery, own);
  }
  const providerOf = await providersOf(doors, real, limits);
  const mine = new Map(
    real.map(
      (attempt) => [attempt.delivery, limits.filter((limit) => isOf(limit, attempt, providerOf(attempt)))] as const,
    ),
  );
  const now = clock.now();
  const held = await take(db, mine, now);
  return new Map(
    [...held].map(([{ id }, full]) => {
      const hold = holdBy(db, full, now);
      promise(db, full, { now, count: 1 });
      return [id, hold];
    }),
  );
}

/** Counts each of these in the windows of its limits, all or none of them. Answers those that are over, with which. */
async function take(db: Db, mine: ReadonlyMap<Delivery, readonly Limit[]>, now: Date): Promise<Map<Delivery, Limit[]>> {
  const asked = [...new Set([...mine.values()].flat())];
  if (asked.length === 0) return new Map();
  const { held, granted } = await db.tx(async (tx) => {
    const keys = asked.map(({ id: limitId, accountId, ...limit }) => ({
      accountId,
      limitId,
      startsAt: windowAt(limit, now).startsAt,
    }));
    const used = await store.lockWindows(tx, keys);
    const before = new Map(used);
    const full = (limit: Limit): boolean => used.get(limit.id)! >= limit.maxMessages;
    const out = new Map<Delivery, Limit[]>();
    const ins = new Map<Delivery, readonly Limit[]>();
    for (const [delivery, own] of mine) {
      if (own.length === 0) continue;
      if (own.some(full)) out.set(delivery, own.filter(full));
      else {
        for (const { id } of own) used.set(id, used.get(id)! + 1);
        ins.set(delivery, own);
      }
    }
    for (const key of keys) {
      const more = used.get(key.limitId)! - before.get(key.limitId)!;
      if (more > 0) await store.addUses(tx, key, more);
    }
    return { held: out, granted: ins };
  });
  for (const [delivery, own] of granted) {
    const more = own.map((limit) => ({ limit, startsAt: windowAt(limit, now).startsAt }));
    grants.set(delivery, [...(grants.get(delivery) ?? []), ...more]);
  }
  return held;
}

/** What refused one that was offered several addresses: it comes again for the one that has room first. */
const refusals = new WeakMap<Delivery, { full: readonly Limit[]; until: Date }>();

/** Of the limits that were there when it was taken: no further question where there are none of this address. */
async function takeFrom(
  { db, clock }: Pick<Outside, 'db' | 'clock'>,
  delivery: Delivery,
  ip: string,
): Promise<Hold | undefined> {
  const own = ofIps.get(delivery)?.filter(({ name }) => name === ip) ?? [];
  if (own.length === 0) return undefined;
  const now = clock.now();
  const full = (await take(db, new Map([[delivery, own]]), now)).get(delivery);
  const before = refusals.get(delivery);
  if (!full) {
    if (before) promise(db, before.full, { now, count: -1 });
    refusals.delete(delivery);
    return undefined;
  }
  const hold = holdBy(db, full, now);
  if (!before || hold.until < before.until) {
    if (before) promise(db, before.full, { now, count: -1 });
    promise(db, full, { now, count: 1 });
    refusals.set(delivery, { full, until: hold.until });
  }
  return hold;
}

/** For the one that lets it go last. */
function holdBy(db: Db, full: readonly Limit[], now: Date): Hold {
  const [first, ...others] = full.map((limit) => ({ limit, until: nextOf(db, limit, now) })) as [
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
export const limitsHolder: DeliveryHolder = { hold: holdOver, takeFrom, giveBack };
