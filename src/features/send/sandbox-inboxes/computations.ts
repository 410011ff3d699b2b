// What reading a message that came computes; each runs where it can be ended.
import { resolveCids, textOf } from '../../../engines/html/index.ts';
import {
  parseAddressList,
  parseMime,
  parseMimeStream,
  readAttachments,
  type ParsedMail,
} from '../../../engines/mime/index.ts';
import { readImage } from '../../../engines/images/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { thumbnailOf } from '../../../platform/images/index.ts';
import { intoNewFile, piecesOf } from '../../../platform/passing-files/index.ts';
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

export interface Arrived {
  facts: ArrivedFacts;
  search: Record<'addresses' | 'words' | 'header', string>;
}

interface Arriving {
  raw: Uint8Array;
  recipients: readonly string[];
  /** That were given with it. */
  tags: readonly string[];
}

function arrivedOf(mail: ParsedMail, { recipients, tags }: Omit<Arriving, 'raw'>): Arrived {
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
}

/** What lists show of a message, and what is searched in. Nothing is refused: what cannot be read is shown as it is. */
export const readArrived = defineComputation(
  here,
  'readArrived',
  async ({ raw, ...given }: Arriving): Promise<Arrived> => arrivedOf(await parseMime(bufferOf(raw)), given),
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

type File = ReadParts['attachments'][number];

function partsOf({ html, text, headerList, problems }: ParsedMail, files: readonly File[]): ReadParts {
  const all = problems.map(plainOf);
  return {
    html: shortened('HTML', html, all),
    text: shortened('text', text, all),
    headers: headerList.map(({ name, value }) => ({ name: plainOf(name), value: plainOf(value) })),
    attachments: files.map(({ name, contentType, contentId, sizeBytes }) => ({
      name: plainOf(name),
      contentType: plainOf(contentType),
      contentId: plainOf(contentId),
      sizeBytes,
    })),
    problems: all,
  };
}

/** A message as it reads. */
export const readParts = defineComputation(here, 'readParts', async (raw: Uint8Array): Promise<ReadParts> => {
  const { attachments } = await readAttachments(bufferOf(raw));
  const files = attachments.map(({ body, ...file }) => ({ ...file, sizeBytes: body.length }));
  return partsOf(await parseMime(bufferOf(raw)), files);
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

/** Decoding holds four bytes a pixel. */
const THUMBNAIL_PIXELS_MAX = 25_000_000;
const THUMBNAIL = { width: 180, height: 120 };
const THUMBNAIL_FORMATS = ['png', 'jpeg', 'gif', 'webp', 'avif'];

/** A small JPEG of one file of a message, or a sentence about why there is none. Undefined: there is no such file. */
export const readThumbnail = defineComputation(
  here,
  'readThumbnail',
  async ({ raw, number }: { raw: Uint8Array; number: number }) => {
    const { attachments } = await readAttachments(bufferOf(raw));
    const body = attachments[number]?.body;
    if (!body) return undefined;
    const { format, width, height } = readImage(body);
    if (format === null || !THUMBNAIL_FORMATS.includes(format))
      return {
        fault: `The file with the number ${number} is no picture: PNG, JPEG, GIF, WebP and AVIF have thumbnails.`,
      };
    if (width * height > THUMBNAIL_PIXELS_MAX)
      return { fault: `The picture has ${width} by ${height} pixels; thumbnails are made of up to 25 megapixels.` };
    const jpeg = await thumbnailOf(body, THUMBNAIL);
    return jpeg ? { jpeg } : { fault: `The picture with the number ${number} is damaged.` };
  },
);

function shownOf({ html, inline }: ParsedMail): string | undefined {
  if (html === undefined) return undefined;
  let left = PICTURES_LENGTH_MAX;
  const urls = new Map<string, string>();
  for (const { contentId, contentType, body } of inline) {
    // Of a message that came in a file, large ones are left out.
    if (!/^image\/[a-z0-9.+-]+$/i.test(contentType) || body.length === 0 || body.length > left) continue;
    left -= body.length;
    urls.set(contentId, `data:${contentType};base64,${body.toString('base64')}`);
  }
  return resolveCids(html.slice(0, SHOWN_LENGTH_MAX), (id) => urls.get(id));
}

/** The HTML with the pictures that the message itself carries; undefined when it has none. */
export const readShown = defineComputation(here, 'readShown', async (raw: Uint8Array) =>
  shownOf(await parseMime(bufferOf(raw))),
);

/** What is kept beside a message that came in a file. */
export interface ReadLarge {
  parts: ReadParts;
  shown: string | undefined;
}

/** The same of a message in a file, all at once. */
export const readLarge = defineComputation(
  here,
  'readLarge',
  async ({ path, ...given }: Omit<Arriving, 'raw'> & { path: string }): Promise<Arrived & { read: ReadLarge }> => {
    const mail = await parseMimeStream(piecesOf(path), { keptBytesMax: PICTURES_LENGTH_MAX });
    return { ...arrivedOf(mail, given), read: { parts: partsOf(mail, mail.files), shown: shownOf(mail) } };
  },
);

/** Writes one file of a message in a file to where it is wanted. */
export const extractFile = defineComputation(
  here,
  'extractFile',
  async ({ path, number, to }: { path: string; number: number; to: string }): Promise<void> => {
    const into = (one: number) => (one === number ? intoNewFile(to) : undefined);
    await parseMimeStream(piecesOf(path), { keptBytesMax: 0, into });
  },
);
