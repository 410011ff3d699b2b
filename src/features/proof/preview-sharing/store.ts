import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

export type PreviewShare = Row<'previewShares'>;

/** Saves a share unless the test has one; returns the one it has. */
export async function insertShare(db: Sql, accountId: string, share: PreviewShare): Promise<PreviewShare> {
  await db.ofAnyone
    .insertInto('previewShares')
    .values(share)
    .onConflict((conflict) => conflict.column('testId').doNothing())
    .execute();
  return (await findShare(db, accountId, share.testId)) ?? share;
}

export function findShare(db: Sql, accountId: string, testId: string): Promise<PreviewShare | undefined> {
  return db.of(accountId).selectFrom('previewShares').selectAll().where('testId', '=', testId).executeTakeFirst();
}

export async function listShares(db: Sql, accountId: string, testIds: readonly string[]): Promise<PreviewShare[]> {
  if (testIds.length === 0) return [];
  return db.of(accountId).selectFrom('previewShares').selectAll().where('testId', 'in', testIds).execute();
}

export function findShareByUuid(db: Sql, uuid: string): Promise<PreviewShare | undefined> {
  return db.ofAnyone
    .selectFrom('previewShares')
    .selectAll()
    .where(sql`${sql.ref('uuid')}::text`, '=', uuid.toLowerCase())
    .executeTakeFirst();
}

export function updateShare(
  db: Sql,
  accountId: string,
  { testId, ...change }: Pick<PreviewShare, 'testId' | 'uuid' | 'isEnabled' | 'expiresAt'>,
): Promise<PreviewShare | undefined> {
  return db
    .of(accountId)
    .updateTable('previewShares')
    .set(change)
    .where('testId', '=', testId)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteShare(db: Sql, accountId: string, testId: string): Promise<void> {
  await db.of(accountId).deleteFrom('previewShares').where('testId', '=', testId).execute();
}
