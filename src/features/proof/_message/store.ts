import { sql, type Sql } from '../../../platform/db/index.ts';

/** A message of an account, by the SHA-256 of its bytes. */
export interface MessageKey {
  accountId: string;
  digest: string;
}

/** Holds a message before what refers to it is there, and answers whether its bytes are. Locks the message. */
export async function reserve(
  tx: Sql,
  { accountId, digest }: MessageKey,
  { holder, at }: { holder: string; at: Date },
): Promise<boolean> {
  const message = await tx.first(sql<{ isStored: boolean }>`
    insert into messages (account_id, digest)
    values (${accountId}, ${digest})
    on conflict (account_id, digest) do update set digest = excluded.digest
    returning is_stored as "isStored"
  `);
  await tx.run(sql`
    insert into message_uses (holder, account_id, digest, reserved_at)
    values (${holder}, ${accountId}, ${digest}, ${at})
    on conflict (holder, account_id, digest) do update set reserved_at = excluded.reserved_at
      where message_uses.reserved_at is not null
  `);
  return message?.isStored ?? false;
}

export async function markStored(db: Sql, { accountId, digest }: MessageKey): Promise<void> {
  await db.run(sql`update messages set is_stored = true where account_id = ${accountId} and digest = ${digest}`);
}

/** What refers to the messages is there now, in the same transaction. */
export async function confirmUses(
  tx: Sql,
  { accountId, holder }: { accountId: string; holder: string },
): Promise<void> {
  await tx.run(sql`
    update message_uses
    set reserved_at = null
    where holder = ${holder} and account_id = ${accountId} and reserved_at is not null
  `);
}

/** For jobs: the account is not asked. Answers the messages that were held. */
export function releaseOfAnyone(db: Sql, holder: string): Promise<MessageKey[]> {
  return db.rows(sql<MessageKey>`
    delete from message_uses where holder = ${holder} returning account_id as "accountId", digest
  `);
}

/** Ends reservations whose holder never came. */
export async function deleteReservations(db: Sql, before: Date): Promise<number> {
  return db.run(sql`delete from message_uses where reserved_at < ${before}`);
}

/** Messages that nothing refers to. */
export function listUnused(db: Sql, limit: number): Promise<MessageKey[]> {
  return db.rows(sql<MessageKey>`
    select account_id as "accountId", digest
    from messages
    where not exists (
      select 1
      from message_uses
      where message_uses.account_id = messages.account_id and message_uses.digest = messages.digest
    )
    limit ${limit}
  `);
}

/** Locks a message; true: it is there, and nothing refers to it, nor will before the transaction ends. */
export async function lockUnused(tx: Sql, { accountId, digest }: MessageKey): Promise<boolean> {
  const message = await tx.first(sql`
    select digest from messages where account_id = ${accountId} and digest = ${digest} for update
  `);
  if (!message) return false;
  const use = await tx.first(sql`
    select holder from message_uses where account_id = ${accountId} and digest = ${digest} limit 1
  `);
  return use === undefined;
}

/** From here on whoever wants the message stores it anew. */
export async function markUnstored(tx: Sql, { accountId, digest }: MessageKey): Promise<void> {
  await tx.run(sql`update messages set is_stored = false where account_id = ${accountId} and digest = ${digest}`);
}

export async function deleteMessage(tx: Sql, { accountId, digest }: MessageKey): Promise<void> {
  await tx.run(sql`delete from messages where account_id = ${accountId} and digest = ${digest}`);
}
