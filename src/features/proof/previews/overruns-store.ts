// What a message has cost browsers without a picture to show for it.
import { rowCount, type Row, type Sql } from '../../../platform/db/index.ts';

export interface Overruns {
  /** Milliseconds of processor time. 0: every picture that was tried so far was made, or failed for another reason. */
  wastedMs: Row<'previewTests'>['wastedMs'];
  /** Pictures that are still to be made. */
  pending: number;
}

export function findOverruns(db: Sql, testId: string): Promise<Overruns | undefined> {
  return db.ofAnyone
    .selectFrom('previewTests')
    .select(({ selectFrom }) => [
      'wastedMs',
      selectFrom('previewRenders')
        .select(rowCount.as('count'))
        .whereRef('previewRenders.testId', '=', 'previewTests.id')
        .where('previewRenders.status', '=', 'pending')
        .as('pending'),
    ])
    .$narrowType<{ pending: number }>()
    .where('id', '=', testId)
    .executeTakeFirst();
}

export async function addWaste(tx: Sql, testId: string, ms: number): Promise<void> {
  await tx.ofAnyone
    .updateTable('previewTests')
    .set((eb) => ({ wastedMs: eb('wastedMs', '+', Math.round(ms)) }))
    .where('id', '=', testId)
    .execute();
}
