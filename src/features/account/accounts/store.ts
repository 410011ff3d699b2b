import { rowCount, sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

/** `disabledAt`: when it was disabled or closed last. `switchedOff`: names of products that it is without. */
export type Account = Row<'accounts'>;

export function insertAccount(db: Sql, account: NewRow<'accounts'>): Promise<Account> {
  return db.ofAnyone.insertInto('accounts').values(account).returningAll().executeTakeFirstOrThrow();
}

export function updateAccount(
  db: Sql,
  id: string,
  changes: Partial<Omit<Account, 'id' | 'parentId' | 'status'>>,
): Promise<Account | undefined> {
  return db.ofAnyone.updateTable('accounts').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

/** Subaccounts that are not closed. */
export async function countSubaccounts(db: Sql, parentId: string): Promise<number> {
  const { count } = await db.ofAnyone
    .selectFrom('accounts')
    .select(rowCount.as('count'))
    .where('parentId', '=', parentId)
    .where('status', '!=', 'closed')
    .executeTakeFirstOrThrow();
  return count;
}

export function findAccount(db: Sql, id: string): Promise<Account | undefined> {
  return db.ofAnyone.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Whoever asks next waits until the transaction ends. */
export function lockAccount(tx: Sql, id: string): Promise<Account | undefined> {
  return tx.ofAnyone.selectFrom('accounts').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

/** The account that came first: the deployment's own. */
export function findFirstAccount(db: Sql): Promise<Account | undefined> {
  return db.ofAnyone
    .selectFrom('accounts')
    .selectAll()
    .where('parentId', 'is', null)
    .orderBy('createdAt')
    .limit(1)
    .executeTakeFirst();
}

/** Of all accounts that may work. */
export async function listOpenIds(db: Sql): Promise<string[]> {
  const found = await db.ofAnyone.selectFrom('accounts').select('id').where('status', '=', 'open').execute();
  return found.map(({ id }) => id);
}

interface SubaccountPage extends SkipPage {
  sort: 'asc' | 'desc';
  /** Part of the name. */
  filter: string;
  /** Only those that are open, or only those that are disabled. */
  enabled?: boolean;
  /** Only those that are closed, or only the others. */
  closed?: boolean;
}

/** All of them, whatever their state. */
export async function listSubaccountIds(db: Sql, parentId: string): Promise<string[]> {
  const found = await db.ofAnyone.selectFrom('accounts').select('id').where('parentId', '=', parentId).execute();
  return found.map(({ id }) => id);
}

export function listSubaccounts(
  db: Sql,
  parentId: string,
  { sort, filter, enabled, closed, ...page }: SubaccountPage,
): Promise<Paged<Account>> {
  let matching = db.ofAnyone
    .selectFrom('accounts')
    .where('parentId', '=', parentId)
    .where(sql<boolean>`position(lower(${filter}) in lower(${sql.ref('name')})) > 0`);
  if (enabled !== undefined) matching = matching.where('status', '=', enabled ? 'open' : 'disabled');
  if (closed !== undefined) matching = matching.where('status', closed ? '=' : '!=', 'closed');
  return readSkipPage(matching.selectAll().orderBy('name', sort).orderBy('id'), page);
}

export function setStatus(
  db: Sql,
  account: { id: string; parentId: string },
  { status, at, why = {} }: { status: Account['status']; at: Date; why?: { reason?: string; note?: string } },
): Promise<Account | undefined> {
  return db.ofAnyone
    .updateTable('accounts')
    .set({
      status,
      updatedAt: at,
      ...(status !== 'open' && { disabledAt: at }),
      disabledReason: why.reason ?? null,
      disabledNote: why.note ?? null,
    })
    .where('id', '=', account.id)
    .where('parentId', '=', account.parentId)
    .where('status', '!=', 'closed')
    .returningAll()
    .executeTakeFirst();
}
