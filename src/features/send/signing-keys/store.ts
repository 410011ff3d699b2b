import type { Sql } from '../../../platform/db/index.ts';

/** What a key signs. */
export type Purpose = 'webhooks' | 'alerts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'signingKeys.purpose': Purpose;
  }
}

/** Encrypted. */
interface SealedKey {
  purpose: Purpose;
  sealed: string;
  createdAt: Date;
}

export async function findSealed(db: Sql, accountId: string, purpose: Purpose): Promise<string | undefined> {
  const keys = db.of(accountId).selectFrom('signingKeys').select('sealed');
  return (await keys.where('purpose', '=', purpose).executeTakeFirst())?.sealed;
}

/** Keeps a first key; of two that come at once, the first stands. */
export async function insertSealed(db: Sql, accountId: string, row: SealedKey): Promise<void> {
  await db
    .of(accountId)
    .insert('signingKeys', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'purpose']).doNothing())
    .execute();
}

export async function saveSealed(db: Sql, accountId: string, row: SealedKey): Promise<void> {
  await db
    .of(accountId)
    .insert('signingKeys', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'purpose']).doUpdateSet(row))
    .execute();
}
