import type { SentMessage } from './store.ts';

interface Read {
  raw: Uint8Array;
  headers: readonly { name: string; value: string }[];
  text: string;
  html: string;
  /** Of a whole message. */
  files: readonly { name: string; contentType: string; contentId: string; size: number }[];
  stripped: { text: string; html: string; signature: string };
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
  /** Names of inline files, which follow the attachments; undefined for a whole message. */
  inline: readonly string[] | undefined;
}

/** The files of a message in parts. */
function partFiles({ attachments }: SentMessage, { url, inline }: { url: string; inline: readonly string[] }) {
  return {
    attachments: attachments.map(({ filename, 'content-type': type, size }, place) => ({
      name: filename,
      'content-type': type,
      size,
      url: `${url}/attachments/${place}`,
    })),
    'content-id-map': Object.fromEntries(
      inline.map((name, place) => [`<${name}>`, `${url}/attachments/${attachments.length - inline.length + place}`]),
    ),
  };
}

/** The files of a whole message, in their order. */
function wholeFiles({ files }: Read, url: string) {
  const placed = files.map((file, place) => ({ ...file, url: `${url}/attachments/${place}` }));
  return {
    attachments: placed.map(({ name, contentType, size, url: own }) => ({
      name,
      'content-type': contentType,
      size,
      url: own,
    })),
    'content-id-map': Object.fromEntries(
      placed.flatMap(({ contentId, url: own }) => (contentId === '' ? [] : [[`<${contentId}>`, own]])),
    ),
  };
}

/** The stored message as JSON. */
export function storedView(message: SentMessage, { read, url, inline }: Shown) {
  const { headers, text, html, stripped } = read;
  const valueOf = (name: string): string =>
    headers.find((field) => field.name.toLowerCase() === name.toLowerCase())?.value ?? '';
  return {
    ...Object.fromEntries(SHOWN.map((name) => [name, valueOf(name)])),
    ...(message.tags.length > 0 && { 'X-Mailgun-Tag': message.tags.join(', ') }),
    'X-Mailgun-Template-Name': message.options.template?.name ?? '',
    'X-Mailgun-Template-Variables': message.options.template?.variables ?? '',
    ...base(message),
    'body-plain': text,
    'body-html': html,
    'stripped-text': stripped.text,
    'stripped-html': stripped.html,
    'stripped-signature': stripped.signature,
    'message-headers': headers.map(({ name, value }) => [name, value]),
    ...(inline === undefined ? wholeFiles(read, url) : partFiles(message, { url, inline })),
    'message-url': url,
  };
}
