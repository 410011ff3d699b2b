// The queue of deliveries: what waits, who took it, and how it is given back.
import { changedRows, type Db, type Row, type Sql } from '../../../platform/db/index.ts';
import type { LastAttempt } from './store.ts';

export type Delivery = Row<'deliveries'>;

interface NewDelivery {
  position: number;
  recipient: string;
  destination: string;
  variables: Record<string, unknown> | null;
  dueAt: Date;
  giveUpAt: Date;
}

/** What all deliveries of a message have in common. */
type SharedByAll = Pick<Delivery, 'messageId' | 'accountId' | 'domain' | 'lane'>;

export async function insertDeliveries(
  tx: Sql,
  shared: SharedByAll,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  await tx.ofAnyone
    .insertInto('deliveries')
    .values(deliveries.map((delivery) => ({ ...shared, ...delivery })))
    .execute();
}

interface Claiming {
  worker: string;
  now: Date;
  takenUntil: Date;
  /** Deliveries in all. */
  limit: number;
}

/** Accounts with deliveries that are due, one look into the index for each (a loose index scan). */
async function listAccountsDue(db: Sql, now: Date): Promise<string[]> {
  const found = await db.ofAnyone
    .withRecursive('waiting', (query) =>
      query
        .selectFrom('deliveries')
        .select(({ fn }) => fn.min<string | null>('accountId').as('accountId'))
        .where('isTaken', '=', false)
        .unionAll((next) =>
          next
            .selectFrom('waiting')
            .select(({ selectFrom }) =>
              selectFrom('deliveries')
                .select(({ fn }) => fn.min<string | null>('deliveries.accountId').as('accountId'))
                .where('isTaken', '=', false)
                .whereRef('deliveries.accountId', '>', 'waiting.accountId')
                .as('accountId'),
            )
            .where('waiting.accountId', 'is not', null),
        ),
    )
    .selectFrom('waiting')
    .select('waiting.accountId')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('deliveries')
          .select('deliveries.id')
          .where('isTaken', '=', false)
          .where('dueAt', '<=', now)
          .whereRef('deliveries.accountId', '=', 'waiting.accountId'),
      ),
    )
    .execute();
  return found.flatMap(({ accountId }) => accountId ?? []);
}

/** Of one account, those that wait longest first. */
function claimOf(tx: Sql, accountId: string, { worker, now, takenUntil, limit }: Claiming): Promise<Delivery[]> {
  return tx
    .of(accountId)
    .updateTable('deliveries')
    .set((row) => ({
      isTaken: true,
      takenBy: worker,
      takenUntil,
      attempts: row('attempts', '+', 1),
      firstAt: row.fn.coalesce('firstAt', row.val(now)),
    }))
    .where('id', 'in', (from) =>
      from
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('accountId', '=', accountId)
        .where('isTaken', '=', false)
        .where('dueAt', '<=', now)
        .orderBy('dueAt')
        .orderBy('deliveries.id')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .returningAll()
    .execute();
}

/** In one batch; the others come next time, in an order that nobody chose. */
const ACCOUNTS_AT_ONCE = 50;

/**
 * Takes deliveries that are due, of every account that has some the same number. Several processes take different ones.
 */
export async function claimDeliveries(db: Db, claiming: Claiming): Promise<Delivery[]> {
  const accounts = await listAccountsDue(db, claiming.now);
  if (accounts.length === 0) return [];
  const start = Math.floor(Math.random() * accounts.length);
  const turn = [...accounts.slice(start), ...accounts.slice(0, start)].slice(0, ACCOUNTS_AT_ONCE);
  const limit = Math.max(1, Math.floor(claiming.limit / turn.length));
  return db.tx(async (tx) => {
    const claimed: Delivery[] = [];
    for (const accountId of turn) claimed.push(...(await claimOf(tx, accountId, { ...claiming, limit })));
    return claimed;
  });
}

/** Deliveries whose process did not say in time how they ended wait again. Answers how many. */
export function releaseLost(db: Sql, now: Date): Promise<number> {
  return changedRows(
    db.ofAnyone
      .updateTable('deliveries')
      .set({ isTaken: false, takenBy: null, takenUntil: null })
      .where('isTaken', '=', true)
      .where('takenUntil', '<', now),
  );
}

/** Those that a process still holds are held longer. */
export async function renewClaims(db: Sql, worker: string, takenUntil: Date): Promise<void> {
  await db.ofAnyone
    .updateTable('deliveries')
    .set({ takenUntil })
    .where('isTaken', '=', true)
    .where('takenBy', '=', worker)
    .execute();
}

/** Gives back what a process holds, as if it had not been tried. */
export async function releaseClaims(db: Sql, worker: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.ofAnyone
    .updateTable('deliveries')
    .set((row) => ({ isTaken: false, takenBy: null, takenUntil: null, attempts: row('attempts', '-', 1) }))
    .where('id', 'in', ids)
    .where('takenBy', '=', worker)
    .execute();
}

/** The rows go; answers the ids of those that this process still held: for them the events are written. */
export async function settleDeliveries(tx: Sql, worker: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const settled = await tx.ofAnyone
    .deleteFrom('deliveries')
    .where('id', 'in', ids)
    .where('takenBy', '=', worker)
    .returning('id')
    .execute();
  return settled.map(({ id }) => id);
}

/** One waits again; answers whether this process still held it. */
export async function deferDelivery(
  tx: Sql,
  worker: string,
  { id, dueAt, last }: { id: string; dueAt: Date; last: LastAttempt },
): Promise<boolean> {
  const deferred = tx.ofAnyone
    .updateTable('deliveries')
    .set({ isTaken: false, takenBy: null, takenUntil: null, dueAt, last })
    .where('id', '=', id)
    .where('takenBy', '=', worker);
  return (await changedRows(deferred)) > 0;
}

/** Deletes what waits for a domain; what is being delivered at this moment goes on. */
export async function clearWaiting(db: Sql, accountId: string, domain: string): Promise<void> {
  await db.of(accountId).deleteFrom('deliveries').where('domain', '=', domain).where('isTaken', '=', false).execute();
}
