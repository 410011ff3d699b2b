// One entry of a list, read from what somebody wrote: a form, an object of JSON, a row of a spreadsheet.
import { canonicalAddress, destinationOf } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { readTime } from '../../../platform/times/index.ts';
import type { ListName } from './contract.ts';
import type { Entry } from './store.ts';

export type Fields = Readonly<Record<string, unknown>>;

const TAG_LENGTH_MAX = 128;
const TAGS_MAX = 100;
const TEXT_LENGTH_MAX = 4000;
/** Every message of the domain. */
export const ALL = '*';

/** Every value of a field as text; an empty one is none. */
function textsOf(fields: Fields, name: string): string[] {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  return [value].flat().flatMap((one) => {
    if (one === undefined || one === null) return [];
    if (typeof one !== 'string' && typeof one !== 'number') throw wrong(name, `${name} must be text.`);
    return String(one).trim() || [];
  });
}

export function wrong(field: string, message: string): AppError {
  return new AppError('invalid_request', message, { details: { field } });
}

function textOf(fields: Fields, name: string): string | undefined {
  const [text, ...more] = textsOf(fields, name);
  if (more.length > 0) throw wrong(name, `${name} is given more than once.`);
  return text;
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** Text that others wrote, such as a server's reply, with its end cut. */
const cut = (text: string): string => (text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text);

function addressOf(fields: Fields): string {
  const text = textOf(fields, 'address');
  if (text === undefined) throw wrong('address', 'address is required: an email address.');
  const address = canonicalAddress(text);
  if (address === undefined) throw wrong('address', `address: "${shown(text)}" is not an email address.`);
  return address;
}

/** An address or a domain; exactly one is given. */
function allowedOf(fields: Fields): string {
  const domain = textOf(fields, 'domain');
  if (textOf(fields, 'address') !== undefined) {
    if (domain !== undefined) throw wrong('domain', 'Give address or domain, not both.');
    return addressOf(fields);
  }
  if (domain === undefined) throw wrong('address', 'Missing mandatory parameter: address/domain');
  if (canonicalAddress(`a@${domain}`) === undefined)
    throw wrong('domain', `domain: "${shown(domain)}" is not a domain such as example.com.`);
  return destinationOf(domain) as string;
}

/** Three digits; spreadsheets write a number as `550.0` or `550,00`. */
function codeOf(fields: Fields): string {
  const text = textOf(fields, 'code');
  if (text === undefined) return '550';
  const code = text.replace(/[.,]0{1,3}$/, '');
  if (!/^\d{3}$/.test(code)) throw wrong('code', `code: "${shown(text)}" is not a code of three digits, such as 550.`);
  return code;
}

/** `tags` of JSON, `tag` of a form, either of both. */
function tagsOf(fields: Fields): string[] {
  const tags = [...new Set([...textsOf(fields, 'tags'), ...textsOf(fields, 'tag')])].toSorted();
  const odd = tags.find((tag) => tag.length > TAG_LENGTH_MAX || !/^[\x20-\x7e]+$/.test(tag));
  if (odd !== undefined)
    throw wrong('tags', `tags: "${shown(odd)}" is not a tag of at most ${TAG_LENGTH_MAX} printable ASCII characters.`);
  if (tags.length > TAGS_MAX) throw wrong('tags', `tags: at most ${TAGS_MAX} are accepted for an address.`);
  return tags.length > 0 ? tags : [ALL];
}

const OWN: Readonly<Record<ListName, (fields: Fields) => Omit<Entry, 'a' | 'at'>>> = {
  bounces: (fields) => ({ code: codeOf(fields), error: cut(textOf(fields, 'error') ?? '') }),
  unsubscribes: (fields) => ({ tags: tagsOf(fields) }),
  complaints: () => ({}),
  whitelists: (fields) => ({ reason: cut(textOf(fields, 'reason') ?? '') }),
};

/** The entry that these fields are. Throws `invalid_request` naming the field and what is valid. */
export function readEntry(list: ListName, fields: Fields): Entry {
  const a = list === 'whitelists' ? allowedOf(fields) : addressOf(fields);
  const at = readTime('created_at', textOf(fields, 'created_at'))?.toISOString();
  return { a, ...OWN[list](fields), ...(at !== undefined && { at }) };
}

/** Each address once: the last of several counts, with the tags of all. */
export function mergeEntries(entries: Iterable<Entry>): Entry[] {
  const byAddress = new Map<string, Entry>();
  for (const entry of entries) {
    const before = byAddress.get(entry.a);
    const tags = before?.tags && entry.tags && [...new Set([...before.tags, ...entry.tags])].toSorted();
    byAddress.set(entry.a, { ...entry, ...(tags && { tags }) });
  }
  return [...byAddress.values()];
}

/** The address or domain of a path, as it is kept. */
export const keptOf = (value: string): string => canonicalAddress(value) ?? destinationOf(value) ?? value.toLowerCase();
