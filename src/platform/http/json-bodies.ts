// JSON bodies: UTF-8 and nothing else (RFC 8259 §8.1). Decoding others would replace characters without a word.
import { isUtf8 } from 'node:buffer';
import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/index.ts';

const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

const ESCAPED_NULL = String.raw`\u0000`;

/** Parsing such a body takes milliseconds. */
export const LONG_BODY_BYTES = 250_000;

/**
 * What a long body may hold in all. Parsing it takes longer the more there is of these, and others wait meanwhile; a
 * text, however long, is one value.
 */
const MEMBERS_MAX = 50_000;
const VALUES_MAX = 1_000_000;
const SLICE_BYTES = 256 * 1024;

const [QUOTE, COMMA, COLON, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5c];
const [ARRAY, ARRAY_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts what a body holds, part by part. */
class Census {
  readonly #bytes: Buffer;
  #at = 0;
  #depth = 0;
  /** Where the last text begins; it is open while its end is not known. */
  #textStart = 0;
  #textEnd = 0;
  members = 0;
  values = 0;
  /** Where the name of that member of the body stands which is being counted. */
  field: readonly [start: number, end: number] | undefined;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isDone(): boolean {
    return this.#at >= this.#bytes.length || this.isTooMuch;
  }

  get isTooMuch(): boolean {
    return this.members > MEMBERS_MAX || this.values > VALUES_MAX;
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
        this.#textEnd = at;
        break;
      }
    }
    this.#at = at;
  }

  #look(byte: number | undefined): void {
    if (byte === QUOTE) this.#textStart = this.#at;
    else if (byte === COMMA) this.values += 1;
    else if (byte === COLON) {
      this.members += 1;
      if (this.#depth === 1) this.field = [this.#textStart - 1, this.#textEnd];
    } else if (byte === ARRAY || byte === OBJECT) {
      this.values += 1;
      this.#depth += 1;
    } else if (byte === ARRAY_END || byte === OBJECT_END) this.#depth -= 1;
  }
}

/**
 * Looks through a long body before it is parsed. Throws `invalid_request` naming the field in which there is too much.
 * Others have their turn in between.
 */
async function refuseTooMuch(bytes: Buffer): Promise<void> {
  const census = new Census(bytes);
  while (!census.isDone) {
    census.count(SLICE_BYTES);
    await turn();
  }
  if (!census.isTooMuch) return;
  const name = census.field && nameIn(bytes.toString('utf8', ...census.field));
  const [max, what] = census.members > MEMBERS_MAX ? [MEMBERS_MAX, 'members of objects'] : [VALUES_MAX, 'values'];
  throw new AppError(
    'invalid_request',
    `${name ?? 'The body'} holds too many ${what}; at most ${max} are accepted in a body.`,
    name === undefined ? {} : { details: { field: name } },
  );
}

/** A name as a body writes it; undefined: it is no JSON. */
function nameIn(written: string): string | undefined {
  try {
    return String(JSON.parse(written)).slice(0, 100);
  } catch {
    return undefined;
  }
}

/**
 * Names that a parsed value must not have stand in its text as they are, or with a letter escaped; looking through
 * megabytes for all ways to escape them takes as long as parsing.
 */
function maySetPrototype(text: string): boolean {
  return text.includes('__proto__') || text.includes('constructor') || text.includes(String.raw`\u00`);
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Its body is JSON, and U+0000 stands nowhere in it. */
    hasNoNull: boolean;
  }
}

/** Refuses JSON in another charset than UTF-8, by its declaration or by its bytes. */
export function acceptJson(app: FastifyInstance): void {
  app.decorateRequest('hasNoNull', false);
  const parseCarefully = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const charset = charsetOf(request.headers['content-type'] ?? '');
    const bytes = body as Buffer;
    if (charset !== undefined && !UTF8_NAMES.has(charset))
      return done(
        new AppError('invalid_request', `The body is declared as ${charset.slice(0, 40)}; send JSON in UTF-8.`),
      );
    if (!isUtf8(bytes))
      return done(new AppError('invalid_request', 'The body is not valid UTF-8; send JSON in UTF-8.'));
    const text = bytes.toString('utf8');
    const parse = (): void => {
      if (text === '' || maySetPrototype(text)) return void parseCarefully(request, text, done);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return void parseCarefully(request, text, done);
      }
      done(null, value);
    };
    // JSON has no other way to write it: the character itself must not stand in a text.
    request.hasNoNull = !text.includes(ESCAPED_NULL);
    // Other requests get their turn in between.
    if (bytes.length > LONG_BODY_BYTES) void refuseTooMuch(bytes).then(parse, done);
    else parse();
  });
}
