// Members that came in one call, and wait to be written.
import { changedRows, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { SheetProblem } from '../../../platform/spreadsheets/rows.ts';
import type { Written } from './member-store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'mailingListUploads.problems': SheetProblem[];
    'mailingListUploads.format': 'json' | 'csv';
  }
}

export type Upload = Row<'mailingListUploads'>;

export async function insertUpload(
  tx: Sql,
  accountId: string,
  {
    parts,
    ...upload
  }: Omit<Upload, 'accountId' | 'added' | 'updated' | 'kept' | 'finishedAt'> & {
    parts: readonly string[];
  },
): Promise<void> {
  await tx.of(accountId).insert('mailingListUploads', upload).execute();
  for (const [place, entries] of parts.entries())
    await tx.of(accountId).insert('mailingListUploadParts', { uploadId: upload.id, place, entries }).execute();
}

/** For a job, which knows it by its id alone. */
export function findAnyUpload(db: Sql, id: string): Promise<Upload | undefined> {
  return db.ofAnyone.selectFrom('mailingListUploads').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUpload(
  db: Sql,
  accountId: string,
  { listId, id }: { listId: string; id: string },
): Promise<Upload | undefined> {
  return db
    .of(accountId)
    .selectFrom('mailingListUploads')
    .selectAll()
    .where('listId', '=', listId)
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Takes the next entries of an upload, as JSON; undefined: there are none left. */
export async function takePart(tx: Sql, uploadId: string): Promise<string | undefined> {
  const part = await tx.ofAnyone
    .deleteFrom('mailingListUploadParts')
    .where('uploadId', '=', uploadId)
    .where('place', '=', (from) =>
      from
        .selectFrom('mailingListUploadParts')
        .select(({ fn }) => fn.min<number>('place').as('first'))
        .where('uploadId', '=', uploadId),
    )
    .returning('entries')
    .executeTakeFirst();
  return part?.entries;
}

export async function addWritten(
  tx: Sql,
  id: string,
  { added, updated, kept }: Written & { kept: number },
): Promise<void> {
  await tx.ofAnyone
    .updateTable('mailingListUploads')
    .set({
      added: sql<number>`added + ${added}`,
      updated: sql<number>`updated + ${updated}`,
      kept: sql<number>`kept + ${kept}`,
    })
    .where('id', '=', id)
    .execute();
}

export async function finishUpload(tx: Sql, id: string, now: Date): Promise<void> {
  await tx.ofAnyone.updateTable('mailingListUploads').set({ finishedAt: now }).where('id', '=', id).execute();
}

/** The oldest of before then, at most so many, with the entries that they still have. */
export function deleteOldUploads(tx: Sql, before: Date, limit: number): Promise<number> {
  const old = tx.ofAnyone
    .selectFrom('mailingListUploads')
    .select('id')
    .where('createdAt', '<', before)
    .orderBy('createdAt')
    .limit(limit);
  return changedRows(tx.ofAnyone.deleteFrom('mailingListUploads').where('id', 'in', old));
}
