// The header fields of what a list sends: what it is called (RFC 2919), how to write to it and how to leave it
// (RFC 2369, RFC 8058), and who wrote it.
import { createHash } from 'node:crypto';
import type { ListCopy } from '../messages/index.ts';
import type { Author } from './posting-store.ts';
import type { MailingList } from './store.ts';

const LEAVE = '<%mailing_list_unsubscribe_url%>';

/** `news.lists.example.com` for `news@lists.example.com`; what no label may hold becomes a hyphen. */
export function listIdOf({ listId, address }: Pick<MailingList, 'listId' | 'address'>): string {
  if (listId !== null) return listId;
  const at = address.lastIndexOf('@');
  const local = address
    .slice(0, at)
    .replaceAll(/[^a-z0-9.-]+/g, '-')
    .replaceAll(/^[.-]+|[.-]+$|\.(?=\.)/g, '');
  return `${local || 'list'}.${address.slice(at + 1)}`;
}

/** A name of plain letters stands before the identifier; another one is left out, as an identifier is never encoded. */
function phraseOf(name: string): string {
  return /^[\x20-\x7e]{1,100}$/.test(name) && !/["\\<>%]/.test(name) ? `"${name}" ` : '';
}

/** What a list is called in the field by which it knows what it sent: nobody learns an address from it. */
export const markOf = ({ id }: Pick<MailingList, 'id'>): string =>
  createHash('sha256').update(`mailing list ${id}`).digest('hex').slice(0, 32);

/** Addresses in a `mailto:` (RFC 6068). */
const mailto = (address: string): string => `mailto:${encodeURIComponent(address).replaceAll('%40', '@')}`;

/**
 * The fields for a list. A list that takes nothing from its readers asks for no answers. `publicUrl` is where readers
 * can leave it; empty: nowhere.
 */
export function listFields(list: MailingList, publicUrl: string): ListCopy['fields'] {
  const isOpen = list.accessLevel !== 'readonly';
  const fields = [
    { name: 'List-Id', value: `${phraseOf(list.name)}<${listIdOf(list)}>` },
    { name: 'List-Post', value: isOpen ? `<${mailto(list.address)}>` : 'NO' },
    { name: 'Precedence', value: 'list' },
    { name: 'X-Galley-List', value: markOf(list) },
  ];
  if (publicUrl !== '') fields.push({ name: 'List-Help', value: LEAVE }, { name: 'List-Unsubscribe', value: LEAVE });
  if (publicUrl.startsWith('https://'))
    fields.push({ name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' });
  if (isOpen && list.replyPreference === 'list') fields.push({ name: 'Reply-To', value: list.address });
  return fields;
}

const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);

/** Words of a name that mean nothing in a header, and fill no hole of a message. */
const plainName = (name: string): string =>
  name
    .replaceAll(/["\\<>%,;:@()]+/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Fields of the message that came in which are about that one alone; copies have the list's. */
const WITHOUT = [
  'arc-authentication-results',
  'arc-message-signature',
  'arc-seal',
  'authentication-results',
  'bcc',
  'disposition-notification-to',
  'dkim-signature',
  'domainkey-signature',
  'list-archive',
  'list-help',
  'list-owner',
  'list-subscribe',
  'list-unsubscribe',
  'list-unsubscribe-post',
  'received-spf',
  'return-receipt-to',
  'sender',
  'x-confirm-reading-to',
];

/**
 * How copies of a message from outside say who wrote it. The domain of another author is not asked to stand behind what
 * this one signs (RFC 7960 §4.1.3.1): From names the list, with the author's name, and Reply-To leads to the author
 * where answers are not for the list.
 */
export function authoredFields(
  list: MailingList,
  author: Author,
  fields: ListCopy['fields'],
): Pick<ListCopy, 'fields' | 'without'> & { headerFrom: string | undefined } {
  const own = new Set(fields.map(({ name }) => name.toLowerCase()));
  const without = WITHOUT.filter((name) => !own.has(name));
  if (hostOf(author.address) === hostOf(list.address)) return { fields, without, headerFrom: undefined };
  const who = plainName(author.name) || author.address.slice(0, author.address.lastIndexOf('@'));
  const headerFrom = `"${plainName(who)} via ${plainName(list.name) || list.address}" <${list.address}>`;
  const added = [{ name: 'From', value: headerFrom }];
  if (list.replyPreference === 'sender') added.push({ name: 'Reply-To', value: author.replyTo });
  return { fields: [...fields, ...added], without, headerFrom };
}
