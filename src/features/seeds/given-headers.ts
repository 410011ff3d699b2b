// Header fields that a caller gives to a test's message.
import { isOwnField } from '../../engines/mime/index.ts';
import { invalid } from '../../platform/errors/index.ts';

const FIELDS_MAX = 100;
const VALUE_LENGTH_MAX = 5000;

/** Checks fields; throws `invalid_request` naming the one that the message cannot have. */
export function readHeaders(headers: Record<string, string>): Record<string, string> {
  if (Object.keys(headers).length > FIELDS_MAX) throw invalid('headers', `holds more than ${FIELDS_MAX} fields.`);
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[!-9;-~]{1,76}$/.test(name)) throw invalid(`headers.${name.slice(0, 80)}`, 'is not the name of a header field.');
    if (isOwnField(name) || /^x-galley-seed$/i.test(name)) throw invalid(`headers.${name}`, 'is set by the test itself.');
    if (/[\r\n\0]/.test(value) || value.length > VALUE_LENGTH_MAX) throw invalid(`headers.${name}`, `has a value with line breaks, or of more than ${VALUE_LENGTH_MAX} characters.`);
  }
  return headers;
}
