import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

export type AllowlistEntry = Pick<Row<'ipAllowlistEntries'>, 'address' | 'description'>;

/** In the order in which they were added. */
export function listAllowlist(db: Sql, accountId: string): Promise<AllowlistEntry[]> {
  return db
    .of(accountId)
    .selectFrom('ipAllowlistEntries')
    .select(['address', 'description'])
    .orderBy('createdAt')
    .orderBy('address')
    .execute();
}

/** Adds an entry, or gives the one that is there the description. */
export async function putEntry(tx: Sql, accountId: string, entry: AllowlistEntry & { createdAt: Date }): Promise<void> {
  await tx
    .of(accountId)
    .insert('ipAllowlistEntries', entry)
    .onConflict((conflict) =>
      conflict.columns(['accountId', 'address']).doUpdateSet({ description: entry.description }),
    )
    .execute();
}

export async function describeEntry(
  tx: Sql,
  accountId: string,
  { address, description }: AllowlistEntry,
): Promise<boolean> {
  const entry = tx.of(accountId).updateTable('ipAllowlistEntries').set({ description }).where('address', '=', address);
  return (await changedRows(entry)) > 0;
}

/** Deletes one, or all. Answers how many. */
export function deleteEntries(tx: Sql, accountId: string, address?: string): Promise<number> {
  const own = tx.of(accountId).deleteFrom('ipAllowlistEntries');
  return changedRows(address === undefined ? own : own.where('address', '=', address));
}
