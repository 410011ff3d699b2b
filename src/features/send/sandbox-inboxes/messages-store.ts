import {
  changedRows,
  jsonb,
  rowCount,
  sql,
  type Row,
  type SelectQueryBuilder,
  type Sql,
  type Tables,
} from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import { ASKED, ASKED_NAMES, type Conditions } from './conditions-store.ts';
import type { SandboxInbox } from './store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sandboxMessages.recipients': string[];
    'sandboxMessages.tags': string[];
    'sandboxMessages.checks': Partial<Record<CheckName, Check>>;
    'sandboxMessages.webhook': WebhookPost;
    'sandboxMessages.forward': Forward;
  }
}

/** What an inbox can start by itself. */
export type CheckName = 'previews' | 'spam' | 'gate';
/** What became of it. */
type Check = { state: 'queued' } | { state: 'started'; id: string } | { state: 'refused'; why: string };

/** What became of telling a URL of a message. `dropped`: the inbox names another URL, or none, by now. */
export interface WebhookPost {
  url: string;
  state: 'waiting' | 'delivered' | 'rejected' | 'failed' | 'dropped';
  attempts: Attempt[];
}

/** What became of sending a message on to the addresses that its inbox named when it came. */
export type Forward = { domain: string; to: string[] } & (
  | { state: 'waiting' }
  | { state: 'queued'; id: string }
  | { state: 'refused'; why: string }
);

type Message = Row<'sandboxMessages'>;
/** What lists show. */
export type SandboxMessage = Omit<Message, 'addresses' | 'words' | 'header'>;

const SHOWN = [
  'id',
  'accountId',
  'inboxId',
  'number',
  'digest',
  'sizeBytes',
  'method',
  'remoteAddress',
  'mailFrom',
  'recipients',
  'headerFrom',
  'headerTo',
  'subject',
  'excerpt',
  'attachmentCount',
  'inlineCount',
  'isRead',
  'checks',
  'tags',
  'webhook',
  'forward',
  'receivedAt',
  'expiresAt',
] as const;

type Inbox = Pick<SandboxInbox, 'id' | 'accountId'>;
type Messages = SelectQueryBuilder<Tables, 'sandboxMessages', object>;

function wantedOf(db: Sql, { id, accountId }: Inbox, { after, ...conditions }: Conditions): Messages {
  let wanted: Messages = db.of(accountId).selectFrom('sandboxMessages').where('inboxId', '=', id);
  for (const name of ASKED_NAMES) {
    const given = conditions[name];
    if (given !== undefined) wanted = wanted.where(ASKED[name].holds(sql`${given}::${sql.raw(ASKED[name].type)}`));
  }
  return after === undefined ? wanted : wanted.where('number', '>', after);
}

export function listMessages(
  db: Sql,
  inbox: Inbox,
  { conditions, page }: { conditions: Conditions; page: SkipPage },
): Promise<Paged<SandboxMessage>> {
  return readSkipPage(wantedOf(db, inbox, conditions).select(SHOWN).orderBy('number', 'desc'), page);
}

export function findLatest(db: Sql, inbox: Inbox, conditions: Conditions): Promise<SandboxMessage | undefined> {
  return wantedOf(db, inbox, conditions).select(SHOWN).orderBy('number', 'desc').limit(1).executeTakeFirst();
}

/** A call that waits, and the part of the order of its inbox in which a message is sought for it. */
export interface Call extends Omit<Conditions, 'after'> {
  inboxId: string;
  after: number;
  upTo: number;
}

/** Calls as rows of a query. */
interface CallRow {
  n: number;
  inbox: string;
  after: number;
  last: number;
}
const CALL_COLUMNS = `n integer, inbox text, after integer, last integer, ${ASKED_NAMES.map(
  (name) => `"${name}" ${ASKED[name].type}`,
).join(', ')}`;

