// Limits of what leaves, and what left in their windows.
import { rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { PERIODS, SCOPES } from './contract.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sendingLimits.scope': (typeof SCOPES)[number];
    'sendingLimits.period': (typeof PERIODS)[number];
  }
}

export type Limit = Row<'sendingLimits'>;
type Window = Pick<Row<'sendingLimitWindows'>, 'limitId' | 'startsAt' | 'used'>;

export async function listLimits(db: Sql, accountId: string, page: SkipPage): Promise<Paged<Limit>> {
  const all = db.of(accountId).selectFrom('sendingLimits').selectAll().orderBy('id');
  const items = await pageOf(all, page).execute();
  return { items, total: await countLimits(db, accountId) };
}

export async function countLimits(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('sendingLimits')
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export function saveLimit(db: Sql, accountId: string, row: Omit<Limit, 'id' | 'accountId'>): Promise<Limit> {
  const { maxMessages, updatedAt } = row;
  return db
    .of(accountId)
    .insert('sendingLimits', row)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'scope', 'name', 'period']).doUpdateSet({ maxMessages, updatedAt }),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export function deleteLimit(db: Sql, accountId: string, id: string): Promise<Limit | undefined> {
  return db.of(accountId).deleteFrom('sendingLimits').where('id', '=', id).returningAll().executeTakeFirst();
}

/** Those of these accounts. */
export function listLimitsOf(db: Sql, accountIds: readonly string[]): Promise<Limit[]> {
  return db.ofAnyone
    .selectFrom('sendingLimits')
    .selectAll()
    .where('accountId', 'in', [...accountIds])
    .execute();
}

type WindowKey = Pick<Window, 'limitId' | 'startsAt'> & { accountId: string };

/** What was used of windows, which nobody else changes until the transaction ends; everybody locks in one order. */
export async function lockWindows(tx: Sql, keys: readonly WindowKey[]): Promise<Map<string, number>> {
  const sorted = keys.toSorted((one, other) => Number(BigInt(one.limitId) - BigInt(other.limitId)));
  const used = new Map<string, number>();
  for (const { accountId, limitId, startsAt } of sorted) {
    const row = await tx
      .of(accountId)
      .insert('sendingLimitWindows', { limitId, startsAt, used: 0 })
      // It changes nothing, and locks.
      .onConflict((conflict) =>
        conflict.columns(['limitId', 'startsAt']).doUpdateSet({ used: sql<number>`sending_limit_windows.used` }),
      )
      .returning('used')
      .executeTakeFirstOrThrow();
    used.set(limitId, row.used);
  }
  return used;
}

/** Adds to a window, or takes back. */
export async function addUses(tx: Sql, { accountId, limitId, startsAt }: WindowKey, count: number): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('sendingLimitWindows')
    .set({ used: sql<number>`greatest(0, used + ${count}::integer)` })
    .where('limitId', '=', limitId)
    .where('startsAt', '=', startsAt)
    .execute();
}

/** What was used of limits in these windows. */
export async function listUses(
  db: Sql,
  accountId: string,
  keys: readonly Pick<Window, 'limitId' | 'startsAt'>[],
): Promise<Map<string, number>> {
  if (keys.length === 0) return new Map();
  const found = await db
    .of(accountId)
    .selectFrom('sendingLimitWindows')
    .select(['limitId', 'startsAt', 'used'])
    .where(
      'limitId',
      'in',
      keys.map(({ limitId }) => limitId),
    )
    .execute();
  const starts = new Map(keys.map(({ limitId, startsAt }) => [limitId, startsAt.getTime()]));
  return new Map(
    found.flatMap(({ limitId, startsAt, used }) =>
      starts.get(limitId) === startsAt.getTime() ? [[limitId, used] as const] : [],
    ),
  );
}

export async function deleteOldWindows(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('sendingLimitWindows').where('startsAt', '<', before).execute();
}
