// A message comes into an inbox, and messages go out of it.
import type { Sql } from '../../../platform/db/index.ts';
import { notFound } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { packValue } from '../../../platform/blobs/index.ts';
import { confirmUses, keepMessage, keepMessageFile, type MessageFile } from '../../proof/_message/index.ts';
import { INBOX_BYTES_MAX } from './contract.ts';
import { checksFor, queueChecks } from './checks.ts';
import { readArrived, readLarge, type Arrived } from './computations.ts';
import { erase } from './retention.ts';
import * as messages from './messages-store.ts';
import { forwardFor, queueForward } from './forward.ts';
import { holderOf } from './holder.ts';
import { lockInbox, saveInbox, type SandboxInbox } from './store.ts';
import { applyTagRules } from './tag-rules.ts';
import { wakeWatchers } from './watch.ts';
import { queueWebhook, webhookFor } from './webhook.ts';

type Doors = Pick<Outside, 'db' | 'blobs' | 'clock' | 'compute' | 'jobs'>;
type Inbox = Pick<SandboxInbox, 'id' | 'accountId'>;

const OLDEST_AT_ONCE = 500;

interface Arriving {
  /** In a file where it is larger than `MESSAGE_BYTES_MAX`. */
  raw: Buffer | MessageFile;
  mailFrom: string;
  recipients: string[];
  /** Given with it, beside those that it brings itself. */
  tags?: readonly string[];
  method: 'SMTP' | 'HTTP';
  remoteAddress: string;
}

/** Deletes these messages of an inbox that is locked, and what was kept for them soon after. Answers how many. */
export async function dropMessages(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { inbox, ids }: { inbox: SandboxInbox; ids: readonly string[] },
): Promise<number> {
  const gone = await messages.deleteMessages(tx, inbox, ids);
  if (gone.length === 0) return 0;
  const counts = messages.countsOf(gone);
  inbox.messageCount -= counts.messages;
  inbox.unreadCount -= counts.unread;
  inbox.sizeBytes -= counts.bytes;
  inbox.revision += 1;
  const payloads = [{ ids: gone.map(({ id }) => id) }];
  await jobs.enqueue(tx, erase, { payloads, account: inbox.accountId });
  return gone.length;
}

/** The oldest messages go until there is room for one of so many bytes. */
async function makeRoom(
  doors: Pick<Outside, 'jobs' | 'clock'>,
  tx: Sql,
  { inbox, sizeBytes }: { inbox: SandboxInbox; sizeBytes: number },
): Promise<void> {
  const isFull = (count: number, bytes: number): boolean =>
    count > 0 && (count >= inbox.messagesMax || bytes + sizeBytes > INBOX_BYTES_MAX);
  while (isFull(inbox.messageCount, inbox.sizeBytes)) {
    const oldest = await messages.listOldest(tx, inbox, { limit: OLDEST_AT_ONCE });
    const ids: string[] = [];
    let [count, bytes] = [inbox.messageCount, inbox.sizeBytes];
    for (const one of oldest) {
      if (!isFull(count, bytes)) break;
      ids.push(one.id);
      count -= 1;
      bytes -= one.sizeBytes;
    }
    const dropped = await dropMessages(doors, tx, { inbox, ids });
    if (dropped === 0) return;
    inbox.droppedCount += dropped;
    inbox.droppedAt = doors.clock.now();
  }
}

/** What changes with the messages of an inbox. */
export async function saveCounts(tx: Sql, inbox: SandboxInbox): Promise<void> {
  const { revision, messageCount, unreadCount, sizeBytes, droppedCount, droppedAt } = inbox;
  const { checkHourAt, checkHourCount } = inbox;
  const counts = { revision, messageCount, unreadCount, sizeBytes, droppedCount, droppedAt };
  await saveInbox(tx, inbox, { ...counts, checkHourAt, checkHourCount });
}

interface Keeping {
  accountId: string;
  holder: string;
  recipients: string[];
  tags: readonly string[];
}

/** Reads a message and stores its bytes. */
async function keepBytes(
  doors: Doors,
  raw: Buffer | MessageFile,
  { accountId, holder, recipients, tags }: Keeping,
): Promise<Arrived & { digest: string; sizeBytes: number }> {
  if (Buffer.isBuffer(raw)) {
    const arrived = await doors.compute.run(readArrived, { raw, recipients, tags }, { urgency: 'answer' });
    const digest = await keepMessage(doors, { accountId, holder, bytes: raw });
    return { ...arrived, digest, sizeBytes: raw.length };
  }
  const { path, sizeBytes } = raw;
  const { facts, search, read } = await doors.compute.run(readLarge, { path, recipients, tags });
  const digest = await keepMessageFile(doors, { accountId, holder, file: raw, read: packValue(read) });
  return { facts, search, digest, sizeBytes };
}

/**
 * Keeps a message in an inbox; durable when it resolves. Where the inbox is full, its oldest messages go. Throws
 * `not_found` when the inbox is gone.
 */
export async function keepInInbox(doors: Doors, inbox: Inbox, arriving: Arriving): Promise<messages.SandboxMessage> {
  const { raw, mailFrom, recipients, tags = [], method, remoteAddress } = arriving;
  const { accountId } = inbox;
  const id = newId();
  const holder = holderOf(id);
  const { facts, search, digest, sizeBytes } = await keepBytes(doors, raw, { accountId, holder, recipients, tags });
  const kept = await doors.db.tx(async (tx) => {
    const into = await lockInbox(tx, accountId, inbox.id);
    if (!into) throw notFound('sandbox inbox', inbox.id);
    await makeRoom(doors, tx, { inbox: into, sizeBytes });
    const now = doors.clock.now();
    const { checks, counted } = checksFor(into, now);
    const message = {
      ...facts,
      id,
      accountId,
      inboxId: inbox.id,
      digest,
      sizeBytes,
      method,
      remoteAddress,
      mailFrom,
      recipients,
      isRead: false,
      checks,
      webhook: webhookFor(into),
      forward: forwardFor(into),
      number: into.revision + 1,
      receivedAt: now,
      expiresAt: daysAfter(now, into.retentionDays),
    };
    await messages.insertMessage(tx, { ...message, ...search });
    message.tags = await applyTagRules(tx, into, message);
    await confirmUses(tx, { accountId, holder });
    await queueChecks(doors, tx, message);
    await queueWebhook(doors, tx, message);
    await queueForward(doors, tx, message);
    const { messageCount, unreadCount, revision } = into;
    await saveCounts(tx, {
      ...into,
      messageCount: messageCount + 1,
      unreadCount: unreadCount + 1,
      sizeBytes: into.sizeBytes + sizeBytes,
      revision: revision + 1,
      ...counted,
    });
    return message;
  });
  doors.jobs.wake();
  wakeWatchers(doors.db);
  return kept;
}
