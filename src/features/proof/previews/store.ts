import { anyOf, changedRows, rowCount, sql, type NewRow, type Row, type Sql } from '../../../platform/db/index.ts';
import { pageOf, readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { ContentChecks } from '../_content-checking/index.ts';
import { lacksPicture, ofClient, ofShot } from './pictures-store.ts';

/** What a preview test keeps of its spam test. */
export interface SpamRef {
  id: string;
  addresses: string[];
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'previewTests.headers': Record<string, string>;
    /** What lists call it; never empty. */
    'previewTests.name': string;
    'previewTests.contentChecking': ContentChecks;
    /** Null: none was asked for. */
    'previewTests.spam': SpamRef;
    'previewResults.notes': string[];
  }
}

export type PreviewTest = Row<'previewTests'>;

export type NewTestRow = NewRow<'previewTests'>;

/** Saves a test and its clients; returns it as it is kept. */
export async function insertTest(tx: Sql, row: NewTestRow, clientIds: readonly string[]): Promise<PreviewTest> {
  const test = await tx.ofAnyone.insertInto('previewTests').values(row).returningAll().executeTakeFirstOrThrow();
  if (clientIds.length === 0) return test;
  const { id: testId, createdAt: at } = test;
  await tx.ofAnyone
    .insertInto('previewResults')
    .values(clientIds.map((clientId) => ({ testId, clientId, status: 'processing', submittedAt: at, queuedAt: at })))
    .execute();
  return test;
}

