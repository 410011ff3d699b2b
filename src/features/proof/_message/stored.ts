// A source between the request that gave it and the job that looks at it.
import { parseMime, type InlinePart, type LocatedPart } from '../../../engines/mime/index.ts';
import { nameOfRead } from './names.ts';
import type { Source } from './source.ts';

/** A source as JSON: HTML as UTF-8, or a whole message, in base64. */
export interface StoredSource {
  kind: Source['kind'];
  /** The URL of a page. */
  url: string | null;
  body: string;
  /** What lists call it. */
  name?: string;
}

/** What a check is made on: the HTML untouched, so that lines and columns are those of the source. */
export interface CheckedMessage {
  kind: Source['kind'];
  html: string;
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
  rawBytes: number;
  /** Charsets that are missing or wrong in a whole message, a sentence each. */
  charsetProblems: string[];
  /** A whole message as it was given. */
  raw: Buffer | undefined;
}

export function storable(source: Source): StoredSource {
  return { kind: source.kind, url: source.url, body: source.body.toString('base64'), name: nameOfRead(source) };
}

/** Reads a stored source into what checks look at; a message without HTML has an empty one. */
export async function readMessage(source: StoredSource): Promise<CheckedMessage> {
  const body = Buffer.from(source.body, 'base64');
  const given = { kind: source.kind, baseUrl: source.url ?? undefined, rawBytes: body.length };
  if (source.kind !== 'mime')
    return {
      ...given,
      html: body.toString('utf8'),
      text: undefined,
      subject: undefined,
      headers: {},
      headerList: [],
      inline: [],
      located: [],
      charsetProblems: [],
      raw: undefined,
    };
  const { html = '', text, subject, headers, headerList, inline, located, charsetProblems } = await parseMime(body);
  return { ...given, html, text, subject, headers, headerList, inline, located, charsetProblems, raw: body };
}
