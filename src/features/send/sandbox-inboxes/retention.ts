import type { Sql } from '../../../platform/db/index.ts';
import { defineRetention } from '../../../platform/feature/retention.ts';
import { releaseMessages } from '../../proof/_message/index.ts';
import { holderOf } from './holder.ts';
import { countsOf, deleteMessages, isThere, listExpired, listExpiring } from './messages-store.ts';
import { deleteOfClosed, lockInbox, saveInbox } from './store.ts';

const INBOXES_AT_ONCE = 100;

/** The inbox is locked before its messages, as it is when one comes. */
async function deleteExpired(tx: Sql, now: Date, limit: number): Promise<string[]> {
  await deleteOfClosed(tx);
  const gone: string[] = [];
  for (const { id, accountId } of await listExpiring(tx, now, INBOXES_AT_ONCE)) {
    if (gone.length >= limit) break;
    const inbox = await lockInbox(tx, accountId, id);
    if (!inbox) continue;
    const ids = await listExpired(tx, inbox, { now, limit: limit - gone.length });
    const deleted = await deleteMessages(tx, inbox, ids);
    const counts = countsOf(deleted);
    await saveInbox(tx, inbox, {
      messageCount: inbox.messageCount - counts.messages,
      unreadCount: inbox.unreadCount - counts.unread,
      sizeBytes: inbox.sizeBytes - counts.bytes,
      revision: inbox.revision + 1,
    });
    gone.push(...deleted.map((one) => one.id));
  }
  return gone;
}

export const { erase, expire } = defineRetention({
  name: 'sandbox-inboxes',
  objectsOf: holderOf,
  isThere,
  deleteExpired,
  erased: (outside, id) => releaseMessages(outside, holderOf(id)),
});
