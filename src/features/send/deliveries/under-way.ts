// Deliveries under way in this process: each is tried by itself, and what each comes to goes to the settler.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Journal } from '../../../platform/journal/index.ts';
import { releaseClaims, type Delivery } from '../messages/index.ts';
import { nameOf } from './adopt.ts';
import { attemptsOf, known, type Doors } from './attempts.ts';
import type { Attempt, Outcome } from './outcomes.ts';
import type { Rooms } from './rooms.ts';
import type { Settler } from './settler.ts';
import type { Transmit } from './smtp.ts';

/** Bytes of messages that are made or handed over at once; one that is larger goes alone. */
const BYTES_MAX = 256 * 1024 * 1024;

export interface Parts {
  worker: string;
  rooms: Rooms;
  settler: Settler;
  journal: Journal;
  transmit: Transmit;
  takenUntil(): Date;
  /** Something ended: there may be room. */
  onRoom(): void;
  signal: AbortSignal;
}

interface Scales {
  take(bytes: number): Promise<void>;
  give(bytes: number): void;
}

/** Lets work in as long as its bytes have room, in order of arrival. */
function createScales(): Scales {
  let held = 0;
  const waiting: { bytes: number; enter: () => void }[] = [];
  const admit = (): void => {
    for (let [next] = waiting; next && (held === 0 || held + next.bytes <= BYTES_MAX); [next] = waiting) {
      waiting.shift();
      held += next.bytes;
      next.enter();
    }
  };
  return {
    take: (bytes) =>
      new Promise((enter) => {
        waiting.push({ bytes, enter });
        admit();
      }),
    give(bytes) {
      held -= bytes;
      admit();
    },
  };
}

/** Without it, a crash before the outcome is written makes the attempt uncertain; the outcome stands all the same. */
function note({ log }: Doors, journal: Journal, { delivery, outcome }: { delivery: Delivery; outcome: Outcome }): void {
  try {
    journal.ended(nameOf(delivery), { code: outcome.status.code, about: outcome });
  } catch (error) {
    log.warn({ message: messageOf(error) }, 'the journal of deliveries could not be written');
  }
}

/** One attempt, from its bytes to its outcome; what was not tried is given back. */
async function attemptOne(
  doors: Doors,
  { worker, rooms, settler, journal, transmit, signal, onRoom }: Parts,
  { attempt, scales }: { attempt: Attempt; scales: Scales },
): Promise<void> {
  const { delivery, message } = attempt;
  let outcome: Outcome | undefined;
  await scales.take(message.sizeBytes);
  try {
    signal.throwIfAborted();
    outcome = await transmit(attempt, { beforeEnd: () => journal.began(nameOf(delivery)), signal });
    note(doors, journal, { delivery, outcome });
  } catch (error) {
    if (!signal.aborted)
      doors.log.warn({ message: messageOf(error), delivery: delivery.id }, 'a delivery could not be tried');
    await releaseClaims(doors.db, worker, [delivery.id]);
  } finally {
    scales.give(message.sizeBytes);
    rooms.leave(delivery.destination, outcome);
    if (outcome) settler.add({ ...attempt, outcome });
    onRoom();
  }
}

interface UnderWay {
  readonly size: number;
  /** Begins what was taken. Gives all of it back when it throws. */
  start(claimed: readonly Delivery[]): Promise<void>;
  /** Resolves when nothing is under way. */
  idle(): Promise<void>;
}

/** What is under way. */
export function createUnderWay(doors: Doors, parts: Parts): UnderWay {
  const { worker, rooms, settler } = parts;
  const { db } = doors;
  const scales = createScales();
  const underWay = new Set<Promise<void>>();

  const start = (attempt: Attempt): void => {
    const work = attemptOne(doors, parts, { attempt, scales })
      .catch((error: unknown) =>
        doors.log.warn({ message: messageOf(error) }, 'a delivery could not be given back; it waits for its time'),
      )
      .finally(() => underWay.delete(work));
    underWay.add(work);
  };

  const startAll = async (claimed: readonly Delivery[]): Promise<void> => {
    for (const { destination } of claimed) rooms.enter(destination);
    try {
      const attempts = await attemptsOf(doors, claimed);
      const outcomes = await known(doors, attempts);
      for (const attempt of attempts) {
        const outcome = outcomes.get(attempt.delivery.id);
        if (outcome) {
          rooms.leave(attempt.delivery.destination);
          settler.add({ ...attempt, outcome });
        } else start(attempt);
      }
    } catch (error) {
      for (const { destination } of claimed) rooms.leave(destination);
      const ids = claimed.map(({ id }) => id);
      await releaseClaims(db, worker, ids);
      throw error;
    }
  };

  return {
    get size() {
      return underWay.size;
    },
    start: startAll,
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
