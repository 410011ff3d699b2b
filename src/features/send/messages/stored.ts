// A message as it is read back: whole, as it was accepted.
import type { Outside } from '../../../platform/feature/index.ts';
import { readStored } from './computations.ts';
import { readContent, type MessageContent } from './content.ts';
import { findTaken, type SendOptions, type SentMessage } from './store.ts';
import { oneClickOf, onlyCopyOf } from './unsubscribe-links.ts';

const footersOf = ({ tracked }: SendOptions) =>
  tracked?.footers && ({ clicks: 'no', pixel: 'no', footers: tracked.footers } as const);

/** What `readStored` takes. */
export function storingOf(doors: Pick<Outside, 'config' | 'secrets'>, message: SentMessage, content: MessageContent) {
  return {
    content,
    messageId: `<${message.messageId}>`,
    date: message.createdAt,
    suppressHeaders: message.options.suppressHeaders ?? [],
    oneClick: oneClickOf(doors, message),
    list: message.options.mailingList,
    // Shown as it was written, and as its readers get it below: their links lead where they lead.
    tracking: footersOf(message.options),
    filling: onlyCopyOf(doors, message),
    isIncoming: message.options.isIncoming === true,
  };
}

/** Undefined when the message, or its content, is no longer kept. */
export async function readBack(
  doors: Pick<Outside, 'config' | 'secrets' | 'db' | 'blobs' | 'compute'>,
  id: string,
): Promise<{ message: SentMessage; raw: Buffer } | undefined> {
  const message = await findTaken(doors.db, id);
  if (!message || (message.content === null && message.contentDigest === null)) return undefined;
  const { raw } = await doors.compute.run(readStored, storingOf(doors, message, await readContent(doors, message)));
  return { message, raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength) };
}
