// What tells contents apart, computed where it can be ended.
import { createHash, type Hash } from 'node:crypto';
import { defineComputation } from '../../../platform/compute/index.ts';
import type { MessageContent } from '../messages/index.ts';

/** Fields of a whole message that differ from one recipient to the next of the same campaign. */
const OF_ONE_COPY = /^(?:to|cc|bcc|date|message-id|received|return-path|dkim-signature|x-mailgun-.*)$/;

/** Lengths stand between, so that what ends one text begins no other. */
function add(hash: Hash, ...values: readonly (string | Uint8Array | undefined)[]): void {
  for (const value of values) {
    const bytes = typeof value === 'string' ? Buffer.from(value) : value;
    hash.update(`${bytes === undefined ? '-' : bytes.length}:`);
    if (bytes) hash.update(bytes);
  }
}

/** A whole message without what belongs to one copy: those fields, and the names that its parts are set apart by. */
function campaignOf(raw: Uint8Array): string {
  const text = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const header = end < 0 ? text : text.slice(0, end);
  const fields = header.split(/\r\n(?![ \t])/).filter((field) => {
    const colon = field.indexOf(':');
    return !OF_ONE_COPY.test(field.slice(0, Math.max(0, colon)).trim().toLowerCase());
  });
  const body = end < 0 ? '' : text.slice(end);
  const boundaries = [...text.matchAll(/boundary="?([^\s";]{8,70})/gi)].map(([, name]) => name as string);
  return boundaries
    .slice(0, 20)
    .reduce((all, boundary, place) => all.replaceAll(boundary, `part ${place}`), fields.join('\r\n') + body);
}

/** A digest that messages share which differ in their recipients alone. */
export const digestContent = defineComputation(
  import.meta.url,
  'digestContent',
  async ({ content, beside }: { content: MessageContent; beside: string }): Promise<string> => {
    const hash = createHash('sha256');
    add(hash, beside);
    if (content.kind === 'mime') add(hash, campaignOf(content.raw));
    else {
      const { from, subject, text, html, ampHtml, headers, attachments, inline } = content;
      add(hash, from.name, from.address, subject, text, html, ampHtml);
      for (const { name, value } of headers) add(hash, name, value);
      for (const { name, contentType, body } of [...attachments, ...inline]) add(hash, name, contentType, body);
    }
    return hash.digest('hex');
  },
);
