// Deliveries under way in this process: each waits for a place at its destination, is tried by itself, and what it
// comes to goes to the settler.
import { messageOf } from '../../../platform/errors/index.ts';
import type { Journal } from '../../../platform/journal/index.ts';
import { releaseClaims, type Delivery } from '../messages/index.ts';
import { nameOf } from './adopt.ts';
import { attemptsOf, known, type Doors, type FindMessages } from './attempts.ts';
import { SOON_MS, type Departure, type Departures } from './departures.ts';
import type { SendingSet } from '../ip-pools/index.ts';
import type { Attempt, Hold, Outcome } from './outcomes.ts';
import type { Rooms, Way } from './rooms.ts';
import type { Settler } from './settler.ts';
import type { Transmit } from './smtp.ts';

/** Attempts at once, each on a connection of its own. */
const ATTEMPTS_MAX = 500;
/** Copies that are made at once, more than there are threads that sign; so a fast server needs few connections. */
const MADE_AT_ONCE = 16;
/** Bytes of messages that are made or handed over at once; one that is larger goes alone. */
const BYTES_MAX = 256 * 1024 * 1024;
/** What could not be made ready here waits so long. */
const FAULT_MS = 5000;

export interface Parts {
  worker: string;
  rooms: Rooms;
  departures: Departures;
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
  // What was said is worth no write for each message.
  const { conversation: _said, ...about } = outcome;
  try {
    journal.ended(nameOf(delivery), { code: outcome.status.code, about });
  } catch (error) {
    log.warn({ message: messageOf(error) }, 'the journal of deliveries could not be written');
  }
}

/** What was taken for destinations that share their room. */
interface Lane {
  /** What they leave from; undefined: the system chooses. */
  set: SendingSet | undefined;
  waiting: Attempt[];
  flying: number;
  /** So many had a place when the next was refused one: no more is asked for meanwhile. */
  bound: number;
  isAsking: boolean;
}

