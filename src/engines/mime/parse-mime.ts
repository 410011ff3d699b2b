import { isUtf8 } from 'node:buffer';
import { pipeline, type Readable, type Writable } from 'node:stream';
import type { AddressObject, Attachment, HeaderLines, Headers, MailParser } from 'mailparser';
import { readText } from './charset.ts';
import { blanksShortened, shortenBlanks } from './blanks.ts';
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
  const mail = mailOf(await readParts(shortenBlanks(isCut ? raw.subarray(0, bounds.sizeBytesMax) : raw), bounds));
  if (!isCut) return mail;
  const problem = `The message is larger than ${bounds.sizeBytesMax} bytes and was cut.`;
  return { ...mail, problems: [problem, ...mail.problems] };
}

function mailOf(read: RawParts): ParsedMail {
  const headerCharset = charsetIn(read.headers);
  const headerList = read.headerLines.map((line) => fieldOf(line, headerCharset)).filter(({ name }) => name !== '');
  const headers = new Map<string, string>();
  for (const { name, value } of headerList)
    if (!headers.has(name.toLowerCase())) headers.set(name.toLowerCase(), value);
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
    problems: read.problems,
    charsetProblems: [...new Set(read.charsetProblems)],
  };
}

/** The parts that a message carries along, whatever their types, and the address in From. Bounds as {@link parseMime}. */
export async function readAttachments(
  raw: Buffer,
): Promise<{ attachments: { name: string; contentType: string; contentId: string; body: Buffer }[]; from: string }> {
  const read = await readParts(shortenBlanks(raw.subarray(0, LIMITS.sizeBytesMax)), LIMITS);
  return {
    attachments: read.attachments.map((part) => {
      const { name, contentType, contentId } = fileOf(part);
      return { name, contentType, contentId, body: part.content };
    }),
    from: addressesOf(read.headers?.get('from') as AddressValue)[0]?.address ?? '',
  };
}

const fileOf = ({ filename, contentType, cid, sizeBytes }: Carried) => ({
  name: filename ?? '',
  contentType: contentType.toLowerCase(),
  contentId: cid ?? '',
  sizeBytes,
});

/** What becomes of the bodies of parts that are carried along. */
interface Bodies {
  /** Of all of them; what goes beyond is counted, and its body is empty. */
  keptBytesMax: number;
  /** Where the body of the part with this number goes besides. */
  into?(number: number): Writable | undefined;
}

/** As {@link parseMime}, for a message that is too large to be held; the files in the order of `readAttachments`. */
export async function parseMimeStream(
  raw: Readable,
  bodies: Bodies,
): Promise<ParsedMail & { files: ReturnType<typeof fileOf>[] }> {
  const read = await readParts(raw, LIMITS, bodies);
  return { ...mailOf(read), files: read.attachments.map(fileOf) };
}

type Carried = Attachment & { sizeBytes: number };

interface RawParts {
  headers: Headers | undefined;
  headerLines: HeaderLines;
  html: string | undefined;
  text: string | undefined;
  attachments: Carried[];
  problems: string[];
  charsetProblems: string[];
}

const ALL_BODIES: Bodies = { keptBytesMax: Number.POSITIVE_INFINITY };

function readParts(raw: Buffer | Readable, bounds: ParseLimits, bodies = ALL_BODIES): Promise<RawParts> {
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
  let keptBytes = 0;
  const parser: MailParser = textParser(parserOptions(bounds), (problem) => parts.charsetProblems.push(problem));
  parser.on('headers', (headers) => (parts.headers = headers));
  parser.on('headerLines', (lines) => (parts.headerLines = lines));
  parser.on('data', (data) => {
    if (data.type === 'text') {
      parts.html = typeof data.html === 'string' ? data.html : undefined;
      parts.text = data.text || undefined;
      return;
    }
    let [chunks, sizeBytes]: [Buffer[], number] = [[], 0];
    data.content.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (keptBytes + sizeBytes > bodies.keptBytesMax) chunks = [];
      else chunks.push(chunk);
    });
    const number = parts.attachments.length;
    const done = (error?: Error | null): void => {
      if (error) parts.problems.push(error.message);
      const content = Buffer.concat(chunks);
      keptBytes += content.length;
      parts.attachments.push({ ...data, related: data.related ?? false, content, sizeBytes });
      data.release();
    };
    const into = bodies.into?.(number);
    if (into) pipeline(data.content, into, done);
    else data.content.on('end', () => done());
  });
  parser.on('error', (error: Error) => {
    parts.problems.push(problemOf(error, partsRead(parser), bounds));
    resolve(parts);
    parser.destroy();
  });
  parser.on('end', () => resolve(parts));
  if (Buffer.isBuffer(raw)) parser.end(raw);
  else
    raw
      .on('error', (error) => parser.emit('error', error))
      .pipe(blanksShortened())
      .pipe(parser);
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

function sortParts(parts: Carried[]): Pick<ParsedMail, 'inline' | 'located' | 'attachments'> {
  const inline: InlinePart[] = [];
  const located: LocatedPart[] = [];
  const attachments: ParsedMail['attachments'] = [];
  for (const part of parts) {
    const contentId = part.cid ?? '';
    const place = part.headers.get('content-location');
    const contentLocation = typeof place === 'string' && place !== '' ? place.trim() : undefined;
    const { contentType, content: body, sizeBytes } = part;
    if (contentId !== '') inline.push({ contentId, contentLocation, contentType, body });
    else if (contentLocation !== undefined) located.push({ contentLocation, contentType, body });
    else attachments.push({ name: part.filename ?? '', contentType, sizeBytes });
  }
  return { inline, located, attachments };
}
