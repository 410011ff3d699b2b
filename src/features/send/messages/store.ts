import type { Tracked } from '../tracking/index.ts';
import { rowCount, sql, type Row, type Sql } from '../../../platform/db/index.ts';

/** On any clock; 0 to 23, 0 to 59. */
export interface TimeOfDay {
  hour: number;
  minute: number;
}

/** Which template a message was made from. */
export interface TemplateFacts {
  name: string;
  version: string;
  /** Its text was made of its HTML. */
  isText?: true;
  /** JSON of an object. */
  variables: string;
}

/** What copies to members of a mailing list have in common. */
export interface ListCopy {
  /** Names the list for good; its address may change. */
  id: string;
  address: string;
  /** Of the field List-Id (RFC 2919). */
  listId: string;
  /** Put into the header, in place of those that bear their names. */
  fields: { name: string; value: string }[];
  /** Names of fields, in lower case, that copies go without. */
  without: string[];
}

/** What the options of a call come to; what is not there was not said. */
export interface SendOptions {
  dkim?: boolean;
  secondaryDkim?: { domain: string; selector: string };
  /** `domain/selector` that the signature names in place of the key's own. */
  secondaryDkimPublic?: string;
  tracking?: boolean | 'htmlonly';
  trackingClicks?: boolean | 'htmlonly';
  trackingOpens?: boolean;
  isPixelAtTop?: boolean;
  /** What of its copies is tracked. */
  tracked?: Tracked;
  requireTls?: boolean;
  skipVerification?: boolean;
  /** Names of header fields that copies go without. */
  suppressHeaders?: 'all' | string[];
  /** Unix seconds. */
  scheduledFor?: number;
  /** Each recipient is due when it is that time where they are. */
  timeOfDay?: TimeOfDay;
  /** Within so many hours, each recipient is due at the hour at which they read. */
  optimizeHours?: number;
  deliverWithinSeconds?: number;
  isTest?: true;
  /** It came in, for the domain, and is not sent by it. */
  isIncoming?: true;
  /** Somebody waits for it: it is in no batch, and leaves at any hour. */
  isTransactional?: true;
  isAmp?: true;
  /** It asks for a link with which each reader unsubscribes. */
  isUnsubscribable?: true;
  campaigns?: string[];
  /** What it was made from. */
  template?: TemplateFacts;
  /** It is the message to a list, as it goes to members. */
  mailingList?: ListCopy;
  /** An address, or the id of a pool, to send from in place of what the domain has. */
  sendingIp?: string;
  sendingPool?: string;
  /** The URL that a copy is posted to, in place of the domain's. */
  archiveTo?: string;
}

export interface AttachmentFacts {
  filename: string;
  'content-type': string;
  size: number;
}

/** How an attempt ended that was not the last. */
export interface LastAttempt {
  at: string;
  /** 0: none was made so far. */
  code: number;
  message: string;
  /** Why it waits, in plain words. */
  reason: string;
  /** When it is tried again. */
  until: string;
  /** When it was to be tried, and was held back instead. */
  heldAt?: string;
  /** What held it back, where that looks again when it changes. */
  heldBy?: string;
}

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sentMessages.userVariables': Record<string, unknown>;
    'sentMessages.options': SendOptions;
    'sentMessages.attachments': AttachmentFacts[];
    'deliveries.last': LastAttempt;
    'deliveries.mode': 'capture' | 'live';
    'deliveries.variables': Record<string, unknown>;
    'idempotencyKeys.answer': { id: string; message: string };
  }
}

export type SentMessage = Row<'sentMessages'>;
/** What is said of a message in each of its events. */
export type MessageFacts = Omit<SentMessage, 'content' | 'contentDigest' | 'contentExpiresAt'>;
export type Answer = Row<'idempotencyKeys'>['answer'];

const FACTS = [
  'id',
  'key',
  'accountId',
  'domain',
  'messageId',
  'sender',
  'headerFrom',
  'headerTo',
  'subject',
  'recipients',
  'tags',
  'userVariables',
  'options',
  'attachments',
  'mode',
  'method',
  'apiKeyId',
  'originatingIp',
  'sizeBytes',
  'createdAt',
] as const;

export async function insertMessage(tx: Sql, message: Omit<SentMessage, 'id'>): Promise<string> {
  const { id } = await tx.ofAnyone.insertInto('sentMessages').values(message).returning('id').executeTakeFirstOrThrow();
  return id;
}

export function findMessage(
  db: Sql,
  accountId: string,
  { domain, key }: { domain: string; key: string },
): Promise<SentMessage | undefined> {
  return db
    .of(accountId)
    .selectFrom('sentMessages')
    .selectAll()
    .where('key', '=', key)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

/** Of any accounts, for what counts their events; messages without a tag are missing. */
export function listTags(db: Sql, ids: readonly string[]): Promise<Pick<SentMessage, 'id' | 'tags'>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  const all = db.ofAnyone.selectFrom('sentMessages').select(['id', 'tags']);
  return all
    .where(sql<boolean>`id = any(${[...ids]}::bigint[])`)
    .where(sql<boolean>`cardinality(tags) > 0`)
    .execute();
}

