// The header of a message: fields as they are written, and those that are composed for each copy.
import { headerField, LINE_LENGTH_MAX, parseAddressList, type MailAddress } from '../mime/index.ts';
import { segmentsOf, valueOf, type Filling, type Hole, type Segment } from './holes.ts';

interface TextField {
  name: string;
  text: Segment[];
}

interface MailboxField {
  name: string;
  mailboxes: { name: Segment[]; address: Segment[] }[];
}

/** The field of a batch that names the copy's own recipient. */
interface RecipientField {
  name: string;
  isRecipient: true;
}

/** Written: folded, ended by CRLF; as bytes, one a character. */
export type CompiledField = { name: string; written: string } | TextField | MailboxField | RecipientField;

/** An address outside ASCII travels in UTF-8 (RFC 6532). */
function bytesOf(text: string): string {
  return /[^\0-\x7f]/.test(text) ? Buffer.from(text, 'utf8').toString('latin1') : text;
}

const ADDRESS_FIELD = /^(?:from|sender|to|cc|reply-to)$/i;
/** Of one field, filled: a text of more is a mistake or an attack. */
const VALUE_LENGTH_MAX = 32 * 1024;

export const hasHole = (text: string): boolean => segmentsOf(text).some((segment) => typeof segment !== 'string');

/** A field of text with holes, written at once when there is none. */
export function compileField(name: string, value: string): CompiledField {
  const text = segmentsOf(value);
  return text.some((segment) => typeof segment !== 'string')
    ? { name, text }
    : { name, written: bytesOf(headerField(name, value)) };
}

export function compileMailboxes(name: string, mailboxes: readonly MailAddress[]): CompiledField {
  return {
    name,
    mailboxes: mailboxes.map((one) => ({ name: segmentsOf(one.name), address: segmentsOf(one.address) })),
  };
}

/** The filled text of a line: a value's control characters are blanks. */
function filled(segments: readonly Segment[], filling: Filling): string {
  return segments
    .map((segment) => (typeof segment === 'string' ? segment : oneLine(segment, filling)))
    .join('')
    .slice(0, VALUE_LENGTH_MAX + 1);
}

function oneLine(hole: Hole, filling: Filling): string {
  return valueOf(hole, filling).replace(/[\p{Cc}\u2028\u2029]+/gu, ' ');
}

function write(field: Exclude<CompiledField, { written: string }>, filling: Filling): string {
  const { name } = field;
  if ('isRecipient' in field) return headerField(name, [filling.recipient]);
  if ('mailboxes' in field)
    return headerField(
      name,
      field.mailboxes.map((one) => ({ name: filled(one.name, filling), address: filled(one.address, filling) })),
    );
  const value = filled(field.text, filling);
  if (!ADDRESS_FIELD.test(name)) return headerField(name, value);
  const { mailboxes, wrong } = parseAddressList(value);
  return headerField(name, wrong === undefined ? mailboxes : value);
}

/** The fields of a copy as bytes, one a character, or a sentence why there are none. */
export function fillHeader(fields: readonly CompiledField[], filling: Filling): { header: string } | { fault: string } {
  const own = filling.headers ?? [];
  const replaced = new Set(own.map(({ name }) => name.toLowerCase()));
  const written = [
    ...fields
      .filter(({ name }) => !replaced.has(name.toLowerCase()))
      .map((field) => [field.name, 'written' in field ? field.written : bytesOf(write(field, filling))]),
    ...own.map(({ name, value }) => [name, bytesOf(headerField(name, value))]),
  ] as [string, string][];
  for (const [name, text] of written) {
    if (text.length <= LINE_LENGTH_MAX + 2) continue;
    if (text.length > VALUE_LENGTH_MAX)
      return { fault: `The field ${name} of this recipient's copy is longer than ${VALUE_LENGTH_MAX} characters.` };
    if (text.split('\r\n').some(({ length }) => length > LINE_LENGTH_MAX))
      return { fault: `The field ${name} has a word that no line of ${LINE_LENGTH_MAX} characters can hold.` };
  }
  return { header: written.map(([, text]) => text).join('') };
}
