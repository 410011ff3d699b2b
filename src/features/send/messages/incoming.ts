// Messages that come in for a domain are kept with those that it sends, so that they are read back alike.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { confirmUses, releaseMessages } from '../../proof/_message/index.ts';
import { holderOf, keepContent } from './content.ts';
import * as store from './store.ts';
import type { SentMessage } from './store.ts';

type Incoming = Pick<
  SentMessage,
  | 'accountId'
  | 'domain'
  | 'key'
  | 'messageId'
  | 'sender'
  | 'headerFrom'
  | 'headerTo'
  | 'subject'
  | 'recipients'
  | 'attachments'
  | 'originatingIp'
  | 'mode'
> & { raw: Uint8Array; keptSeconds: number; /** Encrypted where it is kept. */ isSealed: boolean };

/** A message that came in, and is kept. */
export interface KeptIncoming extends Pick<SentMessage, 'id' | 'accountId' | 'domain' | 'key' | 'createdAt'> {}

/**
 * Keeps a message that came in under a key that its arrival has, and calls `then` in the transaction. What was kept
 * before under that key is left as it is, and false is answered.
 */
export async function keepIncoming(
  doors: Pick<Outside, 'db' | 'blobs' | 'clock' | 'events' | 'secrets'>,
  { raw, keptSeconds, isSealed, ...incoming }: Incoming,
  then: (tx: Sql, message: KeptIncoming) => Promise<void>,
): Promise<boolean> {
  const { accountId, domain, key } = incoming;
  if (await store.findMessage(doors.db, accountId, { domain, key })) return false;
  const content = await keepContent(doors, { kind: 'mime', raw }, { accountId, key, isSealed });
  const createdAt = doors.clock.now();
  const isNew = await doors.db.tx(async (tx) => {
    await tx.lock(`incoming message ${key}`);
    if (await store.findMessage(tx, accountId, { domain, key })) return false;
    const id = await store.insertMessage(tx, {
      ...incoming,
      ...content,
      method: 'SMTP',
      apiKeyId: null,
      tags: [],
      userVariables: {},
      options: { isIncoming: true },
      sizeBytes: raw.byteLength,
      contentExpiresAt: new Date(createdAt.getTime() + keptSeconds * 1000),
      createdAt,
    });
    if (content.contentDigest !== null) await confirmUses(tx, { accountId, holder: holderOf(key) });
    const [recipient = ''] = incoming.recipients.length === 1 ? incoming.recipients : [];
    await doors.events.append(tx, [
      { at: createdAt, accountId, event: 'stored', domain, recipient: recipient.toLowerCase(), messageId: id },
    ]);
    await then(tx, { id, accountId, domain, key, createdAt });
    return true;
  });
  if (!isNew && content.contentDigest !== null) await releaseMessages(doors, holderOf(key));
  return isNew;
}
