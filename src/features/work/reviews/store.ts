import { anyOf, changedRows, rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { OfEmail } from '../emails/index.ts';

export type ReviewComment = Row<'reviewComments'>;
export type ReviewVerdict = Row<'reviewVerdicts'>;
export type OfVersion = OfEmail & { number: number };
export type Person = Pick<ReviewComment, 'authorKind' | 'authorId' | 'authorName'>;

export async function insertComment(tx: Sql, comment: ReviewComment): Promise<void> {
  await tx.ofAnyone.insertInto('reviewComments').values(comment).execute();
}

/** Of all versions, with replies. */
export async function countComments(db: Sql, { accountId, emailId }: OfEmail): Promise<number> {
  const counted = db.of(accountId).selectFrom('reviewComments').select(rowCount.as('total'));
  return (await counted.where('emailId', '=', emailId).executeTakeFirstOrThrow()).total;
}

/** With replies, in the order in which they were written. */
export function listComments(
  db: Sql,
  { accountId, emailId, number }: OfVersion,
  limit: number,
): Promise<ReviewComment[]> {
  return db
    .of(accountId)
    .selectFrom('reviewComments')
    .selectAll()
    .where('emailId', '=', emailId)
    .where('number', '=', number)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function findComment(db: Sql, { accountId, emailId }: OfEmail, id: string): Promise<ReviewComment | undefined> {
  return db
    .of(accountId)
    .selectFrom('reviewComments')
    .selectAll()
    .where('emailId', '=', emailId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function resolveThread(
  db: Sql,
  { id, accountId }: Pick<ReviewComment, 'id' | 'accountId'>,
  resolved: Pick<ReviewComment, 'resolvedAt' | 'resolvedBy'>,
): Promise<void> {
  await db.of(accountId).updateTable('reviewComments').set(resolved).where('id', '=', id).execute();
}

/** False: there is no such comment. */
export async function deleteComment(db: Sql, { accountId, emailId }: OfEmail, id: string): Promise<boolean> {
  const gone = db.of(accountId).deleteFrom('reviewComments').where('emailId', '=', emailId).where('id', '=', id);
  return (await changedRows(gone)) > 0;
}

export async function putVerdict(tx: Sql, verdict: ReviewVerdict): Promise<void> {
  const { authorName, decision, note, decidedAt } = verdict;
  await tx.ofAnyone
    .insertInto('reviewVerdicts')
    .values(verdict)
    .onConflict((conflict) =>
      conflict
        .columns(['emailId', 'number', 'authorKind', 'authorId'])
        .doUpdateSet({ authorName, decision, note, decidedAt }),
    )
    .execute();
}

/** Newest first. */
export function listVerdicts(
  db: Sql,
  { accountId, emailId, number }: OfVersion,
  limit: number,
): Promise<ReviewVerdict[]> {
  return db
    .of(accountId)
    .selectFrom('reviewVerdicts')
    .selectAll()
    .where('emailId', '=', emailId)
    .where('number', '=', number)
    .orderBy('decidedAt', 'desc')
    .orderBy('authorId')
    .limit(limit)
    .execute();
}

/** False: this person has none. */
export async function deleteVerdict(
  db: Sql,
  { accountId, emailId, number }: OfVersion,
  { authorKind, authorId }: Pick<Person, 'authorKind' | 'authorId'>,
): Promise<boolean> {
  const gone = db
    .of(accountId)
    .deleteFrom('reviewVerdicts')
    .where('emailId', '=', emailId)
    .where('number', '=', number)
    .where('authorKind', '=', authorKind)
    .where('authorId', '=', authorId);
  return (await changedRows(gone)) > 0;
}

/** Of some emails, threads that are not resolved, by version. */
export function countOpenThreads(
  db: Sql,
  accountId: string,
  emailIds: readonly string[],
): Promise<{ emailId: string; number: number; open: number; all: number }[]> {
  return db
    .of(accountId)
    .selectFrom('reviewComments')
    .select(['emailId', 'number', rowCount.as('all')])
    .select(sql<number>`(count(*) filter (where resolved_at is null))::int`.as('open'))
    .where('emailId', '=', anyOf(emailIds))
    .where('threadId', 'is', null)
    .groupBy(['emailId', 'number'])
    .orderBy('number')
    .execute();
}

export function countVerdicts(
  db: Sql,
  accountId: string,
  emailIds: readonly string[],
): Promise<{ emailId: string; number: number; decision: ReviewVerdict['decision']; total: number }[]> {
  return db
    .of(accountId)
    .selectFrom('reviewVerdicts')
    .select(['emailId', 'number', 'decision', rowCount.as('total')])
    .where('emailId', '=', anyOf(emailIds))
    .groupBy(['emailId', 'number', 'decision'])
    .execute();
}

/** Those of these emails that a link is open for. */
export async function listAsked(
  db: Sql,
  accountId: string,
  { emailIds, now }: { emailIds: readonly string[]; now: Date },
): Promise<Set<string>> {
  const rows = await db
    .of(accountId)
    .selectFrom('reviewLinks')
    .select('emailId')
    .distinct()
    .where('emailId', '=', anyOf(emailIds))
    .where('expiresAt', '>', now)
    .execute();
  return new Set(rows.map(({ emailId }) => emailId));
}
