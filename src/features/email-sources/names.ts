// What lists call an inspection, worked out from the beginning of what it was given.
import { nameOfEmail } from '../../engines/html/index.ts';
import type { StoredSource } from './stored.ts';

/** In base64; a title or a subject stands before. */
const HEAD_LENGTH_MAX = 131_072;

/** The subject of a message's own header, as far as it is plain text. */
function subjectOf(head: string): string {
  const header = head.split(/\r?\n\r?\n/, 1)[0] ?? '';
  const subject = /^subject:[ \t]*(.*(?:\r?\n[ \t].*)*)/im.exec(header)?.[1] ?? '';
  return /=\?[^?]{1,40}\?[bq]\?/i.test(subject) ? '' : subject;
}

/** Subject or title, the name that was given with it, or where it was read from. Never empty. */
export function nameOfSource({ kind, body, url, name, subject }: StoredSource & { subject?: string }): string {
  const head = Buffer.from(body.slice(0, HEAD_LENGTH_MAX), 'base64').toString('utf8');
  return nameOfEmail({ subject: subject || (kind === 'mime' ? subjectOf(head) : ''), html: head, fileName: name, url });
}

/** Of a list of addresses: the first, and how many follow. */
export function nameOfAddresses(urls: readonly string[]): string {
  const [first = ''] = urls;
  const more = urls.length > 1 ? ` and ${urls.length - 1} more` : '';
  const name = nameOfEmail(/^https?:/i.test(first) ? { url: first } : { fileName: first });
  return nameOfEmail({ given: name + more });
}
