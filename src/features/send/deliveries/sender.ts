// Takes deliveries from the queue, has them carried, and settles them.
import { messageOf } from '../../../platform/errors/index.ts';
import { randomText } from '../../../platform/ids/index.ts';
import { openJournal } from '../../../platform/journal/index.ts';
import {
  claimDeliveries,
  onQueueWake,
  promoteDue,
  releaseClaims,
  releaseLost,
  renewClaims,
} from '../messages/index.ts';
import { adoptLost, journalDir, nameOf } from './adopt.ts';
import { attemptsOf, known, rememberingMessages, type Doors } from './attempts.ts';
import type { BoundIps } from '../sending-ips/index.ts';
import { createDepartures } from './departures.ts';
import { createLiveQueue, type LiveQueue } from './live-queue.ts';
import { createRooms } from './rooms.ts';
import { settle } from './settle.ts';
import { createSettler } from './settler.ts';
import { createTransmitter } from './smtp.ts';
import type { Parts } from './under-way.ts';

const BATCH = 500;
const POLL_MS = 1000;
const AGAIN_MS = 5000;
/** What ends within so long makes one look together. */
const LOOK_MS = 10;
/** A process that has not been heard of for so long is dead; what it took goes on elsewhere. */
const TAKEN_MS = 120_000;
const RENEW_MS = 30_000;

interface Sender {
  close(): Promise<void>;
}

/** One batch of what was captured. Answers whether there may be more. */
async function settleCaptured(outside: Doors, { worker, find }: Pick<Parts, 'worker' | 'find'>): Promise<boolean> {
  const { db, clock } = outside;
  const now = clock.now();
  const takenUntil = new Date(now.getTime() + TAKEN_MS);
  const deliveries = await claimDeliveries(db, { worker, now, takenUntil, limit: BATCH });
  if (deliveries.length === 0) return false;
  try {
    const attempts = await attemptsOf(find, deliveries);
    const { outcomes, holds } = await known(outside, attempts);
    const ended = attempts.flatMap((attempt) => {
      const outcome = outcomes.get(attempt.delivery.id);
      return outcome ? [{ ...attempt, outcome }] : [];
    });
    const untried = attempts.flatMap((attempt) => {
      const hold = holds.get(attempt.delivery.id);
      return hold ? [{ ...attempt, hold }] : [];
    });
    await settle(outside, worker, { ended, untried });
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
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

/** Something that is waited for again and again. */
function createBell(): { ring(): void; next(): Promise<void> } {
  let bell = Promise.withResolvers<void>();
  return {
    ring: () => bell.resolve(),
    async next() {
      await bell.promise;
      bell = Promise.withResolvers<void>();
    },
  };
}

/** What a process has for its deliveries. */
function openParts(outside: Doors, { signal, ring, ips }: { signal: AbortSignal; ring(): void; ips: BoundIps }) {
  const worker = randomText(9);
  const journal = openJournal(journalDir(outside), worker);
  const settler = createSettler(outside, {
    worker,
    onSettled: (ended) => {
      journal.settled(ended.map(({ delivery }) => nameOf(delivery)));
      if (live.isWaiting) ring();
    },
  });
  const takenUntil = (): Date => new Date(outside.clock.now().getTime() + TAKEN_MS);
  const find = rememberingMessages(outside);
  const live: LiveQueue = createLiveQueue(outside, {
    worker,
    rooms: createRooms(outside, ring),
    departures: createDepartures(outside, ips.hostNames),
    settler,
    find,
    journal,
    transmit: createTransmitter(outside),
    takenUntil,
    signal,
  });
  return { worker, find, journal, settler, live, takenUntil };
}

/** Repeats what keeps the queue going; a failure is said and tried again. */
function repeat({ log }: Pick<Doors, 'log'>, ms: number, what: () => Promise<unknown>): NodeJS.Timeout {
  return setInterval(
    () =>
      void what().catch((error: unknown) =>
        log.warn({ message: messageOf(error) }, 'the queue could not be looked at'),
      ),
    ms,
  );
}

/** Starts sending in this process. `close` waits for what is under way, as long as the configuration says. */
export function startSender(outside: Doors, ips: BoundIps): Sender {
  const { db, clock, log, config } = outside;
  const closing = new AbortController();
  const { signal } = closing;
  const bell = createBell();
  const { worker, find, journal, settler, live, takenUntil } = openParts(outside, { signal, ring: bell.ring, ips });
  const timers = [
    repeat(outside, POLL_MS, async () => bell.ring()),
    repeat(outside, RENEW_MS, async () => {
      await renewClaims(db, worker, takenUntil());
      const found = (await adoptLost(outside)) + (await releaseLost(db, clock.now()));
      if (found > 0) bell.ring();
    }),
  ];
  const stopListening = onQueueWake(db, bell.ring);

  const takeUp = async (): Promise<void> => {
    await adoptLost(outside);
    // Embedded, no other process can hold a delivery: what is marked as taken was cut off.
    if (db.isEmbedded) await releaseLost(db, new Date(clock.now().getTime() + TAKEN_MS + RENEW_MS));
  };
  const look = async (): Promise<boolean> => {
    await promoteDue(db, clock.now());
    const isMore = await settleCaptured(outside, { worker, find });
    return (await live.look()) || isMore;
  };
  const work = async (): Promise<void> => {
    let isTakenUp = false;
    while (!signal.aborted) {
      try {
        if (!isTakenUp) await takeUp();
        isTakenUp = true;
        while (!signal.aborted && (await look()));
        if (!signal.aborted) await bell.next();
        await pause(LOOK_MS, signal);
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
      bell.ring();
      await done;
      await Promise.race([live.close(), new Promise((resolve) => setTimeout(resolve, config.drainMs).unref())]);
      await settler.close(config.drainMs);
      journal.close();
    },
  };
}
