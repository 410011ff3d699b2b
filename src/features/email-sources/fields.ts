// The fields of a message that stand beside its source: a subject and header fields, none of which may hold another one.
import type { Static } from 'typebox';
import { decodeText } from '../../engines/mime/index.ts';
import { invalid } from '../../platform/errors/index.ts';
import type { SourceBody } from './contract.ts';

const FIELDS_MAX = 100;
const VALUE_LENGTH_MAX = 5000;

/** Text that becomes one header field. Throws `invalid_request` naming the field: a line break would begin another one. */
export function readLine(field: string, text: string): string {
  if (/[\r\n]/.test(text)) throw invalid(field, 'must not hold a line break.');
  return text;
}

/** Checks header fields; throws `invalid_request` naming the one that no message can have. */
export function readHeaderFields(headers: Record<string, string>): Record<string, string> {
  if (Object.keys(headers).length > FIELDS_MAX) throw invalid('headers', `holds more than ${FIELDS_MAX} fields.`);
  for (const [name, value] of Object.entries(headers)) {
    const field = `headers.${name.slice(0, 80).replaceAll(/[\r\n]+/g, ' ')}`;
    if (!/^[!-9;-~]{1,76}$/.test(name)) throw invalid(field, 'is not the name of a header field.');
    if (/[\r\n\0]/.test(value) || value.length > VALUE_LENGTH_MAX) throw invalid(field, `has a value with line breaks, or of more than ${VALUE_LENGTH_MAX} characters.`);
  }
  return headers;
}

type Encoded = Pick<Static<typeof SourceBody>, 'transfer_encoding' | 'charset'>;

/** The subject of a request: encoded as its source is. Throws `invalid_request` naming the field. */
export function readSubject(subject: string, { transfer_encoding: transferEncoding, charset }: Encoded): string {
  const read = decodeText({ text: subject, transferEncoding: transferEncoding ?? '8bit', charset: charset ?? undefined });
  if ('why' in read) throw invalid('field' in read ? read.field : 'subject', `${read.why}.`);
  return readLine('subject', read.text);
}
