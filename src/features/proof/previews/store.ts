import { anyOf, sql, type RawBuilder, type Sql } from '../../../platform/db/index.ts';
import type { ContentChecks } from '../_content-checking/index.ts';

/** What a preview test keeps of its spam test. */
export interface SpamRef {
  id: string;
  addresses: string[];
}

export interface PreviewTest {
  id: string;
  accountId: string;
  region: string;
  subject: string;
  /** What lists call it; never empty. */
  name: string;
  headers: Record<string, string>;
  source: 'html' | 'url' | 'mime';
  sourceUrl: string | null;
  messageBytes: number;
  referenceId: string | null;
  customerId: string | null;
  imageBlocking: boolean;
  contentChecking: ContentChecks;
  /** Null: none was asked for. */
  spam: SpamRef | null;
  fileToken: string;
  /** A picture of it took too much of a browser: its pictures are made apart from all others. */
  isSlow: boolean;
  createdAt: Date;
  expiresAt: Date;
}

const TEST = sql.raw(`
  id, account_id as "accountId", region, subject, name, headers, source, source_url as "sourceUrl",
  message_bytes as "messageBytes", reference_id as "referenceId", customer_id as "customerId",
  image_blocking as "imageBlocking", content_checking as "contentChecking", spam, file_token as "fileToken",
  wasted_ms > 0 as "isSlow", created_at as "createdAt", expires_at as "expiresAt"
`);

