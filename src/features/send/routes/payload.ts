// What is posted to URLs of routes, as existing receivers read it.
import { parseMime, readAttachments } from '../../../engines/mime/index.ts';
import { stripHtml, stripText } from '../../../engines/replies/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { multipartBody, type FormField as Field, type FormFile } from '../../../platform/posting/form-body.ts';

const here = import.meta.url;

interface Payload {
  raw: Uint8Array;
  recipient: string;
  sender: string;
  /** `mime`: the message as it is; `notify`: where it is kept. */
  as: 'parts' | 'mime' | 'notify';
  domain: string;
  /** Its own address. */
  url: string;
  signature: { timestamp: string; token: string; signature: string };
  /** Stands in no message. */
  boundary: string;
}

interface Posted {
  type: string;
  bytes: Uint8Array;
}

interface File {
  name: string;
  contentType: string;
  contentId: string;
  body: Buffer;
}

/** Names that only the service gives: a field of the message's header that is called so is left to `message-headers`. */
const OWN =
  /^(?:recipient|body-.*|stripped-.*|attachment.*|timestamp|token|signature|message-headers|message-url|content-id-map|domain)$/i;
const HEADERS_MAX = 200;
/** As receivers know them beside their own field of the header. */
const SAME = new Set(['sender', 'from', 'subject']);

const clean = (text: string): string => text.toWellFormed();

function fieldsOfHeader(headers: readonly { name: string; value: string }[]): Field[] {
  return headers
    .slice(0, HEADERS_MAX)
    .filter(({ name }) => !OWN.test(name) && !SAME.has(name))
    .map(({ name, value }) => [clean(name), clean(value)]);
}

function aboutFiles({ as, url }: Payload, files: readonly File[]): Field[] {
  const named = files.map((file, place) => ({
    ...file,
    at: as === 'notify' ? `${url}/attachments/${place}` : `attachment-${place + 1}`,
  }));
  const inline = named.filter(({ contentId }) => contentId !== '');
  const map: Field = [
    'content-id-map',
    JSON.stringify(Object.fromEntries(inline.map(({ contentId, at }) => [`<${clean(contentId)}>`, at]))),
  ];
  const list = named.map(({ name, contentType, body, at }) => ({
    name: clean(name),
    'content-type': clean(contentType),
    size: body.length,
    url: at,
  }));
  return [
    as === 'notify' ? ['attachments', JSON.stringify(list)] : ['attachment-count', String(files.length)],
    ...(inline.length > 0 ? [map] : []),
  ];
}

async function fieldsOf(payload: Payload): Promise<{ fields: Field[]; files: File[] }> {
  const { raw, recipient, sender, as, domain, url, signature } = payload;
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  const { headers, headerList, subject, text, html } = await parseMime(bytes);
  const envelope: Field[] = [
    ['recipient', recipient],
    ['sender', sender],
    ['from', clean(headers['from'] ?? '')],
    ['subject', clean(subject)],
  ];
  const signed: Field[] = Object.entries(signature);
  if (as === 'mime') return { fields: [...envelope, ['body-mime', bytes.toString('utf8')], ...signed], files: [] };
  const { attachments: files } = await readAttachments(bytes);
  const stripped = stripText(text ?? '');
  const fields: Field[] = [
    ...envelope,
    ...fieldsOfHeader(headerList),
    ['body-plain', clean(text ?? '')],
    ['stripped-text', clean(stripped.text)],
    ['stripped-signature', clean(stripped.signature)],
    ...(html === undefined
      ? []
      : ([
          ['body-html', clean(html)],
          ['stripped-html', clean(stripHtml(html))],
        ] as Field[])),
    ['message-headers', JSON.stringify(headerList.map(({ name, value }) => [clean(name), clean(value)]))],
    ...aboutFiles(payload, files),
    ...(as === 'notify'
      ? ([
          ['domain', domain],
          ['message-url', url],
        ] as Field[])
      : []),
    ...signed,
  ];
  return { fields, files: as === 'notify' ? [] : files };
}

const formFile = ({ name, contentType, body }: File, place: number): FormFile => ({
  field: `attachment-${place + 1}`,
  name: name || `file-${place + 1}`,
  contentType,
  body,
});

/** The body of a post: a form of its fields, with files where the message has some. */
export const composePayload = defineComputation(here, 'composePayload', async (payload: Payload): Promise<Posted> => {
  const { fields, files } = await fieldsOf(payload);
  if (files.length > 0) return multipartBody(fields, files.map(formFile), payload.boundary);
  const bytes = Buffer.from(new URLSearchParams(fields).toString());
  return { type: 'application/x-www-form-urlencoded', bytes };
});
