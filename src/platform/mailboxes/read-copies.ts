import type { FetchMessageObject, ImapFlow, SearchObject } from 'imapflow';
import { daysAfter } from '../times/index.ts';
import { MailboxError } from './failure.ts';
import type { Folder } from './folders.ts';
import type { MailboxCopy, MailboxLimits } from './types.ts';

export interface Wanted {
  header: string;
  values: ReadonlySet<string>;
  since: string | undefined;
}

/** A copy, and the marks by which the same copy is recognized in another folder. */
export interface FoundCopy {
  copy: MailboxCopy;
  value: string;
  /** Gmail's number of the message. */
  emailId: string | undefined;
}

/** More values than this are not searched for one by one. */
const SEARCHES_MAX = 3;
const TABS = ['promotions', 'updates', 'social', 'forums'] as const;

export const hasTabs = (client: ImapFlow): boolean => client.capabilities.has('X-GM-EXT-1');

/** Copies of the wanted messages in one folder, opened for reading only. */
export async function readCopies(
  client: ImapFlow,
  folder: Folder,
  { wanted, limits }: { wanted: Wanted; limits: MailboxLimits },
): Promise<FoundCopy[]> {
  const opened = await client.mailboxOpen(folder.path, { readOnly: true });
  if (opened.exists === 0) return [];
  const uids = await findMessages(client, wanted);
  if (uids.length === 0) return [];
  // The newest ones, should there be too many.
  const range = uids.slice(-limits.messagesMax).join(',');
  const fetched = await client.fetchAll(
    range,
    { uid: true, headers: true, internalDate: true, flags: true, labels: hasTabs(client) },
    { uid: true },
  );
  const found = fetched.flatMap((message) => copiesOf(message, folder, wanted));
  if (folder.placement === 'inbox' && hasTabs(client)) await sortIntoTabs(client, found);
  return found;
}

async function findMessages(client: ImapFlow, { header, values, since }: Wanted): Promise<number[]> {
  // Servers compare days in their own time zone.
  const bound: SearchObject = since === undefined ? {} : { since: daysAfter(new Date(since), -1) };
  if (values.size > SEARCHES_MAX) return search(client, { ...bound, header: { [header]: true } });
  const uids = new Set<number>();
  for (const value of values)
    for (const uid of await search(client, { ...bound, header: { [header]: value } })) uids.add(uid);
  return [...uids].sort((a, b) => a - b);
}

/** A search that failed is no empty search. */
async function search(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await client.search(query, { uid: true });
  if (!uids) throw new MailboxError(client.usable ? 'protocol' : 'lost');
  return uids;
}

/** Gmail's tabs are searches of the inbox. */
async function sortIntoTabs(client: ImapFlow, found: readonly FoundCopy[]): Promise<void> {
  if (found.length === 0) return;
  const uid = found.map(({ copy }) => copy.uid).join(',');
  for (const tab of TABS) {
    const inTab = new Set(await search(client, { uid, gmraw: `category:${tab}` }));
    for (const { copy } of found)
      if (inTab.has(copy.uid)) Object.assign(copy, { placement: 'category', category: tab });
  }
}

function copiesOf(message: FetchMessageObject, folder: Folder, { header, values }: Wanted): FoundCopy[] {
  const headers = readHeaders(message.headers?.toString('utf8') ?? '');
  const fieldsOf = (name: string) => headers.filter((field) => field.name.toLowerCase() === name.toLowerCase());
  // A search for a header finds parts of values too.
  const value = fieldsOf(header)
    .map((field) => field.value)
    .find((text) => values.has(text));
  if (value === undefined) return [];
  const received = message.internalDate === undefined ? undefined : new Date(message.internalDate);
  const copy: MailboxCopy = {
    placement: folder.placement,
    category: folder.category,
    folder: folder.path,
    uid: message.uid,
    headers,
    tags: [...(message.labels ?? []), ...(message.flags ?? [])]
      .filter((tag) => !/^\\(?:seen|recent|answered|deleted|draft)$/i.test(tag))
      .slice(0, 50),
    receivedAt: received && !Number.isNaN(received.getTime()) ? received.toISOString() : null,
    messageId: fieldsOf('message-id')[0]?.value ?? null,
  };
  return [{ copy, value, emailId: message.emailId }];
}

const FIELDS_MAX = 500;

/** Fields of a header block in their order, unfolded (RFC 5322 §2.2.3). */
function readHeaders(block: string): { name: string; value: string }[] {
  return block
    .replace(/\r?\n(?=[ \t])/g, '')
    .split(/\r?\n/, FIELDS_MAX)
    .flatMap((line) => {
      const colon = line.indexOf(':');
      return colon > 0 ? [{ name: line.slice(0, colon).trim(), value: line.slice(colon + 1).trim() }] : [];
    });
}
