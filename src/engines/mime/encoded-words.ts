// Encoded words in header values (RFC 2047).
import { isAscii } from 'node:buffer';
import { decoderFor, readText } from './charset.ts';

const WORD = /=\?([^?\s*]{1,40})(?:\*[^?\s]*)?\?([BbQq])\?([^?]*)\?=/;
const ADJACENT_WORDS = new RegExp(`(?:${WORD.source}[ \\t\\r\\n]*)+`, 'g');

/** The readable form of a header value. A word with 8-bit text in a charset that does not exist, or is not what it says, is read as clients do. */
export function decodeWords(value: string): string {
  return value.replace(ADJACENT_WORDS, (run) => {
    // White space between encoded words is not part of the text; after the last one it is (§6.2).
    return decodeRun(run) + run.slice(run.trimEnd().length);
  });
}

function decodeRun(run: string): string {
  let text = '';
  let pending: { charset: string; parts: Buffer[] } | undefined;
  const flush = () => {
    // A character may be cut in two by a word's end, so the bytes of equal charsets are joined first.
    if (pending) text += readText(Buffer.concat(pending.parts), pending).text;
    pending = undefined;
  };
  for (const [whole, charset = '', encoding = '', payload = ''] of run.matchAll(new RegExp(WORD.source, 'g'))) {
    const bytes = encoding.toUpperCase() === 'B' ? Buffer.from(payload, 'base64') : bytesOfQ(payload);
    if (!decoderFor(charset) && isAscii(bytes)) {
      flush();
      text += whole;
      continue;
    }
    if (pending && pending.charset.toLowerCase() !== charset.toLowerCase()) flush();
    pending ??= { charset, parts: [] };
    pending.parts.push(bytes);
  }
  flush();
  return text;
}

function bytesOfQ(payload: string): Buffer {
  const unescaped = payload
    .replaceAll('_', ' ')
    .replace(/=([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(unescaped, 'latin1');
}
