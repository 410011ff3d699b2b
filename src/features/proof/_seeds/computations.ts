// What a test computes of a message that goes out, and a receiver of one that came in, apart from what it asks others.
import { offersToUnsubscribe } from '../../../engines/bulk-sender/index.ts';
import {
  checkKnowing,
  dkimBodyHash,
  type KnownDns,
  type SignatureQuestion,
} from '../../../engines/mail-authentication/index.ts';
import { fillRecipientVariables } from '../../../engines/mail-template/index.ts';
import { composeMessage, parseMime, type OutgoingMessage } from '../../../engines/mime/index.ts';
import { factsOfMessage } from '../../../engines/receivers/index.ts';
import { scoreSpam } from '../../../engines/spam-rules/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

/** The header of a message, what the built-in rules say of it, and what receivers decide upon. */
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
    return {
      mail: { from: mail.from, to: mail.to, headers, headerList },
      offersToUnsubscribe: offersToUnsubscribe({ html, text }),
      builtIn,
      facts,
    };
  },
);

/** The reader of one copy: `%recipient.name%` is filled with what is known of it. */
export interface Recipient {
  address: string;
  variables: Readonly<Record<string, string>>;
}

/** A message that is to go out; its HTML may be bytes, UTF-8. */
export type GivenMessage = Omit<OutgoingMessage, 'html'> & { html?: string | Uint8Array };

function decoded({ html, ...message }: GivenMessage): OutgoingMessage {
  if (html === undefined) return message;
  const text = typeof html === 'string' ? html : Buffer.from(html.buffer, html.byteOffset, html.byteLength).toString();
  return { ...message, html: text };
}

function filledFor(message: OutgoingMessage, { address, variables }: Recipient): OutgoingMessage {
  const fill = (text: string, as: 'text' | 'html' = 'text'): string =>
    fillRecipientVariables(text, { address, variables, as }).text;
  const { subject, html, text, headers = [] } = message;
  return {
    ...message,
    subject: fill(subject),
    ...(html !== undefined && { html: fill(html, 'html') }),
    ...(text !== undefined && { text: fill(text) }),
    headers: headers.map(({ name, value }) => ({ name, value: fill(value) })),
  };
}

/**
 * The message on the wire, filled for its reader where one is named, and the hash that it is signed by. No key comes
 * here.
 */
export const composeCopy = defineComputation(
  import.meta.url,
  'composeCopy',
  async ({ message, recipient }: { message: GivenMessage; recipient: Recipient | null }) => {
    const outgoing = decoded(message);
    const { raw } = await composeMessage(recipient ? filledFor(outgoing, recipient) : outgoing);
    return { raw, bodyHash: dkimBodyHash(raw) };
  },
);

interface KnownMessage extends SignatureQuestion {
  raw: Uint8Array;
  known: KnownDns;
}

/** One round of checking signatures and seals: every one hashes the body, which a hostile message makes long. */
export const checkSignaturesKnowing = defineComputation(
  import.meta.url,
  'checkSignaturesKnowing',
  ({ raw, ...question }: KnownMessage) =>
    checkKnowing(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), question),
);
