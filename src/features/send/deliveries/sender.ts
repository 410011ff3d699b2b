// Takes deliveries from the queue, batch by batch, has them carried, and settles them.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import {
  claimDeliveries,
  listFacts,
  onQueueWake,
  releaseClaims,
  releaseLost,
  renewClaims,
  type Delivery,
} from '../messages/index.ts';
import { capture } from './capture.ts';
import { deliveryChecks, type Attempt, type Carrier, type CarrierDoors, type Outcome } from './outcomes.ts';
import { settle } from './settle.ts';

const BATCH = 500;
const POLL_MS = 1000;
const AGAIN_MS = 5000;
/** A process that has not been heard of for so long is dead; what it took goes on elsewhere. */
const TAKEN_MS = 120_000;
const RENEW_MS = 30_000;

/** By the mode that a message was accepted in; one that was captured never leaves later. */
const CARRIERS: Record<'capture', Carrier> = { capture };

type Doors = CarrierDoors & Pick<Outside, 'events' | 'lists'>;

interface Sender {
  close(): Promise<void>;
}

/** Attempts with their messages; a delivery whose message is gone is gone, too. */
async function attemptsOf({ db }: Pick<Outside, 'db'>, deliveries: readonly Delivery[]): Promise<Attempt[]> {
  const facts = await listFacts(db, [...new Set(deliveries.map(({ messageId }) => messageId))]);
  const byId = new Map(facts.map((message) => [message.id, message]));
  return deliveries.flatMap((delivery) => {
    const message = byId.get(delivery.messageId);
    return message ? [{ delivery, message }] : [];
  });
}

/** What is known before the attempt, then what the attempt says. */
async function carry(outside: Doors, attempts: readonly Attempt[]): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>();
  const open = (): Attempt[] => attempts.filter(({ delivery }) => !outcomes.has(delivery.id));
  for (const check of [...outside.lists.of(deliveryChecks), CARRIERS.capture])
    for (const [id, outcome] of await check(outside, open())) outcomes.set(id, outcome);
  return outcomes;
}

/** One batch. Answers whether there may be more. */
async function sendBatch(outside: Doors, worker: string): Promise<boolean> {
  const { db, clock } = outside;
  const now = clock.now();
  const takenUntil = new Date(now.getTime() + TAKEN_MS);
  const deliveries = await claimDeliveries(db, { worker, now, takenUntil, limit: BATCH });
  if (deliveries.length === 0) return false;
  try {
    const attempts = await attemptsOf(outside, deliveries);
    const outcomes = await carry(outside, attempts);
    const ended = attempts.flatMap((attempt) => {
      const outcome = outcomes.get(attempt.delivery.id);
      return outcome ? [{ ...attempt, outcome }] : [];
    });
    await settle(outside, worker, ended);
  } catch (error) {
    await releaseClaims(
      db,
      worker,
      deliveries.map(({ id }) => id),
    );
    throw error;
  }
  return true;
}

/** Resolves after so long, or when the signal says so. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    const end = (): void => {
      clearTimeout(timer);
      resolve();
    };
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Starts sending in this process. `close` waits for the batch under way. */
export function startSender(outside: Doors): Sender {
  const { db, clock, log } = outside;
  const worker = randomText(9);
  const closing = new AbortController();
  const { signal } = closing;
  let wake = Promise.withResolvers<void>();
  const timers: NodeJS.Timeout[] = [];
  const every = (ms: number, what: () => Promise<unknown>): void => {
    const run = (): void =>
      void what().catch((error: unknown) =>
        log.warn({ message: messageOf(error) }, 'the queue could not be looked at'),
      );
    timers.push(setInterval(run, ms));
  };
  every(POLL_MS, async () => wake.resolve());
  every(RENEW_MS, async () => {
    await renewClaims(db, worker, new Date(clock.now().getTime() + TAKEN_MS));
    if ((await releaseLost(db, clock.now())) > 0) wake.resolve();
  });
  const stopListening = onQueueWake(db, () => wake.resolve());
  const work = async (): Promise<void> => {
    // Embedded, no other process can hold a delivery: what is marked as taken was cut off.
    if (db.isEmbedded) await releaseLost(db, new Date(clock.now().getTime() + TAKEN_MS + RENEW_MS));
    while (!signal.aborted) {
      wake = Promise.withResolvers<void>();
      try {
        while (!signal.aborted && (await sendBatch(outside, worker)));
        if (!signal.aborted) await wake.promise;
      } catch (error) {
        log.warn({ message: messageOf(error) }, 'a batch of deliveries could not be sent; it is tried again');
        await pause(AGAIN_MS, signal);
      }
    }
  };
  const done = work();
  return {
    async close() {
      closing.abort();
      stopListening();
      for (const timer of timers) clearInterval(timer);
      wake.resolve();
      await done;
    },
  };
}
