// The only code that opens the database: PostgreSQL, embedded by default. The SQL is what PostgreSQL 15 to 18 share.
import { setTimeout as pause } from 'node:timers/promises';
import { CamelCasePlugin, CompiledQuery, Kysely, sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { unavailable } from '../errors/index.ts';
import type { Log } from '../log/index.ts';
import { Connections } from './connections.ts';
import { dialectOf, fullness, insideTransaction, rethrow } from './dialect.ts';
import { openEmbedded } from './embedded.ts';
import { isStarting, reasonOf } from './faults.ts';
import { jsonColumns } from './json-columns.ts';
import { queriesOf, type AnyonesQueries, type OwnedQueries } from './queries.ts';
import type { Tables } from './tables.generated.ts';

export { expressionBuilder, sql, type JoinBuilder, type RawBuilder, type SelectQueryBuilder } from 'kysely';
export { sayOnce } from './alike.ts';
export { patiently } from './connections.ts';
export { atOneMoment, contentsOf, readRows, refill, rowsOf, shapeOf } from './dump.ts';
export { askForCopy } from './embedded-door.ts';
export { jsonb } from './json-columns.ts';
export { migrate, type Migration } from './migrate.ts';
export { deleteRowsOf, listTablesOfAccounts } from './owned-tables.ts';
export { changedRows, rowCount, type NewRow, type Row } from './queries.ts';
export type { Tables } from './tables.generated.ts';

/** Runs statements, inside a transaction or outside one. */
export interface Sql {
  /** Queries on the rows of one account. */
  of(accountId: string): OwnedQueries;
  readonly ofAnyone: AnyonesQueries;
  /** Every row. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** The first row, if there is one. */
  first<Row>(query: RawBuilder<Row>): Promise<Row | undefined>;
  /** The number of rows changed. */
  run(query: RawBuilder<unknown>): Promise<number>;
  /** Locks a name: another transaction that locks it waits until this one has ended. */
  lock(name: string): Promise<void>;
  /** The same without waiting; false: somebody has it. */
  tryLock(name: string): Promise<boolean>;
  /** Statements as text, such as a migration; columns of the answer are named as the database names them. */
  text(statement: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

export interface Db extends Sql {
  readonly isEmbedded: boolean;
  /** All or nothing. Inside `work` use only its argument: the embedded database has one session. */
  tx<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>;
  /** Why the database is known to be away; this asks nothing. */
  readonly away: string | undefined;
  /** Asks it: why it does not answer, or undefined. Takes ten seconds at most. */
  check(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** How the process opens the database. */
interface DatabaseOptions {
  /** Connections at most; the embedded database has its own number. */
  connections?: number;
  /** The time limit of one statement. */
  statementMs?: number;
  log?: Log;
}

function sqlOn(executor: Kysely<Tables>): Sql {
  const execute = <Row>(query: RawBuilder<Row>) => executor.executeQuery<Row>(query.compile(executor));
  return {
    of: (accountId) => queriesOf(executor, accountId),
    ofAnyone: executor,
    rows: async (query) => (await execute(query)).rows,
    first: async (query) => (await execute(query)).rows[0],
    run: async (query) => Number((await execute(query)).numAffectedRows ?? 0),
    lock: async (name) => {
      await execute(sql`select pg_advisory_xact_lock(hashtext(${name}))`);
    },
    tryLock: async (name) => {
      const { rows } = await execute(
        sql<{ isMine: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_mine`,
      );
      return rows[0]?.isMine === true;
    },
    text: async (statement, values = []) => ({
      rows: (await executor.withoutPlugins().executeQuery(CompiledQuery.raw(statement, [...values]))).rows,
    }),
  };
}

function dbOn(connections: Connections, isEmbedded: boolean): Db {
  const kysely = new Kysely<Tables>({
    dialect: dialectOf(connections),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true }), jsonColumns],
  });
  return {
    ...sqlOn(kysely),
    isEmbedded,
    tx: (work) =>
      kysely
        .transaction()
        .execute((open) => insideTransaction(() => work(sqlOn(open))))
        .catch(rethrow),
    get away() {
      return connections.away;
    },
    check: async () => (await connections.check()) ?? fullness(),
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

/** `in (…)` over a list, also an empty one. */
export function anyOf<Value extends string>(values: readonly Value[]): RawBuilder<Value> {
  return sql`any(${[...values]}::text[])`;
}
