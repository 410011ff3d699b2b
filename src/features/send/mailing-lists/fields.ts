// What a call says of a list or of a member: fields of a form, of JSON, of a query, in words of their own.
import { canonicalAddress, parseAddressList } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import { isFile } from '../../../platform/http/index.ts';
import type { Entry, MemberChange } from './member-store.ts';
import { ACCESS_LEVELS, REPLY_PREFERENCES } from './contract.ts';
import type { ListSettings } from './store.ts';

export type Fields = Readonly<Record<string, unknown>>;

const NAME_LENGTH_MAX = 256;
const DESCRIPTION_LENGTH_MAX = 2000;
const VARS_LENGTH_MAX = 16 * 1024;

export function wrong(field: string, message: string): AppError {
  return new AppError('invalid_request', message, { details: { field } });
}

const shown = (text: string): string => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

/** The one value of a field as text; undefined when it is not given. */
function textOf(fields: Fields, name: string): string | undefined {
  const value = Object.hasOwn(fields, name) ? fields[name] : undefined;
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value).trim();
  if (isFile(value)) return value.bytes.toString('utf8').trim();
  throw wrong(name, `${name} must be one text.`);
}

function lineOf(fields: Fields, { name, max }: { name: string; max: number }): string | undefined {
  const text = textOf(fields, name);
  if (text === undefined) return undefined;
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u001f\u007f]/.test(text)) throw wrong(name, `${name} must be one line without control characters.`);
  if (text.length > max) throw wrong(name, `${name} has ${text.length} characters; at most ${max} are accepted.`);
  return text;
}

/** Throws unless it is one address; `Ann <ann@example.com>` brings a name. */
function mailboxOf(text: string, field: string): { address: string; name: string } {
  const { mailboxes, wrong: none } = parseAddressList(text);
  const [mailbox, another] = mailboxes;
  const address = mailbox && canonicalAddress(mailbox.address);
  if (none !== undefined || another || address === undefined)
    throw wrong(field, `${field}: "${shown(text)}" is not an email address.`);
  return { address, name: mailbox?.name ?? '' };
}

/** Throws when it is not given. */
function addressOf(fields: Fields): { address: string; name: string } {
  const text = textOf(fields, 'address');
  if (text === undefined || text === '') throw wrong('address', 'address is required: an email address.');
  return mailboxOf(text, 'address');
}

/** The address of a path or a condition, as it is kept. */
export const keptOf = (address: string): string => canonicalAddress(address.trim()) ?? address.trim().toLowerCase();

const WORDS: Readonly<Record<string, boolean>> = {
  yes: true,
  true: true,
  '1': true,
  no: false,
  false: false,
  '0': false,
};

/** `yes` or `no`; undefined when it is not given, or empty. */
export function flagOf(fields: Fields, name: string): boolean | undefined {
  const text = textOf(fields, name);
  if (text === undefined || text === '') return undefined;
  const word = text.toLowerCase();
  if (!Object.hasOwn(WORDS, word)) throw wrong(name, `${name}: "${shown(text)}" is neither yes nor no.`);
  return WORDS[word];
}

function accessLevelOf(fields: Fields): ListSettings['accessLevel'] | undefined {
  const text = textOf(fields, 'access_level');
  if (text === undefined || text === '') return undefined;
  const level = ACCESS_LEVELS.find((one) => one === text.toLowerCase());
  const valid = ACCESS_LEVELS.map((one) => `'${one}'`).join(', ');
  if (!level) throw wrong('access_level', `Invalid access level '${shown(text)}'. It can be any of: ${valid}.`);
  return level;
}

/** `reply_reference` is how a published document spells it. */
function replyPreferenceOf(fields: Fields): ListSettings['replyPreference'] | undefined {
  const text = textOf(fields, 'reply_preference') ?? textOf(fields, 'reply_reference');
  if (text === undefined || text === '') return undefined;
  const preference = REPLY_PREFERENCES.find((one) => one === text.toLowerCase());
  const valid = REPLY_PREFERENCES.map((one) => `'${one}'`).join(', ');
  if (!preference)
    throw wrong('reply_preference', `Invalid reply preference '${shown(text)}'. It can be any of: ${valid}`);
  return preference;
}

