import type { Sql } from '../../../platform/db/index.ts';

/** Saves the local part unless the account has one; returns the one it has. */
export async function ensureLocalPart(
  db: Sql,
  accountId: string,
  wanted: { localPart: string; at: Date },
): Promise<string> {
  const own = db.of(accountId);
  await own
    .insert('previewAddresses', { localPart: wanted.localPart, createdAt: wanted.at })
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute();
  const row = await own.selectFrom('previewAddresses').select('localPart').executeTakeFirst();
  if (!row) throw new Error(`The preview address of account ${accountId} is missing.`);
  return row.localPart;
}

/** The account that an address belongs to. */
export async function findAccountId(db: Sql, localPart: string): Promise<string | undefined> {
  const row = await db.ofAnyone
    .selectFrom('previewAddresses')
    .select('accountId')
    .where('localPart', '=', localPart.toLowerCase())
    .executeTakeFirst();
  return row?.accountId;
}
