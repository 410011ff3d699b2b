import type { Row, Sql } from '../../../platform/db/index.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'trackedReads.kind': 'opened' | 'clicked';
  }
}

type TrackedRead = Row<'trackedReads'>;

/** Notes what was not noted before, and answers that. Of messages that were found by their account. */
export async function addReads(tx: Sql, reads: readonly TrackedRead[]): Promise<Omit<TrackedRead, 'at'>[]> {
  if (reads.length === 0) return [];
  return tx.ofAnyone
    .insertInto('trackedReads')
    .values([...reads])
    .onConflict((conflict) => conflict.doNothing())
    .returning(['messageId', 'position', 'kind'])
    .execute();
}
