// A call as it is read: a message in parts, or a whole one, with everybody it is for.
import { isOwnField, type MailAddress } from '../../../engines/mime/index.ts';
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { readWhole } from './computations.ts';
import type { MessageContent, MessageParts } from './content.ts';
import { linkField } from './unsubscribe-links.ts';
import { bytesOf, filesOf, lineOf, textOf, textsOf, wrong, type Form } from './fields.ts';
import { readOptions, readTags, readUserVariables } from './options.ts';
import { mailboxesOf, readRecipients, type Recipient } from './recipients.ts';
import type { AttachmentFacts, SendOptions } from './store.ts';

export interface Draft {
  /** Without brackets; undefined: one is made. */
  messageId: string | undefined;
  sender: string;
  headerFrom: string;
  headerTo: string;
  subject: string;
  recipients: Recipient[];
  tags: string[];
  userVariables: Record<string, unknown>;
  options: SendOptions;
  attachments: AttachmentFacts[];
  content: MessageContent;
  sizeBytes: number;
}

const PARTS = ['from', 'to', 'cc', 'bcc', 'subject', 'text', 'html', 'amp-html', 'attachment', 'inline'] as const;
const WHOLE = ['to', 'cc', 'bcc', 'message'] as const;
const OTHERS = ['template', 'recipient-variables'] as const;
const MESSAGE_ID = /^<?([^\s<>@]{1,200}@[^\s<>@]{1,253})>?$/;
const HEADER_LENGTH_MAX = 200;

/** A field that nobody reads may have been meant to change something. */
function refuseUnknown(form: Form, own: readonly string[]): void {
  const known = [...own, ...OTHERS];
  const unknown = Object.keys(form).find(
    (field) => !known.includes(field) && !/^[ohvt]:/.test(field) && !/^x-mailgun-variables$/i.test(field),
  );
  if (unknown !== undefined)
    throw wrong(
      unknown,
      `${unknown.slice(0, 100)} is not known here; valid are ${known.join(', ')}, and names that begin with o:, h:, v: ` +
        'or t:.',
    );
}

/** `Ann <ann@example.com>`, for people. */
function shown(mailboxes: readonly MailAddress[]): string {
  return mailboxes.map(({ name, address }) => (name === '' ? address : `${name} <${address}>`)).join(', ');
}

function senderOf(form: Form): MailAddress {
  if (textOf(form, 'from') === undefined) throw wrong('from', 'from parameter is missing');
  const from = mailboxesOf(form, 'from');
  if (from.length !== 1) throw wrong('from', 'from parameter must be one address');
  return from[0] as MailAddress;
}

/** The values of `h:Name`; addresses to answer to are one field, however often it is given. */
function valuesOf(form: Form, field: string): string[] {
  const values = textsOf(form, field);
  return /^h:reply-to$/i.test(field) ? [values.filter((value) => value.trim() !== '').join(', ')] : values;
}

/** Fields of the header that the caller adds (`h:`), and the Message-Id among them. */
function headersOf(form: Form): { headers: { name: string; value: string }[]; messageId: string | undefined } {
  const headers: { name: string; value: string }[] = [];
  let messageId: string | undefined;
  for (const field of Object.keys(form)) {
    if (!field.startsWith('h:') || /^h:x-mailgun-variables$/i.test(field)) continue;
    const name = field.slice(2);
    if (!/^[!-9;-~]{1,76}$/.test(name)) throw wrong(field, `${field.slice(0, 100)} names no header field.`);
    for (const value of valuesOf(form, field)) {
      if (/[\r\n]/.test(value)) throw wrong(field, `${field} must be one line.`);
      if (/^message-id$/i.test(name)) {
        messageId = MESSAGE_ID.exec(value.trim())?.[1];
        if (messageId === undefined) throw wrong(field, `${field} must be such as <unique@example.com>.`);
      } else if (isOwnField(name)) {
        throw wrong(field, `${field} is written by the service itself; leave it out.`);
      } else headers.push({ name, value });
    }
  }
  if (headers.length > HEADER_LENGTH_MAX)
    throw wrong('h:', `h: names ${headers.length} fields; at most ${HEADER_LENGTH_MAX} are accepted.`);
  return { headers, messageId };
}

function factsOf(files: MessageParts['attachments']): AttachmentFacts[] {
  return files.map(({ name, contentType, body }) => ({
    filename: name,
    'content-type': contentType,
    size: body.byteLength,
  }));
}

/** What both endpoints read alike. */
function shared(form: Form, now: Date) {
  return {
    options: readOptions(form, now),
    tags: readTags(form),
    userVariables: readUserVariables(form),
  };
}

/** A call with the parts of a message. Throws `invalid_request` naming the field. */
export function readParts(form: Form, now: Date): Draft {
  refuseUnknown(form, PARTS);
  const { options, ...rest } = shared(form, now);
  const from = senderOf(form);
  const { to, cc, all, isBatch } = readRecipients(form);
  const subject = lineOf(form, 'subject') ?? '';
  const [text, html, ampHtml] = [textOf(form, 'text'), textOf(form, 'html'), textOf(form, 'amp-html')];
  if (text === undefined && html === undefined && ampHtml === undefined)
    throw wrong('text', "Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified");
  const { headers, messageId } = headersOf(form);
  const content: MessageParts = {
    kind: 'parts',
    from,
    to,
    cc,
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(ampHtml !== undefined && { ampHtml }),
    headers,
    attachments: filesOf(form, 'attachment'),
    inline: filesOf(form, 'inline'),
    isBatch,
  };
  const files = [...content.attachments, ...content.inline];
  const texts = [text, html, ampHtml].reduce((sum, part) => sum + Buffer.byteLength(part ?? ''), 0);
  return {
    ...rest,
    messageId,
    sender: from.address,
    headerFrom: shown([from]),
    headerTo: shown(to),
    subject,
    recipients: all,
    options: {
      ...options,
      ...(ampHtml !== undefined && { isAmp: true as const }),
      ...(linkField(content) !== undefined && { isUnsubscribable: true as const }),
    },
    attachments: factsOf(files),
    content,
    sizeBytes: files.reduce((sum, { body }) => sum + body.byteLength, texts),
  };
}

/** A call with a whole message, which is read where that cannot hold up anybody. Throws `invalid_request`. */
export async function readMime({ compute }: Pick<Outside, 'compute'>, form: Form, now: Date): Promise<Draft> {
  refuseUnknown(form, WHOLE);
  const { options, ...rest } = shared(form, now);
  const { all } = readRecipients(form);
  const { headers, messageId: own } = headersOf(form);
  const bytes = bytesOf(form, 'message');
  if (!bytes || bytes.length === 0) throw wrong('message', 'message parameter is missing');
  const fields = own === undefined ? headers : [...headers, { name: 'Message-Id', value: `<${own}>` }];
  const { raw, from, subject, to, messageId, attachments, isAmp, isUnsubscribable, fault } = await compute.run(
    readWhole,
    { bytes, fields },
    { urgency: 'answer' },
  );
  if (fault !== undefined) throw new AppError('invalid_request', fault, { details: { field: 'message' } });
  return {
    ...rest,
    messageId: MESSAGE_ID.exec(messageId)?.[1],
    sender: from[0]?.address ?? '',
    headerFrom: shown(from),
    headerTo: shown(to),
    subject,
    recipients: all,
    options: {
      ...options,
      ...(isAmp && { isAmp: true as const }),
      ...(isUnsubscribable && { isUnsubscribable: true as const }),
    },
    attachments,
    content: { kind: 'mime', raw },
    sizeBytes: raw.byteLength,
  };
}
