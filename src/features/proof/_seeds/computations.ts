// What a receiver computes of a message, apart from what it asks others.
import { parseMime } from '../../../engines/mime/index.ts';
import { factsOfMessage } from '../../../engines/receivers/index.ts';
import { scoreSpam } from '../../../engines/spam-rules/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

/** The message without the bytes of its parts, what the built-in rules say of it, and what receivers decide upon. */
export const readAndScore = defineComputation(
  import.meta.url,
  'readAndScore',
  async ({ raw, receivedAt }: { raw: Uint8Array; receivedAt: string }) => {
    const mail = await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    const { html, text, subject, headers, headerList, attachments } = mail;
    const rawBytes = raw.length;
    const builtIn = scoreSpam({
      ...(html !== undefined && { html }),
      ...(text !== undefined && { text }),
      headers: headerList,
      subject,
      attachments,
      rawBytes,
      receivedAt,
    });
    const facts = factsOfMessage({ html, text, subject, headers, headerList, attachments, rawBytes });
    return { mail: { ...mail, inline: [], located: [] }, builtIn, facts };
  },
);
