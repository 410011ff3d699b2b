// Members who leave a list by the link in a message.
import { canonicalAddress } from '../../../engines/mime/index.ts';
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findCopy } from '../unsubscribe-links/index.ts';
import { unsubscribeMember } from './member-store.ts';
import { findAnyList, type MailingList } from './store.ts';

type Copy = NonNullable<Awaited<ReturnType<typeof findCopy>>>;

interface Reader {
  copy: Copy;
  list: MailingList;
  /** The member's address, as the list has it. */
  address: string;
}

/** Who may leave which list by a token; undefined when it was not made here, or when the message or the list is gone. */
export async function findReader(outside: Pick<Outside, 'db' | 'secrets'>, token: string): Promise<Reader | undefined> {
  const copy = await findCopy(outside, token);
  const id = copy?.message.options.mailingList?.id;
  const list = id === undefined ? undefined : await findAnyList(outside.db, id);
  const address = copy && canonicalAddress(copy.recipient);
  return copy && list && address !== undefined ? { copy, list, address } : undefined;
}

/** Unsubscribes the reader of a copy from its list; told once, however often it is asked for. */
export async function leaveList(
  { db, events, clock }: Pick<Outside, 'db' | 'events' | 'clock'>,
  { copy, list, address }: Reader,
  { ip }: { ip: string },
): Promise<void> {
  const { message, position, recipient } = copy;
  const { accountId, domain, id: messageId } = message;
  await db.tx(async (tx: Sql) => {
    if (!(await unsubscribeMember(tx, list, address))) return;
    const place = { at: clock.now(), accountId, domain, messageId, position };
    await events.append(tx, [{ ...place, event: 'unsubscribed', recipient: recipient.toLowerCase(), about: { ip } }]);
  });
}
