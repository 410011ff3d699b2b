import { createHash } from 'node:crypto';
import MailComposer from 'nodemailer/lib/mail-composer';

interface MessageToCompose {
  subject: string;
  html: string;
  text?: string;
  /** Extra header fields; From, To, Date and Message-ID among them replace the neutral ones. */
  headers?: Record<string, string>;
  inline?: readonly { contentId: string; contentType: string; body: Buffer }[];
}

/** Fields that describe the structure, which is ours to make. */
const OWN_FIELDS = /^(content-.*|mime-version|subject|bcc)$/i;
const FIELD_NAME = /^[!-9;-~]{1,76}$/;
/** A fixed day: the same message gives the same bytes, and so the same picture. */
const NEUTRAL_DATE = new Date('2026-01-01T12:00:00Z');

/**
 * A complete message (RFC 5322) for an engine that is a whole mail client. The same input gives the same bytes. Header
 * fields with an impossible name are left out, line breaks in values become spaces.
 */
export async function composeMime(message: MessageToCompose): Promise<Buffer> {
  const fields = new Map<string, { name: string; value: string }>();
  for (const [name, value] of Object.entries(message.headers ?? {})) {
    const isFine = FIELD_NAME.test(name) && !OWN_FIELDS.test(name);
    if (isFine) fields.set(name.toLowerCase(), { name, value: value.replace(/[\r\n\0]+[ \t]*/g, ' ').trim() });
  }
  const take = (name: string): string | undefined => {
    const field = fields.get(name);
    fields.delete(name);
    return field?.value || undefined;
  };
  const hash = createHash('sha256')
    .update(message.subject)
    .update('\0')
    .update(message.html)
    .update(message.text ?? '');
  for (const part of message.inline ?? []) hash.update(part.contentId).update(part.body);
  const digest = hash.digest('hex').slice(0, 32);
  const date = new Date(take('date') ?? NEUTRAL_DATE);
  const composer = new MailComposer({
    from: take('from') ?? 'Sender <sender@example.com>',
    to: take('to') ?? 'Reader <reader@example.com>',
    date: Number.isNaN(date.getTime()) ? NEUTRAL_DATE : date,
    messageId: take('message-id') ?? `<${digest}@example.com>`,
    subject: message.subject,
    html: message.html,
    ...(message.text === undefined ? {} : { text: message.text }),
    attachments: (message.inline ?? []).map((part) => ({
      cid: part.contentId,
      contentType: part.contentType,
      contentDisposition: 'inline' as const,
      filename: false as const,
      content: part.body,
    })),
    headers: Object.fromEntries([...fields.values()].map(({ name, value }) => [name, value])),
    // Drawn from the content, so that it is the same each time and yet no text can contain it.
    baseBoundary: digest,
    disableFileAccess: true,
    disableUrlAccess: true,
    newline: 'windows',
  });
  return composer.compile().build();
}