/** The newest message for each of an account's calls, by its place among them: one query for all. */
export async function findArrived(
  db: Sql,
  accountId: string,
  calls: readonly Call[],
): Promise<Map<number, SandboxMessage>> {
  const given = calls.map(({ inboxId: inbox, upTo: last, ...call }, n) => ({ ...call, n, inbox, last }));
  const calling = sql<CallRow>`jsonb_to_recordset(${jsonb(given)}::jsonb)`.as<'call'>(
    sql.raw(`call (${CALL_COLUMNS})`),
  );
  let found = db
    .of(accountId)
    .selectFrom('sandboxMessages')
    .innerJoin(calling, (join) =>
      join
        .onRef('sandboxMessages.inboxId', '=', 'call.inbox')
        .onRef('sandboxMessages.number', '>', 'call.after')
        .onRef('sandboxMessages.number', '<=', 'call.last'),
    );
  for (const name of ASKED_NAMES) {
    const asked = sql.raw(`call."${name}"`);
    found = found.where(sql<boolean>`(${asked} is null or ${ASKED[name].holds(asked)})`);
  }
  const rows = await found
    .distinctOn('call.n')
    .select(['call.n', ...SHOWN.map((name) => `sandboxMessages.${name}` as const)])
    .orderBy('call.n')
    .orderBy('sandboxMessages.number', 'desc')
    .execute();
  return new Map(rows.map(({ n, ...message }) => [n, message]));
}

