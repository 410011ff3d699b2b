// Header fields that a caller gives to a test's message.
import { isOwnField } from '../../../engines/mime/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { readHeaderFields } from '../_message/index.ts';

/** Checks fields; throws `invalid_request` naming the one that the message cannot have. */
export function readHeaders(headers: Record<string, string>): Record<string, string> {
  for (const name of Object.keys(readHeaderFields(headers))) {
    if (isOwnField(name) || /^x-galley-seed$/i.test(name))
      throw invalid(`headers.${name}`, 'is set by the test itself.');
  }
  return headers;
}
