// What reading and composing messages computes; each runs where it can be ended.
import {
  compileMail,
  compileWhole,
  fillMail,
  hasUnsubscribeHole,
  withFooter,
  type CompiledMail,
  type Filling,
  type Tracking,
} from '../../../engines/mail-merge/index.ts';
import {
  composeMessage,
  isMailAddress,
  isOwnField,
  parseMime,
  readAttachments,
  replaceFields,
  type MailAddress,
  type OutgoingMessage,
} from '../../../engines/mime/index.ts';
import { stripHtml, stripText } from '../../../engines/replies/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import type { MessageContent, MessageParts } from './content.ts';
import type { AttachmentFacts, ListCopy } from './store.ts';
import { unsubscribeFields, type OneClick } from './unsubscribe-fields.ts';

const here = import.meta.url;

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Every line ends with CRLF; what else stands for a line's end becomes one, so that none can be smuggled past SMTP. */
function withLineEnds(given: Buffer): Buffer {
  const text = given.toString('latin1');
  return Buffer.from(text.replaceAll(/\r\n|\r|\n/g, '\r\n'), 'latin1');
}

interface WholeFacts {
  raw: Uint8Array;
  from: MailAddress[];
  to: MailAddress[];
  subject: string;
  messageId: string;
  attachments: AttachmentFacts[];
  isAmp: boolean;
  isUnsubscribable: boolean;
  /** A sentence: why it cannot be sent. */
  fault: string | undefined;
}

interface Given {
  bytes: Uint8Array;
  /** Put into its header, in place of those that bear their names. */
  fields: readonly { name: string; value: string }[];
}

/** What is asked of a whole message before it is taken. */
export const readWhole = defineComputation(here, 'readWhole', async ({ bytes, fields }: Given): Promise<WholeFacts> => {
  const raw = replaceFields(withLineEnds(bufferOf(bytes)), fields);
  const mail = await parseMime(raw);
  const fault = !mail.from.some(({ address }) => isMailAddress(address))
    ? 'message has no From field with an address; give a whole message (RFC 5322).'
    : mail.text === undefined && mail.html === undefined && mail.attachments.length === 0
      ? 'message has no content that can be read; give a whole message (RFC 5322, MIME).'
      : undefined;
  return {
    raw,
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    messageId: mail.headers['message-id'] ?? '',
    attachments: [...mail.attachments].map(({ name, contentType, sizeBytes }) => ({
      filename: name,
      'content-type': contentType,
      size: sizeBytes,
    })),
    isAmp: /^content-type:\s*text\/x-amp-html/im.test(raw.toString('latin1')),
    isUnsubscribable: [mail.text ?? '', mail.html ?? '', ...mail.headerList.map(({ value }) => value)].some(
      hasUnsubscribeHole,
    ),
    fault,
  };
});

/** How a message in parts is sent. */
interface Composing {
  content: MessageContent;
  /** With brackets. */
  messageId: string;
  date: Date;
}

function outgoingOf(parts: MessageParts, { messageId, date }: Omit<Composing, 'content'>): OutgoingMessage {
  return {
    from: parts.from,
    to: parts.to,
    cc: parts.cc,
    subject: parts.subject,
    ...(parts.text !== undefined && { text: parts.text }),
    ...(parts.html !== undefined && { html: parts.html }),
    ...(parts.ampHtml !== undefined && { ampHtml: parts.ampHtml }),
    attachments: parts.attachments.map(({ name, contentType, body }) => ({ name, contentType, body: bufferOf(body) })),
    inline: parts.inline.map(({ name, contentType, body }) => ({
      contentId: name,
      name,
      contentType,
      body: bufferOf(body),
    })),
    date,
    messageId,
    headers: parts.headers,
  };
}

interface Compiling extends Composing {
  /** Of copies to members of a mailing list. */
  list?: Pick<ListCopy, 'fields' | 'without'> | undefined;
  suppressHeaders: 'all' | readonly string[];
  canonicalization: 'simple' | 'relaxed';
  oneClick: OneClick;
  tracking?: Tracking | undefined;
}

/** `all`: the fields whose name begins with `X-`. Fields that a message cannot do without stay. */
const isLeftOut = (name: string, names: Compiling['suppressHeaders']): boolean =>
  names === 'all'
    ? /^x-/i.test(name)
    : !isOwnField(name) && names.some((one) => one.toLowerCase() === name.toLowerCase());

/** Names of the fields in a header. */
function namesIn(raw: Buffer): string[] {
  const end = raw.indexOf('\r\n\r\n');
  return [...raw.toString('latin1', 0, end < 0 ? raw.length : end).matchAll(/^([!-9;-~]+)[ \t]*:/gm)].map(
    ([, name]) => name as string,
  );
}

/** The content with the fields that its links to unsubscribe bring. */
function withFields<Content extends MessageContent>(
  content: Content,
  { oneClick, left }: { oneClick: OneClick; left: (name: string) => boolean },
): Content {
  const names = content.kind === 'mime' ? namesIn(bufferOf(content.raw)) : content.headers.map(({ name }) => name);
  const added = unsubscribeFields(oneClick, { names, isLeftOut: left });
  return content.kind === 'mime'
    ? { ...content, raw: replaceFields(bufferOf(content.raw), added) }
    : { ...content, headers: [...content.headers, ...added] };
}

