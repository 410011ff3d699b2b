// The one door to the database: PostgreSQL, embedded by default. The SQL is what PostgreSQL 15 to 18 share.
import { AsyncLocalStorage } from 'node:async_hooks';
import { CompiledQuery, Kysely, PostgresDialect, sql, type RawBuilder } from 'kysely';
import pg from 'pg';
import { openEmbedded } from './embedded.ts';

export { sql, type RawBuilder } from 'kysely';
export { migrate, type Migration } from './migrate.ts';

/** Runs statements, inside a transaction or outside one. */
export interface Sql {
  /** Every row. */
  rows<Row>(query: RawBuilder<Row>): Promise<Row[]>;
  /** The first row, if there is one. */
  first<Row>(query: RawBuilder<Row>): Promise<Row | undefined>;
  /** The number of rows changed. */
  run(query: RawBuilder<unknown>): Promise<number>;
  /** A statement as text, for the job queue. */
  text(statement: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }>;
}

export interface Db extends Sql {
  readonly isEmbedded: boolean;
  /** All or nothing. Inside `work` use only its argument: the embedded database has one session. */
  tx<Result>(work: (tx: Sql) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
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
    return executor.executeQuery<Row>({ ...compiled, parameters: compiled.parameters.map(storable) });
  };
  return {
    rows: async (query) => (await execute(query)).rows,
    first: async (query) => (await execute(query)).rows[0],
    run: async (query) => Number((await execute(query)).numAffectedRows ?? 0),
    text: async (statement, values = []) => ({ rows: (await executor.executeQuery(CompiledQuery.raw(statement, [...values]))).rows }),
  };
}

function dbOn(pool: pg.Pool, isEmbedded: boolean): Db {
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  const open = new AsyncLocalStorage<boolean>();
  const outside = sqlOn(kysely);
  // With one session, a pool query inside an open transaction would wait for itself for ever.
  const guarded = <Args extends unknown[], Result>(call: (...args: Args) => Result) => (...args: Args): Result => {
    if (open.getStore()) throw new Error('The pool was used inside an open transaction; use the transaction.');
    return call(...args);
  };
  return {
    isEmbedded,
    rows: guarded(outside.rows) as Sql['rows'],
    first: guarded(outside.first) as Sql['first'],
    run: guarded(outside.run),
    text: guarded(outside.text),
    tx: guarded(((work) => kysely.transaction().execute((transaction) => open.run(true, () => work(sqlOn(transaction))))) as Db['tx']) as Db['tx'],
    close: () => pool.end(),
  };
}

/** Opens `postgres://…`, or the embedded database in a directory. Throws when it can't be reached or is in use. */
export async function openDatabase(target: { url: string } | { dir: string }): Promise<Db> {
  const isEmbedded = 'dir' in target;
  const pool = isEmbedded ? await openEmbedded(target.dir) : new pg.Pool({ connectionString: target.url, max: 16 });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  const db = dbOn(pool, isEmbedded);
  const { rows } = await db.text('show server_version_num');
  const version = Number((rows[0] as { server_version_num: string }).server_version_num);
  if (version < 150_000) {
    await db.close();
    throw new Error(`Galley needs PostgreSQL 15 or newer; this one is ${Math.floor(version / 10_000)}.`);
  }
  return db;
}

/** JSON that a `jsonb` column takes: no NUL, no half of a surrogate pair. A hostile message may hold both. */
export function jsonb(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, held: unknown) => (typeof held === 'string' ? held.toWellFormed().replaceAll('\0', '\uFFFD') : held));
}

/** `in (…)` over a list, also an empty one. */
export function anyOf(values: readonly string[]): RawBuilder<unknown> {
  return sql`any(${[...values]}::text[])`;
}
