import { readMail } from '../spam-rules/reading.ts';
import type { MessageFacts } from './types.ts';

export interface MessageToRead {
  html?: string | undefined;
  text?: string | undefined;
  subject: string;
  /** Lower-case names, first value of each. */
  headers: Readonly<Record<string, string>>;
  attachments?: readonly { name: string; contentType: string; sizeBytes?: number }[] | undefined;
  rawBytes: number;
}

const TEXT_MAX = 100_000;
/** So many words weigh as much as one picture. */
const WORDS_PER_PICTURE = 40;

/** What receivers look at, of a message that was parsed. */
export function factsOfMessage({ html, text, subject, headers, attachments = [], rawBytes }: MessageToRead): MessageFacts {
  const mail = readMail({ html, text, subject });
  const pictures = mail.pictures.filter(({ width, height }) => (width ?? 100) >= 40 && (height ?? 100) >= 20).length;
  const words = mail.wordCount / WORDS_PER_PICTURE;
  return {
    subject, headers, text: mail.body?.value.slice(0, TEXT_MAX) ?? '',
    links: new Set(mail.links.map(({ url }) => url?.href).filter(Boolean)).size,
    images: pictures, imageShare: pictures === 0 ? 0 : pictures / (pictures + words),
    attachments: attachments.map(({ name, contentType }) => ({ name, contentType })), sizeBytes: rawBytes,
  };
}
