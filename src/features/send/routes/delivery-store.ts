// What routes do with messages: what waits, and how it went.
import { sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'routeDeliveries.attempts': Attempt[];
  }
}

export type RouteDelivery = Row<'routeDeliveries'>;

/** Writes what is to be done; what is there already is passed over. Answers the ids of what is new. */
export async function insertDeliveries(
  tx: Sql,
  accountId: string,
  rows: readonly Omit<NewRow<'routeDeliveries'>, 'accountId'>[],
): Promise<string[]> {
  if (rows.length === 0) return [];
  const inserted = await tx
    .of(accountId)
    .insert('routeDeliveries', rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return inserted.map(({ id }) => id);
}

/** Those of any account that are due, the longest of each account first: one with many keeps nobody else's away. */
export function listDue(db: Sql, now: Date, limit: number): Promise<Pick<RouteDelivery, 'id' | 'accountId'>[]> {
  const due = db.ofAnyone
    .selectFrom('routeDeliveries')
    .select(['id', 'accountId', 'dueAt'])
    .select(sql<string>`row_number() over (partition by account_id order by due_at)`.as('place'))
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now);
  return db.ofAnyone
    .selectFrom(due.as('due'))
    .select(['id', 'accountId'])
    .orderBy('place')
    .orderBy('dueAt')
    .limit(limit)
    .execute();
}

/** Takes one that is due until a moment: whoever comes before that finds nothing. */
export function claim(
  db: Sql,
  id: string,
  { now, until }: { now: Date; until: Date },
): Promise<RouteDelivery | undefined> {
  return db.ofAnyone
    .updateTable('routeDeliveries')
    .set({ dueAt: until })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .where('dueAt', '<=', now)
    .returningAll()
    .executeTakeFirst();
}

export async function settle(
  db: Sql,
  { accountId, id }: Pick<RouteDelivery, 'accountId' | 'id'>,
  { state, attempts, dueAt }: Pick<RouteDelivery, 'state' | 'attempts'> & { dueAt?: Date },
): Promise<void> {
  await db
    .of(accountId)
    .updateTable('routeDeliveries')
    .set({ state, attempts, ...(dueAt && { dueAt }) })
    .where('id', '=', id)
    .execute();
}

/** Newest first, with what it is about. */
export function pageDeliveries(
  db: Sql,
  accountId: string,
  { routeId, state, ...page }: SkipPage & { routeId: string | undefined; state: RouteDelivery['state'] | undefined },
) {
  const own = db
    .of(accountId)
    .selectFrom('routeDeliveries')
    .$if(routeId !== undefined, (all) => all.where('routeDeliveries.routeId', '=', routeId!))
    .$if(state !== undefined, (all) => all.where('routeDeliveries.state', '=', state!));
  return readSkipPage(own.selectAll().orderBy('id', 'desc'), page) as Promise<Paged<RouteDelivery>>;
}

export function findDelivery(db: Sql, accountId: string, id: string): Promise<RouteDelivery | undefined> {
  return db.of(accountId).selectFrom('routeDeliveries').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Makes it due, as it is now; undefined where it changed since it was read. One that waits must be due after `after`:
 * whoever tries it has made it due earlier than that.
 */
export function makeDue(
  tx: Sql,
  { accountId, id, state }: Pick<RouteDelivery, 'accountId' | 'id' | 'state'>,
  { now, after }: { now: Date; after: Date },
): Promise<RouteDelivery | undefined> {
  return tx
    .of(accountId)
    .updateTable('routeDeliveries')
    .set({ state: 'waiting', dueAt: now })
    .where('id', '=', id)
    .where('state', '=', state)
    .$if(state === 'waiting', (waiting) => waiting.where('dueAt', '>', after))
    .returningAll()
    .executeTakeFirst();
}
