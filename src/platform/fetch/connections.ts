// Connections that are kept for the next request to the same host, and how many there may be.
import { connect, hangUp, type Connection, type ConnectOptions, type Target } from './connect.ts';

export interface Connections {
  /**
   * A connection to one of the target's addresses, for one request; `isFresh` when it must not have been used before.
   * Waits for its turn when there are too many. Throws as {@link connect} does.
   */
  take(target: Target, isFresh: boolean): Promise<Connection>;
  /** Gives a connection back; one that is still open serves the next request. */
  release(connection: Connection): void;
  /** Closes all of them. */
  close(): void;
}

interface ConnectionLimits {
  perHostMax: number;
  totalMax: number;
}

interface Waiting {
  key: string;
  target: Target;
  isFresh: boolean;
  take(connection: Promise<Connection> | Connection): void;
}

/** Requests to one host with equal options share connections. */
interface Host {
  key: string;
  /** Connections that are open or being opened. */
  open: number;
  /** Idle connections; the one that was used last is at the end. */
  idle: Connection[];
}

interface Pool {
  limits: ConnectionLimits;
  options: ConnectOptions;
  hosts: Map<string, Host>;
  open: Map<Connection, Host>;
  opening: number;
  /** Idle connections of all hosts; the one that has been idle longest is in front. */
  idle: Set<Connection>;
  waiting: Set<Waiting>;
}

/** Builds a pool without connections. */
export function keepConnections(limits: ConnectionLimits, options: ConnectOptions): Connections {
  const none = {
    hosts: new Map(),
    open: new Map(),
    opening: 0,
    idle: new Set<Connection>(),
    waiting: new Set<Waiting>(),
  };
  const pool: Pool = { limits, options, ...none };
  return {
    take: (target, isFresh) => take(target, isFresh, pool),
    release: (connection) => release(connection, pool),
    close: () => {
      for (const connection of pool.open.keys()) hangUp(connection);
    },
  };
}

async function take(target: Target, isFresh: boolean, pool: Pool): Promise<Connection> {
  const { signal } = target;
  signal.throwIfAborted();
  const key = keyOf(target);
  // Requests get connections in the order in which they came.
  const isFirst = pool.waiting.size === 0 || ![...pool.waiting].some((other) => other.key === key);
  const taken = isFirst ? tryTake(target, isFresh, pool) : undefined;
  if (taken) return taken;
  const { promise, resolve, reject } = Promise.withResolvers<Connection>();
  const waiting: Waiting = { key, target, isFresh, take: resolve };
  const giveUp = (): void => {
    pool.waiting.delete(waiting);
    reject(signal.reason as Error);
  };
  pool.waiting.add(waiting);
  signal.addEventListener('abort', giveUp, { once: true });
  return promise.finally(() => signal.removeEventListener('abort', giveUp));
}

/** A kept connection or a new one; undefined when there are too many. */
function tryTake(target: Target, isFresh: boolean, pool: Pool): Promise<Connection> | Connection | undefined {
  const key = keyOf(target);
  const host = pool.hosts.get(key) ?? { key, open: 0, idle: [] };
  const kept = isFresh ? undefined : host.idle.findLast((connection) => isUsable(connection, target));
  if (kept) {
    forgetIdle(kept, host, pool);
    return kept;
  }
  // A connection that cannot be used is dropped, which makes room.
  const [spare] = host.open >= pool.limits.perHostMax ? host.idle : isFull(pool) ? pool.idle : [];
  if (spare) drop(spare, pool);
  if (host.open >= pool.limits.perHostMax || isFull(pool)) return undefined;
  return open(target, host, pool);
}

function isFull({ open, opening, limits }: Pool): boolean {
  return open.size + opening >= limits.totalMax;
}

/** A connection goes to an address that was checked for this request, however it was opened. */
function isUsable({ socket, address }: Connection, target: Target): boolean {
  return !socket.destroyed && target.addresses.includes(address);
}

function keyOf({ url, certificates }: Target): string {
  return url.protocol === 'https:' ? `${url.origin} ${certificates}` : url.origin;
}

async function open(target: Target, host: Host, pool: Pool): Promise<Connection> {
  pool.opening += 1;
  host.open += 1;
  pool.hosts.set(host.key, host);
  try {
    const connection = await connect(target, pool.options);
    pool.open.set(connection, host);
    connection.socket.once('close', () => drop(connection, pool));
    return connection;
  } catch (error) {
    leave(host, pool);
    throw error;
  } finally {
    pool.opening -= 1;
  }
}

function release(connection: Connection, pool: Pool): void {
  const host = pool.open.get(connection);
  if (!host) return;
  host.idle.push(connection);
  pool.idle.add(connection);
  serve(pool);
}

function forgetIdle(connection: Connection, host: Host, pool: Pool): void {
  pool.idle.delete(connection);
  host.idle = host.idle.filter((other) => other !== connection);
}

function drop(connection: Connection, pool: Pool): void {
  const host = pool.open.get(connection);
  if (!host) return;
  pool.open.delete(connection);
  forgetIdle(connection, host, pool);
  hangUp(connection);
  leave(host, pool);
}

function leave(host: Host, pool: Pool): void {
  host.open -= 1;
  if (host.open === 0) pool.hosts.delete(host.key);
  serve(pool);
}

/** Serves waiting requests later, because the caller that gives the connection back still uses it. */
function serve(pool: Pool): void {
  if (pool.waiting.size === 0) return;
  setImmediate(() => {
    for (const waiting of pool.waiting) {
      const taken = tryTake(waiting.target, waiting.isFresh, pool);
      if (!taken) continue;
      pool.waiting.delete(waiting);
      waiting.take(taken);
    }
  });
}
