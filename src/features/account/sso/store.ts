import { changedRows, type Sql } from '../../../platform/db/index.ts';

/** Notes that a sign-in was completed; false where it was before. */
export async function insertUse(tx: Sql, stateDigest: Buffer, expiresAt: Date): Promise<boolean> {
  const insert = tx.ofAnyone
    .insertInto('ssoUses')
    .values({ stateDigest, expiresAt })
    .onConflict((conflict) => conflict.doNothing());
  return (await changedRows(insert)) > 0;
}

export async function deleteExpiredUses(db: Sql, now: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('ssoUses').where('expiresAt', '<=', now).execute();
}
