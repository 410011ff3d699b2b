// Deliveries under way in this process: each waits for a place at its destination, is tried by itself, and what it
// comes to goes to the settler.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Journal } from '../../../platform/journal/index.ts';
import type { MailLease } from '../../../platform/mail/index.ts';
import { releaseClaims, type Delivery } from '../messages/index.ts';
import { nameOf } from './adopt.ts';
import { attemptsOf, known, type Doors, type FindMessages } from './attempts.ts';
import type { Attempt, Outcome } from './outcomes.ts';
import type { Rooms } from './rooms.ts';
import type { Hold } from './settle.ts';
import type { Settler } from './settler.ts';
import type { Transmit } from './smtp.ts';

/** Attempts at once, each on a connection of its own. */
const ATTEMPTS_MAX = 500;
/** Bytes of messages that are made or handed over at once; one that is larger goes alone. */
const BYTES_MAX = 256 * 1024 * 1024;
/** Within which a destination with a rate takes its next message. */
const SOON_MS = 120_000;
/** What could not be made ready here waits so long. */
const FAULT_MS = 5000;

export interface Parts {
  worker: string;
  rooms: Rooms;
  settler: Settler;
  journal: Journal;
  transmit: Transmit;
  find: FindMessages;
  takenUntil(): Date;
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

/** What was taken for destinations that share their room. */
interface Lane {
  waiting: Attempt[];
  flying: number;
  /** So many had a place when the next was refused one: no more is asked for meanwhile. */
  bound: number;
  isAsking: boolean;
}

interface UnderWay {
  /** Those that wait for their place included. */
  readonly size: number;
  /** Begins what was taken. Gives all of it back when it throws. */
  start(claimed: readonly Delivery[]): Promise<void>;
  /** Asks again for places that were refused. */
  stir(): void;
  /** Gives back what waits, and resolves when nothing is under way. */
  close(): Promise<void>;
}

/** What is under way. */
export function createUnderWay(doors: Doors, parts: Parts): UnderWay {
  return new Lanes(doors, parts);
}

class Lanes implements UnderWay {
  readonly #doors: Doors;
  readonly #parts: Parts;
  readonly #scales = createScales();
  readonly #lanes = new Map<string, Lane>();
  readonly #flights = new Set<Promise<void>>();
  /** Those that wait for others to end. */
  readonly #blocked = new Set<Lane>();
  #waiting = 0;

  constructor(doors: Doors, parts: Parts) {
    this.#doors = doors;
    this.#parts = parts;
  }

  get size(): number {
    return this.#waiting + this.#flights.size;
  }

