import { sql, type Row, type SelectQueryBuilder, type Sql, type Tables } from '../../../platform/db/index.ts';
import { readSkipPage, type Paged, type SkipPage } from '../../../platform/paging/index.ts';
import type { SandboxInbox } from './store.ts';

declare module '../../../platform/db/columns.ts' {
  interface ColumnTypes {
    'sandboxMessages.recipients': string[];
  }
}

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
  'receivedAt',
  'expiresAt',
] as const;

/** Which messages are asked for; each of them holds. Texts are in lower case. */
export interface Conditions {
  /** Stands in a sender, a recipient, the subject, the text or the header. */
  search?: string | undefined;
  /** An address, whole: one that the message went to, or that its To or Cc names. */
  to?: string | undefined;
  from?: string | undefined;
  subject?: string | undefined;
  text?: string | undefined;
  header?: string | undefined;
  since?: Date | undefined;
  /** Of the message after which they came. */
  after?: number | undefined;
}

type Inbox = Pick<SandboxInbox, 'id' | 'accountId'>;
type Messages = SelectQueryBuilder<Tables, 'sandboxMessages', object>;

const holds = (column: string, text: string) => sql<boolean>`position(${text}::text in ${sql.ref(column)}) > 0`;
const holdsInLower = (column: string, text: string) =>
  sql<boolean>`position(${text}::text in lower(${sql.ref(column)})) > 0`;

function wantedOf(db: Sql, { id, accountId }: Inbox, conditions: Conditions): Messages {
  const { search, to, from, subject, text, header, since, after } = conditions;
  let wanted: Messages = db.of(accountId).selectFrom('sandboxMessages').where('inboxId', '=', id);
  if (to !== undefined) wanted = wanted.where(holds('addresses', `\n${to}\n`));
  if (from !== undefined)
    wanted = wanted.where((row) => row.or([holdsInLower('headerFrom', from), holdsInLower('mailFrom', from)]));
  if (subject !== undefined) wanted = wanted.where(holdsInLower('subject', subject));
  if (text !== undefined) wanted = wanted.where(holds('words', text));
  if (header !== undefined) wanted = wanted.where(holds('header', header));
  if (since !== undefined) wanted = wanted.where('receivedAt', '>=', since);
  if (after !== undefined) wanted = wanted.where('number', '>', after);
  if (search !== undefined)
    wanted = wanted.where((row) =>
      row.or([
        holds('header', search),
        holds('words', search),
        holds('addresses', search),
        holdsInLower('mailFrom', search),
      ]),
    );
  return wanted;
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

export function findMessage(db: Sql, inbox: Inbox, id: string): Promise<SandboxMessage | undefined> {
  return wantedOf(db, inbox, {}).select(SHOWN).where('id', '=', id).executeTakeFirst();
}

export async function insertMessage(tx: Sql, { accountId, ...message }: Message): Promise<void> {
  await tx.of(accountId).insert('sandboxMessages', message).execute();
}

/** Whether there is such a message, of anybody's. */
export async function isThere(db: Sql, id: string): Promise<boolean> {
  const row = await db.ofAnyone.selectFrom('sandboxMessages').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

/** The oldest of an inbox. */
export function listOldest(tx: Sql, inbox: Inbox, limit: number): Promise<Pick<Message, 'id' | 'sizeBytes'>[]> {
  return wantedOf(tx, inbox, {}).select(['id', 'sizeBytes']).orderBy('number').limit(limit).execute();
}

/** Deletes these of the inbox. Answers those that were there. */
export function deleteMessages(
  tx: Sql,
  { id: inboxId, accountId }: Inbox,
  ids: readonly string[],
): Promise<Pick<Message, 'id' | 'sizeBytes'>[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return tx
    .of(accountId)
    .deleteFrom('sandboxMessages')
    .where('inboxId', '=', inboxId)
    .where('id', 'in', ids)
    .returning(['id', 'sizeBytes'])
    .execute();
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
