import { changedRows, rowCount, type Row, type Sql } from '../../../platform/db/index.ts';
import type { OfEmail } from '../emails/index.ts';

export type ReviewLink = Row<'reviewLinks'>;

export async function insertLink(tx: Sql, link: ReviewLink): Promise<void> {
  await tx.ofAnyone.insertInto('reviewLinks').values(link).execute();
}

/** Newest first. */
export function listLinks(db: Sql, { accountId, emailId }: OfEmail, limit: number): Promise<ReviewLink[]> {
  return db
    .of(accountId)
    .selectFrom('reviewLinks')
    .selectAll()
    .where('emailId', '=', emailId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

export async function countLinks(db: Sql, { accountId, emailId }: OfEmail): Promise<number> {
  const counted = db.of(accountId).selectFrom('reviewLinks').select(rowCount.as('total'));
  return (await counted.where('emailId', '=', emailId).executeTakeFirstOrThrow()).total;
}

/** Whoever has the token is nobody yet: the account is not asked. */
export function findLinkByDigest(db: Sql, digest: Buffer): Promise<ReviewLink | undefined> {
  return db.ofAnyone.selectFrom('reviewLinks').selectAll().where('digest', '=', digest).executeTakeFirst();
}

/** The account is not asked: what names the link is signed. */
export function findLinkOfAnyone(db: Sql, id: string): Promise<ReviewLink | undefined> {
  return db.ofAnyone.selectFrom('reviewLinks').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function noteOpened(db: Sql, { id, accountId }: ReviewLink, at: Date): Promise<void> {
  await db.of(accountId).updateTable('reviewLinks').set({ openedAt: at }).where('id', '=', id).execute();
}

/** False: there is no such link. */
export async function deleteLink(db: Sql, { accountId, emailId }: OfEmail, id: string): Promise<boolean> {
  const gone = db.of(accountId).deleteFrom('reviewLinks').where('emailId', '=', emailId).where('id', '=', id);
  return (await changedRows(gone)) > 0;
}
