// Long JSON bodies: read in parts, with a turn for other requests between them.
import { randomUUID } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { AppError } from '../errors/index.ts';

/**
 * What a long body may hold in all. Parsing it takes longer the more there is of these, and others wait meanwhile; a
 * text, however long, is one value.
 */
const MEMBERS_MAX = 50_000;
const VALUES_MAX = 1_000_000;
/** So much is counted, or read of a text, before others have their turn. */
const COUNTED_BYTES = 64 * 1024;
const SLICE_BYTES = 256 * 1024;
/** A longer text, the value of a member of the body itself, is read by itself. */
const LONG_TEXT_BYTES = 64 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH, LETTER_U] = [0x22, 0x2c, 0x3a, 0x5c, 0x75];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Where something stands in a body. */
type Range = readonly [start: number, end: number];

/** Counts what a body holds, part by part. */
class Census {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  /** Where the last text begins; it is open while its end is not known. */
  #textStart = 0;
  #textEnd = 0;
  /** A value of the body itself comes next. */
  #isMember = false;
  members = 0;
  values = 0;
  /** Where the name of that member of the body stands which is being counted. */
  field: Range | undefined;
  /** Long texts that are values of the body itself, without their quotes. */
  readonly longTexts: Range[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length || this.isTooMuch;
  }

  get isTooMuch(): boolean {
    return this.members > MEMBERS_MAX || this.values > VALUES_MAX;
  }

  /** What there is too much of, in words. */
  get excess(): string {
    return this.members > MEMBERS_MAX ? `members of objects; at most ${MEMBERS_MAX}` : `values; at most ${VALUES_MAX}`;
  }

  /** Counts so many bytes further, or as far as there is not too much. */
  count(length: number): void {
    const end = Math.min(this.#at + length, this.#bytes.length);
    while (this.#at < end && !this.isTooMuch) {
      if (this.#textEnd < this.#textStart) this.#skipText(end);
      else this.#look(this.#bytes[this.#at++]);
    }
  }

  /** Most of a long body is text. */
  #skipText(end: number): void {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < end) {
      const byte = bytes[at++];
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        this.#endText(at);
        break;
      }
    }
    this.#at = at;
  }

  #endText(end: number): void {
    this.#textEnd = end;
    if (this.#isMember && end - 1 - this.#textStart > LONG_TEXT_BYTES) this.longTexts.push([this.#textStart, end - 1]);
    this.#isMember = false;
  }

  #look(byte: number | undefined): void {
    if (byte === QUOTE) this.#textStart = this.#at;
    else if (byte === COMMA) {
      this.values += 1;
      this.#isMember = false;
    } else if (byte === COLON) {
      this.members += 1;
      this.#isMember = this.#depth === 1;
      if (this.#isMember) this.field = [this.#textStart - 1, this.#textEnd];
    } else if (byte === ARRAY || byte === OBJECT) {
      this.values += 1;
      this.#depth += 1;
      this.#isMember = false;
    } else if (byte === ARRAY_END || byte === OBJECT_END) this.#depth -= 1;
  }
}

/**
 * Looks through a long body before it is decoded. Throws `invalid_request` naming the field in which there is too much.
 * Others have their turn in between.
 */
async function countBody(bytes: Buffer): Promise<Census> {
  const census = await censusOf(bytes);
  if (!census.isTooMuch) return census;
  const name = census.field && nameIn(bytes.toString('utf8', ...census.field));
  throw tooMuch(name, `${name ?? 'The body'} holds too many ${census.excess} are accepted in a body.`);
}

async function censusOf(bytes: Buffer): Promise<Census> {
  const census = new Census(bytes);
  while (!census.isDone) {
    await turn();
    census.count(COUNTED_BYTES);
  }
  return census;
}

function tooMuch(field: string | undefined, message: string): AppError {
  return new AppError('invalid_request', message, field === undefined ? {} : { details: { field } });
}

/**
 * Looks through JSON in a field of a form before it is parsed, as through a long body. Throws `invalid_request` naming
 * the field when there is too much in it.
 */
export async function admitJsonField(field: string, json: string): Promise<void> {
  if (json.length <= LONG_TEXT_BYTES) return;
  const census = await censusOf(Buffer.from(json));
  if (census.isTooMuch) throw tooMuch(field, `${field} holds too many ${census.excess} are accepted in it.`);
}

/** A name as a body writes it; undefined: it is no JSON. */
function nameIn(written: string): string | undefined {
  try {
    return String(JSON.parse(written)).slice(0, 100);
  } catch {
    return undefined;
  }
}

const ESCAPED_NULL = String.raw`\u0000`;

/** Whether U+0000 stands nowhere in the JSON, which has no other way to write it. */
export function hasNoNull(json: string): boolean {
  return !json.includes(ESCAPED_NULL);
}

/** Whether the byte follows an odd number of backslashes, which is one that escapes it. */
function isEscaped(bytes: Buffer, at: number, from: number): boolean {
  let count = 0;
  while (at - count > from && bytes[at - count - 1] === BACKSLASH) count += 1;
  return count % 2 === 1;
}

/** Whether a text cannot be cut before the byte: it belongs to a character, or to an escape, that begins earlier. */
function isInside(bytes: Buffer, at: number, from: number): boolean {
  if (((bytes[at] as number) & 0xc0) === 0x80 || isEscaped(bytes, at, from)) return true;
  return [1, 2, 3, 4].some((back) => bytes[at - back] === LETTER_U && isEscaped(bytes, at - back, from));
}

/** The end of the next part of a text: no character and no escape is cut. */
function partEnd(bytes: Buffer, from: number, end: number): number {
  if (end - from <= SLICE_BYTES) return end;
  let at = from + SLICE_BYTES;
  while (isInside(bytes, at, from)) at -= 1;
  return at;
}

/** Throws `invalid_request` for what is no text in JSON. */
function readPart(json: string): string {
  try {
    return JSON.parse(`"${json}"`) as string;
  } catch (cause) {
    throw new AppError('invalid_request', 'The body is not valid JSON.', { cause });
  }
}

interface LongBody {
  /** The body with a mark in place of each of its long texts. */
  text: string;
  /** The long texts by their marks. */
  texts: ReadonlyMap<string, string>;
  hasNoNull: boolean;
}

/** Reads the long texts of a body, UTF-8, and what is left to parse. Throws `invalid_request`. */
export async function readLongBody(bytes: Buffer): Promise<LongBody> {
  const { longTexts } = await countBody(bytes);
  const texts = new Map<string, string>();
  const pieces: string[] = [];
  let isWithoutNull = true;
  let at = 0;
  for (const [start, end] of longTexts) {
    const parts: string[] = [];
    for (let from = start; from < end;) {
      const to = partEnd(bytes, from, end);
      const json = bytes.toString('utf8', from, to);
      isWithoutNull &&= hasNoNull(json);
      parts.push(readPart(json));
      from = to;
      await turn();
    }
    const mark = randomUUID();
    texts.set(mark, parts.join(''));
    pieces.push(bytes.toString('utf8', at, start), mark);
    at = end;
  }
  const text = [...pieces, bytes.toString('utf8', at)].join('');
  return { text, texts, hasNoNull: isWithoutNull && hasNoNull(text) };
}

/** The parsed body with its long texts in place of their marks. */
export function withTexts(body: unknown, texts: LongBody['texts']): unknown {
  if (texts.size === 0 || typeof body !== 'object' || body === null) return body;
  for (const [name, value] of Object.entries(body)) {
    const text = typeof value === 'string' ? texts.get(value) : undefined;
    if (text !== undefined) (body as Record<string, unknown>)[name] = text;
  }
  return body;
}
