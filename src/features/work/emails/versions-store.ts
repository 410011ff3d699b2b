import { anyOf, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';

export type Version = Row<'emailVersions'>;
export type StartedTest = Pick<Row<'emailTests'>, 'kind' | 'testId' | 'previewId' | 'createdAt'>;

/** By which the bytes of all versions are held; see `_message`. */
export const holderOf = (emailId: string): string => `emails/${emailId}`;

export async function insertVersion(tx: Sql, version: Version): Promise<void> {
  await tx.ofAnyone.insertInto('emailVersions').values(version).execute();
}

export interface OfEmail {
  accountId: string;
  emailId: string;
}

export function findVersion(db: Sql, { accountId, emailId }: OfEmail, number: number): Promise<Version | undefined> {
  return db
    .of(accountId)
    .selectFrom('emailVersions')
    .selectAll()
    .where('emailId', '=', emailId)
    .where('number', '=', number)
    .executeTakeFirst();
}

/** A page of the versions of an email, newest first. */
export function listVersions(db: Sql, { accountId, emailId }: OfEmail, page: SkipPage): Promise<Paged<Version>> {
  const all = db.of(accountId).selectFrom('emailVersions').selectAll().where('emailId', '=', emailId);
  return readSkipPage(all.orderBy('number', 'desc'), page);
}

/** Of all emails of an account. */
export async function countVersions(db: Sql, accountId: string): Promise<number> {
  const counted = db.of(accountId).selectFrom('emailVersions').select(rowCount.as('total'));
  return (await counted.executeTakeFirstOrThrow()).total;
}

export async function noteTest(
  db: Sql,
  { emailId, accountId, number }: OfEmail & { number: number },
  { kind, testId, previewId, createdAt }: StartedTest,
): Promise<void> {
  await db.ofAnyone
    .insertInto('emailTests')
    .values({ emailId, accountId, number, kind, testId, previewId, createdAt })
    .execute();
}

/** Newest first. */
export function listStarted(
  db: Sql,
  { emailId, accountId, number }: OfEmail & { number: number },
  limit: number,
): Promise<StartedTest[]> {
  return db
    .of(accountId)
    .selectFrom('emailTests')
    .select(['kind', 'testId', 'previewId', 'createdAt'])
    .where('emailId', '=', emailId)
    .where('number', '=', number)
    .orderBy('createdAt', 'desc')
    .orderBy('testId', 'desc')
    .limit(limit)
    .execute();
}

export type TestOfEmail = StartedTest & Pick<Row<'emailTests'>, 'emailId' | 'number'>;

/** Tests of any versions of emails, newest first. */
export function listStartedOf(
  db: Sql,
  accountId: string,
  { emailIds, limit }: { emailIds: readonly string[]; limit: number },
): Promise<TestOfEmail[]> {
  return db
    .of(accountId)
    .selectFrom('emailTests')
    .select(['emailId', 'number', 'kind', 'testId', 'previewId', 'createdAt'])
    .where('emailId', '=', anyOf(emailIds))
    .orderBy('createdAt', 'desc')
    .orderBy('testId', 'desc')
    .limit(limit)
    .execute();
}
