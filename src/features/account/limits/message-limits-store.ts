// Monthly limits of messages, and how many messages were accepted in a month.
import { sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** `ownerId`: who set it, the account itself or its parent. */
export type MessageLimit = Row<'messageLimits'>;

/** Counts of a month stand in so many rows, so that many may count at once. */
const PARTS = 8;

/** `2026-11`: the month of a moment, in UTC. */
export const monthOf = (now: Date): string => now.toISOString().slice(0, 7);

/** When the month of a moment ends. */
export const monthEndOf = (now: Date): Date => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1));

/**
 * The limits that hold for what an account sends: its own, its parent's on it, and its parent's own, which counts all
 * subaccounts. Whoever asks next waits until the transaction ends.
 */
export function lockLimitsOn(tx: Sql, account: { id: string; parentId: string | null }): Promise<MessageLimit[]> {
  const accounts = account.parentId === null ? [account.id] : [account.id, account.parentId];
  return tx.ofAnyone
    .selectFrom('messageLimits')
    .selectAll()
    .where('accountId', 'in', accounts)
    .orderBy('accountId')
    .orderBy('ownerId')
    .forUpdate()
    .execute();
}

/** Adds to the month's count of an account. */
export async function addMessages(
  tx: Sql,
  accountId: string,
  { month, adding }: { month: string; adding: number },
): Promise<void> {
  const part = Math.floor(Math.random() * PARTS);
  await tx
    .of(accountId)
    .insert('messageCounts', { month, part, used: String(adding) })
    .onConflict((conflict) =>
      conflict
        .columns(['accountId', 'month', 'part'])
        .doUpdateSet({ used: sql<string>`message_counts.used + excluded.used` }),
    )
    .execute();
}

/** What an account and its subaccounts sent in a month. */
export async function countMessages(db: Sql, accountId: string, month: string): Promise<number> {
  const { used } = await db.ofAnyone
    .selectFrom('messageCounts')
    .innerJoin('accounts', 'accounts.id', 'messageCounts.accountId')
    .select(sql<string>`coalesce(sum(message_counts.used), 0)`.as('used'))
    .where('messageCounts.month', '=', month)
    .where((row) => row.or([row('accounts.id', '=', accountId), row('accounts.parentId', '=', accountId)]))
    .executeTakeFirstOrThrow();
  return Number(used);
}

/** Those on an account, its own first. */
export async function listMessageLimits(db: Sql, accountId: string): Promise<MessageLimit[]> {
  const found = await db.of(accountId).selectFrom('messageLimits').selectAll().execute();
  return found.toSorted((one, other) => Number(other.ownerId === accountId) - Number(one.ownerId === accountId));
}

interface Place {
  accountId: string;
  ownerId: string;
}

/** A limit that is set anew holds, though it was lifted. */
export async function putMessageLimit(
  db: Sql,
  { accountId, ownerId }: Place,
  { max, now }: { max: number; now: Date },
): Promise<void> {
  const row = { maxMessages: String(max), liftedUntil: null, updatedAt: now };
  await db
    .of(accountId)
    .insert('messageLimits', { ...row, ownerId, createdAt: now })
    .onConflict((conflict) => conflict.columns(['accountId', 'ownerId']).doUpdateSet(row))
    .execute();
}

export async function liftMessageLimit(db: Sql, { accountId, ownerId }: Place, until: Date): Promise<void> {
  await db
    .of(accountId)
    .updateTable('messageLimits')
    .set({ liftedUntil: until })
    .where('ownerId', '=', ownerId)
    .execute();
}

export async function deleteMessageLimit(db: Sql, { accountId, ownerId }: Place): Promise<boolean> {
  const { numDeletedRows } = await db
    .of(accountId)
    .deleteFrom('messageLimits')
    .where('ownerId', '=', ownerId)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes counts of months that are long over. */
export async function deleteOldCounts(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('messageCounts').where('month', '<', monthOf(before)).execute();
}
