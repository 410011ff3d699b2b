import { AppError } from '../../../platform/errors/index.ts';
import type { Context } from '../../../platform/feature/index.ts';
import type { SkipPage } from '../../../platform/paging/index.ts';
import {
  deleteWaiting,
  findByKey,
  listIdsByName,
  listWaiting,
  listWaitingMessages,
  makeDue,
  countTaken,
  countWaitingOf,
  listWaitingDestinations,
  wakeQueue,
  WAITING_MAX,
} from '../messages/index.ts';
import { listBatchesOf } from '../sending-batches/index.ts';
import { listGatedOf } from '../sending-gates/index.ts';
import { deliveryView, destinationView } from './view.ts';

type Doors = Pick<Context, 'db' | 'clock' | 'events' | 'config' | 'principal'>;

const DESTINATIONS_MAX = 100;

/** What waits, by destination. */
export async function showQueue({ db, clock, config, principal }: Doors, { domain }: { domain?: string }) {
  const { accountId } = principal;
  const test = { domain: domain?.toLowerCase() };
  const waiting = await countWaitingOf(db, accountId, test);
  const destinations = await listWaitingDestinations(db, accountId, {
    ...test,
    now: clock.now(),
    limit: DESTINATIONS_MAX,
  });
  return {
    delivery: config.sending.delivery,
    waiting: Math.min(waiting, WAITING_MAX),
    is_bound: waiting > WAITING_MAX,
    in_delivery: await countTaken(db, accountId),
    destinations: destinations.map(destinationView),
  };
}

interface Query extends SkipPage {
  domain?: string;
  destination?: string;
  recipient?: string;
  message?: string;
}

/** A page of deliveries that wait, and how many there are. */
export async function listQueue({ db, clock, principal }: Doors, { limit, skip, ...said }: Query) {
  const { accountId } = principal;
  const test = {
    domain: said.domain?.toLowerCase(),
    destination: said.destination?.toLowerCase(),
    recipient: said.recipient,
    messageIds: said.message === undefined ? undefined : await listIdsByName(db, accountId, said.message),
  };
  const count = await countWaitingOf(db, accountId, test);
  const found = await listWaiting(db, accountId, { ...test, limit, skip });
  const ids = [...new Set(found.map(({ messageId }) => messageId))];
  const messages = await listWaitingMessages(db, accountId, ids);
  const held = new Set(found.filter(({ isHeld }) => isHeld).map(({ messageId }) => messageId));
  const gated = new Map((await listGatedOf(db, accountId, [...held])).map((one) => [one.messageId, one]));
  const stopped = new Set(found.filter(({ isStopped }) => isStopped).map(({ messageId }) => messageId));
  const batches = await listBatchesOf(db, accountId, [...stopped]);
  const byId = new Map(messages.map((message) => [message.id, message]));
  const now = clock.now();
  return {
    total: Math.min(count, WAITING_MAX),
    isBound: count > WAITING_MAX,
    items: found.flatMap((delivery) => {
      const { messageId } = delivery;
      const message = byId.get(messageId);
      const beside = { now, gated: gated.get(messageId), batch: batches.get(messageId) };
      return message ? [deliveryView(delivery, message, beside)] : [];
    }),
  };
}

/** The message with this key. Throws `not_found`. */
async function getByKey({ db, principal }: Pick<Doors, 'db' | 'principal'>, key: string) {
  const message = await findByKey(db, principal.accountId, key);
  if (!message) throw new AppError('not_found', 'Message not found');
  return message;
}

/** Deletes what waits of a message, and says so in an event for each recipient. Answers how many. */
export async function cancel(doors: Doors, key: string): Promise<number> {
  const { db, clock, events, principal } = doors;
  const { accountId } = principal;
  const { id: messageId, domain } = await getByKey(doors, key);
  const at = clock.now();
  return db.tx(async (tx) => {
    const canceled = await deleteWaiting(tx, accountId, messageId);
    await events.append(
      tx,
      canceled.map(({ position, recipient }) => ({
        at,
        accountId,
        event: 'rejected' as const,
        reason: 'canceled',
        domain,
        recipient: recipient.toLowerCase(),
        messageId,
        position,
        about: { reject: { reason: 'canceled', description: 'It was canceled while it waited in the queue.' } },
      })),
    );
    return canceled.length;
  });
}

/** Makes deferred deliveries of a message due. Answers how many. */
export async function tryNow(doors: Doors, key: string): Promise<number> {
  const { db, clock, principal } = doors;
  const { id: messageId } = await getByKey(doors, key);
  const moved = await makeDue(db, principal.accountId, { messageId, now: clock.now() });
  if (moved > 0) wakeQueue(db);
  return moved;
}
