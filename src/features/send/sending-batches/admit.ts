// A message joins its batch when it is accepted: its first recipients are the batch's sample, the others wait for that.
import type { Sql } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { NoRoomNow, type MessageFacts } from '../messages/index.ts';
import * as store from './store.ts';
import type { Batch, BatchKind, BreakerSettings } from './store.ts';

const HOUR_MS = 3_600_000;
/** Of an account, in batches that are not decided. */
const WAITING_MESSAGES_MAX = 10_000;
const WAITING_BYTES_MAX = 1024 ** 3;

interface Offered extends Pick<MessageFacts, 'accountId' | 'domain' | 'options' | 'sizeBytes'> {
  tags: readonly string[];
  now: Date;
}

/** What its batch is called; undefined: it is one by itself. */
function namedBy({ tags, options }: Pick<Offered, 'tags' | 'options'>): { kind: BatchKind; name: string } | undefined {
  const campaign = options.campaigns?.[0];
  if (campaign !== undefined) return { kind: 'campaign', name: campaign };
  const tag = tags[0];
  if (tag !== undefined) return { kind: 'tag', name: tag.toLowerCase() };
  // Copies for a thousand members each: their message is one to whoever sent it.
  return options.mailingList && { kind: 'list', name: options.mailingList.address };
}

/** Throws `too_many_requests` when the account has as much waiting as it may. */
async function requireRoom(tx: Sql, { accountId, sizeBytes }: Offered): Promise<void> {
  // One after the other, so that the bound is exact.
  await tx.lock(`sending-batches.waiting ${accountId}`);
  const { messages, bytes } = await store.sumOpen(tx, accountId);
  if (messages < WAITING_MESSAGES_MAX && bytes + sizeBytes <= WAITING_BYTES_MAX) return;
  throw new NoRoomNow(
    `${messages} messages of this account, ${Math.round(bytes / 1024 ** 2)} MB, are in batches that wait; at most ` +
      '10,000 and 1 GB may. Release or drop some, or try again when their first deliveries are known.',
  );
}

const isFree = (batch: Batch | undefined): boolean => batch?.state === 'passed' || batch?.state === 'released';

async function joinedBy(
  tx: Sql,
  { accountId, domain, now }: Offered,
  { kind, name, settings }: { kind: BatchKind; name: string; settings: BreakerSettings },
): Promise<Batch | undefined> {
  const asked = { domain, kind, name, now };
  const startedAt = now;
  const fresh = { ...settings, domain, kind, name, startedAt, joinsUntil: new Date(now.getTime() + HOUR_MS) };
  if (kind === 'message') return store.insertBatch(tx, accountId, fresh);
  if (isFree(await store.findJoined(tx, accountId, { ...asked, isLocked: false }))) return undefined;
  await tx.lock(`sending-batches ${accountId} ${domain} ${kind} ${name}`);
  const known = await store.findJoined(tx, accountId, { ...asked, isLocked: true });
  return isFree(known) ? undefined : (known ?? store.insertBatch(tx, accountId, fresh));
}

/** Added to the gates of messages. */
export async function admitToBatch({ db }: Pick<Outside, 'db'>, offered: Offered) {
  const { accountId, domain, options, sizeBytes } = offered;
  if (options.isTest || options.isTransactional) return undefined;
  const settings = await store.findBreaker(db, accountId, domain);
  if (settings?.mode !== 'on') return undefined;
  const named = namedBy(offered);
  return async (tx: Sql, { id: messageId, recipients }: { id: string; recipients: number }) => {
    if (!named && recipients <= settings.sample) return {};
    const batch = await joinedBy(tx, offered, { ...(named ?? { kind: 'message', name: messageId }), settings });
    if (!batch) return {};
    const room = batch.state === 'sampling' ? batch.sample - batch.sampled : 0;
    const going = Math.min(recipients, room);
    if (going < recipients) await requireRoom(tx, offered);
    await store.joinBatch(tx, accountId, { batchId: batch.id, messageId, recipients, sampled: going, sizeBytes });
    return { going };
  };
}
