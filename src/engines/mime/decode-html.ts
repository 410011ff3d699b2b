import { decoderFor, readText } from './charset.ts';
import { decodeBase64, decodeQuotedPrintable, type Decoded } from './transfer-encoding.ts';

interface Encoding {
  transferEncoding: string;
  /** Any name of the Encoding standard, such as `utf-8` or `iso-2022-jp`; undefined where nothing names one. */
  charset: string | undefined;
}

export type EncodedHtml = Encoding & { html: string };

/** A field at fault and why, ready to follow the field's name in a sentence. */
type FieldFault = { field: 'transfer_encoding' | 'charset'; why: string };

/** The text, or the field at fault and why. */
export type DecodedHtml = { html: string } | { field: 'html' | FieldFault['field']; why: string };

/**
 * Undoes a transfer encoding and a charset. `8bit` is text already and comes back as it is; `7bit` is read in the
 * charset when it holds ASCII only (ISO-2022-JP is such text). Bytes that are not in the charset are read as clients
 * do, see `readText`.
 */
export function decodeHtml({ html, ...encoding }: EncodedHtml): DecodedHtml {
  const read = decodeAs(html, encoding, true);
  if ('text' in read) return { html: read.text };
  return 'field' in read ? read : { field: 'html', why: read.why };
}

/** The same for text that is no HTML, such as a subject, which therefore can't declare its own charset. */
export function decodeText({
  text,
  ...encoding
}: Encoding & { text: string }): { text: string } | { why: string } | FieldFault {
  return decodeAs(text, encoding, false);
}

/** The bytes of a whole message that was given as text. */
export function decodeBytes({ text, transferEncoding }: { text: string; transferEncoding: string }): Decoded {
  const encoding = transferEncoding.toLowerCase();
  if (encoding === 'base64') return decodeBase64(text);
  return encoding === 'quoted-printable' ? decodeQuotedPrintable(text) : { bytes: Buffer.from(text, 'utf8') };
}

function decodeAs(
  given: string,
  { transferEncoding, charset }: Encoding,
  isHtml: boolean,
): { text: string } | { why: string } | FieldFault {
  const encoding = transferEncoding.toLowerCase();
  if (charset !== undefined && !decoderFor(charset)) {
    return {
      field: 'charset',
      why: `"${charset.slice(0, 40)}" is not a known character set, such as utf-8 or iso-8859-1`,
    };
  }
  if (encoding === '8bit') return { text: given };
  if (encoding === '7bit')
    return { text: isAscii(given) ? readText(Buffer.from(given, 'latin1'), { charset, isHtml }).text : given };
  if (encoding !== 'base64' && encoding !== 'quoted-printable') {
    return { field: 'transfer_encoding', why: 'must be base64, quoted-printable, 7bit or 8bit' };
  }
  const decoded = decodeBytes({ text: given, transferEncoding: encoding });
  return 'why' in decoded ? { why: decoded.why } : { text: readText(decoded.bytes, { charset, isHtml }).text };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}
