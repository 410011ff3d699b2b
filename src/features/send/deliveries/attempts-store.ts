// Attempts to deliver with what was said: of each recipient the first and the last nine.
import { jsonb, sql, type Row, type Sql } from '../../../platform/db/index.ts';
import type { Conversation } from './conversation.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'deliveryAttempts.conversation': Conversation;
    'deliveryAttempts.outcome': 'delivered' | 'deferred' | 'failed';
  }
}

export type KeptAttempt = Omit<Row<'deliveryAttempts'>, 'messageId' | 'accountId'>;

/** Beside the first. */
export const LAST_KEPT = 9;

/** Keeps attempts, in one statement however many they are; what goes over the bound of a recipient goes. */
export async function insertAttempts(tx: Sql, attempts: readonly Row<'deliveryAttempts'>[]): Promise<void> {
  if (attempts.length === 0) return;
  await tx.run(sql`
    insert into delivery_attempts (message_id, position, attempt, account_id, at, outcome, conversation)
    select "messageId", position, attempt, "accountId", at, outcome, conversation
    from jsonb_to_recordset(${jsonb(attempts)}::jsonb) as one ("messageId" bigint, position integer, attempt integer,
      "accountId" text, at timestamptz, outcome text, conversation jsonb)
    on conflict do nothing
  `);
  const over = attempts.filter(({ attempt }) => attempt > LAST_KEPT + 1);
  if (over.length === 0) return;
  await tx.run(sql`
    delete from delivery_attempts
    using unnest(${over.map(({ messageId }) => messageId)}::bigint[], ${over.map(({ position }) => position)}::int[],
      ${over.map(({ attempt }) => attempt - LAST_KEPT)}::int[]) as one (message_id, position, attempt)
    where delivery_attempts.message_id = one.message_id and delivery_attempts.position = one.position
      and delivery_attempts.attempt > 1 and delivery_attempts.attempt <= one.attempt
  `);
}

/** Of these recipients of a message, oldest first. */
export function listAttempts(
  db: Sql,
  accountId: string,
  { messageId, positions }: { messageId: string; positions: readonly number[] },
): Promise<KeptAttempt[]> {
  if (positions.length === 0) return Promise.resolve([]);
  return db
    .of(accountId)
    .selectFrom('deliveryAttempts')
    .select(['position', 'attempt', 'at', 'outcome', 'conversation'])
    .where('messageId', '=', messageId)
    .where('position', 'in', positions)
    .orderBy('position')
    .orderBy('attempt')
    .execute();
}

/** Those of messages that were accepted before then, of everybody or of one account. Answers how many. */
export function deleteAttempts(
  db: Sql,
  { before, accountId, limit }: { before: Date; accountId?: string; limit: number },
): Promise<number> {
  const ofAccount = accountId === undefined ? sql`true` : sql`message.account_id = ${accountId}`;
  return db.run(sql`
    delete from delivery_attempts
    where ctid = any(array(
      select old.ctid
      from sent_messages message
      join delivery_attempts old on old.message_id = message.id
      where message.created_at < ${before} and ${ofAccount}
      limit ${limit}))
  `);
}
