// What reading and composing messages computes; each runs where it can be ended.
import { compileMail, compileWhole, type CompiledMail } from '../../../engines/mail-merge/index.ts';
import {
  composeMessage,
  isMailAddress,
  isOwnField,
  parseMime,
  replaceFields,
  type MailAddress,
  type OutgoingMessage,
} from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import type { MessageContent, MessageParts } from './content.ts';
import type { AttachmentFacts } from './store.ts';

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

async function wireOf({ content, ...composing }: Composing): Promise<Buffer> {
  if (content.kind === 'mime') return bufferOf(content.raw);
  return (await composeMessage(outgoingOf(content, composing))).raw;
}

interface Compiling extends Composing {
  suppressHeaders: 'all' | readonly string[];
  canonicalization: 'simple' | 'relaxed';
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

/** The message from which copies are filled, without what another process cannot be handed: a hash that has begun. */
export const compileCopies = defineComputation(
  here,
  'compileCopies',
  async ({ content, suppressHeaders, canonicalization, ...composing }: Compiling): Promise<CompiledMail> => {
    const left = (name: string): boolean => isLeftOut(name, suppressHeaders);
    const compile = (): CompiledMail | Promise<CompiledMail> => {
      if (content.kind === 'mime') {
        const raw = bufferOf(content.raw);
        return compileWhole(raw, { ...composing, canonicalization, without: namesIn(raw).filter(left) });
      }
      const headers = content.headers.filter(({ name }) => !left(name));
      const { isBatch } = content;
      return compileMail(outgoingOf({ ...content, headers }, composing), { isBatch, canonicalization });
    };
    const { fields, body } = await compile();
    return { fields, body: { ...body, begun: undefined } };
  },
);

interface StoredView {
  raw: Uint8Array;
  headers: { name: string; value: string }[];
  text: string;
  html: string;
}

/** A stored message as a whole, and as it reads. Variables of recipients are not filled. */
export const readStored = defineComputation(here, 'readStored', async (composing: Composing): Promise<StoredView> => {
  const raw = await wireOf(composing);
  const { headerList, text, html } = await parseMime(raw);
  return { raw, headers: headerList, text: text ?? '', html: html ?? '' };
});