/** Of any accounts: for what claimed deliveries of them, and for events that were found by their account. */
export function listFacts(db: Sql, ids: readonly string[]): Promise<MessageFacts[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return db.ofAnyone.selectFrom('sentMessages').select(FACTS).where('id', 'in', ids).execute();
}

/** By its storage key, or by the id that sending answered: the newest, where a sender used one again. */
export function findFacts(db: Sql, accountId: string, name: string): Promise<MessageFacts | undefined> {
  return db
    .of(accountId)
    .selectFrom('sentMessages')
    .select(FACTS)
    .where((row) => row.or([row('key', '=', name), row('messageId', '=', name.replace(/^<(.*)>$/, '$1'))]))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Where the content of a message is; undefined when the message is gone. */
export function findContent(
  db: Sql,
  id: string,
): Promise<Pick<SentMessage, 'accountId' | 'content' | 'contentDigest'> | undefined> {
  return db.ofAnyone
    .selectFrom('sentMessages')
    .select(['accountId', 'content', 'contentDigest'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Of anyone: a message with what its first copy is filled with, as long as that waits. */
export function findSample(
  db: Sql,
  id: string,
): Promise<(SentMessage & { variables: Record<string, unknown> | null }) | undefined> {
  return db.ofAnyone
    .selectFrom('sentMessages')
    .leftJoin('deliveries', (join) =>
      join.onRef('deliveries.messageId', '=', 'sentMessages.id').on('deliveries.position', '=', 0),
    )
    .selectAll('sentMessages')
    .select('deliveries.variables')
    .where('sentMessages.id', '=', id)
    .executeTakeFirst();
}

/** Of anyone: a message with where its content is. */
export function findTaken(db: Sql, id: string): Promise<SentMessage | undefined> {
  return db.ofAnyone.selectFrom('sentMessages').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Messages whose content has expired, with where it is. */
export function listExpired(db: Sql, now: Date, limit: number): Promise<Pick<SentMessage, 'id' | 'key'>[]> {
  return db.ofAnyone
    .selectFrom('sentMessages')
    .select(['id', 'key'])
    .where('contentExpiresAt', '<', now)
    .where((row) => row.or([row('content', 'is not', null), row('contentDigest', 'is not', null)]))
    .orderBy('contentExpiresAt')
    .limit(limit)
    .execute();
}

export async function forgetContents(db: Sql, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await db.ofAnyone
    .updateTable('sentMessages')
    .set({ content: null, contentDigest: null })
    .where('id', 'in', ids)
    .execute();
}

/** Those whose events are gone. Answers how many; what still waits for delivery stays. */
export async function deleteOld(db: Sql, before: Date, limit: number): Promise<number> {
  const deleted = await db.ofAnyone
    .deleteFrom('sentMessages')
    .where('id', 'in', (from) =>
      from
        .selectFrom('sentMessages')
        .select('sentMessages.id')
        .where('createdAt', '<', before)
        .where('content', 'is', null)
        .where('contentDigest', 'is', null)
        .orderBy('createdAt')
        .limit(limit),
    )
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('deliveries').select('deliveries.id').whereRef('deliveries.messageId', '=', 'sentMessages.id'),
        ),
      ),
    )
    .returning('id')
    .execute();
  return deleted.length;
}

/** What was answered since then. */
export function findAnswer(
  db: Sql,
  accountId: string,
  { key, since }: { key: string; since: Date },
): Promise<{ bodyHash: string; answer: Answer } | undefined> {
  return db
    .of(accountId)
    .selectFrom('idempotencyKeys')
    .select(['bodyHash', 'answer'])
    .where('key', '=', key)
    .where('createdAt', '>', since)
    .executeTakeFirst();
}

export async function saveAnswer(tx: Sql, accountId: string, row: Omit<Row<'idempotencyKeys'>, 'accountId'>) {
  const { bodyHash, answer, createdAt } = row;
  await tx
    .of(accountId)
    .insert('idempotencyKeys', row)
    .onConflict((conflict) => conflict.columns(['accountId', 'key']).doUpdateSet({ bodyHash, answer, createdAt }))
    .execute();
}

export async function deleteAnswers(db: Sql, before: Date): Promise<void> {
  await db.ofAnyone.deleteFrom('idempotencyKeys').where('createdAt', '<', before).execute();
}

/** Deliveries of a domain that wait: due now, and for later. */
export async function countWaiting(
  db: Sql,
  accountId: string,
  { domain, now }: { domain: string; now: Date },
): Promise<{ due: number; later: number }> {
  const waiting = db.of(accountId).selectFrom('deliveries').where('domain', '=', domain);
  const { count: due } = await waiting.where('dueAt', '<=', now).select(rowCount.as('count')).executeTakeFirstOrThrow();
  const { count: later } = await waiting
    .where('dueAt', '>', now)
    .select(rowCount.as('count'))
    .executeTakeFirstOrThrow();
  return { due, later };
}
