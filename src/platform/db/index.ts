// The one door to the database: PostgreSQL, embedded by default. The SQL is what PostgreSQL 15 to 18 share.
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { AppError, FULL, unavailable } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { Connections } from './connections.ts';
import { openEmbedded } from './embedded.ts';
import { faultOf, isStarting, reasonOf } from './faults.ts';

export { sql, type RawBuilder } from 'kysely';
export { patiently } from './connections.ts';
export { migrate, type Migration } from './migrate.ts';

/** Runs statements, inside a transaction or outside one. */
export interface Sql {
  /** Every row. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** The first row, if there is one. */
  first<Row>(query: RawBuilder<Row>): Promise<Row | undefined>;
  /** The number of rows changed. */
  run(query: RawBuilder<unknown>): Promise<number>;
  /** Statements as text, such as a migration. */
  text(statement: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

export interface Db extends Sql {
  readonly isEmbedded: boolean;
  /** All or nothing. Inside `work` use only its argument: the embedded database has one session. */
  tx<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>;
  /** Why it is known to be away, without asking. */
  readonly away: string | undefined;
  /** Asks it: why it does not answer, or undefined. Takes ten seconds at most. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Opened by whoever opens the process's doors. */
interface DatabaseOptions {
  /** Connections at most; the embedded database has its own number. */
  connections?: number;
  /** Of one statement. */
  statementMs?: number;
  log?: Log;
}

// eslint-style typed tables are not used: every statement names its row type.
type Tables = Record<string, never>;

/** What was read from a message may hold U+0000, which no column can. */
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
}

function sqlOn(executor: Kysely<Tables>): Sql {
  const execute = <Row>(query: RawBuilder<Row>) => {
    const compiled = query.compile(executor);
    return executor.executeQuery<Row>({ ...compiled, parameters: compiled.parameters.map(storable) }).catch(rethrow);
  };
  return {
    rows: async (query) => (await execute(query)).rows,
    first: async (query) => (await execute(query)).rows[0],
    run: async (query) => Number((await execute(query)).numAffectedRows ?? 0),
    text: async (statement, values = []) => ({
      rows: (await executor.executeQuery(CompiledQuery.raw(statement, [...values])).catch(rethrow)).rows,
    }),
  };
}

/** After a refusal for want of room the database counts as full for so long. */
const FULL_MS = 5000;
let fullAt = Number.NEGATIVE_INFINITY;

function rethrow(error: unknown): never {
  const fault = faultOf(error);
  if (fault instanceof AppError && fault.code === 'out_of_space') fullAt = performance.now();
  throw fault;
}

function dbOn(connections: Connections, isEmbedded: boolean): Db {
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: connections as never }) });
  const open = new AsyncLocalStorage<boolean>();
  const outside = sqlOn(kysely);
  // With one session, a pool query inside an open transaction would wait for itself for ever.
  const guarded =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      if (open.getStore()) throw new Error('The pool was used inside an open transaction; use the transaction.');
      return call(...args);
    };
  return {
    isEmbedded,
    rows: guarded(outside.rows) as Sql['rows'],
    first: guarded(outside.first) as Sql['first'],
    run: guarded(outside.run),
    text: guarded(outside.text),
    tx: guarded(((work) =>
      kysely
        .transaction()
        .execute((transaction) => open.run(true, () => work(sqlOn(transaction))))
        .catch(rethrow)) as Db['tx']) as Db['tx'],
    get away() {
      return connections.away;
    },
    check: async () => (await connections.check()) ?? (performance.now() - fullAt < FULL_MS ? FULL : undefined),
    close: () => connections.end(),
  };
}

const CONNECTIONS = 16;
const STATEMENT_MS = 60_000;
/** A server that says that it is starting is waited for. */
const STARTING_MS = 60_000;
const ASK_AGAIN_MS = 200;

async function versionOf(connections: Connections): Promise<number> {
  const deadline = Date.now() + STARTING_MS;
  for (;;) {
    const client = connections.client();
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>(
        `select current_setting('server_version_num') as version`,
      );
      return Number(rows[0]?.version);
    } catch (error) {
      if (!isStarting(error) || Date.now() > deadline) throw error;
      await pause(ASK_AGAIN_MS);
    } finally {
      await client.end();
    }
  }
}

/** Opens `postgres://…`, or the embedded database in a directory. Throws when it can't be reached or is in use. */
export async function openDatabase(
  target: { url: string } | { dir: string },
  options: DatabaseOptions = {},
): Promise<Db> {
  const isEmbedded = 'dir' in target;
  const connections = isEmbedded
    ? await openEmbedded(target.dir, options)
    : new Connections({
        config: { connectionString: target.url, max: options.connections ?? CONNECTIONS },
        statementMs: options.statementMs ?? STATEMENT_MS,
        log: options.log,
      });
  try {
    const version = await versionOf(connections);
    if (version < 150_000)
      throw new Error(`Galley needs PostgreSQL 15 or newer; this one is ${Math.floor(version / 10_000)}.`);
    return dbOn(connections, isEmbedded);
  } catch (error) {
    await connections.end();
    throw error instanceof pg.DatabaseError || (error as NodeJS.ErrnoException).code
      ? unavailable('database', reasonOf(error), error)
      : error;
  }
}

/** JSON that a `jsonb` column takes: no NUL, no half of a surrogate pair. A hostile message may hold both. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, held: unknown) =>
    typeof held === 'string' ? held.toWellFormed().replaceAll('\0', '\uFFFD') : held,
  );
}

/** `in (…)` over a list, also an empty one. */
export function anyOf(values: readonly string[]): RawBuilder<unknown> {
  return sql`any(${[...values]}::text[])`;
}
