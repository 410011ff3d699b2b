import { randomBytes } from 'node:crypto';
import { rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** `disabledAt`: when it was disabled last. */
export type Account = Row<'accounts'>;

/** 24 hexadecimal digits, the form of every account and test id. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}

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

interface SubaccountPage {
  limit: number;
  skip: number;
  sort: 'asc' | 'desc';
  /** Part of the name. */
  filter: string;
}

export async function listSubaccounts(
  db: Sql,
  parentId: string,
  { limit, skip, sort, filter }: SubaccountPage,
): Promise<{ items: Account[]; total: number }> {
  const matching = db.ofAnyone
    .selectFrom('accounts')
    .where('parentId', '=', parentId)
    .where(sql<boolean>`position(lower(${filter}) in lower(${sql.ref('name')})) > 0`);
  const items = await matching.selectAll().orderBy('name', sort).orderBy('id').limit(limit).offset(skip).execute();
  const { total } = await matching.select(rowCount.as('total')).executeTakeFirstOrThrow();
  return { items, total };
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