export function findMessage(db: Sql, inbox: Inbox, id: string): Promise<SandboxMessage | undefined> {
  return wantedOf(db, inbox, {}).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

/** Of anybody: a job has its id. */
export function findMessageOfAnyone(db: Sql, id: string): Promise<SandboxMessage | undefined> {
  return db.ofAnyone.selectFrom('sandboxMessages').select(SHOWN).where('id', '=', id).executeTakeFirst();
}

/** What became of one check; the others stay as they are. */
export async function noteCheck(
  db: Sql,
  { id, accountId }: Pick<Message, 'id' | 'accountId'>,
  { name, check }: { name: CheckName; check: Check },
): Promise<void> {
  await db
    .of(accountId)
    .updateTable('sandboxMessages')
    .set({ checks: sql`checks || ${jsonb({ [name]: check })}::jsonb` })
    .where('id', '=', id)
    .execute();
}

export async function saveWebhook(
  db: Sql,
  { id, accountId }: Pick<Message, 'id' | 'accountId'>,
  webhook: WebhookPost,
): Promise<void> {
  await db.of(accountId).updateTable('sandboxMessages').set({ webhook }).where('id', '=', id).execute();
}

export async function saveForward(
  db: Sql,
  { id, accountId }: Pick<Message, 'id' | 'accountId'>,
  forward: Forward,
): Promise<void> {
  await db.of(accountId).updateTable('sandboxMessages').set({ forward }).where('id', '=', id).execute();
}

export async function insertMessage(tx: Sql, { accountId, ...message }: Message): Promise<void> {
  await tx.of(accountId).insert('sandboxMessages', message).execute();
}

/** Whether there is such a message, of anybody's. */
export async function isThere(db: Sql, id: string): Promise<boolean> {
  const row = await db.ofAnyone.selectFrom('sandboxMessages').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

interface Chosen {
  conditions?: Conditions;
  /** Only these. */
  ids?: readonly string[] | undefined;
  /** Only those that had come by this revision of the inbox. */
  upTo?: number | undefined;
}

function chosenOf(db: Sql, inbox: Inbox, { conditions = {}, ids, upTo }: Chosen): Messages {
  let chosen = wantedOf(db, inbox, conditions);
  if (ids !== undefined) chosen = chosen.where('id', 'in', ids);
  return upTo === undefined ? chosen : chosen.where('number', '<=', upTo);
}

/** The oldest of those that are chosen. */
export function listOldest(
  tx: Sql,
  inbox: Inbox,
  { limit, ...chosen }: Chosen & { limit: number },
): Promise<Pick<Message, 'id' | 'sizeBytes'>[]> {
  return chosenOf(tx, inbox, chosen).select(['id', 'sizeBytes']).orderBy('number').limit(limit).execute();
}

type Gone = Pick<Message, 'id' | 'sizeBytes' | 'isRead'>;

/** Deletes these of the inbox. Answers those that were there. */
export function deleteMessages(tx: Sql, { id: inboxId, accountId }: Inbox, ids: readonly string[]): Promise<Gone[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return tx
    .of(accountId)
    .deleteFrom('sandboxMessages')
    .where('inboxId', '=', inboxId)
    .where('id', 'in', ids)
    .returning(['id', 'sizeBytes', 'isRead'])
    .execute();
}

/** What an inbox no longer counts. */
export const countsOf = (gone: readonly Gone[]) => ({
  messages: gone.length,
  bytes: gone.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
  unread: gone.filter(({ isRead }) => !isRead).length,
});

/** Marks those that are chosen. Answers how many were not marked so. */
export function saveRead(tx: Sql, inbox: Inbox, { isRead, ...chosen }: Chosen & { isRead: boolean }): Promise<number> {
  const marked = tx
    .of(inbox.accountId)
    .updateTable('sandboxMessages')
    .set({ isRead })
    .where('isRead', '=', !isRead)
    .where('id', 'in', chosenOf(tx, inbox, chosen).select('id'));
  return changedRows(marked);
}

/** Inboxes of anybody with messages whose time has ended. */
export async function listExpiring(tx: Sql, now: Date, limit: number): Promise<Inbox[]> {
  return tx.ofAnyone
    .selectFrom('sandboxMessages')
    .select(['inboxId as id', 'accountId'])
    .distinct()
    .where('expiresAt', '<=', now)
    .orderBy('inboxId')
    .limit(limit)
    .execute();
}

export async function listExpired(
  tx: Sql,
  inbox: Inbox,
  { now, limit }: { now: Date; limit: number },
): Promise<string[]> {
  const rows = await wantedOf(tx, inbox, {}).select('id').where('expiresAt', '<=', now).limit(limit).execute();
  return rows.map(({ id }) => id);
}

/** False: there is no such message. */
export async function saveTags(
  tx: Sql,
  { id: inboxId, accountId }: Inbox,
  { id, tags }: Pick<Message, 'id' | 'tags'>,
): Promise<boolean> {
  const saved = tx
    .of(accountId)
    .updateTable('sandboxMessages')
    .set({ tags })
    .where('inboxId', '=', inboxId)
    .where('id', '=', id);
  return (await changedRows(saved)) > 0;
}

/** The tags of those rules that find a message, in their order: one query for all. Terms are as in `Conditions`. */
export async function findRuleTags(
  tx: Sql,
  { id, accountId }: Pick<Message, 'id' | 'accountId'>,
  rules: readonly { terms: string; tags: readonly string[] }[],
): Promise<string[]> {
  const given = rules.map((rule, n) => ({ ...rule, n }));
  const each = sql<{ n: number; tags: string[] }>`jsonb_to_recordset(${jsonb(given)}::jsonb)`.as<'given'>(
    sql.raw('given (n integer, terms text, tags jsonb)'),
  );
  const rows = await tx
    .of(accountId)
    .selectFrom('sandboxMessages')
    .innerJoin(each, (join) => join.onTrue())
    .where('sandboxMessages.id', '=', id)
    .where(ASKED.terms.holds(sql.ref('given.terms')))
    .select('given.tags')
    .orderBy('given.n')
    .execute();
  return rows.flatMap(({ tags }) => tags);
}

/** The tags of an inbox, those of the most messages first. */
export async function countTags(db: Sql, inbox: Inbox, limit: number): Promise<{ tag: string; messages: number }[]> {
  const tag = sql.ref<string>('one.tag');
  return wantedOf(db, inbox, {})
    .innerJoin(
      sql<{ tag: string }>`jsonb_array_elements_text(${sql.ref('sandboxMessages.tags')})`.as<'one'>(
        sql.raw('one (tag)'),
      ),
      (on) => on.onTrue(),
    )
    .select([sql<string>`min(${tag})`.as('tag'), rowCount.as('messages')])
    .groupBy(sql`lower(${tag})`)
    .orderBy('messages', 'desc')
    .orderBy(sql`lower(${tag})`)
    .limit(limit)
    .execute();
}
