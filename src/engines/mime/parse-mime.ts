import { isUtf8 } from 'node:buffer';
import type { AddressObject, Attachment, HeaderLines, Headers, MailParser } from 'mailparser';
import { readText } from './charset.ts';
import { decodeWords } from './encoded-words.ts';
import { partsRead, textParser } from './text-parser.ts';

export interface MailAddress {
  name: string;
  address: string;
}

/** A part that the HTML may show. */
export interface InlinePart {
  /** Without angle brackets, as it follows `cid:`. */
  contentId: string;
  contentLocation: string | undefined;
  contentType: string;
  body: Buffer;
}

/** A part that the HTML may show by its Content-Location alone (RFC 2557). */
export interface LocatedPart {
  contentLocation: string;
  contentType: string;
  body: Buffer;
}

export interface ParsedMail {
  subject: string;
  /** Lower-case names, first value of each, unfolded and readable. */
  headers: Record<string, string>;
  /** All header fields in their order, as `headers` but with the name's own case. */
  headerList: { name: string; value: string }[];
  from: MailAddress[];
  to: MailAddress[];
  date: Date | undefined;
  html: string | undefined;
  text: string | undefined;
  inline: InlinePart[];
  located: LocatedPart[];
  /** Everything else that is carried along, attached messages included. */
  attachments: { name: string; contentType: string; sizeBytes: number }[];
  /** What could not be read, in words; empty for a message that is in order. */
  problems: string[];
  /** Charsets that are missing or wrong, a sentence each; the text was read nevertheless. */
  charsetProblems: string[];
}

interface ParseLimits {
  /** A longer message is cut there. */
  sizeBytesMax: number;
  partsMax: number;
  /** Header of one part. */
  headerBytesMax: number;
}

const LIMITS: ParseLimits = { sizeBytesMax: 50 * 1024 * 1024, partsMax: 500, headerBytesMax: 512 * 1024 };

/**
 * Reads a message (RFC 5322, MIME). Never rejects for what the message holds: a broken message gives what could be read
 * and says the rest in `problems`.
 */
export async function parseMime(raw: Buffer, limits: Partial<ParseLimits> = {}): Promise<ParsedMail> {
  const bounds = { ...LIMITS, ...limits };
  const isCut = raw.length > bounds.sizeBytesMax;
  const read = await readParts(shortenBlanks(isCut ? raw.subarray(0, bounds.sizeBytesMax) : raw), bounds);
  const headerCharset = charsetIn(read.headers);
  const headerList = read.headerLines.map((line) => fieldOf(line, headerCharset)).filter(({ name }) => name !== '');
  const headers = new Map<string, string>();
  for (const { name, value } of headerList)
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
  const problems = isCut
    ? [`The message is larger than ${bounds.sizeBytesMax} bytes and was cut.`, ...read.problems]
    : read.problems;
  const date = read.headers?.get('date');
  return {
    subject: headers.get('subject') ?? '',
    headers: Object.fromEntries(headers),
    headerList,
    from: addressesOf(read.headers?.get('from') as AddressValue),
    to: addressesOf(read.headers?.get('to') as AddressValue),
    date: date instanceof Date && !Number.isNaN(date.getTime()) ? date : undefined,
    html: read.html,
    text: read.text,
    ...sortParts(read.attachments),
    problems,
    charsetProblems: [...new Set(read.charsetProblems)],
  };
}

/** The parts that a message carries along, whatever their types, and the address in From. Bounds as {@link parseMime}. */
export async function readAttachments(
  raw: Buffer,
): Promise<{ attachments: { name: string; contentType: string; contentId: string; body: Buffer }[]; from: string }> {
  const read = await readParts(shortenBlanks(raw.subarray(0, LIMITS.sizeBytesMax)), LIMITS);
  return {
    attachments: read.attachments.map(({ filename, contentType, cid, content }) => ({
      name: filename ?? '',
      contentType: contentType.toLowerCase(),
      contentId: cid ?? '',
      body: content,
    })),
    from: addressesOf(read.headers?.get('from') as AddressValue)[0]?.address ?? '',
  };
}

/**
 * Beyond this, blanks in a row only serve to keep the quoted-printable decoder busy, whose time grows with their
 * square.
 */
const BLANKS_MAX = 200;

function shortenBlanks(raw: Buffer): Buffer {
  const kept: Buffer[] = [];
  let keptUntil = 0;
  let runStart = -1;
  for (let index = 0; index <= raw.length; index++) {
    const isBlank = raw[index] === 0x20 || raw[index] === 0x09;
    if (isBlank && runStart < 0) runStart = index;
    if (isBlank || runStart < 0) continue;
    if (index - runStart > BLANKS_MAX) {
      kept.push(raw.subarray(keptUntil, runStart + BLANKS_MAX));
      keptUntil = index;
    }
    runStart = -1;
  }
  return kept.length === 0 ? raw : Buffer.concat([...kept, raw.subarray(keptUntil)]);
}

