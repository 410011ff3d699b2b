// What reading an email computes; each runs where it can be ended.
import { countCompletedByPage, findAssets, findStyleAssets, resolveCids } from '../../../engines/html/index.ts';
import { fillEmail, fillMergeTags, type MergeData } from '../../../engines/mail-template/index.ts';
import {
  decodeBytes,
  decodeHtml,
  parseMime,
  type Decoded,
  type DecodedHtml,
  type EncodedHtml,
  type ParsedMail,
} from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import { HTML_BYTES_MAX } from './contract.ts';
import { bufferOf, readHtml, readMessage, readMime, type StoredSource } from './stored.ts';

const here = import.meta.url;

/** Headers worth keeping of a message that arrived by mail. */
const KEPT = /^(x-|from$|to$|date$|list-)/;
const HEADERS_MAX = 50;

export function refuseLarge(field: string, bytes: number): void {
  if (bytes > HTML_BYTES_MAX)
    throw new AppError(
      'too_large',
      `${field} is ${bytes} bytes of HTML; at most ${HTML_BYTES_MAX} (5 MiB) are accepted.`,
      { details: { field } },
    );
}

/** What is asked of a whole message before it is taken. Throws `invalid_request` when nothing in it can be shown. */
export const glanceAtMime = defineComputation(here, 'glanceAtMime', async (raw: Uint8Array) => {
  const mail = await readMime(bufferOf(raw));
  if (!mail.html && !mail.text)
    throw invalid(
      'mime',
      mail.problems.length ? `cannot be read: ${mail.problems.join(' ')}` : 'has neither an HTML nor a text part.',
    );
  if (mail.html) refuseLarge('mime', Buffer.byteLength(mail.html));
  const headers = Object.entries(mail.headers)
    .filter(([name]) => KEPT.test(name.toLowerCase()))
    .slice(0, HEADERS_MAX);
  return { subject: mail.subject, headers: Object.fromEntries(headers) };
});

export const decodeSource = defineComputation(here, 'decodeSource', (given: EncodedHtml): DecodedHtml =>
  decodeHtml(given),
);

export const decodeRaw = defineComputation(here, 'decodeRaw', (given: Parameters<typeof decodeBytes>[0]): Decoded =>
  decodeBytes(given),
);

/** An email with data in place of its merge tags. */
export const fillSource = defineComputation(
  here,
  'fillSource',
  ({ body, kind, data }: { kind: StoredSource['kind']; body: Uint8Array; data: MergeData }) =>
    fillEmail({ kind, body: bufferOf(body) }, data),
);

export const fillLine = defineComputation(here, 'fillLine', ({ text, data }: { text: string; data: MergeData }) =>
  fillMergeTags(text, { data, as: 'text' }),
);

/** A whole message without the bytes of its parts. */
export const readMail = defineComputation(here, 'readMail', async (raw: Uint8Array): Promise<ParsedMail> => ({
  ...(await readMime(bufferOf(raw))),
  inline: [],
  located: [],
}));

/** Whether a whole message can be sent, and what it is called. */
export const glanceAtSendable = defineComputation(here, 'glanceAtSendable', async (raw: Uint8Array) => {
  const { html, text, from, subject } = await readMime(bufferOf(raw));
  return { hasBody: html !== undefined || text !== undefined, hasSender: from.length > 0, subject };
});

/** A message as it goes over the wire, where lines end with CRLF, and who sends it. */
export const readOnWire = defineComputation(here, 'readOnWire', async (raw: Uint8Array) => {
  const wire = Buffer.from(bufferOf(raw).toString('latin1').replace(/\r?\n/g, '\r\n'), 'latin1');
  const { from, headers } = await parseMime(wire);
  return { wire, sender: from[0]?.address, returnPath: headers['return-path'] };
});

/** A part that a message carries, at the address that the browser asks for. */
interface CarriedPart {
  url: string;
  contentType: string;
  body: Buffer;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An address that the browser asks for, for a part that a message carries itself. */
function inlineUrl(contentId: string): string {
  return `https://cid.mail.test/${encodeURIComponent(contentId)}`;
}

/** The HTML of a message, or its text, shown as text. */
function shownHtml({ html, text }: ParsedMail): string {
  return html ?? `<!doctype html><pre style="white-space:pre-wrap;font-family:inherit">${escapeHtml(text ?? '')}</pre>`;
}

/** What a whole message shows, with its `cid:` addresses as they were sent. */
export const shownAsSent = defineComputation(here, 'shownAsSent', async (raw: Uint8Array) =>
  shownHtml(await readMime(bufferOf(raw))),
);

/** What a whole message shows, with its `cid:` addresses pointing to its own parts, as a browser asks for them. */
export const unpackMime = defineComputation(here, 'unpackMime', async (raw: Uint8Array) => {
  const mail = await readMime(bufferOf(raw));
  const html = shownHtml(mail);
  const known = new Set(mail.inline.map((part) => part.contentId));
  const parts = [
    ...mail.inline.map((part) => ({ ...part, url: inlineUrl(part.contentId) })),
    ...mail.located.map((part) => ({ ...part, url: part.contentLocation })),
  ];
  const carried: CarriedPart[] = parts.flatMap(({ url, contentType, body }) =>
    URL.canParse(url) ? [{ url: new URL(url).href, contentType, body }] : [],
  );
  return {
    html: resolveCids(html, (id) => (known.has(id) ? inlineUrl(id) : undefined)),
    subject: mail.subject,
    headers: mail.headers,
    carried,
  };
});

/** Addresses of what a document shows, in its order. */
export const assetUrls = defineComputation(
  here,
  'assetUrls',
  ({ html, baseUrl }: { html: string; baseUrl: string | undefined }) =>
    findAssets(html, baseUrl, readHtml(html).document).map(({ url }) => url),
);

/** How many addresses of images and links only the page that they were read from completes. */
export const relativeAddresses = defineComputation(here, 'relativeAddresses', (html: string) =>
  countCompletedByPage(html, readHtml(html).document),
);

/** Addresses of what style sheets show, by their own addresses. */
export const styleAssetUrls = defineComputation(
  here,
  'styleAssetUrls',
  (sheets: readonly { url: string; body: Uint8Array }[]) =>
    sheets.flatMap(({ url, body }) => findStyleAssets(bufferOf(body).toString('utf8'), url).map((asset) => asset.url)),
);

/** The HTML of a stored source, and its size as it was given. */
export const htmlOf = defineComputation(here, 'htmlOf', async (source: StoredSource) => {
  const { html, kind, rawBytes } = await readMessage(source);
  return { html, kind, rawBytes };
});
