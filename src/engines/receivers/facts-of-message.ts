import { readMail } from '../spam-rules/index.ts';
import type { HeaderForm, MessageFacts } from './types.ts';

interface MessageToRead {
  html?: string | undefined;
  text?: string | undefined;
  subject: string;
  /** Lower-case names, first value of each. */
  headers: Readonly<Record<string, string>>;
  /** Every field in its order; left out, the form of the header is not judged. */
  headerList?: readonly { name: string; value: string }[] | undefined;
  attachments?: readonly { name: string; contentType: string; sizeBytes?: number }[] | undefined;
  rawBytes: number;
}

const TEXT_MAX = 100_000;
/** How many words weigh as much as one picture. */
const WORDS_PER_PICTURE = 40;

/** Fields that RFC 5322 §3.6 allows once; From is counted apart. */
const ONCE = ['date', 'sender', 'reply-to', 'to', 'cc', 'bcc', 'message-id', 'in-reply-to', 'references', 'subject'];

function formOf(fields: readonly { name: string; value: string }[]): HeaderForm {
  const named = (name: string) => fields.filter((field) => field.name.toLowerCase() === name);
  const from = named('from');
  // A comma or an @ inside a quoted name or a comment separates no addresses.
  const addresses = (from[0]?.value ?? '').replace(/"(?:[^"\\]|\\.)*"|\([^()]*\)/g, '').split(',');
  return {
    fromFields: from.length,
    authors: addresses.filter((part) => part.includes('@')).length,
    repeated: ONCE.filter((name) => named(name).length > 1),
  };
}

/** What receivers look at, of a message that was parsed. */
export function factsOfMessage(message: MessageToRead): MessageFacts {
  const { html, text, subject, headers, headerList, attachments = [], rawBytes } = message;
  const mail = readMail({ html, text, subject });
  const pictures = mail.pictures.filter(({ width, height }) => (width ?? 100) >= 40 && (height ?? 100) >= 20).length;
  const words = mail.wordCount / WORDS_PER_PICTURE;
  return {
    subject,
    headers,
    form: headerList ? formOf(headerList) : null,
    text: mail.body?.value.slice(0, TEXT_MAX) ?? '',
    links: new Set(mail.links.map(({ url }) => url?.href).filter(Boolean)).size,
    images: pictures,
    imageShare: pictures === 0 ? 0 : pictures / (pictures + words),
    attachments: attachments.map(({ name, contentType }) => ({ name, contentType })),
    sizeBytes: rawBytes,
  };
}
