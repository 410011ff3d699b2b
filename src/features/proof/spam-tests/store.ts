import { anyOf, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export interface SpamTest extends Omit<Row<'spamTests'>, 'inspectionId'> {
  id: string;
  /** What lists call it; empty for what was made before names. */
  name: string;
}

/** Its name is kept with the inspection. */
export async function insertTest(tx: Sql, { id, accountId, name: _name, ...made }: SpamTest): Promise<void> {
  await tx
    .of(accountId)
    .insert('spamTests', { ...made, inspectionId: id })
    .execute();
}

interface Asked {
  /** None is `pending`, which the contract names too. */
  status?: SpamTest['status'] | 'pending' | undefined;
  region?: string | undefined;
}

function testsOf(db: Sql, accountId: string, { status, region }: Asked = {}) {
  let tests = db.of(accountId).selectFrom('spamTests');
  if (status !== undefined) tests = tests.where(sql.ref<string>('status'), '=', status);
  if (region !== undefined) tests = tests.where('region', '=', region);
  return tests;
}

/** Whole tests, with their names. */
function named(tests: ReturnType<typeof testsOf>) {
  return tests
    .select(({ selectFrom }) => [
      'inspectionId as id',
      'accountId',
      selectFrom('inspections')
        .select('inspections.name')
        .whereRef('inspections.id', '=', 'spamTests.inspectionId')
        .as('name'),
      'subject',
      'sendingIp',
      'region',
      'status',
      'failureReason',
      'createdAt',
      'updatedAt',
    ])
    .$narrowType<{ name: string }>();
}

export function findTest(db: Sql, accountId: string, id: string): Promise<SpamTest | undefined> {
  return named(testsOf(db, accountId)).where('inspectionId', '=', id).executeTakeFirst();
}

export function listStatuses(
  db: Sql,
  accountId: string,
  ids: readonly string[],
): Promise<Pick<SpamTest, 'id' | 'status'>[]> {
  return db
    .of(accountId)
    .selectFrom('spamTests')
    .select(['inspectionId as id', 'status'])
    .where('inspectionId', '=', anyOf(ids))
    .execute();
}

/** For jobs: the account is not asked. */
export function findTestOfAnyone(db: Sql, id: string): Promise<SpamTest | undefined> {
  return named(db.ofAnyone.selectFrom('spamTests')).where('inspectionId', '=', id).executeTakeFirst();
}

/** False: it is deleted. Otherwise its deletion waits until the transaction ends, and sees what was done in it. */
export async function holdTest(tx: Sql, id: string): Promise<boolean> {
  const test = tx.ofAnyone.selectFrom('spamTests').select('inspectionId').where('inspectionId', '=', id).forKeyShare();
  return (await test.executeTakeFirst()) !== undefined;
}

export async function endTest(
  db: Sql,
  id: string,
  end: { status: 'completed' | 'failed'; failureReason: string | null; at: Date },
): Promise<void> {
  await db.ofAnyone
    .updateTable('spamTests')
    .set({ status: end.status, failureReason: end.failureReason, updatedAt: end.at })
    .where('inspectionId', '=', id)
    .where('status', '=', 'processing')
    .execute();
}

export interface TestPage extends Asked, SkipPage {
  sortBy: 'createdAt' | 'updatedAt';
  order: 'asc' | 'desc';
}

export function listTests(db: Sql, accountId: string, page: TestPage): Promise<Paged<SpamTest>> {
  const tests = named(testsOf(db, accountId, page));
  return readSkipPage(tests.orderBy(page.sortBy, page.order).orderBy('inspectionId', page.order), page);
}
