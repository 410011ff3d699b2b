// What reading and composing messages computes; each runs where it can be ended.
import {
  composeMessage,
  isMailAddress,
  parseMime,
  replaceFields,
  type MailAddress,
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

async function wireOf({ content, messageId, date }: Composing): Promise<Buffer> {
  if (content.kind === 'mime') return bufferOf(content.raw);
  const parts: MessageParts = content;
  const { raw } = await composeMessage({
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
  });
  return raw;
}

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
