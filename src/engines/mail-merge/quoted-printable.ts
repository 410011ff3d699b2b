// Text as quoted-printable (RFC 2045 §6.7), in pieces that can be put together line by line.

/** A line's end that the reader takes away again. */
export const SOFT_BREAK = '=\r\n';

/** What a line may hold before the soft break's equals sign. */
const COLUMNS = 75;
const EQUALS = 0x3d;
const HEX = Array.from({ length: 256 }, (_, byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`);
/** A value that is a line as it stands: most are. */
const READY = /^(?![-.F])[ -<>-~]{1,75}$/;

/**
 * Encodes a text that begins a line. Its lines end with CRLF, whatever ended them. No line begins with a dot, a hyphen
 * or `From `, so that none can end a message, a part or a mailbox file.
 */
export function encodeQuotedPrintable(text: string): string {
  if (READY.test(text)) return text;
  return text
    .split(/\r\n|\r|\n/)
    .map(encodeLine)
    .join('\r\n');
}

function encodeLine(line: string): string {
  const bytes = Buffer.from(line, 'utf8');
  let written = '';
  let column = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    let token = isPlain(byte, at === bytes.length - 1) ? String.fromCharCode(byte) : (HEX[byte] as string);
    if (column + token.length > COLUMNS) {
      written += SOFT_BREAK;
      column = 0;
    }
    if (column === 0 && (token === '.' || token === '-' || (token === 'F' && line.startsWith('From ', at))))
      token = HEX[byte] as string;
    written += token;
    column += token.length;
  }
  return written;
}

/** A blank at a line's end would be lost on the way. */
function isPlain(byte: number, isLast: boolean): boolean {
  if (byte === 0x20 || byte === 0x09) return !isLast;
  return byte > 0x20 && byte < 0x7f && byte !== EQUALS;
}
