// A source between the request that gave it and the job that looks at it.
import { parseMime, type InlinePart, type LocatedPart, type ParsedMail } from '../../../engines/mime/index.ts';
import { messageHtml, type MessageHtml } from '../../../engines/source/index.ts';
import { nameOfRead } from './names.ts';
import type { Source } from './source.ts';

/** Bytes that wait for a job; base64 in what was stored when inputs were JSON. */
export type StoredBytes = Uint8Array | string;

/** A source as it waits for its job: HTML as UTF-8, or a whole message. */
export interface StoredSource {
  kind: Source['kind'];
  /** The URL of a page. */
  url: string | null;
  body: StoredBytes;
  /** What lists call it. */
  name?: string;
}

/** What a check reads: the unchanged HTML, so that lines and columns are those of the source. */
export interface CheckedMessage {
  kind: Source['kind'];
  html: string;
  /** The same, read once for all who ask; nothing of it until then. */
  read: MessageHtml;
  /** The plain text part of a whole message. */
  text: string | undefined;
  subject: string | undefined;
  /** Lower-case names, first value of each. */
  headers: Record<string, string>;
  /** All header fields in their order. */
  headerList: { name: string; value: string }[];
  /** Relative addresses are relative to this. */
  baseUrl: string | undefined;
  inline: InlinePart[];
  located: LocatedPart[];
  /** Types of what is attached, as a mail client would list it. */
  attachedTypes: string[];
  rawBytes: number;
  /** Charsets that are missing or wrong in a whole message, a sentence each. */
  charsetProblems: string[];
  /** A whole message as it was given. */
  raw: Buffer | undefined;
}

export function bufferOf(stored: StoredBytes): Buffer {
  return typeof stored === 'string'
    ? Buffer.from(stored, 'base64')
    : Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
}

export function storable(source: Source): StoredSource {
  return { kind: source.kind, url: source.url, body: source.body, name: nameOfRead(source) };
}

/** Longer messages, in bytes, are not cached: a computing process has a memory limit. */
const KEPT_LENGTH_MAX = 300_000;

/** Checks of one message come one after the other to a process that computes. Nobody changes what was read. */
let latest: { source: StoredSource; message: Promise<CheckedMessage> } | undefined;
let latestMail: { raw: Buffer; mail: Promise<ParsedMail> } | undefined;
let latestHtml: MessageHtml | undefined;

/** The parts of a whole message, parsed once for those that ask one after the other. */
export async function readMime(raw: Buffer): Promise<ParsedMail> {
  if (latestMail?.raw.equals(raw)) return latestMail.mail;
  const mail = parseMime(raw);
  const own = (latestMail = raw.length > KEPT_LENGTH_MAX ? undefined : { raw, mail });
  mail.catch(() => {
    if (latestMail === own) latestMail = undefined;
  });
  return mail;
}

/** The HTML of a message, read once for those that ask one after the other, checks and clients alike. */
export function readHtml(html: string): MessageHtml {
  if (latestHtml?.html === html) return latestHtml;
  const read = messageHtml(html);
  latestHtml = html.length > KEPT_LENGTH_MAX ? undefined : read;
  return read;
}

/**
 * Reads a stored source into what checks look at, once for those that ask one after the other; a message without HTML
 * has an empty one.
 */
export async function readMessage(source: StoredSource): Promise<CheckedMessage> {
  const { kind, url, body } = source;
  const before = latest?.source;
  if (latest && before?.kind === kind && before.url === url && bufferOf(before.body).equals(bufferOf(body)))
    return latest.message;
  const message = read(source);
  const own = (latest = body.length > KEPT_LENGTH_MAX ? undefined : { source: { kind, url, body }, message });
  message.catch(() => {
    if (latest === own) latest = undefined;
  });
  return message;
}

async function read(source: StoredSource): Promise<CheckedMessage> {
  const body = bufferOf(source.body);
  const given = { kind: source.kind, baseUrl: source.url ?? undefined, rawBytes: body.length };
  if (source.kind !== 'mime') {
    const html = body.toString('utf8');
    return {
      ...given,
      html,
      read: readHtml(html),
      text: undefined,
      subject: undefined,
      headers: {},
      headerList: [],
      inline: [],
      located: [],
      attachedTypes: [],
      charsetProblems: [],
      raw: undefined,
    };
  }
  const {
    html = '',
    text,
    subject,
    headers,
    headerList,
    inline,
    located,
    attachments,
    charsetProblems,
  } = await readMime(body);
  return {
    ...given,
    html,
    read: readHtml(html),
    text,
    subject,
    headers,
    headerList,
    inline,
    located,
    attachedTypes: attachments.map(({ contentType }) => contentType),
    charsetProblems,
    raw: body,
  };
}