export async function insertTest(tx: Sql, test: PreviewTest, clientIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    insert into preview_tests (
      id, account_id, region, subject, name, headers, source, source_url, message_bytes, reference_id, customer_id,
      image_blocking, content_checking, spam, file_token, created_at, expires_at
    )
    values (
      ${test.id}, ${test.accountId}, ${test.region}, ${test.subject}, ${test.name}, ${JSON.stringify(test.headers)},
      ${test.source}, ${test.sourceUrl}, ${test.messageBytes}, ${test.referenceId}, ${test.customerId},
      ${test.imageBlocking}, ${JSON.stringify(test.contentChecking)}, ${test.spam && JSON.stringify(test.spam)},
      ${test.fileToken}, ${test.createdAt}, ${test.expiresAt}
    )
  `);
  await tx.run(sql`
    insert into preview_results (test_id, client_id, status, submitted_at, queued_at)
    select ${test.id}, client_id, 'processing', ${test.createdAt}::timestamptz, ${test.createdAt}::timestamptz
    from unnest(${[...clientIds]}::text[]) as client_id
  `);
}

export function findTest(db: Sql, accountId: string, id: string): Promise<PreviewTest | undefined> {
  return db.first(sql<PreviewTest>`select ${TEST} from preview_tests where id = ${id} and account_id = ${accountId}`);
}

/** For jobs and for callers who hold something that names the test, such as a share: the account is not asked. */
export function findTestOfAnyone(db: Sql, id: string): Promise<PreviewTest | undefined> {
  return db.first(sql<PreviewTest>`select ${TEST} from preview_tests where id = ${id}`);
}

/** By the unguessable part of the addresses of its pictures. */
export function findTestByToken(db: Sql, token: string): Promise<Pick<PreviewTest, 'id' | 'accountId'> | undefined> {
  return db.first(sql<Pick<PreviewTest, 'id' | 'accountId'>>`
    select id, account_id as "accountId"
    from preview_tests
    where file_token = ${token}
  `);
}

/** Screenshots of an account that are being made; a client counts once. */
export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const row = await db.first(sql<{ count: number }>`
    select count(*)::int as count
    from preview_results
    join preview_tests on preview_tests.id = test_id
    where account_id = ${accountId} and status = 'processing'
  `);
  return row?.count ?? 0;
}

export interface Search {
  from?: Date;
  to?: Date;
  subject?: string;
  customerId?: string;
  referenceId?: string;
  limit: number;
  offset: number;
}

function conditionsOf(accountId: string, search: Omit<Search, 'limit' | 'offset'>): RawBuilder<unknown> {
  const conditions = [sql`account_id = ${accountId}`];
  if (search.from) conditions.push(sql`created_at >= ${search.from}`);
  if (search.to) conditions.push(sql`created_at <= ${search.to}`);
  if (search.subject) conditions.push(sql`position(lower(${search.subject}) in lower(subject)) > 0`);
  if (search.customerId) conditions.push(sql`customer_id = ${search.customerId}`);
  if (search.referenceId) conditions.push(sql`reference_id = ${search.referenceId}`);
  return sql.join(conditions, sql` and `);
}

export async function countTests(
  db: Sql,
  accountId: string,
  search: Omit<Search, 'limit' | 'offset'>,
): Promise<number> {
  const row = await db.first(
    sql<{ count: number }>`select count(*)::int as count from preview_tests where ${conditionsOf(accountId, search)}`,
  );
  return row?.count ?? 0;
}

export function listTests(db: Sql, accountId: string, search: Search): Promise<PreviewTest[]> {
  return db.rows(sql<PreviewTest>`
    select ${TEST}
    from preview_tests
    where ${conditionsOf(accountId, search)}
    order by created_at desc, id desc
    limit ${search.limit} offset ${search.offset}
  `);
}

/** False: there is no such test. */
export async function renameTest(
  db: Sql,
  accountId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  return (
    (await db.run(sql`update preview_tests set name = ${name} where id = ${id} and account_id = ${accountId}`)) > 0
  );
}

/** The content checks of a test, held until the transaction ends. Undefined: there is no such test. */
export async function lockChecks(tx: Sql, id: string): Promise<ContentChecks | undefined> {
  return (
    await tx.first(
      sql<{ checks: ContentChecks }>`select content_checking as checks from preview_tests where id = ${id} for update`,
    )
  )?.checks;
}

export async function saveChecks(tx: Sql, id: string, checks: ContentChecks): Promise<void> {
  await tx.run(sql`update preview_tests set content_checking = ${JSON.stringify(checks)} where id = ${id}`);
}

/** Deletes the rows; everything that hangs on the test goes with it. False when there was none. */
export async function deleteTest(tx: Sql, accountId: string, id: string): Promise<boolean> {
  return (await tx.run(sql`delete from preview_tests where id = ${id} and account_id = ${accountId}`)) > 0;
}

export function listExpired(db: Sql, now: Date, limit: number): Promise<{ id: string; accountId: string }[]> {
  return db.rows(sql<{ id: string; accountId: string }>`
    select id, account_id as "accountId"
    from preview_tests
    where expires_at <= ${now}
    order by expires_at
    limit ${limit}
  `);
}

export interface PreviewResult {
  clientId: string;
  status: 'processing' | 'completed' | 'bounced';
  submittedAt: Date;
  completedAt: Date | null;
  bounceCode: string;
  bounceMessage: string;
  attempts: number;
  reprocesses: number;
  notes: string[];
}

const RESULT = sql.raw(`
  client_id as "clientId", status, submitted_at as "submittedAt", completed_at as "completedAt",
  bounce_code as "bounceCode", bounce_message as "bounceMessage", attempts, reprocesses, notes
`);

export function listResults(db: Sql, testId: string): Promise<PreviewResult[]> {
  return db.rows(
    sql<PreviewResult>`select ${RESULT} from preview_results where test_id = ${testId} order by client_id`,
  );
}

export interface Progress {
  testId: string;
  completed: number;
  processing: number;
  bounced: number;
  /** Clients whose pictures are there, those of `first` before all others. */
  shown: string[];
}

/** How far tests are, with some of their completed clients. */
export function listProgress(
  db: Sql,
  testIds: readonly string[],
  shown: { first: readonly string[]; max: number },
): Promise<Progress[]> {
  return db.rows(sql<Progress>`
    select test_id as "testId", count(*) filter (where status = 'completed')::int as completed,
      count(*) filter (where status = 'processing')::int as processing,
      count(*) filter (where status = 'bounced')::int as bounced,
      coalesce(
        (
          array_agg(
            client_id order by array_position(${[...shown.first]}::text[], client_id), client_id
          ) filter (where status = 'completed')
        )[1:${shown.max}::int],
        '{}'
      ) as shown
    from preview_results
    where test_id = ${anyOf(testIds)}
    group by test_id
  `);
}

/** The client refused the message. Only what is still processing can bounce. */
export async function markBounced(
  db: Sql,
  testId: string,
  bounce: { clientIds: readonly string[]; code: string; message: string; at: Date },
): Promise<void> {
  await db.run(sql`
    update preview_results
    set status = 'bounced', bounce_code = ${bounce.code}, bounce_message = ${bounce.message},
      completed_at = ${bounce.at}
    where test_id = ${testId} and client_id = ${anyOf(bounce.clientIds)} and status = 'processing'
  `);
}

/** Back to processing, with a count. Returns the clients for which it was allowed. */
export async function markResubmitted(
  tx: Sql,
  testId: string,
  change: { clientIds: readonly string[]; reprocessesMax: number; at: Date },
): Promise<PreviewResult[]> {
  return tx.rows(sql<PreviewResult>`
    update preview_results
    set status = 'processing', submitted_at = ${change.at}, queued_at = ${change.at}, completed_at = null,
      attempts = attempts + 1, reprocesses = reprocesses + 1
    where test_id = ${testId}
      and client_id = ${anyOf(change.clientIds)}
      and status <> 'bounced'
      and reprocesses < ${change.reprocessesMax}
    returning ${RESULT}
  `);
}

/** The pictures of these clients are begun once more. */
export async function countTry(db: Sql, testId: string, clientIds: readonly string[]): Promise<void> {
  await db.run(sql`
    update preview_results
    set attempts = attempts + 1
    where test_id = ${testId} and client_id = ${anyOf(clientIds)} and status = 'processing'
  `);
}

/** Tests with clients in processing that were queued before then, in the order of their ids. */
export async function listTestsInProcessing(
  db: Sql,
  { before, after, limit }: { before: Date; after: string; limit: number },
): Promise<string[]> {
  const rows = await db.rows(sql<{ id: string }>`
    select distinct test_id as id
    from preview_results
    where status = 'processing' and queued_at < ${before} and test_id > ${after}
    order by id
    limit ${limit}
  `);
  return rows.map(({ id }) => id);
}

interface Unfinished {
  testId: string;
  accountId: string;
  /** Pictures that are still to be made. */
  pictures: number;
  /** Of some client in processing it is not known yet which pictures it needs, or all are there. */
  isUnplanned: boolean;
}

/** What those of these tests lack that have clients in processing. */
export function listUnfinished(db: Sql, ids: readonly string[]): Promise<Unfinished[]> {
  return db.rows(sql<Unfinished>`
    select id as "testId", account_id as "accountId",
      (
        select count(distinct key)::int
        from preview_results
        join preview_shots using (test_id, client_id)
        join preview_renders using (test_id, key)
        where test_id = id and preview_results.status = 'processing' and preview_renders.status = 'pending'
      ) as pictures,
      exists (
        select 1
        from preview_results
        where test_id = id
          and status = 'processing'
          and not exists (
            select 1
            from preview_shots
            join preview_renders using (test_id, key)
            where preview_shots.test_id = id
              and preview_shots.client_id = preview_results.client_id
              and preview_renders.status = 'pending'
          )
      ) as "isUnplanned"
    from preview_tests
    where id = ${anyOf(ids)} and exists (select 1 from preview_results where test_id = id and status = 'processing')
  `);
}

/** The clients of a test that are in processing and were queued before then, marked as queued now. */
export async function takeLost(tx: Sql, testId: string, times: { before: Date; now: Date }): Promise<string[]> {
  const rows = await tx.rows(sql<{ clientId: string }>`
    update preview_results
    set queued_at = ${times.now}
    where test_id = ${testId} and status = 'processing' and queued_at < ${times.before}
    returning client_id as "clientId"
  `);
  return rows.map(({ clientId }) => clientId);
}
