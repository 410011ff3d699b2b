import { sql, type Sql } from '../../../platform/db/index.ts';

/**
 * Marks an instance as resolved, or takes the mark back. The caller has made sure that the inspection is the account's.
 */
export async function setResolved(
  db: Sql,
  instance: { inspectionId: string; instanceId: string },
  mark: { isResolved: boolean; at: Date },
): Promise<void> {
  const { inspectionId, instanceId } = instance;
  if (mark.isResolved)
    await db.run(sql`
      insert into code_resolutions (inspection_id, instance_id, resolved_at)
      values (${inspectionId}, ${instanceId}, ${mark.at})
      on conflict do nothing
    `);
  else
    await db.run(
      sql`delete from code_resolutions where inspection_id = ${inspectionId} and instance_id = ${instanceId}`,
    );
}

/** Ids of the resolved instances of an account's inspection. */
export async function listResolved(db: Sql, accountId: string, inspectionId: string): Promise<Set<string>> {
  const rows = await db.rows(sql<{ id: string }>`
    select r.instance_id as id
    from code_resolutions r
    join inspections i on i.id = r.inspection_id
    where i.id = ${inspectionId} and i.account_id = ${accountId}
  `);
  return new Set(rows.map(({ id }) => id));
}