interface RawParts {
  headers: Headers | undefined;
  headerLines: HeaderLines;
  html: string | undefined;
  text: string | undefined;
  attachments: Attachment[];
  problems: string[];
  charsetProblems: string[];
}

function readParts(raw: Buffer, bounds: ParseLimits): Promise<RawParts> {
  const { promise, resolve } = Promise.withResolvers<RawParts>();
  const parts: RawParts = {
    headers: undefined,
    headerLines: [],
    html: undefined,
    text: undefined,
    attachments: [],
    problems: [],
    charsetProblems: [],
  };
  const parser: MailParser = textParser(parserOptions(bounds), (problem) => parts.charsetProblems.push(problem));
  parser.on('headers', (headers) => (parts.headers = headers));
  parser.on('headerLines', (lines) => (parts.headerLines = lines));
  parser.on('data', (data) => {
    if (data.type === 'text') {
      parts.html = typeof data.html === 'string' ? data.html : undefined;
      parts.text = data.text || undefined;
      return;
    }
    const chunks: Buffer[] = [];
    data.content.on('data', (chunk: Buffer) => chunks.push(chunk));
    data.content.on('end', () => {
      parts.attachments.push({ ...data, related: data.related ?? false, content: Buffer.concat(chunks) });
      data.release();
    });
  });
  parser.on('error', (error: Error) => {
    parts.problems.push(problemOf(error, partsRead(parser), bounds));
    resolve(parts);
    parser.destroy();
  });
  parser.on('end', () => resolve(parts));
  parser.end(raw);
  return promise;
}

/** The library has one code for both bounds. */
function problemOf(error: Error & { code?: string }, count: number, { partsMax, headerBytesMax }: ParseLimits): string {
  if (error.code !== 'EMAXLEN') return error.message;
  return count > partsMax
    ? `The message has more than ${partsMax} parts, which is as many as are read.`
    : `The header of a part is larger than ${headerBytesMax} bytes, which is as much as is read.`;
}

/** Of the message itself, or of its only part. */
function charsetIn(headers: Headers | undefined): string | undefined {
  const type = headers?.get('content-type');
  return typeof type === 'object' && type !== null && 'params' in type ? type.params['charset'] : undefined;
}

function parserOptions(bounds: ParseLimits): Parameters<typeof textParser>[0] {
  const splitter = { maxHeadSize: bounds.headerBytesMax, maxChildNodes: bounds.partsMax, ignoreEmbedded: true };
  // Plain text and HTML are wanted as the sender wrote them.
  return { ...splitter, skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true };
}

function fieldOf({ line }: { line: string }, charset: string | undefined): { name: string; value: string } {
  const colon = line.indexOf(':');
  const unfolded = line
    .slice(colon + 1)
    .replace(/\r?\n[ \t]*/g, ' ')
    .trim();
  // Lines come with one character per byte; bytes outside ASCII are UTF-8 where they are right at all (RFC 6532).
  const bytes = Buffer.from(unfolded, 'latin1');
  const readable = readText(bytes, { charset: isUtf8(bytes) ? 'utf-8' : charset }).text;
  return {
    name: colon > 0 ? line.slice(0, colon).trim() : '',
    // No field may hold it (RFC 5322 §2.2), and no database takes it.
    value: decodeWords(readable).replaceAll('\0', '\uFFFD'),
  };
}

type AddressValue = AddressObject | AddressObject[] | undefined;

function addressesOf(header: AddressValue): MailAddress[] {
  const listed = [header ?? []].flat().flatMap((entry) => entry.value ?? []);
  return listed
    .flatMap((entry) => entry.group ?? [entry])
    .map(({ name, address }) => ({ name: name ?? '', address: address ?? '' }));
}

function sortParts(parts: Attachment[]): Pick<ParsedMail, 'inline' | 'located' | 'attachments'> {
  const inline: InlinePart[] = [];
  const located: LocatedPart[] = [];
  const attachments: ParsedMail['attachments'] = [];
  for (const part of parts) {
    const contentId = part.cid ?? '';
    const place = part.headers.get('content-location');
    const contentLocation = typeof place === 'string' && place !== '' ? place.trim() : undefined;
    const { contentType, content: body } = part;
    if (contentId !== '') inline.push({ contentId, contentLocation, contentType, body });
    else if (contentLocation !== undefined) located.push({ contentLocation, contentType, body });
    else attachments.push({ name: part.filename ?? '', contentType, sizeBytes: body.length });
  }
  return { inline, located, attachments };
}
