import type { SentMessage } from './store.ts';

interface Read {
  raw: Uint8Array;
  headers: readonly { name: string; value: string }[];
  text: string;
  html: string;
}

const wholeOf = (raw: Uint8Array): string => Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('utf8');

/** Fields of the header that stand in the answer by themselves, in its spelling. */
const SHOWN = ['Content-Transfer-Encoding', 'Content-Type', 'From', 'Message-Id', 'Mime-Version', 'Subject', 'To'];

function base({ recipients, sender, headerFrom, subject }: SentMessage) {
  return { recipients: recipients.join(', '), sender, from: headerFrom, subject };
}

/** `Accept: message/rfc2822`. */
export function mimeView(message: SentMessage, { raw }: Read) {
  return { ...base(message), 'body-mime': wholeOf(raw) };
}

interface Shown {
  read: Read;
  /** Its own. */
  url: string;
  /** Names of inline files, which follow the attachments; undefined where no file can be had by itself. */
  inline: readonly string[] | undefined;
}

/** The stored message as JSON. */
export function storedView(message: SentMessage, { read, url, inline }: Shown) {
  const { headers, text, html } = read;
  const valueOf = (name: string): string =>
    headers.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value ?? '';
  const hasFiles = inline !== undefined;
  return {
    ...Object.fromEntries(SHOWN.map((name) => [name, valueOf(name)])),
    ...(message.tags.length > 0 && { 'X-Mailgun-Tag': message.tags.join(', ') }),
    'X-Mailgun-Template-Name': message.options.template?.name ?? '',
    'X-Mailgun-Template-Variables': message.options.template?.variables ?? '',
    ...base(message),
    'body-plain': text,
    'body-html': html,
    'stripped-text': text,
    'stripped-html': html,
    'stripped-signature': '',
    'message-headers': headers.map(({ name, value }) => [name, value]),
    attachments: message.attachments.map(({ filename, 'content-type': type, size }, place) => ({
      name: filename,
      'content-type': type,
      size,
      ...(hasFiles && { url: `${url}/attachments/${place}` }),
    })),
    'content-id-map': Object.fromEntries(
      (inline ?? []).map((name, place) => [
        `<${name}>`,
        `${url}/attachments/${message.attachments.length - (inline ?? []).length + place}`,
      ]),
    ),
    'message-url': url,
  };
}
