// The header fields of what a list sends: what it is called (RFC 2919), how to write to it and how to leave it
// (RFC 2369, RFC 8058).
import type { ListCopy } from '../messages/index.ts';
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
  ];
  if (publicUrl !== '') fields.push({ name: 'List-Help', value: LEAVE }, { name: 'List-Unsubscribe', value: LEAVE });
  if (publicUrl.startsWith('https://'))
    fields.push({ name: 'List-Unsubscribe-Post', value: 'List-Unsubscribe=One-Click' });
  if (isOpen && list.replyPreference === 'list') fields.push({ name: 'Reply-To', value: list.address });
  return fields;
}
