import { anyOf, sql, type Sql } from '../../../platform/db/index.ts';

export interface SpamTest {
  id: string;
  accountId: string;
  /** What lists call it; empty for what was made before names. */
  name: string;
  subject: string;
  sendingIp: string | null;
  region: string;
  status: 'processing' | 'completed' | 'failed';
  failureReason: string | null;
  createdAt: Date;
  updatedAt: Date;
}

const COLUMNS = sql.raw(`
  inspection_id as id, account_id as "accountId", (select name from inspections where id = inspection_id) as name,
  subject, sending_ip as "sendingIp", region, status, failure_reason as "failureReason", created_at as "createdAt",
  updated_at as "updatedAt"
`);

export async function insertTest(tx: Sql, made: SpamTest): Promise<void> {
  await tx.run(sql`
    insert into spam_tests (inspection_id, account_id, subject, sending_ip, region, status, created_at, updated_at)
    values (
      ${made.id}, ${made.accountId}, ${made.subject}, ${made.sendingIp}, ${made.region}, ${made.status},
      ${made.createdAt}, ${made.updatedAt}
    )
  `);
}

export function findTest(db: Sql, accountId: string, id: string): Promise<SpamTest | undefined> {
  return db.first(
    sql<SpamTest>`select ${COLUMNS} from spam_tests where inspection_id = ${id} and account_id = ${accountId}`,
  );
}

export function listStatuses(
  db: Sql,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Pick<SpamTest, 'id' | 'status'>[]> {
  return db.rows(sql<Pick<SpamTest, 'id' | 'status'>>`
    select inspection_id as id, status
    from spam_tests
    where account_id = ${accountId} and inspection_id = ${anyOf(ids)}
  `);
}

/** For jobs: the account is not asked. */
export function findTestOfAnyone(db: Sql, id: string): Promise<SpamTest | undefined> {
  return db.first(sql<SpamTest>`select ${COLUMNS} from spam_tests where inspection_id = ${id}`);
}

/** False: it is deleted. Otherwise its deletion waits until the transaction ends, and sees what was done in it. */
export async function holdTest(tx: Sql, id: string): Promise<boolean> {
  return (
    (await tx.first(sql`select 1 as found from spam_tests where inspection_id = ${id} for key share`)) !== undefined
  );
}

export async function endTest(
  db: Sql,
  id: string,
  end: { status: 'completed' | 'failed'; failureReason: string | null; at: Date },
): Promise<void> {
  await db.run(sql`
    update spam_tests
    set status = ${end.status}, failure_reason = ${end.failureReason}, updated_at = ${end.at}
    where inspection_id = ${id} and status = 'processing'
  `);
}

export interface TestPage {
  status?: string | undefined;
  region?: string | undefined;
  sortBy: 'created_at' | 'updated_at';
  order: 'asc' | 'desc';
  limit: number;
  skip: number;
}

export async function listTests(
  db: Sql,
  accountId: string,
  page: TestPage,
): Promise<{ items: SpamTest[]; total: number }> {
  const clauses = [sql`account_id = ${accountId}`];
  if (page.status !== undefined) clauses.push(sql`status = ${page.status}`);
  if (page.region !== undefined) clauses.push(sql`region = ${page.region}`);
  const where = sql.join(clauses, sql` and `);
  const order = sql.raw(`${page.sortBy} ${page.order}, inspection_id ${page.order}`);
  const items = await db.rows(sql<SpamTest>`
    select ${COLUMNS}
    from spam_tests
    where ${where}
    order by ${order}
    limit ${page.limit} offset ${page.skip}
  `);
  const counted = await db.first(sql<{ total: number }>`select count(*)::int as total from spam_tests where ${where}`);
  return { items, total: counted?.total ?? 0 };
}