  async start(claimed: readonly Delivery[]): Promise<void> {
    const { rooms, settler, worker } = this.#parts;
    const keys = new Map(claimed.map(({ id, destination }) => [id, rooms.enter(destination)]));
    const left = new Map(claimed.map((delivery) => [delivery.id, delivery]));
    try {
      const attempts = await attemptsOf(this.#parts.find, claimed);
      const outcomes = await known(this.#doors, attempts);
      const lanes = new Set<Lane>();
      for (const attempt of attempts) {
        const { id } = attempt.delivery;
        const outcome = outcomes.get(id);
        if (outcome) {
          settler.add({ ...attempt, outcome });
          continue;
        }
        left.delete(id);
        const lane = this.#laneOf(keys.get(id) as string);
        lane.waiting.push(attempt);
        this.#waiting += 1;
        lanes.add(lane);
      }
      for (const lane of lanes) this.#ask(lane);
    } catch (error) {
      await releaseClaims(this.#doors.db, worker, [...left.keys()]);
      throw error;
    } finally {
      for (const { destination } of left.values()) rooms.leave(destination);
    }
  }

  stir(): void {
    for (const [key, lane] of this.#lanes) {
      lane.bound = Infinity;
      if (lane.waiting.length > 0) this.#ask(lane);
      else if (lane.flying === 0 && !lane.isAsking) this.#lanes.delete(key);
    }
  }

  async close(): Promise<void> {
    for (const lane of this.#lanes.values()) this.#giveBack(lane.waiting.splice(0));
    while (this.#flights.size > 0) await Promise.all(this.#flights);
  }

  #laneOf(key: string): Lane {
    const lane = this.#lanes.get(key) ?? { waiting: [], flying: 0, bound: Infinity, isAsking: false };
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Begins what has a place; what is refused one waits, or goes back until then. */
  #ask(lane: Lane): void {
    if (lane.isAsking) return;
    lane.isAsking = true;
    void this.#fly(lane).catch((error: unknown) => {
      this.#doors.log.error({ err: error }, 'deliveries could not be tried; they are tried again');
      this.#giveBack(lane.waiting.splice(0), this.#faultOf(error));
    });
  }

  async #fly(lane: Lane): Promise<void> {
    const { mailer } = this.#doors;
    try {
      for (let [next] = lane.waiting; next && lane.flying < lane.bound; [next] = lane.waiting) {
        if (this.#parts.signal.aborted) return;
        if (this.#flights.size >= ATTEMPTS_MAX) return void this.#blocked.add(lane);
        const lease = await mailer.tryLease(next.delivery.recipient);
        // It was given back meanwhile.
        if (lane.waiting[0] !== next) {
          if (lease.ok) lease.release();
        } else if (lease.ok) this.#start(lane, lane.waiting.shift() as Attempt, lease);
        else if (lease.until === undefined) lane.bound = lane.flying;
        else this.#hold(lane, lease.reason, lease.until);
      }
    } finally {
      // At once: who asks from now on begins anew.
      lane.isAsking = false;
    }
  }

  /** The destination asks to be left alone: all that waits for it goes back to the queue. */
  #hold(lane: Lane, why: string, until: Date): void {
    const held = lane.waiting.splice(0);
    // Where the next may go soon, the others stay in the queue; else each of them says why it waits.
    if (until.getTime() - this.#doors.clock.now().getTime() <= SOON_MS)
      for (const { delivery } of held) this.#parts.rooms.rest(delivery.destination, until);
    this.#giveBack(held, { reason: `${why.charAt(0).toUpperCase()}${why.slice(1)}`, until });
  }

  #giveBack(attempts: readonly Attempt[], hold?: Hold): void {
    this.#waiting -= attempts.length;
    for (const attempt of attempts) {
      this.#parts.rooms.leave(attempt.delivery.destination);
      this.#parts.settler.giveBack(attempt, hold);
    }
  }

  #faultOf(error: unknown): Hold {
    const until = new Date(this.#doors.clock.now().getTime() + FAULT_MS);
    return { reason: `It could not be made ready here: ${messageOf(error).slice(0, 200)}`, until };
  }

  #start(lane: Lane, attempt: Attempt, lease: MailLease): void {
    this.#waiting -= 1;
    lane.flying += 1;
    const flight = this.#try(attempt, lease).finally(() => {
      this.#flights.delete(flight);
      lane.flying -= 1;
      // Those that were full first come first.
      const blocked = [...this.#blocked, lane];
      this.#blocked.clear();
      for (const one of blocked) if (one.waiting.length > 0) this.#ask(one);
    });
    this.#flights.add(flight);
  }

  /** One attempt, from its bytes to its outcome; what was not tried is given back. */
  async #try(attempt: Attempt, lease: MailLease): Promise<void> {
    const { delivery, message } = attempt;
    const { rooms, settler, journal, transmit, signal } = this.#parts;
    let outcome: Outcome | undefined;
    let fault: Hold | undefined;
    await this.#scales.take(message.sizeBytes);
    try {
      signal.throwIfAborted();
      outcome = await transmit(attempt, { lease, beforeEnd: () => journal.began(nameOf(delivery)), signal });
      note(this.#doors, journal, { delivery, outcome });
    } catch (error) {
      if (!signal.aborted) {
        this.#doors.log.warn({ message: messageOf(error), delivery: delivery.id }, 'a delivery could not be tried');
        fault = this.#faultOf(error);
      }
    }
    this.#scales.give(message.sizeBytes);
    lease.release();
    rooms.leave(delivery.destination, outcome);
    if (outcome) settler.add({ ...attempt, outcome });
    else settler.giveBack(attempt, fault);
  }
}
