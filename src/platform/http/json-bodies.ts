// JSON bodies: UTF-8 and nothing else (RFC 8259 §8.1). Decoding others would replace characters without a word.
import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors/index.ts';
import { hasNoNull, readLongBody, withTexts } from './long-bodies.ts';

const UTF8_NAMES = new Set(['utf-8', 'utf8', 'us-ascii', 'ascii']);

function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1]?.toLowerCase();
}

/** Parsing such a body takes milliseconds. */
export const LONG_BODY_BYTES = 250_000;

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
    const parse = (text: string, parsed: typeof done): void => {
      if (text === '' || maySetPrototype(text)) return void parseCarefully(request, text, parsed);
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        return void parseCarefully(request, text, parsed);
      }
      parsed(null, value);
    };
    if (bytes.length <= LONG_BODY_BYTES) {
      const text = bytes.toString('utf8');
      request.hasNoNull = hasNoNull(text);
      return parse(text, done);
    }
    void readLongBody(bytes).then((body) => {
      request.hasNoNull = body.hasNoNull;
      parse(body.text, (error, value) => (error ? done(error) : done(null, withTexts(value, body.texts))));
    }, done);
  });
}
