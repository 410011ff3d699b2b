import type { Db, Sql } from '../../../platform/db/index.ts';

/** Days that an account wants its events kept; undefined: as long as the service keeps them. */
export async function findRetention(db: Sql, accountId: string): Promise<number | undefined> {
  const found = await db.of(accountId).selectFrom('eventRetentions').select('days').executeTakeFirst();
  return found?.days;
}

export async function saveRetention(db: Sql, accountId: string, days: number): Promise<void> {
  await db
    .of(accountId)
    .insert('eventRetentions', { days })
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ days }))
    .execute();
}

/** Of all accounts, for the job that deletes. */
export function listRetentions(db: Db): Promise<{ accountId: string; days: number }[]> {
  return db.ofAnyone.selectFrom('eventRetentions').selectAll().execute();
}
