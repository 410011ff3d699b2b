// Bytes to text by the names mail uses for character sets.
import { TextDecoder } from 'node:util';

/** Names seen in mail that the Encoding standard does not list, and what they mean. */
const ALIASES = new Map([
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['utf8mb4', 'utf-8'],
  ['utf-8-sig', 'utf-8'],
  ['unicode', 'utf-16le'],
  ['unicode-1-1-utf-8', 'utf-8'],
]);

const BYTE_ORDER_MARKS: readonly (readonly [string, string])[] = [
  ['\xef\xbb\xbf', 'utf-8'],
  ['\xfe\xff', 'utf-16be'],
  ['\xff\xfe', 'utf-16le'],
];

/**
 * A decoder for a charset name in any spelling of the Encoding standard or of old mail programs; undefined for an
 * unknown one and for those that standard forbids (such as UTF-7). Bytes that are not valid become U+FFFD.
 */
export function decoderFor(charset: string): TextDecoder | undefined {
  const name = charset.trim().replace(/^["']|["']$/g, '').toLowerCase();
  try {
    return new TextDecoder(ALIASES.get(name) ?? name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Text of bytes; a byte order mark wins over the declared charset, as in browsers. Undefined for an unknown charset. */
export function decodeText(bytes: Uint8Array, charset: string): string | undefined {
  const start = String.fromCharCode(...bytes.subarray(0, 3));
  const marked = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  return decoderFor(marked ?? charset)?.decode(bytes);
}
