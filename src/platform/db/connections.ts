// Connections that may break: none of them ends the process, none of them hangs for ever, and what is away is asked
// again until it is back. Whoever cannot wait is told at once; whoever can (a job) waits for the next connection.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { messageOf, unavailable } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { busy, ConnectionFault, isGone, isTooManyConnections, reasonOf } from './faults.ts';
import { afterMs } from './time-limit.ts';

interface ConnectionsOptions {
  config: pg.PoolConfig & { max: number };
  /** The time limit of one statement; 0 means none. */
  statementMs: number;
  log?: Log | undefined;
}

const CONNECT_MS = 5000;
/** For a connection of the pool that is free. */
const WAIT_MS = 30_000;
/**
 * A statement under way for so long makes the database suspect; it is only asked, nothing is ended that it still works
 * on.
 */
const SUSPECT_MS = 5000;
const WATCH_MS = 1000;
const ASK_AGAIN_MS = [100, 200, 400, 800];
const TRIES = 5;

const patience = new AsyncLocalStorage<AbortSignal>();
const unhurried = new AsyncLocalStorage<true>();

/** Inside `work` a database that is away is waited for, until the signal aborts. */
export function patiently<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
  return patience.run(signal, work);
}

/** Runs `work` without the time limit of statements, for example to build an index. */
export function unhurriedly<Result>(work: () => Promise<Result>): Promise<Result> {
  return unhurried.run(true, work);
}

/** Members that `pg`'s types lack. */
type AnyClient = pg.Client & { connection: { stream: { destroy(error?: Error): void } } };

function cut(client: pg.Client): void {
  (client as AnyClient).connection.stream.destroy();
}

/** Gives up connecting after a while, also where the other side takes the connection and then says nothing. */
class BoundedClient extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | void {
    const done = afterMs(CONNECT_MS, () =>
      (this as unknown as AnyClient).connection.stream.destroy(
        Object.assign(new Error(`No connection within ${CONNECT_MS} ms.`), { code: 'ETIMEDOUT' }),
      ),
    );
    if (!callback) return super.connect().finally(done) as Promise<pg.Client>;
    super.connect((error: Error) => {
      done();
      callback(error);
    });
  }
}

interface Held {
  isLent: boolean;
  isBroken: boolean;
  /** When the statement under way began; 0 when there is none. */
  since: number;
}

interface Away {
  reason: string;
  back: PromiseWithResolvers<void>;
}

