// The layout (POSIX.1-1988 "ustar"): entries; after at most 10,000 of them a list of their digests, as `sha256sum -c`
// reads it; at the end the manifest, and its digest.
import { createHash } from 'node:crypto';

export const BLOCK_BYTES = 512;
export const LIST_ENTRIES_MAX = 10_000;
export const MANIFEST = 'manifest.json';
export const MANIFEST_DIGEST = 'manifest.json.sha256';
export const LIST = /^digests\/\d{6}\.sha256$/;

/** Name of a list of digests, from 1. */
export function listName(number: number): string {
  return `digests/${String(number).padStart(6, '0')}.sha256`;
}

/** The line about an entry. */
export function digestLine(name: string, body: Buffer): string {
  return `${createHash('sha256').update(body).digest('hex')}  ${name}\n`;
}

/** Zeros to the end of the block. */
export function paddingOf(bytes: number): number {
  return (BLOCK_BYTES - (bytes % BLOCK_BYTES)) % BLOCK_BYTES;
}

const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

function splitName(name: string): [prefix: string, rest: string] {
  if (name.length <= NAME_BYTES) return ['', name];
  const slash = name.indexOf('/', name.length - NAME_BYTES - 1);
  if (slash < 1 || slash > PREFIX_BYTES) throw new Error(`"${name}" is too long for a name in the archive.`);
  return [name.slice(0, slash), name.slice(slash + 1)];
}

const octal = (value: number, digits: number): string => `${value.toString(8).padStart(digits, '0')}\0`;

/** The block before an entry's bytes. Names are ASCII. */
export function headerOf(name: string, bytes: number, changedAt: Date): Buffer {
  const [prefix, rest] = splitName(name);
  const header = Buffer.alloc(BLOCK_BYTES);
  const put = (text: string, at: number): void => void header.write(text, at, 'latin1');
  put(rest, 0);
  put(octal(0o600, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(bytes, 11), 124);
  put(octal(Math.floor(changedAt.getTime() / 1000), 11), 136);
  put(' '.repeat(8), 148);
  put('0', 156);
  put('ustar\x0000', 257);
  put(prefix, 345);
  put(`${octal(sumOf(header), 6)} `, 148);
  return header;
}

function sumOf(header: Buffer): number {
  let sum = 0;
  for (const byte of header) sum += byte;
  return sum;
}

interface Header {
  name: string;
  bytes: number;
}

/** Undefined: this is no header, or it is damaged. */
export function readHeader(header: Buffer): Header | undefined {
  const field = (start: number, length: number): string =>
    header.toString('latin1', start, start + length).replace(/\0.*$/s, '');
  const said = Number.parseInt(field(148, 8), 8);
  const blank = Buffer.from(header);
  blank.fill(' ', 148, 156);
  const bytes = Number.parseInt(field(124, 12), 8);
  if (said !== sumOf(blank) || field(257, 5) !== 'ustar' || !Number.isSafeInteger(bytes) || bytes < 0) return undefined;
  const prefix = field(345, 155);
  return { name: prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`, bytes };
}
