// Encoded words in header values (RFC 2047).
import { isAscii } from 'node:buffer';
import { mailDecoderFor, readText } from './charset.ts';

const WORD = /=\?([^?\s*]{1,40})(?:\*[^?\s]*)?\?([BbQq])\?([^?]*)\?=/;
const ADJACENT_WORDS = new RegExp(`(?:${WORD.source}[ \\t\\r\\n]*)+`, 'g');

/**
 * The readable form of a header value. A word with 8-bit text in a charset that does not exist, or is not what it says,
 * is read as clients do.
 */
export function decodeWords(value: string): string {
  return value.replace(ADJACENT_WORDS, (run) => {
    // White space between encoded words is not part of the text; after the last one it is (§6.2).
    return decodeRun(run) + run.slice(run.trimEnd().length);
  });
}

interface Word {
  isBase64: boolean;
  payload: string;
}

function decodeRun(run: string): string {
  let text = '';
  let pending: { charset: string; words: Word[] } | undefined;
  const flush = () => {
    // A character may be cut in two by a word's end, so the bytes of equal charsets are joined first.
    if (pending) text += readText(bytesOfWords(pending.words, pending.charset), pending).text;
    pending = undefined;
  };
  for (const [whole, charset = '', encoding = '', payload = ''] of run.matchAll(new RegExp(WORD.source, 'g'))) {
    const word = { isBase64: encoding.toUpperCase() === 'B', payload };
    if (!mailDecoderFor(charset) && isAscii(word.isBase64 ? Buffer.from(payload, 'base64') : bytesOfQ(payload))) {
      flush();
      text += whole;
      continue;
    }
    if (pending && pending.charset.toLowerCase() !== charset.toLowerCase()) flush();
    pending ??= { charset, words: [] };
    pending.words.push(word);
  }
  flush();
  return text;
}

/** Words of one charset in their order, as bytes; base64 words that follow each other are read together. */
function bytesOfWords(words: readonly Word[], charset: string): Buffer {
  const parts: Buffer[] = [];
  let digits: string[] = [];
  const flush = () => {
    if (digits.length > 0) parts.push(bytesOfBase64(digits, charset));
    digits = [];
  };
  for (const { isBase64, payload } of words) {
    if (isBase64) {
      digits.push(payload.replace(/[^A-Za-z0-9+/=_-]/g, ''));
      continue;
    }
    flush();
    parts.push(bytesOfQ(payload));
  }
  flush();
  return Buffer.concat(parts);
}

/**
 * Each word holds whole bytes (RFC 2047 §5). Some mailers cut the base64 of a text anywhere, in the middle of a group
 * of four digits too; then only all of it together can be read.
 */
function bytesOfBase64(words: readonly string[], charset: string): Buffer {
  const apart = Buffer.concat(words.map((word) => Buffer.from(word, 'base64')));
  if (words.every((word) => word.length % 4 === 0)) return apart;
  const together = Buffer.concat(
    words
      .join('')
      .split(/=+/)
      .map((digits) => Buffer.from(digits, 'base64')),
  );
  if (!words.every(endsWhole)) return together;
  const decoder = mailDecoderFor(charset);
  const lostIn = (bytes: Buffer) => decoder?.decode(bytes).split('\ufffd').length ?? 0;
  return lostIn(together) < lostIn(apart) ? together : apart;
}

/** Whether the digits can be a text's end: the bits that no byte takes are zero. */
function endsWhole(word: string): boolean {
  const digits = word.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  return Buffer.from(digits, 'base64').toString('base64').replace(/=+$/, '') === digits;
}

function bytesOfQ(payload: string): Buffer {
  const unescaped = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, 'latin1');
}
