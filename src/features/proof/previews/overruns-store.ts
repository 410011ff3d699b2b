// What a message has cost browsers without a picture to show for it.
import { sql, type Sql } from '../../../platform/db/index.ts';

export interface Overruns {
  /** Milliseconds of processor time. 0: every picture that was tried so far was made, or failed for another reason. */
  wastedMs: number;
  /** Pictures that are still to be made. */
  pending: number;
}

export async function findOverruns(db: Sql, testId: string): Promise<Overruns | undefined> {
  return db.first(sql<Overruns>`
    select wasted_ms as "wastedMs",
      (select count(*)::int from preview_renders where test_id = id and status = 'pending') as pending
    from preview_tests
    where id = ${testId}
  `);
}

export async function addWaste(tx: Sql, testId: string, ms: number): Promise<void> {
  await tx.run(sql`update preview_tests set wasted_ms = wasted_ms + ${Math.round(ms)} where id = ${testId}`);
}
