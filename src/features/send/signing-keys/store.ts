import type { Sql } from '../../../platform/db/index.ts';

export async function findSealed(db: Sql, accountId: string): Promise<string | undefined> {
  const found = await db.of(accountId).selectFrom('signingKeys').select('sealed').executeTakeFirst();
  return found?.sealed;
}

/** Keeps a first key; of two that come at once, the first stands. */
export async function insertSealed(db: Sql, accountId: string, row: { sealed: string; createdAt: Date }) {
  await db
    .of(accountId)
    .insert('signingKeys', row)
    .onConflict((conflict) => conflict.column('accountId').doNothing())
    .execute();
}

export async function saveSealed(db: Sql, accountId: string, row: { sealed: string; createdAt: Date }) {
  await db
    .of(accountId)
    .insert('signingKeys', row)
    .onConflict((conflict) => conflict.column('accountId').doUpdateSet(row))
    .execute();
}