const wayOf = ({ set }: Lane, { destination }: Delivery): Way => ({ destination, set: set?.key ?? '' });

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
  /** Those that wait for others to be made, or to end. */
  readonly #blocked = new Set<Lane>();
  /** Those whose addresses others keep busy: they are asked about first when something ends. */
  readonly #crowded = new Set<Lane>();
  #waiting = 0;
  /** Copies that are being made, or are about to be. */
  #making = 0;

  constructor(doors: Doors, parts: Parts) {
    this.#doors = doors;
    this.#parts = parts;
  }

  get size(): number {
    return this.#waiting + this.#flights.size;
  }

  async start(claimed: readonly Delivery[]): Promise<void> {
    const { rooms, settler, worker, departures } = this.#parts;
    const left = new Map(claimed.map((delivery) => [delivery.id, delivery]));
    let ways = new Map<string, Way>();
    try {
      const sets = await departures.setsOf(claimed);
      ways = new Map(claimed.map((one) => [one.id, { destination: one.destination, set: sets(one)?.key ?? '' }]));
      const keys = new Map([...ways].map(([id, way]) => [id, rooms.enter(way)]));
      const attempts = await attemptsOf(this.#parts.find, claimed);
      const { outcomes, holds } = await known(this.#doors, attempts);
      const lanes = new Set<Lane>();
      for (const attempt of attempts) {
        const { id } = attempt.delivery;
        const outcome = outcomes.get(id);
        if (outcome) {
          settler.add({ ...attempt, outcome });
          continue;
        }
        const hold = holds.get(id);
        if (hold) {
          settler.giveBack(attempt, hold);
          continue;
        }
        left.delete(id);
        const lane = this.#laneOf(keys.get(id) as string);
        lane.set = sets(attempt.delivery);
        lane.waiting.push(attempt);
        this.#waiting += 1;
        lanes.add(lane);
      }
      for (const lane of lanes) this.#ask(lane);
    } catch (error) {
      await releaseClaims(this.#doors.db, worker, [...left.keys()]);
      throw error;
    } finally {
      for (const { id } of left.values()) {
        const way = ways.get(id);
        if (way) rooms.leave(way);
      }
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
    for (const lane of this.#lanes.values()) this.#giveBack(lane, lane.waiting.splice(0));
    while (this.#flights.size > 0) await Promise.all(this.#flights);
  }

  #laneOf(key: string): Lane {
    const lane = this.#lanes.get(key) ?? { set: undefined, waiting: [], flying: 0, bound: Infinity, isAsking: false };
    this.#lanes.set(key, lane);
    return lane;
  }

  /** Begins what has a place; what is refused one waits, or goes back until then. */
  #ask(lane: Lane): void {
    if (lane.isAsking) return;
    lane.isAsking = true;
    void this.#fly(lane).catch((error: unknown) => {
      this.#doors.log.error({ err: error }, 'deliveries could not be tried; they are tried again');
      this.#giveBack(lane, lane.waiting.splice(0), this.#faultOf(error));
    });
  }

  async #fly(lane: Lane): Promise<void> {
    const { departures } = this.#parts;
    try {
      for (let [next] = lane.waiting; next && lane.flying < lane.bound; [next] = lane.waiting) {
        if (this.#parts.signal.aborted) return;
        if (this.#isFull) return void this.#blocked.add(lane);
        this.#making += 1;
        const lease = await departures.leaseFor(next.delivery, lane.set).catch((error: unknown) => {
          this.#making -= 1;
          throw error;
        });
        if (lease.ok && lane.waiting[0] === next) {
          this.#start(lane, lane.waiting.shift() as Attempt, lease);
          continue;
        }
        this.#making -= 1;
        // It was given back meanwhile.
        if (lease.ok) lease.cancel();
        else if (lease.hold) {
          if (lane.waiting[0] === next) this.#giveBack(lane, lane.waiting.splice(0, 1), lease.hold);
        } else if (lease.until !== undefined) this.#hold(lane, lease.reason, lease.until);
        else {
          lane.bound = lane.flying;
          if (lane.set) this.#crowded.add(lane);
        }
      }
    } finally {
      // At once: who asks from now on begins anew.
      lane.isAsking = false;
    }
  }

  get #isFull(): boolean {
    return this.#making >= MADE_AT_ONCE || this.#flights.size >= ATTEMPTS_MAX;
  }

  /** There is room: those that were blocked take turns, one attempt each. */
  #goOn(): void {
    for (const lane of this.#blocked) {
      if (this.#isFull) return;
      this.#blocked.delete(lane);
      this.#ask(lane);
    }
  }

  /** The destination asks to be left alone: all that waits for it goes back to the queue. */
  #hold(lane: Lane, why: string, until: Date): void {
    const held = lane.waiting.splice(0);
    // Where the next may go soon, the others stay in the queue; else each of them says why it waits.
    if (until.getTime() - this.#doors.clock.now().getTime() <= SOON_MS)
      for (const { delivery } of held) this.#parts.rooms.rest(wayOf(lane, delivery), until);
    this.#giveBack(lane, held, { reason: `${why.charAt(0).toUpperCase()}${why.slice(1)}`, until });
  }

  #giveBack(lane: Lane, attempts: readonly Attempt[], hold?: Hold): void {
    this.#waiting -= attempts.length;
    for (const attempt of attempts) {
      this.#parts.rooms.leave(wayOf(lane, attempt.delivery));
      this.#parts.settler.giveBack(attempt, hold);
    }
  }

  #faultOf(error: unknown): Hold {
    const until = new Date(this.#doors.clock.now().getTime() + FAULT_MS);
    return { reason: `It could not be made ready here: ${messageOf(error).slice(0, 200)}`, until };
  }

  #start(lane: Lane, attempt: Attempt, lease: Departure): void {
    this.#waiting -= 1;
    lane.flying += 1;
    const flight = this.#try(attempt, lease, wayOf(lane, attempt.delivery)).finally(() => {
      this.#flights.delete(flight);
      lane.flying -= 1;
      this.#uncrowd();
      if (lane.waiting.length > 0) this.#blocked.add(lane);
      this.#goOn();
    });
    this.#flights.add(flight);
  }

  /** Lanes that share their addresses with others come before the one in which something ended. */
  #uncrowd(): void {
    for (const lane of this.#crowded) {
      lane.bound = Infinity;
      if (lane.waiting.length > 0) this.#blocked.add(lane);
    }
    this.#crowded.clear();
  }

  /** One attempt, from its bytes to its outcome; what was not tried is given back. */
  async #try(attempt: Attempt, lease: Departure, way: Way): Promise<void> {
    const { delivery, message } = attempt;
    const { rooms, settler, journal, transmit, signal } = this.#parts;
    let outcome: Outcome | undefined;
    let fault: Hold | undefined;
    let isMade = false;
    const made = (): void => {
      if (isMade) return;
      isMade = true;
      this.#making -= 1;
      this.#goOn();
    };
    await this.#scales.take(message.sizeBytes);
    try {
      signal.throwIfAborted();
      const beforeEnd = (): void => journal.began(nameOf(delivery));
      outcome = lease.leftFrom(await transmit(attempt, { lease, made, beforeEnd, signal }));
      note(this.#doors, journal, { delivery, outcome });
    } catch (error) {
      if (!signal.aborted) {
        this.#doors.log.warn({ message: messageOf(error), delivery: delivery.id }, 'a delivery could not be tried');
        fault = this.#faultOf(error);
      }
    }
    made();
    this.#scales.give(message.sizeBytes);
    if (outcome) lease.release();
    else lease.cancel();
    rooms.leave(way, outcome);
    if (outcome) settler.add({ ...attempt, outcome });
    else settler.giveBack(attempt, fault);
  }
}
