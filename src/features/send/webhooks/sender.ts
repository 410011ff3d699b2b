// Takes deliveries that are due, posts them, and settles them.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import type { Attempt } from '../../../platform/posting/index.ts';
import { eventView } from '../events/index.ts';
import { listFacts } from '../messages/index.ts';
import { signingKeyOf } from '../signing-keys/index.ts';
import { sharesOf } from './lanes.ts';
import * as store from './outbox-store.ts';
import type { ReadyUrl, WebhookDelivery } from './outbox-store.ts';
import { postEvent } from './post.ts';
import { probeAfter } from './schedule.ts';
import { settle, type Ended } from './settle.ts';

export type SenderDoors = Pick<Outside, 'config' | 'db' | 'events' | 'secrets' | 'clock' | 'fetch' | 'log'>;

/** A process that has not been heard of for so long is dead; what it took goes on elsewhere. */
const TAKEN_MS = 120_000;
const SETTLED_AT_ONCE = 100;
const AGAIN_MS = 5000;

/** A delivery that this process has taken, with its URL. */
interface Taken {
  delivery: WebhookDelivery;
  url: ReadyUrl;
}

/** What is posted; the event is undefined when it is no longer kept, the key when it cannot be read. */
interface Ready extends Taken {
  event: object | undefined;
  key: string | undefined;
}

const placeOf = ({ at, id }: { at: Date; id: string }): string => `${at.getTime()} ${id}`;

/** What is posted for each of these deliveries: one look into the log for each account. */
async function prepare(doors: SenderDoors, taken: readonly Taken[]): Promise<Ready[]> {
  const { db, config, events } = doors;
  const ready: Ready[] = [];
  for (const [accountId, own] of Map.groupBy(taken, ({ delivery }) => delivery.accountId)) {
    const places = own.map(({ delivery }) => ({ at: delivery.eventAt, id: delivery.eventId }));
    const logged = new Map((await events.find(accountId, places)).map((event) => [placeOf(event), event]));
    const ids = new Set([...logged.values()].flatMap(({ messageId }) => messageId ?? []));
    const messages = new Map((await listFacts(db, [...ids])).map((message) => [message.id, message]));
    const key = await signingKeyOf(doors, accountId).catch((error: unknown) => {
      doors.log.warn({ message: messageOf(error), accountId }, 'the signing key of webhooks cannot be read');
      return undefined;
    });
    for (const { delivery, url } of own) {
      const event = logged.get(placeOf({ at: delivery.eventAt, id: delivery.eventId }));
      const where = { baseUrl: config.publicUrl || url.baseUrl, region: config.region };
      const view = event && eventView(event, messages.get(event.messageId ?? ''), where);
      ready.push({ delivery, url, event: view, key });
    }
  }
  return ready;
}

/** An attempt that asked nobody. */
function unsent(now: Date, message: string): Attempt {
  return { at: now.toISOString(), code: null, message, tookMs: 0, answer: '' };
}

/** Settles what has ended, batch after batch: while one is written, the next one gathers. */
function settler(doors: SenderDoors, worker: string, closing: AbortSignal) {
  const waiting: Ended[] = [];
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, SETTLED_AT_ONCE);
      try {
        await settle(doors, worker, batch);
        waiting.splice(0, batch.length);
      } catch (error) {
        doors.log.warn({ message: messageOf(error) }, 'the end of webhooks could not be written; it is tried again');
        // They are sent again, since nobody knows of them.
        if (closing.aborted) waiting.length = 0;
        else await new Promise((resolve) => setTimeout(resolve, AGAIN_MS));
      }
    }
    writing = undefined;
  };
  return {
    add(ended: Ended): Promise<void> {
      waiting.push(ended);
      return (writing ??= write());
    },
  };
}

/** Takes as many deliveries of each URL as it has a share of. */
async function claim(
  { db, clock }: SenderDoors,
  worker: string,
  shares: ReadonlyMap<ReadyUrl, number>,
): Promise<Taken[]> {
  const now = clock.now();
  const takenUntil = new Date(now.getTime() + TAKEN_MS);
  const taken: Taken[] = [];
  for (const [url, limit] of shares) {
    if (url.pausedAt && !(await store.takeProbe(db, url, { now, next: probeAfter(now) }))) continue;
    for (const delivery of await store.claim(db, url, { worker, now, takenUntil, limit }))
      taken.push({ delivery, url });
  }
  return taken;
}

interface WebhookSender {
  /** Begins as many attempts as there is room for. Answers how many. */
  begin(): Promise<number>;
  /** What this process holds, it holds longer; what dead ones held, waits again. */
  renew(): Promise<void>;
  /** Ends attempts under way and gives back what did not end. */
  close(): Promise<void>;
}

/** Makes a sender. `onEnd` is called whenever an attempt has ended, and is written. */
export function createSender(doors: SenderDoors, onEnd: () => void): WebhookSender {
  const { db, clock, log } = doors;
  const worker = randomText(9);
  const closing = new AbortController();
  const running = new Map<string, { lane: ReadyUrl; done: Promise<void> }>();
  const settled = settler(doors, worker, closing.signal);
  const attempt = async ({ delivery, url, event, key }: Ready): Promise<void> => {
    if (!event) {
      const made = unsent(clock.now(), 'The event is no longer kept.');
      return settled.add({ delivery, attempt: made, isGone: true });
    }
    const posted = key && (await postEvent(doors, { url: url.url, key, event, signal: closing.signal }));
    const made = posted || unsent(clock.now(), 'The signing key of the account cannot be read.');
    // What was cut off by a stop is tried again, as if it had not been tried.
    if (made.code === null && closing.signal.aborted) return;
    await settled.add({ delivery, attempt: made });
  };
  return {
    async begin() {
      const ready = await store.listReady(db, clock.now());
      if (ready.length === 0) return 0;
      const start = Math.floor(Math.random() * ready.length);
      const turns = [...ready.slice(start), ...ready.slice(0, start)];
      const lanes = [...running.values()].map(({ lane }) => lane);
      const taken = await claim(doors, worker, sharesOf(turns, lanes));
      const prepared = await prepare(doors, taken).catch(async (error: unknown) => {
        await store.releaseClaims(
          db,
          worker,
          taken.map(({ delivery }) => delivery.id),
        );
        throw error;
      });
      for (const one of prepared) {
        const { id } = one.delivery;
        const done = attempt(one)
          .catch((error: unknown) => log.error({ message: messageOf(error), id }, 'a webhook could not be attempted'))
          .finally(() => {
            running.delete(id);
            onEnd();
          });
        running.set(id, { lane: one.url, done });
      }
      return taken.length;
    },
    async renew() {
      const now = clock.now();
      await store.renewClaims(db, worker, new Date(now.getTime() + TAKEN_MS));
      await store.releaseLost(db, now);
      await store.cancelLeft(db);
    },
    async close() {
      closing.abort();
      await Promise.all([...running.values()].map(({ done }) => done));
      await store.releaseClaims(db, worker);
    },
  };
}
