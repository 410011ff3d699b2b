// The rows of the database as text, and back: as one moment had them, whichever PostgreSQL they come from and go to.
// Rows are lines of COPY's text format, so that `psql` reads them, too.
import { sql } from 'kysely';
import { unhurriedly } from './connections.ts';
import type { Db, Sql } from './index.ts';
import { applyMigrations, type Migration } from './migrate.ts';

/** What stands beside the rows. */
interface Shape {
  migrations: string[];
  tables: { name: string; columns: string[] }[];
  partitions: { name: string; parent: string; bounds: string }[];
  sequences: { name: string; value: string }[];
}

/** Rows are fetched by so many bytes, from the size of those before. */
const FETCH_BYTES = 2 * 2 ** 20;
const FETCH_ROWS_MAX = 2000;
const FETCH_ROWS_FIRST = 50;

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Names that migrations make; others in the database are somebody else's. */
function madeBy(migrations: readonly Migration[]): { tables: Set<string>; sequences: Set<string> } {
  const text = migrations.map((migration) => migration.sql).join('\n');
  const named = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, name]) => name as string);
  const tables = [...named(/create table (?:if not exists )?(\w+)/gi), ...named(/rename to (\w+)/gi), 'migrations'];
  return { tables: new Set(tables), sequences: new Set(named(/create sequence (?:if not exists )?(\w+)/gi)) };
}

/** Tables there are of those that the migrations make, without partitions. */
async function listTables(db: Sql, migrations: readonly Migration[]): Promise<string[]> {
  const found = await db.rows(sql<{ name: string }>`
    select relname as name
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
    order by 1
  `);
  const { tables } = madeBy(migrations);
  return found.map(({ name }) => name).filter((name) => tables.has(name));
}

interface Column {
  name: string;
  type: string;
}

/** Those that are written, not computed. */
function listColumns(db: Sql, table: string): Promise<Column[]> {
  return db.rows(sql<Column>`
    select attname as name, format_type(atttypid, atttypmod) as type
    from pg_attribute
    where attrelid = ${quoted(table)}::regclass and attnum > 0 and not attisdropped and attgenerated = ''
    order by attnum
  `);
}

/**
 * One moment of the database for all that `read` asks; others go on writing. With the embedded database nobody else is
 * answered meanwhile.
 */
export function atOneMoment<Result>(db: Db, read: (tx: Sql) => Promise<Result>): Promise<Result> {
  return unhurriedly(() =>
    db.tx(async (tx) => {
      await tx.text('set transaction isolation level repeatable read, read only');
      for (const setting of [`datestyle = 'ISO'`, `timezone = 'UTC'`, `bytea_output = 'hex'`, 'extra_float_digits = 1'])
        await tx.text(`set local ${setting}`);
      return read(tx);
    }),
  );
}

/** What is to be read, of a database with at most these migrations. */
export async function shapeOf(db: Sql, migrations: readonly Migration[]): Promise<Shape> {
  const tables: Shape['tables'] = [];
  for (const name of await listTables(db, migrations))
    tables.push({ name, columns: (await listColumns(db, name)).map((column) => column.name) });
  const known = new Set(tables.map(({ name }) => name));
  const partitions = await db.rows(sql<Shape['partitions'][number]>`
    select child.relname as name, parent.relname as parent, pg_get_expr(child.relpartbound, child.oid) as bounds
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    where child.relkind = 'r' and child.relnamespace = 'public'::regnamespace
    order by 1
  `);
  return {
    migrations: known.has('migrations')
      ? (await db.rows(sql<{ name: string }>`select name from migrations order by name`)).map(({ name }) => name)
      : [],
    tables,
    partitions: partitions.filter(({ parent }) => known.has(parent)),
    // Numbers that were drawn since are not in the rows: a sequence that is ahead of them does no harm.
    sequences: await db.rows(sql<Shape['sequences'][number]>`
      select sequencename as name, last_value::text as value
      from pg_sequences
      where schemaname = 'public' and last_value is not null
      order by 1
    `),
  };
}

const ESCAPES: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };
const UNESCAPED: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

function lineOf(values: readonly (string | null)[]): string {
  const texts = values.map((value) =>
    value === null ? '\\N' : value.replaceAll(/[\\\n\r\t]/g, (one) => ESCAPES[one]!),
  );
  return `${texts.join('\t')}\n`;
}

/** The rows that {@link readRows} wrote. */
export function rowsOf(lines: Buffer): (string | null)[][] {
  const rows = lines.toString('utf8').split('\n').slice(0, -1);
  return rows.map((line) =>
    line
      .split('\t')
      .map((text) => (text === '\\N' ? null : text.replaceAll(/\\(.)/g, (_, one: string) => UNESCAPED[one] ?? one))),
  );
}