/** A label such as `developers.example.com` (RFC 2919 §3); empty: it is made of the address again. */
function listIdOf(fields: Fields): string | null | undefined {
  const text = textOf(fields, 'list-id');
  if (text === undefined) return undefined;
  if (text === '') return null;
  const label = text.replace(/^<(.*)>$/, '$1').toLowerCase();
  if (label.length > 255 || !/^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(label))
    throw wrong('list-id', `list-id: "${shown(text)}" is not an identifier such as developers.example.com.`);
  return label;
}

/** What a call changes. Throws `invalid_request` naming the field. */
export function readListChange(fields: Fields): Partial<ListSettings> {
  const isMoved = ![undefined, ''].includes(textOf(fields, 'address'));
  const change = {
    address: isMoved ? addressOf(fields).address : undefined,
    name: lineOf(fields, { name: 'name', max: NAME_LENGTH_MAX }),
    description: descriptionOf(fields),
    accessLevel: accessLevelOf(fields),
    replyPreference: replyPreferenceOf(fields),
    listId: listIdOf(fields),
  };
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

function descriptionOf(fields: Fields): string | undefined {
  const text = textOf(fields, 'description');
  if (text !== undefined && text.length > DESCRIPTION_LENGTH_MAX)
    throw wrong(
      'description',
      `description has ${text.length} characters; at most ${DESCRIPTION_LENGTH_MAX} are accepted.`,
    );
  return text;
}

/** A new list. Throws `invalid_request` naming the field. */
export function readList(fields: Fields): ListSettings {
  const { address, name } = addressOf(fields);
  return {
    name,
    description: '',
    accessLevel: 'readonly',
    replyPreference: 'list',
    listId: null,
    ...readListChange(fields),
    address,
  };
}

/** An object, or the JSON of one. */
function varsOf(fields: Fields): Record<string, unknown> | undefined {
  const given = Object.hasOwn(fields, 'vars') ? fields['vars'] : undefined;
  if (given === undefined || given === null || given === '') return undefined;
  const text = typeof given === 'object' && !isFile(given) ? JSON.stringify(given) : (textOf(fields, 'vars') ?? '');
  if (text.length > VARS_LENGTH_MAX)
    throw wrong('vars', `vars has ${text.length} characters of JSON; at most ${VARS_LENGTH_MAX} are accepted.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong('vars', 'vars is not valid JSON; give an object such as {"age": 26}.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('vars', 'vars must be a JSON object such as {"age": 26}.');
  return value as Record<string, unknown>;
}

/** What is said of a member beside the address. */
function saidOf(fields: Fields): Omit<Entry, 'a'> {
  const said = {
    name: lineOf(fields, { name: 'name', max: NAME_LENGTH_MAX }),
    vars: varsOf(fields),
    s: flagOf(fields, 'subscribed'),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** One member. Throws `invalid_request` naming the field. */
export function readMember(fields: Fields): Entry {
  const { address, name } = addressOf(fields);
  return { a: address, ...(name !== '' && { name }), ...saidOf(fields) };
}

/** What a call changes of a member. Throws `invalid_request` naming the field. */
export function readMemberChange(fields: Fields): MemberChange {
  const { name, vars, s } = saidOf(fields);
  const isMoved = ![undefined, ''].includes(textOf(fields, 'address'));
  return {
    ...(isMoved && { address: addressOf(fields).address }),
    ...(name !== undefined && { name }),
    ...(vars !== undefined && { vars }),
    ...(s !== undefined && { isSubscribed: s }),
  };
}

/** Each address once: the last of several counts. */
export function mergeEntries(entries: Iterable<Entry>): Entry[] {
  const byAddress = new Map<string, Entry>();
  for (const entry of entries) byAddress.set(entry.a, { ...byAddress.get(entry.a), ...entry });
  return [...byAddress.values()];
}