/** A pool for kysely. */
export class Connections {
  #pool: pg.Pool;
  #options: ConnectionsOptions;
  #held = new Map<pg.Client, Held>();
  #away: Away | undefined;
  #asking: Promise<string | undefined> | undefined;
  #watch: NodeJS.Timeout | undefined;
  #isEnding = false;
  #askedAt = 0;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
    this.#pool = new pg.Pool({
      ...options.config,
      Client: BoundedClient as never,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // The pool replaces an idle connection that breaks; without a listener the event would end the process.
    this.#pool.on('error', () => undefined);
    this.#pool.on('connect', (client) => this.#adopt(client as unknown as pg.Client));
    this.#pool.on('acquire', (client) => this.#note(client as unknown as pg.Client, true));
    this.#pool.on('release', (_error, client) => this.#note(client as unknown as pg.Client, false));
    if (options.statementMs) this.#watch = setInterval(() => void this.#lookForHung(), WATCH_MS).unref();
  }

  /** Why the database is away; undefined while it answers. */
  get away(): string | undefined {
    return this.#away?.reason;
  }

  /** A connection of the pool, once there is one. Rejects with an AppError when there is none. */
  async connect(): Promise<pg.PoolClient> {
    const signal = patience.getStore();
    for (let tries = 1; ; tries += 1) {
      if (this.#away) await this.#untilBack(this.#away, signal);
      try {
        return await this.#borrow();
      } catch (error) {
        const isFull = isTooManyConnections(error);
        if (!isFull && !(error instanceof ConnectionFault) && !isGone(error)) throw error;
        if (signal ? signal.aborted : tries >= TRIES) throw error;
        if (isFull || (await this.#ask()) === undefined)
          await pause(ASK_AGAIN_MS[Math.min(tries, ASK_AGAIN_MS.length) - 1]);
      }
    }
  }

  /** Asks the database on a connection of its own. Why it does not work, or undefined. */
  async check(): Promise<string | undefined> {
    return this.away ?? this.#ask();
  }

  /** A client outside the pool; the caller connects and ends it. */
  client(): pg.Client {
    const client = new BoundedClient(this.#options.config);
    client.on('error', () => undefined);
    return client;
  }

  async end(): Promise<void> {
    this.#isEnding = true;
    clearInterval(this.#watch);
    this.#away?.back.resolve();
    const ended = this.#pool.end();
    // A connection that hangs would keep the process.
    const done = afterMs(CONNECT_MS, () => [...this.#held.keys()].forEach(cut));
    await ended.finally(done);
  }

  async #untilBack({ reason, back }: Away, signal: AbortSignal | undefined): Promise<void> {
    if (!signal || this.#isEnding) throw unavailable('database', reason);
    const { promise, reject } = Promise.withResolvers<never>();
    const giveUp = (): void => reject(unavailable('database', reason));
    if (signal.aborted) giveUp();
    signal.addEventListener('abort', giveUp, { once: true });
    try {
      await Promise.race([back.promise, promise]);
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
    if (this.#isEnding) throw unavailable('database', reason);
  }

  async #borrow(): Promise<pg.PoolClient> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.PoolClient>();
    let isLate = false;
    const done = afterMs(WAIT_MS, () => {
      isLate = true;
      reject(busy());
    });
    this.#pool.connect().then(
      (client) => (isLate ? client.release() : resolve(client)),
      (error: unknown) =>
        reject(error instanceof pg.DatabaseError ? error : new ConnectionFault(messageOf(error), { cause: error })),
    );
    return promise.finally(done);
  }

  #adopt(client: pg.Client): void {
    const held: Held = { isLent: true, isBroken: false, since: 0 };
    this.#held.set(client, held);
    // The pool listens only while a connection is idle; one in use that breaks would end the process.
    client.on('error', () => {
      held.isBroken = true;
      void this.#ask();
    });
    client.once('end', () => this.#held.delete(client));
    const query = client.query.bind(client) as unknown as (...args: unknown[]) => Promise<unknown>;
    (client as unknown as { query: typeof query }).query = (...args) =>
      this.#bounded(client, held, () => query(...args));
  }

  #note(client: pg.Client, isLent: boolean): void {
    const held = this.#held.get(client);
    if (held) held.isLent = isLent;
  }

  async #bounded<Result>(client: pg.Client, held: Held, run: () => Promise<Result>): Promise<Result> {
    const limitMs = unhurried.getStore() ? 0 : this.#options.statementMs;
    let isLate = false;
    const done = limitMs
      ? afterMs(limitMs, () => {
          isLate = true;
          cut(client);
          // Idle connections may be dead as well; a new one costs little.
          this.#drop();
        })
      : undefined;
    held.since = performance.now();
    try {
      return await run();
    } catch (error) {
      if (isGone(error)) cut(client);
      else if (held.isBroken)
        throw new ConnectionFault(messageOf(error), {
          cause: isLate ? Object.assign(new Error(`No answer within ${limitMs} ms.`), { code: 'ETIMEDOUT' }) : error,
        });
      throw error;
    } finally {
      held.since = 0;
      done?.();
    }
  }

  /** Asks the database whether it is there, once at a time, and keeps the answer. */
  #ask(): Promise<string | undefined> {
    if (this.#isEnding) return Promise.resolve(undefined);
    this.#asking ??= this.#question()
      .then((reason) => {
        if (reason !== undefined) this.#leave(reason);
        return reason;
      })
      .finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  async #question(): Promise<string | undefined> {
    this.#askedAt = performance.now();
    const client = this.client();
    const done = afterMs(2 * CONNECT_MS, () => cut(client));
    try {
      await client.connect();
      const { rows } = await client.query<{ isStandby: boolean }>('select pg_is_in_recovery() as "isStandby"');
      return rows[0]?.isStandby ? 'it takes no changes (it is a standby)' : undefined;
    } catch (error) {
      // It is there, only full.
      return isTooManyConnections(error) ? undefined : reasonOf(error);
    } finally {
      done();
      void client.end().catch(() => undefined);
    }
  }

  #leave(reason: string): void {
    if (this.#away) {
      this.#away.reason = reason;
      return;
    }
    this.#away = { reason, back: Promise.withResolvers() };
    this.#options.log?.warn({ reason }, 'the database is away; it is asked again until it is back');
    this.#drop();
    void this.#comeBack(this.#away);
  }

  async #comeBack(away: Away): Promise<void> {
    const began = performance.now();
    for (let asked = 0; !this.#isEnding; asked += 1) {
      await pause(ASK_AGAIN_MS[Math.min(asked, ASK_AGAIN_MS.length - 1)]);
      if (this.#isEnding || (await this.#ask()) === undefined) break;
    }
    this.#away = undefined;
    away.back.resolve();
    this.#options.log?.info({ awayMs: Math.round(performance.now() - began) }, 'the database is back');
  }

  /** Connections from before, which may be dead without knowing it. One that works on a statement has its chance. */
  #drop(): void {
    for (const [client, held] of this.#held) {
      if (!held.isLent || (held.since && performance.now() - held.since > SUSPECT_MS)) cut(client);
    }
  }

  async #lookForHung(): Promise<void> {
    const isSuspect = [...this.#held.values()].some(
      (held) => held.since && performance.now() - held.since > SUSPECT_MS,
    );
    if (!isSuspect) return;
    if (this.#away) this.#drop();
    else if (performance.now() - this.#askedAt > SUSPECT_MS) await this.#ask();
  }
}
