// What reading a message that came in computes.
import { parseMime } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

const LINE_LENGTH_MAX = 1000;
const FILES_MAX = 500;

interface ArrivedFacts {
  headerFrom: string;
  headerTo: string;
  subject: string;
  /** Without brackets; empty where it has none. */
  messageId: string;
  attachments: { filename: string; 'content-type': string; size: number }[];
}

const line = (text = ''): string => text.replaceAll('\0', '\u{FFFD}').toWellFormed().slice(0, LINE_LENGTH_MAX);

/** What lists and events say of a message. Nothing is refused: what cannot be read is kept as it came. */
export const readArrived = defineComputation(here, 'readArrived', async (raw: Uint8Array): Promise<ArrivedFacts> => {
  const mail = await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
  return {
    headerFrom: line(mail.headers['from']),
    headerTo: line(mail.headers['to']),
    subject: line(mail.subject),
    messageId: line(mail.headers['message-id']).trim().replaceAll(/^<|>$/g, ''),
    attachments: mail.attachments.slice(0, FILES_MAX).map(({ name, contentType, sizeBytes }) => ({
      filename: line(name),
      'content-type': line(contentType),
      size: sizeBytes,
    })),
  };
});
