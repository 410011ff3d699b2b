import { openDelivery } from '../../../engines/delivery-tokens/index.ts';
import { canonicalAddress } from '../../../engines/mime/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { deliverySecret, listFacts, type MessageFacts } from '../messages/index.ts';
import { addTags } from '../suppressions/index.ts';

interface Copy {
  message: MessageFacts;
  position: number;
  recipient: string;
}

/** The copy that a token names; undefined when it was not made here, or when the message is gone. */
export async function findCopy(outside: Pick<Outside, 'db' | 'secrets'>, token: string): Promise<Copy | undefined> {
  const named = openDelivery(token, deliverySecret(outside, 'unsubscribe'));
  if (!named) return undefined;
  const [message] = await listFacts(outside.db, [named.messageId]);
  const recipient = message?.recipients[named.position];
  return message && recipient !== undefined ? { message, position: named.position, recipient } : undefined;
}

/** Unsubscribes the reader of a copy, from these tags or from everything; told once, however often it is asked for. */
export async function unsubscribeReader(
  { db, events, clock }: Pick<Outside, 'db' | 'events' | 'clock'>,
  { message, position, recipient }: Copy,
  { tags, ip }: { tags: readonly string[]; ip: string },
): Promise<void> {
  const { accountId, domain, id: messageId } = message;
  const address = canonicalAddress(recipient) ?? recipient.toLowerCase();
  await db.tx(async (tx) => {
    const now = clock.now();
    const isNew = await addTags(tx, { accountId, domain }, { address, tags: tags.length > 0 ? tags : ['*'], now });
    if (!isNew) return;
    const about = { ip };
    const event = { event: 'unsubscribed', at: now, accountId, domain, messageId, position, about } as const;
    await events.append(tx, [{ ...event, recipient: recipient.toLowerCase() }]);
  });
}
