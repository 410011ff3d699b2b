// What lists call an inspection.
import { nameOfEmail } from '../../../engines/html/index.ts';
import type { Source } from './source.ts';
import type { StoredSource } from './stored.ts';

/** A title stands at the beginning. */
const HEAD_BYTES_MAX = 100_000;

/**
 * The subject of a message, the title of HTML, the name that was given with it, or where it was read from. Never empty.
 */
export function nameOfRead({ kind, body, subject, name, url }: Source): string {
  const html = kind === 'mime' ? '' : body.toString('utf8', 0, HEAD_BYTES_MAX);
  return nameOfEmail({ subject, html, fileName: name, url });
}

/** The subject that was given with a source, or the source's own name. Never empty. */
export function nameOfSource({ name, subject }: Pick<StoredSource, 'name'> & { subject?: string }): string {
  return nameOfEmail({ subject, fileName: name });
}

/** The first address of a list, and how many follow. */
export function nameOfAddresses(urls: readonly string[]): string {
  const first = urls[0]?.trim() ?? '';
  const more = urls.length > 1 ? ` and ${urls.length - 1} more` : '';
  // What is secret stands in a query, or before the host.
  const place = nameOfEmail(
    /^[a-z][\w+.-]*:\/\//i.test(first) ? { url: first } : { fileName: first.split(/[?#]/, 1)[0] },
  );
  return nameOfEmail({ given: place + more });
}
