import type { Sql } from '../../../platform/db/index.ts';

/**
 * Marks an instance as resolved, or takes the mark back. The caller has made sure that the inspection is the account's.
 */
export async function setResolved(
  db: Sql,
  instance: { inspectionId: string; instanceId: string },
  mark: { isResolved: boolean; at: Date },
): Promise<void> {
  if (mark.isResolved)
    await db.ofAnyone
      .insertInto('codeResolutions')
      .values({ ...instance, resolvedAt: mark.at })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  else
    await db.ofAnyone
      .deleteFrom('codeResolutions')
      .where('inspectionId', '=', instance.inspectionId)
      .where('instanceId', '=', instance.instanceId)
      .execute();
}

/** Ids of the resolved instances of an account's inspection. */
export async function listResolved(db: Sql, accountId: string, inspectionId: string): Promise<Set<string>> {
  const rows = await db
    .of(accountId)
    .selectFrom('codeResolutions')
    .select('instanceId')
    .where('inspectionId', '=', inspectionId)
    .execute();
  return new Set(rows.map(({ instanceId }) => instanceId));
}
