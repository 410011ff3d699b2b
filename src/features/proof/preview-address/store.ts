import { sql, type Sql } from '../../../platform/db/index.ts';

/** Saves the local part unless the account has one; returns the one it has. */
export async function ensureLocalPart(
  db: Sql,
  accountId: string,
  wanted: { localPart: string; at: Date },
): Promise<string> {
  await db.run(sql`
    insert into preview_addresses (account_id, local_part, created_at)
    values (${accountId}, ${wanted.localPart}, ${wanted.at})
    on conflict (account_id) do nothing
  `);
  const row = await db.first(
    sql<{ localPart: string }>`select local_part as "localPart" from preview_addresses where account_id = ${accountId}`,
  );
  if (!row) throw new Error(`The preview address of account ${accountId} is missing.`);
  return row.localPart;
}

/** Whose address this is. */
export async function findAccountId(db: Sql, localPart: string): Promise<string | undefined> {
  return (
    await db.first(sql<{ accountId: string }>`
      select account_id as "accountId"
      from preview_addresses
      where local_part = ${localPart.toLowerCase()}
    `)
  )?.accountId;
}
