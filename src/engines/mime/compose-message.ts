// Messages that go out to people (RFC 5322, MIME).
import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';
import type { MailAddress } from './parse-mime.ts';

interface Attachment {
  name: string;
  contentType: string;
  body: Buffer;
}

interface InlineContent {
  /** Without angle brackets, as it follows `cid:`. */
  contentId: string;
  contentType: string;
  body: Buffer;
  name?: string;
}

export interface OutgoingMessage {
  from: MailAddress;
  sender?: MailAddress;
  replyTo?: readonly MailAddress[];
  to: readonly MailAddress[];
  cc?: readonly MailAddress[];
  subject: string;
  text?: string;
  html?: string;
  /** A third alternative for clients that run AMP. */
  ampHtml?: string;
  inline?: readonly InlineContent[];
  attachments?: readonly Attachment[];
  /** Of the caller's clock. */
  date: Date;
  /** With angle brackets, see {@link newMessageId}. */
  messageId: string;
  /** Further fields, in order; one name may come several times. */
  headers?: readonly { name: string; value: string }[];
}

interface Composed {
  /** Lines end with CRLF; pure ASCII unless an address itself is not. */
  raw: Buffer;
  /** Header fields that were left out: the message composes them itself, or their name is invalid. */
  refusedHeaders: string[];
}

/** Fields that have a property of their own, or that describe the structure. Reply-To can be given either way. */
const OWN_FIELDS =
  /^(content-.*|mime-version|from|sender|to|cc|bcc|subject|date|message-id|return-path|dkim-signature|received)$/i;
const FIELD_NAME = /^[!-9;-~]{1,76}$/;

/** True for fields that {@link composeMessage} writes itself, and so takes from nobody. */
export function isOwnField(name: string): boolean {
  return OWN_FIELDS.test(name);
}

/**
 * Composes a message: alternatives of text, HTML and AMP, related inline parts, attachments; fields and addresses in
 * any script. The same input gives the same bytes. Nothing in it can add a field, a recipient or a part: line breaks in
 * values become blanks. No file and no URL is ever read.
 */
export async function composeMessage(message: OutgoingMessage): Promise<Composed> {
  const given = message.headers ?? [];
  const isTaken = ({ name }: { name: string }): boolean =>
    FIELD_NAME.test(name) && !isOwnField(name) && !(message.replyTo?.length && /^reply-to$/i.test(name));
  const refusedHeaders = given.filter((field) => !isTaken(field)).map(({ name }) => name);
  const headers = given.filter(isTaken).map(({ name, value }) => ({ key: name, value: oneLine(value) }));
  const composer = new MailComposer({
    from: addressOf(message.from),
    to: message.to.map(addressOf),
    ...(message.sender ? { sender: addressOf(message.sender) } : {}),
    ...(message.replyTo?.length ? { replyTo: message.replyTo.map(addressOf) } : {}),
    ...(message.cc?.length ? { cc: message.cc.map(addressOf) } : {}),
    subject: oneLine(message.subject),
    date: message.date,
    messageId: oneLine(message.messageId),
    ...(message.text === undefined ? {} : { text: message.text }),
    ...(message.html === undefined ? {} : { html: message.html }),
    ...(message.ampHtml === undefined ? {} : { amp: message.ampHtml }),
    headers,
    attachments: [...(message.inline ?? []).map(inlinePart), ...(message.attachments ?? []).map(attachedPart)],
    // Drawn from the content, so that it is the same each time and yet no text can contain it.
    baseBoundary: digestOf(message),
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return { raw: await composer.compile().build(), refusedHeaders };
}

/** `<time.unique@domain>`: `unique` is the caller's random or stored identifier. */
export function newMessageId({ date, unique, domain }: { date: Date; unique: string; domain: string }): string {
  return (
    `<${date.getTime().toString(36)}.${unique.replace(/[^A-Za-z0-9._=-]/g, '')}@` +
    `${oneLine(domain).replace(/[<>\s@]/g, '')}>`
  );
}

export function oneLine(value: string): string {
  return value.replace(/[\r\n\0]+[ \t]*/g, ' ').trim();
}

export function addressOf({ name, address }: MailAddress): { name: string; address: string } {
  return { name: oneLine(name), address: oneLine(address).replace(/[<>\s,]/g, '') };
}

function inlinePart({ contentId, contentType, body, name }: InlineContent) {
  return {
    cid: oneLine(contentId).replace(/[<>\s]/g, ''),
    contentType: mediaType(contentType),
    contentDisposition: 'inline' as const,
    filename: name === undefined ? (false as const) : oneLine(name),
    content: body,
  };
}

function attachedPart({ name, contentType, body }: Attachment) {
  return {
    filename: oneLine(name),
    contentType: mediaType(contentType),
    contentDisposition: 'attachment' as const,
    content: body,
  };
}

function mediaType(text: string): string {
  return /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/i.test(text) ? text : 'application/octet-stream';
}

function digestOf(message: OutgoingMessage): string {
  const hash = createHash('sha256').update(message.messageId);
  for (const text of [message.subject, message.text, message.html, message.ampHtml])
    hash.update('\0').update(text ?? '');
  for (const part of [...(message.inline ?? []), ...(message.attachments ?? [])]) hash.update('\0').update(part.body);
  return hash.digest('hex').slice(0, 32);
}