/** All rows of a table, in pieces of about two megabytes; at least one row each. */
export async function* readRows(
  tx: Sql,
  { name, columns }: Shape['tables'][number],
): AsyncGenerator<{ lines: Buffer; rows: number }> {
  const selected = columns.map((column, index) => `${quoted(column)}::text as c${index}`).join(', ');
  await tx.text(`declare dump no scroll cursor for select ${selected} from ${quoted(name)}`);
  let count = FETCH_ROWS_FIRST;
  for (;;) {
    const { rows } = await tx.text(`fetch ${count} from dump`);
    if (rows.length === 0) break;
    const values = (rows as Record<string, string | null>[]).map((row) => columns.map((_, index) => row[`c${index}`]!));
    const lines = Buffer.from(values.map(lineOf).join(''));
    yield { lines, rows: rows.length };
    count = Math.max(1, Math.min(FETCH_ROWS_MAX, Math.floor(FETCH_BYTES / (lines.length / rows.length))));
  }
  await tx.text('close dump');
}

/** Deletes the tables and sequences that the migrations make, and what is in them. */
async function dropAll(tx: Sql, migrations: readonly Migration[]): Promise<void> {
  const tables = await listTables(tx, migrations);
  if (tables.length > 0) await tx.text(`drop table ${tables.map(quoted).join(', ')} cascade`);
  for (const name of madeBy(migrations).sequences) await tx.text(`drop sequence if exists ${quoted(name)} cascade`);
}

interface Filling {
  /** Answers how many rows went in. */
  insert(table: string, columns: readonly string[], rows: readonly (string | null)[][]): Promise<number>;
}

/**
 * Empties the database, brings its tables to the shape, lets `fill` put rows in, and checks what they refer to. All or
 * nothing. `migrations`: all that this program knows; those that the shape has not are left for the next start.
 */
export function refill(
  db: Db,
  { shape, migrations }: { shape: Shape; migrations: readonly Migration[] },
  fill: (filling: Filling) => Promise<void>,
): Promise<void> {
  return unhurriedly(() =>
    db.tx(async (tx) => {
      await dropAll(tx, migrations);
      await applyMigrations(
        tx,
        migrations.filter(({ name }) => shape.migrations.includes(name)),
      );
      const links = await dropLinks(tx);
      await tx.text(`truncate ${shape.tables.map(({ name }) => quoted(name)).join(', ')}`);
      for (const { name, parent, bounds } of shape.partitions) {
        await tx.text(`create table ${quoted(name)} (like ${quoted(parent)} including defaults)`);
        await tx.text(`alter table ${quoted(parent)} attach partition ${quoted(name)} ${bounds}`);
      }
      await fill(fillingOf(tx));
      for (const link of links) await tx.text(link);
      for (const { name, value } of shape.sequences)
        await tx.run(sql`
          select setval(oid::regclass, ${value}::bigint)
          from pg_class
          where relkind = 'S' and relnamespace = 'public'::regnamespace and relname = ${name}
        `);
    }),
  );
}

/** Rows come in any order: what they refer to is checked when all are there. Answers the statements for that. */
async function dropLinks(tx: Sql): Promise<string[]> {
  const found = await tx.rows(sql<{ table: string; name: string; definition: string }>`
    select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
    from pg_constraint
    where contype = 'f' and conparentid = 0 and connamespace = 'public'::regnamespace
    order by conrelid::regclass::text, conname
  `);
  for (const { table, name } of found) await tx.text(`alter table ${table} drop constraint ${quoted(name)}`);
  return found.map(
    ({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`,
  );
}

function fillingOf(tx: Sql): Filling {
  const statements = new Map<string, string>();
  return {
    async insert(table, columns, rows) {
      let statement = statements.get(table);
      if (statement === undefined) {
        const types = new Map((await listColumns(tx, table)).map(({ name, type }) => [name, type]));
        const names = columns.map(quoted).join(', ');
        const casts = columns.map((column, index) => `c${index}::${types.get(column)}`).join(', ');
        const texts = columns.map((_, index) => `$${index + 1}::text[]`).join(', ');
        const aliases = columns.map((_, index) => `c${index}`).join(', ');
        statement =
          `with added as (insert into ${quoted(table)} (${names}) overriding system value select ${casts} ` +
          `from unnest(${texts}) as given (${aliases}) returning 1) select count(*)::int as count from added`;
        statements.set(table, statement);
      }
      const answer = await tx.text(
        statement,
        columns.map((_, index) => rows.map((row) => row[index]!)),
      );
      return (answer.rows as { count: number }[])[0]!.count;
    },
  };
}

/** What an account's database holds, in words; undefined: it is new or has no tables of Galley's. */
export async function contentsOf(db: Sql, migrations: readonly Migration[]): Promise<string | undefined> {
  if (!(await listTables(db, migrations)).includes('accounts')) return undefined;
  const found = await db.first(sql<{ count: number }>`select count(*)::int as count from accounts`);
  return found && found.count > 0 ? `${found.count} account${found.count === 1 ? '' : 's'}` : undefined;
}
