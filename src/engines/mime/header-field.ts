// One field of a header as it is written on the wire (RFC 5322 §2.2, RFC 2047).
import { encodeWord, foldLines } from 'nodemailer/lib/mime-funcs';
import MimeNode from 'nodemailer/lib/mime-node';
import { addressOf, oneLine } from './compose-message.ts';
import type { MailAddress } from './parse-mime.ts';

const LINE_LENGTH = 76;
/** RFC 5322 §2.1.1, without the line's end. */
export const LINE_LENGTH_MAX = 998;
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
/** Fields whose words mean something, so that none of them can be an encoded word (RFC 2047 §5). */
const STRUCTURED = /^(list-.*|references|in-reply-to|message-id|precedence|auto-submitted|feedback-id|x-.*-id)$/i;

const node = new MimeNode('text/plain');

/**
 * A field, folded, ended by CRLF, as {@link composeMessage} writes it. Line breaks in values become blanks. A word that
 * no line can hold becomes encoded words, where the field is text; elsewhere the line stays as long as it is.
 */
export function headerField(name: string, value: string | readonly MailAddress[]): string {
  if (typeof value !== 'string') {
    const written = node.encodeHeaderValue(name, value.map(addressOf));
    return `${foldLines(`${name}: ${written}`, LINE_LENGTH)}\r\n`;
  }
  const isShort = name.length + value.length + 2 < LINE_LENGTH;
  if (isShort && PLAIN.test(value) && !value.includes('"') && !value.includes('=?') && !value.includes('  '))
    return `${name}: ${value}\r\n`;
  const line = oneLine(value);
  const folded = foldLines(`${name}: ${node.encodeHeaderValue(name, line)}`, LINE_LENGTH);
  const isTooLong = !STRUCTURED.test(name) && folded.split('\r\n').some(({ length }) => length > LINE_LENGTH_MAX);
  return `${isTooLong ? foldLines(`${name}: ${encodeWord(line, 'Q', 52)}`, LINE_LENGTH) : folded}\r\n`;
}
