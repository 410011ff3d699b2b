// The fields of a message that stand beside its source: a subject and header fields, none of which may hold another
// one.
import type { Static } from 'typebox';
import { mergeDataFault, type MergeData, type TemplateFault } from '../../../engines/mail-template/index.ts';
import { decodeText } from '../../../engines/mime/index.ts';
import { invalid, type AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { fillLine } from './computations.ts';
import type { SourceBody } from './contract.ts';

const FIELDS_MAX = 100;
const VALUE_LENGTH_MAX = 5000;

/**
 * Text that becomes one header field. Throws `invalid_request` naming the field: a line break would begin another one.
 */
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
    if (/[\r\n\0]/.test(value) || value.length > VALUE_LENGTH_MAX)
      throw invalid(field, `has a value with line breaks, or of more than ${VALUE_LENGTH_MAX} characters.`);
  }
  return headers;
}

/** A text with data in place of its merge tags; a line stays one. Throws `invalid_request` naming the field. */
export async function fillField(
  { compute }: Pick<Outside, 'compute'>,
  given: { field: string; text: string; data: unknown; isLine?: boolean },
): Promise<string> {
  const { field, text, data, isLine = true } = given;
  if (data === null || data === undefined || text === '') return text;
  const filled = await compute.run(fillLine, { text, data: readData(data) }, { urgency: 'answer' });
  if (!filled.ok) throw templateFault(field, filled.fault);
  return isLine ? filled.text.replaceAll(/[\r\n]+/g, ' ') : filled.text;
}

/** Throws `invalid_request`. */
export function readData(data: unknown): MergeData {
  const fault = mergeDataFault(data);
  if (fault !== undefined) throw invalid('data', fault);
  return data as MergeData;
}

/** The error for a template that cannot be filled. */
export function templateFault(field: string, { problem, line }: TemplateFault): AppError {
  return invalid(field, `is no template that can be filled${line === null ? '' : `, line ${line}`}: ${problem}`);
}

type Encoded = Pick<Static<typeof SourceBody>, 'transfer_encoding' | 'charset' | 'data'>;

/**
 * The subject of a request: encoded as its source is, filled with its data. Throws `invalid_request` naming the field.
 */
export function readSubject(outside: Pick<Outside, 'compute'>, subject: string, given: Encoded): Promise<string> {
  const { transfer_encoding: transferEncoding, charset, data } = given;
  const read = decodeText({
    text: subject,
    transferEncoding: transferEncoding ?? '8bit',
    charset: charset ?? undefined,
  });
  if ('why' in read) throw invalid('field' in read ? read.field : 'subject', `${read.why}.`);
  return fillField(outside, { field: 'subject', text: readLine('subject', read.text), data });
}
