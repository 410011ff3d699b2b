// The fields of a form, each read with words of its own for what is wrong.
import { AppError } from '../../../platform/errors/index.ts';
import { isFile } from '../../../platform/http/index.ts';
import type { AttachedFile } from './content.ts';

export type Form = Record<string, unknown>;

/** The field is wrong. */
export function wrong(field: string, message: string): AppError {
  return new AppError('invalid_request', message, { details: { field } });
}

/** Every value of a field, which may be a text, a list of texts, or the text of a file part. Throws for anything else. */
export function textsOf(form: Form, field: string): string[] {
  if (!Object.hasOwn(form, field)) return [];
  return [form[field]].flat().map((value) => {
    if (typeof value === 'string') return value;
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    if (isFile(value)) return value.bytes.toString('utf8');
    if (value === null || value === undefined) return '';
    throw wrong(field, `${field} must be text.`);
  });
}

/** The one value of a field; undefined when it is not given, or empty. */
export function textOf(form: Form, field: string): string | undefined {
  const texts = textsOf(form, field).filter((text) => text !== '');
  if (texts.length > 1) throw wrong(field, `${field} is given ${texts.length} times; give it once.`);
  return texts[0];
}

const LINE_LENGTH_MAX = 4000;

/** The same, of one line. */
export function lineOf(form: Form, field: string): string | undefined {
  const text = textOf(form, field);
  if (text === undefined) return undefined;
  if (/[\r\n]/.test(text)) throw wrong(field, `${field} must be one line.`);
  if (text.length > LINE_LENGTH_MAX)
    throw wrong(field, `${field} has ${text.length} characters; at most ${LINE_LENGTH_MAX} are accepted.`);
  return text;
}

/** JSON of an object, such as `{"a": 1}`. */
export function objectOf(field: string, text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw wrong(field, `${field} is not valid JSON; give an object such as {"name": "value"}.`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong(field, `${field} must be a JSON object such as {"name": "value"}.`);
  return value as Record<string, unknown>;
}

const FILE_NAME_LENGTH_MAX = 255;

/** The files of a field, in their order. */
export function filesOf(form: Form, field: string): AttachedFile[] {
  if (!Object.hasOwn(form, field)) return [];
  return [form[field]].flat().flatMap((value) => {
    if (value === '' || value === null || value === undefined) return [];
    if (!isFile(value)) throw wrong(field, `${field} must be a file: a part with a file name of a multipart form.`);
    const name = (value.fileName || 'file').replaceAll(/[\r\n\0]/g, ' ').slice(0, FILE_NAME_LENGTH_MAX);
    return [{ name, contentType: value.mediaType || 'application/octet-stream', body: value.bytes }];
  });
}

/** The bytes of a field that is a file or a text. */
export function bytesOf(form: Form, field: string): Buffer | undefined {
  const given = [form[field]].flat().filter((value) => value !== undefined && value !== null && value !== '');
  if (given.length === 0) return undefined;
  if (given.length > 1) throw wrong(field, `${field} is given ${given.length} times; give it once.`);
  const [value] = given;
  if (isFile(value)) return value.bytes;
  if (typeof value === 'string') return Buffer.from(value);
  throw wrong(field, `${field} must be a file or text.`);
}
