import { randomBytes } from 'node:crypto';
import { sql, type Sql } from '../../../platform/db/index.ts';

export interface Account {
  id: string;
  parentId: string | null;
  name: string;
  region: 'us' | 'eu';
  status: 'open' | 'disabled' | 'closed';
  createdAt: Date;
  updatedAt: Date;
  /** When it was disabled last. */
  disabledAt: Date | null;
}

const COLUMNS = sql.raw(`
  id, parent_id as "parentId", name, region, status, created_at as "createdAt", updated_at as "updatedAt",
  disabled_at as "disabledAt"
`);

/** 24 hexadecimal digits, the form of every account and test id. */
export function newId(): string {
  return randomBytes(12).toString('hex');
}

export async function insertAccount(db: Sql, account: Account): Promise<void> {
  await db.run(sql`
    insert into accounts (id, parent_id, name, region, status, created_at, updated_at)
    values (
      ${account.id}, ${account.parentId}, ${account.name}, ${account.region}, ${account.status}, ${account.createdAt},
      ${account.updatedAt}
    )
  `);
}

export function findAccount(db: Sql, id: string): Promise<Account | undefined> {
  return db.first(sql<Account>`select ${COLUMNS} from accounts where id = ${id}`);
}

/** The account that came first: the deployment's own. */
export function findFirstAccount(db: Sql): Promise<Account | undefined> {
  return db.first(sql<Account>`select ${COLUMNS} from accounts where parent_id is null order by created_at limit 1`);
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
  page: SubaccountPage,
): Promise<{ items: Account[]; total: number }> {
  const where = sql`parent_id = ${parentId} and position(lower(${page.filter}) in lower(name)) > 0`;
  const items = await db.rows(sql<Account>`
    select ${COLUMNS}
    from accounts
    where ${where}
    order by name ${sql.raw(page.sort)}, id
    limit ${page.limit} offset ${page.skip}
  `);
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from accounts where ${where}`);
  return { items, total: counted?.total ?? 0 };
}

export async function setStatus(
  db: Sql,
  account: { id: string; parentId: string },
  change: { status: Account['status']; at: Date },
): Promise<Account | undefined> {
  return db.first(sql<Account>`
    update accounts
    set status = ${change.status}, updated_at = ${change.at},
      disabled_at = ${change.status === 'open' ? sql`disabled_at` : change.at}
    where id = ${account.id} and parent_id = ${account.parentId}
    returning ${COLUMNS}
  `);
}
