// Bytes to text by the names mail uses for character sets.
import { isAscii, isUtf8 } from 'node:buffer';
import { TextDecoder } from 'node:util';
import { decodeUtf7 } from './utf7.ts';

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
  const name = charset
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  try {
    return new TextDecoder(ALIASES.get(name) ?? name);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

interface CharsetDecoder {
  readonly encoding: string;
  decode(bytes: Uint8Array): string;
}

/** What `decoderFor` gives, and UTF-7 besides: browsers forbid it in pages, mail clients read it in mail. */
export function mailDecoderFor(charset: string): CharsetDecoder | undefined {
  const name = charset
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  return UTF7_NAMES.has(name) ? UTF7 : decoderFor(charset);
}

const UTF7_NAMES = new Set(['utf-7', 'utf7', 'unicode-1-1-utf-7', 'x-unicode-2-0-utf-7', 'csunicode11utf7', 'csutf7']);
const UTF7: CharsetDecoder = { encoding: 'utf-7', decode: decodeUtf7 };

/** Names that promise ASCII alone; the Encoding standard reads them as windows-1252, which hides what is wrong. */
const ASCII_NAMES = new Set([
  'us-ascii',
  'ascii',
  'ansi_x3.4-1968',
  'ansi_x3.4-1986',
  'iso646-us',
  'iso_646.irv:1991',
  'us',
  'cp367',
  'ibm367',
  'iso-ir-6',
  'csascii',
]);

/** What a text was read as, and what is wrong with what it says of itself. */
interface ReadText {
  text: string;
  /** What it was read as. */
  charset: string;
  /** One sentence; undefined where the declaration is right, or nothing depends on it. */
  problem: string | undefined;
}

interface DeclaredText {
  /** As the message names it. */
  charset: string | undefined;
  /** Only HTML has a `<meta charset>`. */
  isHtml?: boolean;
  /** What is being read, to begin a sentence with: `The HTML part`. */
  noun?: string;
}

/**
 * Text of bytes, whatever they claim to be: a byte order mark, the declared charset, that of `<meta>`, UTF-8 where the
 * bytes are valid UTF-8, else windows-1252, in which every byte is a character. So do mail clients; no character is
 * lost.
 */
export function readText(
  bytes: Uint8Array,
  { charset: declared = '', isHtml = false, noun = 'The text' }: DeclaredText,
): ReadText {
  const start = String.fromCharCode(...bytes.subarray(0, 3));
  const marked = BYTE_ORDER_MARKS.find(([mark]) => start.startsWith(mark))?.[1];
  if (marked) return decodedAs(bytes, marked, undefined);
  const name = declared
    .trim()
    .replace(/^["']|["']$/g, '')
    .toLowerCase();
  const decoder = ASCII_NAMES.has(name) ? undefined : mailDecoderFor(name);
  if (isAscii(bytes)) return decodedAs(bytes, decoder?.encoding ?? 'utf-8', undefined);
  const isValidUtf8 = isUtf8(bytes);
  if (decoder && decoder.encoding !== 'utf-8') {
    const read = decodedAs(bytes, decoder.encoding, undefined);
    const looksLikeUtf8 = isValidUtf8 && /^(?:windows|iso)-?/.test(decoder.encoding);
    return looksLikeUtf8
      ? {
          ...read,
          problem: `${noun} is declared as ${shown(name)}, but its bytes are UTF-8: readers see characters such as "Ã¼".`,
        }
      : noteLost(read, noun);
  }
  if (decoder && (isValidUtf8 || isMostlyUtf8(bytes))) return noteLost(decodedAs(bytes, 'utf-8', undefined), noun);
  const used = (isHtml ? charsetOfMeta(bytes, isValidUtf8) : undefined) ?? (isValidUtf8 ? 'utf-8' : 'windows-1252');
  return decodedAs(bytes, used, `${whatIsWrong(name, noun)}; it was read as ${used}.`);
}

function shown(name: string): string {
  return `"${name.slice(0, 40)}"`;
}

function decodedAs(bytes: Uint8Array, charset: string, problem: string | undefined): ReadText {
  const decoder = mailDecoderFor(charset) ?? new TextDecoder(charset);
  const read = decoder.encoding === 'iso-2022-jp' ? withoutIdleEscapes(bytes) : bytes;
  return { text: decoder.decode(read), charset, problem };
}

/**
 * The Encoding standard takes an escape sequence that another one follows at once for an error; it arises where encoded
 * words are joined, each of which returns to ASCII at its end.
 */
function withoutIdleEscapes(bytes: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(bytes).toString('latin1').replace(IDLE_ESCAPES, ''), 'latin1');
}

const ESCAPE = String.raw`\x1b(?:\([BJI]|\$[@B])`;
const IDLE_ESCAPES = new RegExp(`(?:${ESCAPE})+(?=${ESCAPE})`, 'g');

function whatIsWrong(name: string, noun: string): string {
  if (name === '') return `${noun} names no charset and has characters outside ASCII`;
  if (ASCII_NAMES.has(name)) return `${noun} is declared as ${shown(name)} and has characters outside ASCII`;
  return mailDecoderFor(name)
    ? `${noun} is declared as ${shown(name)}, but its bytes are no valid UTF-8`
    : `${noun} is declared in a charset that does not exist, ${shown(name)}`;
}

/** Bytes that the declared charset does not know are shown as U+FFFD, as clients show them. */
function noteLost(read: ReadText, noun: string): ReadText {
  const lost = read.text.split('\ufffd').length - 1;
  return lost === 0
    ? read
    : {
        ...read,
        problem:
          `${noun} has ${lost === 1 ? 'a place' : `${lost} places`} that ${lost === 1 ? 'is' : 'are'} ` +
          `no valid ${read.charset}: readers see "\ufffd" there.`,
      };
}

/** A text in UTF-8 that was damaged here and there: read as windows-1252, all of it would be wrong. */
function isMostlyUtf8(bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes);
  let [right, wrong] = [0, 0];
  for (const character of text) {
    if (character === '\ufffd') wrong++;
    else if (character > '\x7f') right++;
  }
  return right > wrong;
}

/** As browsers look for it: in the first bytes, and never for a charset that is not what the bytes are. */
function charsetOfMeta(bytes: Uint8Array, isValidUtf8: boolean): string | undefined {
  const start = new TextDecoder('latin1').decode(bytes.subarray(0, META_BYTES_MAX));
  const named = /<meta[^>]{1,500}charset\s*=\s*["']?([\w-]{1,40})/i.exec(start)?.[1];
  const decoder = named === undefined || ASCII_NAMES.has(named.toLowerCase()) ? undefined : decoderFor(named);
  // Who reads the words of the page cannot be reading UTF-16 (HTML standard §13.2.3.2).
  const charset = decoder?.encoding.startsWith('utf-16') ? 'utf-8' : decoder?.encoding;
  return charset === 'utf-8' && !isValidUtf8 ? undefined : charset;
}

const META_BYTES_MAX = 4096;
