// What reading a message that came computes; each runs where it can be ended.
import { resolveCids, textOf } from '../../../engines/html/index.ts';
import { parseAddressList, parseMime, readAttachments } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { SHOWN_LENGTH_MAX } from './contract.ts';
import { comparable } from './comparable.ts';
import { broughtTags, keptTags } from './tags.ts';

const here = import.meta.url;

const WORDS_LENGTH_MAX = 20_000;
const HEADER_LENGTH_MAX = 20_000;
const LINE_LENGTH_MAX = 1000;
const EXCERPT_LENGTH_MAX = 200;
/** Pictures of a message as they are shown with it. */
const PICTURES_LENGTH_MAX = 20 * 1024 * 1024;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const plainOf = (text: string): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed();

interface ArrivedFacts {
  headerFrom: string;
  headerTo: string;
  subject: string;
  excerpt: string;
  attachmentCount: number;
  /** Of them, those that stand within the message. */
  inlineCount: number;
  tags: string[];
}

interface Arrived {
  facts: ArrivedFacts;
  search: Record<'addresses' | 'words' | 'header', string>;
}

interface Arriving {
  raw: Uint8Array;
  recipients: readonly string[];
  /** That were given with it. */
  tags: readonly string[];
}

/** What lists show of a message, and what is searched in. Nothing is refused: what cannot be read is shown as it is. */
export const readArrived = defineComputation(
  here,
  'readArrived',
  async ({ raw, recipients, tags }: Arriving): Promise<Arrived> => {
    const mail = await parseMime(bufferOf(raw));
    const { headers, headerList, subject, text, html } = mail;
    const line = (value = ''): string => plainOf(value).slice(0, LINE_LENGTH_MAX);
    const ofHtml = html === undefined ? '' : textOf(html.slice(0, SHOWN_LENGTH_MAX));
    const shown = plainOf(text ?? ofHtml);
    const named = ['to', 'cc'].flatMap((name) => parseAddressList(headers[name] ?? '').mailboxes);
    const all = new Set([...recipients, ...named.map(({ address }) => address)].map(comparable));
    return {
      facts: {
        headerFrom: line(headers['from']),
        headerTo: line(headers['to']),
        subject: line(subject),
        excerpt: shown.replaceAll(/\s+/g, ' ').trim().slice(0, EXCERPT_LENGTH_MAX),
        attachmentCount: mail.attachments.length + mail.inline.length + mail.located.length,
        inlineCount: mail.inline.length + mail.located.length,
        tags: keptTags([...tags, ...broughtTags({ headers: headerList, recipients })]),
      },
      search: {
        addresses: plainOf(`\n${[...all].join('\n')}\n`),
        words: `${shown.slice(0, WORDS_LENGTH_MAX)}\n${plainOf(ofHtml).slice(0, WORDS_LENGTH_MAX)}`.toLowerCase(),
        header: plainOf(headerList.map(({ name, value }) => `${name}: ${value}`).join('\n'))
          .slice(0, HEADER_LENGTH_MAX)
          .toLowerCase(),
      },
    };
  },
);

interface ReadParts {
  html: string | null;
  text: string | null;
  headers: { name: string; value: string }[];
  attachments: { name: string; contentType: string; contentId: string; sizeBytes: number }[];
  /** Sentences. */
  problems: string[];
}

function shortened(what: string, text: string | undefined, problems: string[]): string | null {
  if (text === undefined) return null;
  if (text.length > SHOWN_LENGTH_MAX)
    problems.push(
      `The ${what} has ${text.length} characters, of which the first ${SHOWN_LENGTH_MAX} are shown; its source has all.`,
    );
  return plainOf(text.slice(0, SHOWN_LENGTH_MAX));
}

/** A message as it reads. */
export const readParts = defineComputation(here, 'readParts', async (raw: Uint8Array): Promise<ReadParts> => {
  const { html, text, headerList, problems } = await parseMime(bufferOf(raw));
  const { attachments } = await readAttachments(bufferOf(raw));
  const all = problems.map(plainOf);
  return {
    html: shortened('HTML', html, all),
    text: shortened('text', text, all),
    headers: headerList.map(({ name, value }) => ({ name: plainOf(name), value: plainOf(value) })),
    attachments: attachments.map(({ name, contentType, contentId, body }) => ({
      name: plainOf(name),
      contentType: plainOf(contentType),
      contentId: plainOf(contentId),
      sizeBytes: body.length,
    })),
    problems: all,
  };
});

/** One file of a message, by its place among them. */
export const readFile = defineComputation(
  here,
  'readFile',
  async ({ raw, number }: { raw: Uint8Array; number: number }) => {
    const { attachments } = await readAttachments(bufferOf(raw));
    const file = attachments[number];
    return file && { name: plainOf(file.name), contentType: file.contentType, body: file.body };
  },
);

/** The HTML with the pictures that the message itself carries; undefined when it has none. */
export const readShown = defineComputation(here, 'readShown', async (raw: Uint8Array): Promise<string | undefined> => {
  const { html, inline } = await parseMime(bufferOf(raw));
  if (html === undefined) return undefined;
  let left = PICTURES_LENGTH_MAX;
  const urls = new Map<string, string>();
  for (const { contentId, contentType, body } of inline) {
    if (!/^image\/[a-z0-9.+-]+$/i.test(contentType) || body.length > left) continue;
    left -= body.length;
    urls.set(contentId, `data:${contentType};base64,${body.toString('base64')}`);
  }
  return resolveCids(html.slice(0, SHOWN_LENGTH_MAX), (id) => urls.get(id));
});
