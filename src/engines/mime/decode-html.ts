import { decoderFor, readText } from './charset.ts';
import { decodeBase64, decodeQuotedPrintable } from './transfer-encoding.ts';

export type TransferEncoding = 'base64' | 'quoted-printable' | '7bit' | '8bit';

export interface EncodedHtml {
  html: string;
  transferEncoding: string;
  /** Any name of the Encoding standard, such as `utf-8` or `iso-2022-jp`; undefined where nothing names one. */
  charset: string | undefined;
}

/** The text, or the field at fault and why, ready to follow the field's name in a sentence. */
export type DecodedHtml = { html: string } | { field: 'html' | 'transfer_encoding' | 'charset'; why: string };

/**
 * Undoes a transfer encoding and a charset. `8bit` is text already and comes back as it is; `7bit` is read in the charset
 * when it holds ASCII only (ISO-2022-JP is such text). Bytes that are not in the charset are read as clients do, see `readText`.
 */
export function decodeHtml({ html, transferEncoding, charset }: EncodedHtml): DecodedHtml {
  const encoding = transferEncoding.toLowerCase();
  if (charset !== undefined && !decoderFor(charset)) {
    return { field: 'charset', why: `"${charset.slice(0, 40)}" is not a known character set, such as utf-8 or iso-8859-1` };
  }
  if (encoding === '8bit') return { html };
  if (encoding === '7bit') return { html: isAscii(html) ? textIn(Buffer.from(html, 'latin1'), charset) : html };
  if (encoding !== 'base64' && encoding !== 'quoted-printable') {
    return { field: 'transfer_encoding', why: 'must be base64, quoted-printable, 7bit or 8bit' };
  }
  const decoded = encoding === 'base64' ? decodeBase64(html) : decodeQuotedPrintable(html);
  return 'why' in decoded ? { field: 'html', why: decoded.why } : { html: textIn(decoded.bytes, charset) };
}

function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length;
}

function textIn(bytes: Buffer, charset: string | undefined): string {
  return readText(bytes, { charset, isHtml: true }).text;
}
