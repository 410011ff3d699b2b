// Connections are kept for the next message to the same servers, and counted per destination.
import { openSmtpSession, type SessionOptions, type SessionTarget, type SmtpSession } from './smtp-session.ts';

export interface PoolLimits {
  concurrencyPerDestination: number;
  /** How long an unused connection is kept. */
  idleMs: number;
  /** Afterwards a connection is ended: many servers count. */
  messagesPerConnectionMax: number;
}

/** A destination: who has the same key shares connections. */
export interface Room {
  key: string;
  /** At once, those that are kept and those that are being closed included. */
  connections: number;
  messagesPerConnection: number;
}

export interface Lease {
  session: SmtpSession;
  target: SessionTarget;
  /** Whether the connection carried a message before. */
  isReused: boolean;
  /** Gives the connection back, for other messages if it can still be used. */
  release(): void;
  discard(): void;
}

export interface SessionPool {
  /** Runs the work when the destination has room, in order of arrival. */
  withRoom<Result>(room: Room, work: () => Promise<Result>): Promise<Result>;
  /** Takes a place, which the answer gives back; undefined when there is none: nothing waits in memory. */
  tryRoom(room: Room): (() => void) | undefined;
  /** For who has a place in the room. `isFresh`: never a used connection. */
  lease(target: SessionTarget, room: Room, options: { isFresh: boolean }): Promise<Lease>;
  /** A connection that is kept, if one fits. */
  leaseKept(room: Room, fits: (target: SessionTarget) => boolean): Lease | undefined;
  close(): void;
}

interface Idle {
  session: SmtpSession;
  target: SessionTarget;
  messages: number;
  timer: NodeJS.Timeout;
}

interface RoomState {
  taken: number;
  waiting: (() => void)[];
  idle: Idle[];
  closing: Set<Promise<void>>;
}

/** The connections of one mailer. */
export function createSessionPool(options: SessionOptions & PoolLimits): SessionPool {
  return new Pool(options);
}

class Pool implements SessionPool {
  readonly #options: SessionOptions & PoolLimits;
  readonly #rooms = new Map<string, RoomState>();
  #isClosed = false;

  constructor(options: SessionOptions & PoolLimits) {
    this.#options = options;
  }

  async withRoom<Result>(room: Room, work: () => Promise<Result>): Promise<Result> {
    const state = this.#stateOf(room.key);
    if (state.taken >= room.connections) await new Promise<void>((resolve) => state.waiting.push(resolve));
    else state.taken += 1;
    try {
      return await work();
    } finally {
      this.#leave(room.key);
    }
  }

  tryRoom(room: Room): (() => void) | undefined {
    const state = this.#stateOf(room.key);
    if (state.taken >= room.connections) return undefined;
    state.taken += 1;
    let isLeft = false;
    return () => {
      if (!isLeft) this.#leave(room.key);
      isLeft = true;
    };
  }

  async lease(target: SessionTarget, room: Room, { isFresh }: { isFresh: boolean }): Promise<Lease> {
    const found = isFresh ? undefined : this.#takeIdle(room.key, (other) => isSame(target, other));
    if (found) return this.#leaseOf(room, found);
    await this.#makeSpace(room);
    return this.#leaseOf(room, { session: await openSmtpSession(target, this.#options), target, messages: 0 });
  }

  leaseKept(room: Room, fits: (target: SessionTarget) => boolean): Lease | undefined {
    const found = this.#takeIdle(room.key, fits);
    return found && this.#leaseOf(room, found);
  }

  close(): void {
    this.#isClosed = true;
    for (const [key, { idle }] of this.#rooms) for (const entry of idle) this.#drop(key, entry);
  }

  #stateOf(key: string): RoomState {
    const state = this.#rooms.get(key) ?? { taken: 0, waiting: [], idle: [], closing: new Set() };
    this.#rooms.set(key, state);
    return state;
  }

  #forget(key: string): void {
    const state = this.#rooms.get(key);
    if (state && state.taken + state.idle.length + state.closing.size === 0) this.#rooms.delete(key);
  }

  #leave(key: string): void {
    const state = this.#stateOf(key);
    // The slot of the finished work goes straight to the next in line, so that no newcomer takes it.
    const next = state.waiting.shift();
    if (next) next();
    else state.taken -= 1;
    this.#forget(key);
  }

  #leaseOf(room: Room, { session, target, messages }: Omit<Idle, 'timer'>): Lease {
    return {
      session,
      target,
      isReused: messages > 0,
      release: () => this.#keep(room, { session, target, messages: messages + 1 }),
      discard: () => session.destroy(),
    };
  }

  #keep({ key, messagesPerConnection }: Room, entry: Omit<Idle, 'timer'>): void {
    const { session, messages } = entry;
    if (this.#isClosed || !session.isOpen || messages >= messagesPerConnection) return this.#end(key, session);
    const kept: Idle = { ...entry, timer: setTimeout(() => this.#drop(key, kept), this.#options.idleMs) };
    kept.timer.unref();
    this.#stateOf(key).idle.push(kept);
  }

  #end(key: string, session: SmtpSession): void {
    const { closing } = this.#stateOf(key);
    const ended = session.end().finally(() => {
      closing.delete(ended);
      this.#forget(key);
    });
    closing.add(ended);
  }

  #drop(key: string, entry: Idle): void {
    this.#remove(key, entry);
    this.#end(key, entry.session);
  }

  #remove(key: string, entry: Idle): void {
    clearTimeout(entry.timer);
    const state = this.#stateOf(key);
    state.idle = state.idle.filter((other) => other !== entry);
  }

  #takeIdle(key: string, fits: (target: SessionTarget) => boolean): Idle | undefined {
    for (const entry of this.#stateOf(key).idle) {
      if (!fits(entry.target)) continue;
      if (!entry.session.isOpen) this.#drop(key, entry);
      else {
        this.#remove(key, entry);
        return entry;
      }
    }
    return undefined;
  }

  /** A connection that nobody uses gives way to one that is needed. */
  async #makeSpace({ key, connections }: Room): Promise<void> {
    for (;;) {
      const { taken, idle, closing } = this.#stateOf(key);
      if (taken + idle.length + closing.size <= connections) return;
      const [oldest] = idle;
      if (oldest) this.#drop(key, oldest);
      else if (closing.size === 0) return;
      await Promise.race(closing);
    }
  }
}

function isSame(one: SessionTarget, other: SessionTarget): boolean {
  return (
    one.host === other.host &&
    one.address === other.address &&
    one.port === other.port &&
    one.tls === other.tls &&
    one.login?.user === other.login?.user &&
    one.from?.ip === other.from?.ip
  );
}
