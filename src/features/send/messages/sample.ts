// A stored message as one of its recipients gets it, for whoever judges it.
import type { Outside } from '../../../platform/feature/index.ts';
import { readStored } from './computations.ts';
import { readContent } from './content.ts';
import { findSample } from './store.ts';
import { unsubscribeLinksOf } from './tokens.ts';
import { namesOf, oneClickOf } from './unsubscribe-links.ts';

/**
 * The copy of the first recipient, whole, before its links are tracked; variables are filled while that copy waits.
 * Undefined when the message is gone. Throws `expired` when its content is no longer kept.
 */
export async function composeSample(
  doors: Pick<Outside, 'db' | 'blobs' | 'compute' | 'config' | 'secrets'>,
  id: string,
): Promise<{ raw: Buffer; subject: string } | undefined> {
  const message = await findSample(doors.db, id);
  if (!message) return undefined;
  const content = await readContent(doors, message);
  const [address = ''] = message.recipients;
  const { raw } = await doors.compute.run(readStored, {
    content,
    messageId: `<${message.messageId}>`,
    date: message.createdAt,
    suppressHeaders: message.options.suppressHeaders ?? [],
    oneClick: oneClickOf(doors, message),
    filling: {
      recipient: { name: namesOf(message).get(address.toLowerCase()) ?? '', address },
      variables: message.variables,
      links: unsubscribeLinksOf(doors, { messageId: id, position: 0 }) ?? {},
    },
  });
  return { raw: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), subject: message.subject };
}
