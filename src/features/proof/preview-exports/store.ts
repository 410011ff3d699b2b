import { rowCount, type Row, type Sql } from '../../../platform/db/index.ts';

export type PreviewExport = Row<'previewExports'>;

export async function insertExport(tx: Sql, made: PreviewExport): Promise<void> {
  await tx.ofAnyone.insertInto('previewExports').values(made).execute();
}

export function findExport(
  db: Sql,
  accountId: string,
  { testId, id }: { testId: string; id: string },
): Promise<PreviewExport | undefined> {
  return db
    .of(accountId)
    .selectFrom('previewExports')
    .selectAll()
    .where('id', '=', id)
    .where('testId', '=', testId)
    .executeTakeFirst();
}

/** By its unguessable id alone. */
export function findExportById(db: Sql, id: string): Promise<PreviewExport | undefined> {
  return db.ofAnyone.selectFrom('previewExports').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findLatestExport(db: Sql, accountId: string, testId: string): Promise<PreviewExport | undefined> {
  return db
    .of(accountId)
    .selectFrom('previewExports')
    .selectAll()
    .where('testId', '=', testId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Exports of an account that are being made. */
export async function countProcessing(db: Sql, accountId: string): Promise<number> {
  const { count } = await db
    .of(accountId)
    .selectFrom('previewExports')
    .select(rowCount.as('count'))
    .where('status', '=', 'Processing')
    .executeTakeFirstOrThrow();
  return count;
}

/** Ends an export that is still under way. */
export async function endExport(
  db: Sql,
  id: string,
  outcome: Pick<PreviewExport, 'failedClientIds' | 'error'> & { status: 'Complete' | 'Failed' },
): Promise<void> {
  await db.ofAnyone
    .updateTable('previewExports')
    .set(outcome)
    .where('id', '=', id)
    .where('status', '=', 'Processing')
    .execute();
}
