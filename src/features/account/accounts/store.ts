import { sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

/** `disabledAt`: when it was disabled last. */
export type Account = Row<'accounts'>;

export async function insertAccount(db: Sql, account: Account): Promise<void> {
  await db.ofAnyone.insertInto('accounts').values(account).execute();
}

export function findAccount(db: Sql, id: string): Promise<Account | undefined> {
  return db.ofAnyone.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirst();
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
  { status, at }: { status: Account['status']; at: Date },
): Promise<Account | undefined> {
  return db.ofAnyone
    .updateTable('accounts')
    .set({ status, updatedAt: at, ...(status !== 'open' && { disabledAt: at }) })
    .where('id', '=', account.id)
    .where('parentId', '=', account.parentId)
    .returningAll()
    .executeTakeFirst();
}