/** The content with the fields of a list, in place of its own of those names. */
function withListFields<Content extends MessageContent>(content: Content, list: Compiling['list']): Content {
  if (!list) return content;
  const { fields } = list;
  if (content.kind === 'mime') return { ...content, raw: replaceFields(bufferOf(content.raw), fields) };
  const names = new Set(fields.map(({ name }) => name.toLowerCase()));
  const others = content.headers.filter(({ name }) => !names.has(name.toLowerCase()));
  return { ...content, headers: [...others, ...fields] };
}

/** Which fields a copy goes without. */
const leftOutOf =
  ({ suppressHeaders, list }: Pick<Compiling, 'suppressHeaders' | 'list'>) =>
  (name: string): boolean =>
    isLeftOut(name, suppressHeaders) || list?.without.includes(name.toLowerCase()) === true;

async function compiledOf({ content, suppressHeaders, oneClick, list, ...how }: Compiling): Promise<CompiledMail> {
  const left = leftOutOf({ suppressHeaders, list });
  const { canonicalization, tracking, ...composing } = how;
  const options = { canonicalization, ...(tracking && { tracking }) };
  const whole = withFields(withListFields(content, list), { oneClick, left });
  if (whole.kind === 'mime') {
    const raw = bufferOf(whole.raw);
    return compileWhole(raw, { ...composing, ...options, without: namesIn(raw).filter(left) });
  }
  const headers = whole.headers.filter(({ name }) => !left(name));
  return compileMail(outgoingOf({ ...whole, headers }, composing), { isBatch: whole.isBatch, ...options });
}

/** The message from which copies are filled, without what another process cannot be handed: a hash that has begun. */
export const compileCopies = defineComputation(
  here,
  'compileCopies',
  async (compiling: Compiling): Promise<CompiledMail> => {
    const { fields, body } = await compiledOf(compiling);
    return { fields, body: { ...body, begun: undefined } };
  },
);

/** Those of a message in parts, whose variables stay as they are written. */
function withFooters(content: MessageContent, tracking: Tracking | undefined): MessageContent {
  const { footers } = tracking ?? {};
  if (!footers || content.kind === 'mime') return content;
  const { text, html } = content;
  return {
    ...content,
    ...(text !== undefined && { text: withFooter(text, footers.text, false) }),
    ...(html !== undefined && { html: withFooter(html, footers.html, true) }),
  };
}

interface StoredFile {
  name: string;
  contentType: string;
  contentId: string;
  size: number;
}

interface StoredView {
  raw: Uint8Array;
  headers: { name: string; value: string }[];
  text: string;
  html: string;
  /** Of a whole message. */
  files: StoredFile[];
  /** What somebody wrote who answered. */
  stripped: { text: string; html: string; signature: string };
}

interface Storing extends Omit<Compiling, 'canonicalization'> {
  /** Of the one copy there is: it is shown as it leaves. */
  filling: Filling | undefined;
  /** It came in. */
  isIncoming?: boolean;
}

async function wireOf({ filling, ...storing }: Storing): Promise<Buffer> {
  const { content, suppressHeaders, oneClick, list, ...composing } = storing;
  if (filling) {
    const filled = fillMail(await compiledOf({ ...storing, canonicalization: 'simple' }), filling);
    if (filled.ok) return Buffer.concat([Buffer.from(`${filled.header}\r\n`, 'latin1'), filled.body]);
  }
  const given = withFooters(withListFields(content, list), storing.tracking);
  const whole = withFields(given, { oneClick, left: leftOutOf({ suppressHeaders, list }) });
  return whole.kind === 'mime' ? bufferOf(whole.raw) : (await composeMessage(outgoingOf(whole, composing))).raw;
}

/** A stored message as a whole, and as it reads. Variables of recipients are not filled. */
export const readStored = defineComputation(here, 'readStored', async (storing: Storing): Promise<StoredView> => {
  const raw = await wireOf(storing);
  const { headerList, text = '', html = '' } = await parseMime(raw);
  const { attachments } = storing.content.kind === 'mime' ? await readAttachments(raw) : { attachments: [] };
  const files = attachments.map(({ body, ...file }) => ({ ...file, size: body.length }));
  const { text: own, signature } = storing.isIncoming ? stripText(text) : { text, signature: '' };
  const stripped = { text: own, signature, html: storing.isIncoming ? stripHtml(html) : html };
  return { raw, headers: headerList, text, html, files, stripped };
});

/** One file of a whole message, by its place among them. */
export const readStoredFile = defineComputation(
  here,
  'readStoredFile',
  async ({ raw, number }: { raw: Uint8Array; number: number }) => {
    const { attachments } = await readAttachments(bufferOf(raw));
    const file = attachments[number];
    return file && { name: file.name, body: file.body };
  },
);
