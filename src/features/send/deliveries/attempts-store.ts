// Attempts to deliver with what was said: of each recipient the first and the last nine.
import { changedRows, jsonb, sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** A command and its answer. */
export interface Exchange {
  /** Empty for the greeting; `.` for the end of the message. */
  said: string;
  /** As the server wrote it, lines joined by line breaks; null: none came. */
  reply: string | null;
  /** When it was said, from the beginning of the attempt; negative for what an earlier message said. */
  afterMs: number;
  /** Until the answer. */
  tookMs: number | null;
}

export interface Connection {
  host: string;
  address: string | null;
  /** Of ours; null: there was no connection, or it went to a relay, which sends from its own. */
  localAddress: string | null;
  connectMs: number | null;
  tls: { protocol: string; cipher: string; isVerified: boolean } | null;
  /** The opening was said for an earlier message. */
  isReused: boolean;
  opening: Exchange[];
  exchanges: Exchange[];
  end: string;
}

export interface Conversation {
  tookMs: number;
  connections: Connection[];
  /** Connections and exchanges that went over the bound: the first ones. */
  connectionsLeftOff: number;
  exchangesLeftOff: number;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'deliveryAttempts.conversation': Conversation;
    'deliveryAttempts.outcome': 'delivered' | 'deferred' | 'failed';
  }
}

type NewAttempt = Row<'deliveryAttempts'>;
export type KeptAttempt = Omit<NewAttempt, 'messageId' | 'accountId'>;

/** Beside the first. */
export const LAST_KEPT = 9;

const COLUMNS = ['messageId', 'position', 'attempt', 'accountId', 'at', 'outcome', 'conversation'] as const;

const columnsOf = ({ messageId, accountId, ...named }: NewAttempt) => ({
  ...named,
  message_id: messageId,
  account_id: accountId,
});

/** Keeps attempts, in one statement however many they are; what goes over the bound of a recipient goes. */
export async function insertAttempts(tx: Sql, attempts: readonly NewAttempt[]): Promise<void> {
  if (attempts.length === 0) return;
  const rows = sql<NewAttempt>`jsonb_to_recordset(${jsonb(attempts.map(columnsOf))}::jsonb)`.as<'one'>(
    sql`one(message_id bigint, position integer, attempt integer, account_id text, at timestamptz, outcome text,
      conversation jsonb)`,
  );
  await tx.ofAnyone
    .insertInto('deliveryAttempts')
    .columns(COLUMNS)
    .expression((query) => query.selectFrom(rows).select(COLUMNS))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await deleteMiddle(
    tx,
    attempts.filter(({ attempt }) => attempt > LAST_KEPT + 1),
  );
}

/** Those between the first and the last ones. */
async function deleteMiddle(tx: Sql, newest: readonly NewAttempt[]): Promise<void> {
  if (newest.length === 0) return;
  const over = sql<Pick<NewAttempt, 'messageId' | 'position' | 'attempt'>>`unnest(
    ${newest.map(({ messageId }) => messageId)}::bigint[], ${newest.map(({ position }) => position)}::integer[],
    ${newest.map(({ attempt }) => attempt - LAST_KEPT)}::integer[])`.as<'one'>(sql`one(message_id, position, attempt)`);
  await tx.ofAnyone
    .deleteFrom('deliveryAttempts')
    .using(over)
    .whereRef('deliveryAttempts.messageId', '=', 'one.messageId')
    .whereRef('deliveryAttempts.position', '=', 'one.position')
    .whereRef('deliveryAttempts.attempt', '<=', 'one.attempt')
    .where('deliveryAttempts.attempt', '>', 1)
    .execute();
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
  const old = db.ofAnyone
    .selectFrom('sentMessages')
    .innerJoin('deliveryAttempts', 'deliveryAttempts.messageId', 'sentMessages.id')
    .select(sql`delivery_attempts.ctid`.as('place'))
    .where('sentMessages.createdAt', '<', before)
    .$if(accountId !== undefined, (all) => all.where('sentMessages.accountId', '=', accountId!))
    .limit(limit);
  return changedRows(db.ofAnyone.deleteFrom('deliveryAttempts').where(sql<boolean>`ctid = any(array(${old}))`));
}
