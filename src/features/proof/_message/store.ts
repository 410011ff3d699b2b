import { changedRows, type Row, type Sql } from '../../../platform/db/index.ts';

/** A message of an account, by the SHA-256 of its bytes. */
export type MessageKey = Pick<Row<'messages'>, 'accountId' | 'digest'>;

/** Holds a message before what refers to it is there, and answers whether its bytes are. Locks the message. */
export async function reserve(
  tx: Sql,
  { accountId, digest }: MessageKey,
  { holder, at }: { holder: string; at: Date },
): Promise<boolean> {
  const own = tx.of(accountId);
  const { isStored } = await own
    .insert('messages', { digest })
    .onConflict((conflict) => conflict.columns(['accountId', 'digest']).doUpdateSet({ digest }))
    .returning('isStored')
    .executeTakeFirstOrThrow();
  await own
    .insert('messageUses', { holder, digest, reservedAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['holder', 'accountId', 'digest'])
        .doUpdateSet({ reservedAt: at })
        .where('messageUses.reservedAt', 'is not', null),
    )
    .execute();
  return isStored;
}

/** What refers to a message of an account. */
export async function listHolders(db: Sql, { accountId, digest }: MessageKey): Promise<string[]> {
  const uses = db.of(accountId).selectFrom('messageUses').select('holder').where('digest', '=', digest);
  return (await uses.execute()).map(({ holder }) => holder);
}

async function mark(db: Sql, { accountId, digest }: MessageKey, isStored: boolean): Promise<void> {
  await db.of(accountId).updateTable('messages').set({ isStored }).where('digest', '=', digest).execute();
}

export const markStored = (db: Sql, message: MessageKey): Promise<void> => mark(db, message, true);
/** Marks a message as not stored: a request that needs it stores it anew. */
export const markUnstored = (tx: Sql, message: MessageKey): Promise<void> => mark(tx, message, false);

/** What refers to the messages is there now, in the same transaction. */
export async function confirmUses(
  tx: Sql,
  { accountId, holder }: { accountId: string; holder: string },
): Promise<void> {
  await tx
    .of(accountId)
    .updateTable('messageUses')
    .set({ reservedAt: null })
    .where('holder', '=', holder)
    .where('reservedAt', 'is not', null)
    .execute();
}

/** For jobs: the account is not asked. Answers the messages that were held. */
export function releaseOfAnyone(db: Sql, holder: string): Promise<MessageKey[]> {
  return db.ofAnyone
    .deleteFrom('messageUses')
    .where('holder', '=', holder)
    .returning(['accountId', 'digest'])
    .execute();
}

/** Ends reservations whose holder never came. */
export function deleteReservations(db: Sql, before: Date): Promise<number> {
  return changedRows(db.ofAnyone.deleteFrom('messageUses').where('reservedAt', '<', before));
}

/** Messages that nothing refers to. */
export function listUnused(db: Sql, limit: number): Promise<MessageKey[]> {
  return db.ofAnyone
    .selectFrom('messages')
    .select(['accountId', 'digest'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('messageUses')
            .select('holder')
            .whereRef('messageUses.accountId', '=', 'messages.accountId')
            .whereRef('messageUses.digest', '=', 'messages.digest'),
        ),
      ),
    )
    .limit(limit)
    .execute();
}

/** Locks a message; true: it is there, and nothing refers to it, nor will before the transaction ends. */
export async function lockUnused(tx: Sql, { accountId, digest }: MessageKey): Promise<boolean> {
  const own = tx.of(accountId);
  const message = await own
    .selectFrom('messages')
    .select('digest')
    .where('digest', '=', digest)
    .forUpdate()
    .executeTakeFirst();
  if (!message) return false;
  const use = await own
    .selectFrom('messageUses')
    .select('holder')
    .where('digest', '=', digest)
    .limit(1)
    .executeTakeFirst();
  return use === undefined;
}

export async function deleteMessage(tx: Sql, { accountId, digest }: MessageKey): Promise<void> {
  await tx.of(accountId).deleteFrom('messages').where('digest', '=', digest).execute();
}
