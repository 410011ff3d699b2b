// Connections are kept for the next message to the same server, and counted per destination.
import { openSmtpSession, type SessionOptions, type SessionTarget, type SmtpSession } from './smtp-session.ts';

export interface PoolLimits {
  concurrencyPerDestination: number;
  /** How long an unused connection is kept. */
  idleMs: number;
  /** Afterwards a connection is ended: many servers count. */
  messagesPerConnectionMax: number;
}

export interface Lease {
  session: SmtpSession;
  /** Whether the connection carried a message before. */
  isReused: boolean;
  /** Gives the connection back, for other messages if it can still be used. */
  release(): void;
  discard(): void;
}

export interface SessionPool {
  /** Runs the work when the destination has room, in order of arrival. */
  withRoom<Result>(destination: string, work: () => Promise<Result>): Promise<Result>;
  /** `isFresh`: never a used connection. */
  lease(target: SessionTarget, options?: { isFresh?: boolean }): Promise<Lease>;
  close(): void;
}

interface Idle {
  session: SmtpSession;
  messages: number;
  timer: NodeJS.Timeout;
}

/** The connections of one mailer. */
export function createSessionPool(options: SessionOptions & PoolLimits): SessionPool {
  const idle = new Map<string, Idle[]>();
  const rooms = new Map<string, { taken: number; waiting: (() => void)[] }>();
  let isClosed = false;

  function keep(key: string, session: SmtpSession, messages: number): void {
    if (isClosed || !session.isOpen || messages >= options.messagesPerConnectionMax) return session.end();
    const entry: Idle = { session, messages, timer: setTimeout(() => drop(key, entry), options.idleMs) };
    entry.timer.unref();
    idle.set(key, [...(idle.get(key) ?? []), entry]);
  }

  function drop(key: string, entry: Idle): void {
    remove(key, entry);
    entry.session.end();
  }

  function remove(key: string, entry: Idle): void {
    clearTimeout(entry.timer);
    const rest = (idle.get(key) ?? []).filter((other) => other !== entry);
    if (rest.length > 0) idle.set(key, rest);
    else idle.delete(key);
  }

  function takeIdle(key: string): Idle | undefined {
    for (const entry of idle.get(key) ?? []) {
      remove(key, entry);
      if (entry.session.isOpen) return entry;
    }
    return undefined;
  }

  return {
    async withRoom(destination, work) {
      const room = rooms.get(destination) ?? { taken: 0, waiting: [] };
      rooms.set(destination, room);
      // The slot of the finished work goes straight to the next in line, so that no newcomer takes it.
      if (room.taken >= options.concurrencyPerDestination)
        await new Promise<void>((resolve) => room.waiting.push(resolve));
      else room.taken++;
      try {
        return await work();
      } finally {
        const next = room.waiting.shift();
        if (next) next();
        else if (--room.taken === 0) rooms.delete(destination);
      }
    },
    async lease(target, { isFresh = false } = {}) {
      const key = [target.host, target.address, target.port, target.tls, target.login?.user ?? ''].join(' ');
      const found = isFresh ? undefined : takeIdle(key);
      const session = found?.session ?? (await openSmtpSession(target, options));
      return {
        session,
        isReused: found !== undefined,
        release: () => keep(key, session, (found?.messages ?? 0) + 1),
        discard: () => session.destroy(),
      };
    },
    close() {
      isClosed = true;
      for (const [key, entries] of idle) for (const entry of entries) drop(key, entry);
    },
  };
}
