// Real addresses that messages of the sandbox leave for.
import { canonicalAddress } from '../../../engines/mime/index.ts';
import { invalid } from '../../../platform/errors/index.ts';

const SHOWN_LENGTH_MAX = 100;

/** Each once, in one form. Throws `invalid_request`, which names every one that is no address. */
export function readAddresses(field: string, given: readonly string[]): string[] {
  const read = given.map((text) => ({ text, address: canonicalAddress(text.trim()) }));
  const wrong = read.filter(({ address }) => address === undefined);
  if (wrong.length > 0) {
    const names = wrong.map(({ text }) => `"${text.slice(0, SHOWN_LENGTH_MAX)}"`).join(', ');
    throw invalid(
      field,
      `must be addresses such as ann@example.com; ${names} ${wrong.length === 1 ? 'is none' : 'are none'}.`,
    );
  }
  return [...new Set(read.flatMap(({ address }) => address ?? []))];
}