export function findTest(db: Sql, accountId: string, id: string): Promise<PreviewTest | undefined> {
  return db.of(accountId).selectFrom('previewTests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The newest of these tests that the account has. */
export function findNewestTest(db: Sql, accountId: string, ids: readonly string[]): Promise<PreviewTest | undefined> {
  return db
    .of(accountId)
    .selectFrom('previewTests')
    .selectAll()
    .where('id', '=', anyOf(ids))
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** For jobs and for callers who hold something that names the test, such as a share: the account is not asked. */
export function findTestOfAnyone(db: Sql, id: string): Promise<PreviewTest | undefined> {
  return db.ofAnyone.selectFrom('previewTests').selectAll().where('id', '=', id).executeTakeFirst();
}

/** By the unguessable part of the addresses of its pictures. */
export function findTestByToken(db: Sql, token: string): Promise<Pick<PreviewTest, 'id' | 'accountId'> | undefined> {
  return db.ofAnyone
    .selectFrom('previewTests')
    .select(['id', 'accountId'])
    .where('fileToken', '=', token)
    .executeTakeFirst();
}

/** Screenshots of an account that are being made; a client counts once. */
export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('previewResults')
    .select(rowCount.as('count'))
    .where('status', '=', 'processing')
    .executeTakeFirstOrThrow();
  return count;
}

/** Whether a client of a test is in processing. */
export async function isProcessing(db: Sql, testId: string): Promise<boolean> {
  const one = db.ofAnyone
    .selectFrom('previewResults')
    .select('clientId')
    .where('testId', '=', testId)
    .where('status', '=', 'processing')
    .limit(1);
  return (await one.executeTakeFirst()) !== undefined;
}

/** Answers whose test it is, the first time; undefined after that, and where there is none. */
export async function markEnded(tx: Sql, testId: string, at: Date): Promise<string | undefined> {
  const marked = await tx.ofAnyone
    .updateTable('previewTests')
    .set({ endedAt: at })
    .where('id', '=', testId)
    .where('endedAt', 'is', null)
    .returning('accountId')
    .executeTakeFirst();
  return marked?.accountId;
}

export interface Search {
  from?: Date;
  to?: Date;
  subject?: string;
  customerId?: string;
  referenceId?: string;
}

function testsFound(db: Sql, accountId: string, search: Search) {
  let tests = db.of(accountId).selectFrom('previewTests');
  const { from, to, subject, customerId, referenceId } = search;
  if (from) tests = tests.where('createdAt', '>=', from);
  if (to) tests = tests.where('createdAt', '<=', to);
  if (subject)
    tests = tests.where(({ ref }) => sql<boolean>`position(lower(${subject}) in lower(${ref('subject')})) > 0`);
  if (customerId) tests = tests.where('customerId', '=', customerId);
  if (referenceId) tests = tests.where('referenceId', '=', referenceId);
  return tests.selectAll().orderBy('createdAt', 'desc').orderBy('id', 'desc');
}

/** Newest first. */
export function listTests(db: Sql, accountId: string, search: Search & SkipPage): Promise<PreviewTest[]> {
  return pageOf(testsFound(db, accountId, search), search).execute();
}

/** Newest first, and how many there are. */
export function listCountedTests(db: Sql, accountId: string, search: Search & SkipPage): Promise<Paged<PreviewTest>> {
  return readSkipPage(testsFound(db, accountId, search), search);
}

/** False: there is no such test. */
export async function renameTest(
  db: Sql,
  accountId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (await changedRows(db.of(accountId).updateTable('previewTests').set({ name }).where('id', '=', id))) > 0;
}

/** The content checks of a test, held until the transaction ends. Undefined: there is no such test. */
export async function lockChecks(tx: Sql, accountId: string, id: string): Promise<ContentChecks | undefined> {
  const test = await tx
    .of(accountId)
    .selectFrom('previewTests')
    .select('contentChecking')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return test?.contentChecking;
}

export async function saveChecks(
  tx: Sql,
  accountId: string,
  { id, checks }: { id: string; checks: ContentChecks },
): Promise<void> {
  await tx.of(accountId).updateTable('previewTests').set({ contentChecking: checks }).where('id', '=', id).execute();
}

/** Deletes the rows; everything that hangs on the test goes with it. False when there was none. */
export async function deleteTest(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await changedRows(tx.of(accountId).deleteFrom('previewTests').where('id', '=', id))) > 0;
}

export function listExpired(db: Sql, now: Date, limit: number): Promise<Pick<PreviewTest, 'id' | 'accountId'>[]> {
  return db.ofAnyone
    .selectFrom('previewTests')
    .select(['id', 'accountId'])
    .where('expiresAt', '<=', now)
    .orderBy('expiresAt')
    .limit(limit)
    .execute();
}

export type PreviewResult = Row<'previewResults'>;

export function listResults(db: Sql, accountId: string, testId: string): Promise<PreviewResult[]> {
  return db
    .of(accountId)
    .selectFrom('previewResults')
    .selectAll()
    .where('testId', '=', testId)
    .orderBy('clientId')
    .execute();
}

export interface Progress extends Record<PreviewResult['status'], number> {
  testId: string;
  /** Clients whose pictures are there, those of `first` before all others. */
  shown: string[];
}

/** How far tests are, with some of their completed clients. */
export function listProgress(
  db: Sql,
  accountId: string,
  { testIds, first, max }: { testIds: readonly string[]; first: readonly string[]; max: number },
): Promise<Progress[]> {
  return db
    .of(accountId)
    .selectFrom('previewResults')
    .select((eb) => {
      const are = (status: PreviewResult['status']) => sql`filter (where ${eb('status', '=', status)})`;
      const client = eb.ref('clientId');
      const clients = sql`array_agg(${client} order by array_position(${[...first]}::text[], ${client}), ${client})`;
      return [
        'testId',
        sql<number>`count(*) ${are('completed')}::int`.as('completed'),
        sql<number>`count(*) ${are('processing')}::int`.as('processing'),
        sql<number>`count(*) ${are('bounced')}::int`.as('bounced'),
        sql<string[]>`coalesce((${clients} ${are('completed')})[1:${max}::int], '{}')`.as('shown'),
      ];
    })
    .where('testId', '=', anyOf(testIds))
    .groupBy('testId')
    .execute();
}

/** The client refused the message. Only what is still processing can bounce. */
export async function markBounced(
  db: Sql,
  testId: string,
  bounce: { clientIds: readonly string[]; code: string; message: string; at: Date },
): Promise<void> {
  await db.ofAnyone
    .updateTable('previewResults')
    .set({ status: 'bounced', bounceCode: bounce.code, bounceMessage: bounce.message, completedAt: bounce.at })
    .where('testId', '=', testId)
    .where('clientId', '=', anyOf(bounce.clientIds))
    .where('status', '=', 'processing')
    .execute();
}

/** Back to processing, with a count. Returns the clients for which it was allowed. */
export function markResubmitted(
  tx: Sql,
  accountId: string,
  change: { testId: string; clientIds: readonly string[]; reprocessesMax: number; at: Date },
): Promise<PreviewResult[]> {
  return tx
    .of(accountId)
    .updateTable('previewResults')
    .set((eb) => ({
      status: 'processing',
      submittedAt: change.at,
      queuedAt: change.at,
      completedAt: null,
      attempts: eb('attempts', '+', 1),
      reprocesses: eb('reprocesses', '+', 1),
    }))
    .where('testId', '=', change.testId)
    .where('clientId', '=', anyOf(change.clientIds))
    .where('status', '<>', 'bounced')
    .where('reprocesses', '<', change.reprocessesMax)
    .returningAll()
    .execute();
}

/** The pictures of these clients are begun once more. */
export async function countTry(db: Sql, testId: string, clientIds: readonly string[]): Promise<void> {
  await db.ofAnyone
    .updateTable('previewResults')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('testId', '=', testId)
    .where('clientId', '=', anyOf(clientIds))
    .where('status', '=', 'processing')
    .execute();
}

/** Tests with clients in processing that were queued before then, in the order of their ids. */
export async function listTestsInProcessing(
  db: Sql,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.ofAnyone
    .selectFrom('previewResults')
    .select('testId')
    .distinct()
    .where('status', '=', 'processing')
    .where('queuedAt', '<', before)
    .where('testId', '>', after)
    .orderBy('testId')
    .limit(limit)
    .execute();
  return rows.map(({ testId }) => testId);
}

interface Unfinished extends Pick<PreviewTest, 'accountId'> {
  testId: string;
  /** Pictures that are still to be made. */
  keys: string[];
  /** Of some client in processing it is not known yet which pictures it needs, or all are there. */
  isUnplanned: boolean;
}

/** What those of these tests lack that have clients in processing. */
export function listUnfinished(db: Sql, ids: readonly string[]): Promise<Unfinished[]> {
  return db.ofAnyone
    .selectFrom('previewTests')
    .where('id', '=', anyOf(ids))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('previewResults')
          .select('previewResults.testId')
          .whereRef('previewResults.testId', '=', 'previewTests.id')
          .where('previewResults.status', '=', 'processing'),
      ),
    )
    .select(({ exists, selectFrom }) => {
      const processing = selectFrom('previewResults')
        .whereRef('previewResults.testId', '=', 'previewTests.id')
        .where('previewResults.status', '=', 'processing');
      return [
        'id as testId',
        'accountId',
        processing
          .innerJoin('previewShots', ofClient)
          .innerJoin('previewRenders', ofShot)
          .where('previewRenders.status', '=', 'pending')
          .select(({ ref }) => sql`coalesce(array_agg(distinct ${ref('previewShots.key')}), '{}')`.as('keys'))
          .as('keys'),
        exists(processing.select('previewResults.testId').where(({ not }) => not(lacksPicture))).as('isUnplanned'),
      ];
    })
    .$narrowType<{ keys: string[]; isUnplanned: boolean }>()
    .execute();
}

/** The clients of a test that are in processing and were queued before then, marked as queued now. */
export async function takeLost(tx: Sql, testId: string, times: { before: Date; now: Date }): Promise<string[]> {
  const rows = await tx.ofAnyone
    .updateTable('previewResults')
    .set({ queuedAt: times.now })
    .where('testId', '=', testId)
    .where('status', '=', 'processing')
    .where('queuedAt', '<', times.before)
    .returning('clientId')
    .execute();
  return rows.map(({ clientId }) => clientId);
}
