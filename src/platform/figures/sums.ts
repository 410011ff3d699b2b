// The rows of sums: added to, read, deleted.
import { anyOf, jsonb, sql, type Db, type RawBuilder, type Sql } from '../db/index.ts';
import { AT_UTC, beforeDaysChange, partsOf, utcOf } from './spans.ts';
import { LEADERS, setsOf, smallestSet, wholeSet, type Detail, type SetColumn, type SumTable } from './sets.ts';

/** What happened in one hour or on one day, in one group. */
export interface Sum extends Readonly<Record<SetColumn, string>> {
  accountId: string;
  at: string;
  of: Detail;
  /** The tag or the recipient's domain; empty for a sum of none. */
  detail: string;
  /** By column of the table: each is a counter. Those of nothing are missing. */
  counts: Record<string, number>;
}

const COLUMNS: readonly SetColumn[] = ['domain', 'provider', 'ip', 'ipPool', 'country', 'device', 'bot'];
const DETAILS: readonly Detail[] = ['none', 'tag', 'recipientDomain'];
const KEY = sql`account_id, "grouping", at, ${refs(COLUMNS)}, detail`;

function refs(names: readonly string[]): RawBuilder<unknown> {
  return sql.join(names.map((name) => sql.ref(name)));
}

const each = (names: readonly string[], one: (name: RawBuilder<unknown>) => RawBuilder<unknown>) =>
  sql.join(names.map((name) => one(sql.ref(name))));

/** From sums of all columns, the rows of every set that is held. */
function rowsOf(table: SumTable, of: Detail, counters: readonly string[]): RawBuilder<unknown> {
  const sets = setsOf(table, of).map(({ columns }) => sql`(${columns.length > 0 ? refs(columns) : sql``})`);
  return sql`
    select account_id, ${wholeSet(of)}::int - grouping(${refs(LEADERS)}), at,
      ${each(COLUMNS, (name) => sql`coalesce(${name}, '')`)}, detail, ${each(counters, (name) => sql`sum(${name})`)}
    from one
    where "of" = ${of}
    group by account_id, at, detail, grouping sets (${sql.join(sets)})
  `;
}

/**
 * Adds to the rows of every set, in the order of their key: so processes that add to the same ones wait, and never for
 * each other.
 */
export async function addSums(
  tx: Sql,
  table: SumTable,
  { counters, sums }: { counters: readonly string[]; sums: readonly Sum[] },
): Promise<void> {
  if (sums.length === 0) return;
  const rows = sums.map(({ accountId, ipPool, counts, ...sum }) => ({
    ...sum,
    account_id: accountId,
    ip_pool: ipPool,
    ...counts,
  }));
  const used = counters.filter((name) => sums.some(({ counts }) => counts[name] !== undefined));
  const held = DETAILS.filter((of) => setsOf(table, of).length > 0 && sums.some((sum) => sum.of === of));
  const to = sql.ref(table);
  if (table === 'figure_days')
    await beforeDaysChange(
      tx,
      sums.map(({ at }) => new Date(at)),
    );
  await tx.run(sql`
    with one as materialized (
      select * from jsonb_to_recordset(${jsonb(rows)}::jsonb) as one (
        account_id text, "of" text, at timestamptz, ${each(COLUMNS, (name) => sql`${name} text`)}, detail text,
        ${each(used, (name) => sql`${name} bigint`)}
      )
    )
    insert into ${to} (${KEY}, ${refs(used)})
    ${sql.join(
      held.map((of) => rowsOf(table, of, used)),
      sql` union all `,
    )}
    order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    on conflict (${KEY}) do update set ${sql.join(
      used.map((name) => {
        const [before, more] = [sql.ref(`${table}.${name}`), sql.ref(`excluded.${name}`)];
        return sql`${sql.ref(name)} = coalesce(${before} + ${more}, ${before}, ${more})`;
      }),
    )}
  `);
}

/** An opening or a click. */
export interface First {
  accountId: string;
  messageId: string;
  recipient: string;
  event: 'opened' | 'clicked';
  at: Date;
}

/** Places in the table. */
const FIRSTS: readonly First['event'][] = ['opened', 'clicked'];

/** Notes who did so; answers those of whom it was not known. */
export async function addFirsts(tx: Sql, firsts: readonly First[]): Promise<Omit<First, 'at'>[]> {
  if (firsts.length === 0) return [];
  const rows = firsts.map(({ accountId, messageId, recipient, event, at }) => ({
    accountId,
    messageId,
    recipient,
    event: FIRSTS.indexOf(event),
    at,
  }));
  const added = await tx.rows(sql<Omit<First, 'at' | 'event'> & { event: number }>`
    insert into figure_firsts (account_id, message_id, recipient, event, at)
    select "accountId", "messageId", recipient, event, at
    from jsonb_to_recordset(${jsonb(rows)}::jsonb) as one (
      "accountId" text, "messageId" bigint, recipient text, event smallint, at timestamptz
    )
    order by 1, 2, 3, 4
    on conflict do nothing
    returning account_id, message_id, recipient, event
  `);
  return added.map(({ event, ...first }) => ({ ...first, event: FIRSTS[event]! }));
}

export type SumColumn = 'accountId' | SetColumn | 'detail';

interface SumCondition {
  column: SumColumn;
  is: 'in' | 'contains';
  /** In lower case. */
  values: readonly string[];
  isNot: boolean;
}

interface SumsQuery {
  accountIds: readonly string[];
  of: Detail;
  from: Date;
  to: Date;
  table: SumTable;
  /** `none`: one for all the time. */
  resolution: 'hour' | 'day' | 'month' | 'none';
  by: readonly SumColumn[];
  where: readonly SumCondition[];
  /** Columns of the table. */
  counters: readonly string[];
  limit: number;
}

export interface SumRow {
  group: Readonly<Partial<Record<SumColumn, string>>>;
  at: Date | null;
  /** As the counters that were asked for; null: none. */
  counts: readonly (number | null)[];
}

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function conditionOf({ column, is, values, isNot }: SumCondition): RawBuilder<unknown> {
  const lower = sql`lower(${sql.ref(column)})`;
  const plain =
    is === 'in'
      ? sql`${lower} = any(${[...values]}::text[])`
      : sql`${lower} like any(${values.map(containing)}::text[])`;
  return isNot ? sql`not ${plain}` : plain;
}

/**
 * Reads sums, all at one moment. Without other processes of the server's: to start them takes longer than so few rows, and
 * they would be missing to others.
 */
export function readingSums<Result>(db: Db, read: (at: Sql) => Promise<Result>): Promise<Result> {
  if (db.isEmbedded) return read(db);
  return db.tx(async (tx) => {
    await tx.run(sql`set transaction isolation level repeatable read, read only`);
    await tx.run(sql`set local max_parallel_workers_per_gather = 0`);
    return read(tx);
  });
}

/** The rows that answer a query: those of the smallest set that is held. Throws where none is. */
async function sourceOf(
  db: Sql,
  query: SumsQuery,
  { columns, conditions }: { columns: RawBuilder<unknown>; conditions: readonly SumCondition[] },
): Promise<RawBuilder<unknown>> {
  const { accountIds, of, from, to, table, resolution, by, where } = query;
  const isOfSet = (column: SumColumn): column is SetColumn => column !== 'accountId' && column !== 'detail';
  const named = [...by, ...where.map(({ column }) => column)].filter(isOfSet);
  const set = smallestSet(table, { columns: named, detail: of });
  if (set === undefined) throw new Error(`${table} holds nothing by ${of}.`);
  const met = sql.join(
    [sql`account_id = ${anyOf(accountIds)} and "grouping" = ${set}`, ...conditions.map(conditionOf)],
    sql` and `,
  );
  const parts =
    table === 'figure_days' && resolution === 'none' ? await partsOf(db, set, { from, to }) : [{ table, from, to }];
  return sql.join(
    parts.map(
      (part) => sql`
        select ${columns} from ${sql.ref(part.table)}
        where ${met} and at >= ${part.from} and at < ${part.to}`,
    ),
    sql` union all `,
  );
}

/** That more rows than `limit` would be read for a query. */
export async function isOverRows(db: Sql, query: SumsQuery, limit: number): Promise<boolean> {
  const source = await sourceOf(db, query, { columns: sql`1`, conditions: [] });
  return (await db.rows(sql`${source} offset ${limit} limit 1`)).length > 0;
}

/** Sums by group, in no order; groups in which none of the counters has anything are missing. */
export async function readSums(db: Sql, query: SumsQuery): Promise<SumRow[]> {
  const { table, resolution, by, counters, limit } = query;
  if (counters.length === 0) return [];
  // Rows begin at whole hours, or at whole days.
  const isKept = resolution === (table === 'figure_hours' ? 'hour' : 'day');
  const at =
    resolution === 'none'
      ? sql`null::timestamptz`
      : isKept
        ? sql`at`
        : sql`date_trunc(${sql.lit(resolution)}, at, 'UTC')`;
  const columns = by.map((column) => sql.ref(column));
  const groups = [...(resolution === 'none' ? [] : [at]), ...columns];
  const sums = counters.map((name) => sql`sum(${sql.ref(name)}::float8)`);
  const source = await sourceOf(db, query, { columns: sql`*`, conditions: query.where });
  // One text for all of them: thousands of groups with a column for each take ten times as long to be read.
  const counts = sql`concat(${sql.join(sums, sql`, ' ', `)})`;
  const rows = await db.rows(sql<Record<string, unknown>>`
    select ${sql.join([sql`${at} as at`, ...columns, sql`${counts} as counts`])}
    from (${source}) held
    ${groups.length === 0 ? sql`` : sql`group by ${sql.join(groups)}`}
    having num_nonnulls(${sql.join(sums)}) > 0
    limit ${limit}
  `);
  return rows.map((row) => ({
    group: row as SumRow['group'],
    at: row['at'] as Date | null,
    counts: (row['counts'] as string).split(' ').map((count) => (count === '' ? null : Number(count))),
  }));
}

/** Deletes what is older, at most so many rows of each; answers how many there were at most of one. */
export async function deleteOldSums(
  tx: Sql,
  { hours, days, firsts, limit }: { hours: Date; days: Date; firsts: Date; limit: number },
): Promise<number> {
  const counts = [];
  for (const [table, before] of [
    ['figure_hours', hours],
    ['figure_days', days],
    ['figure_spans', days],
    ['figure_span_marks', days],
    ['figure_firsts', firsts],
  ] as const) {
    const isOld =
      table === 'figure_firsts' || table === 'figure_span_marks'
        ? sql`at < ${before}`
        : sql`${AT_UTC} < ${utcOf(before)}`;
    counts.push(
      await tx.run(sql`
        delete from ${sql.ref(table)}
        where ctid = any(array(select ctid from ${sql.ref(table)} where ${isOld} limit ${limit}))
      `),
    );
  }
  return Math.max(...counts);
}

/** Deletes what is of one detail, of one domain or of all. */
export async function deleteSums(
  tx: Sql,
  accountId: string,
  { of, detail, domain }: { of: Detail; detail: string; domain?: string | undefined },
): Promise<void> {
  for (const table of ['figure_hours', 'figure_days', 'figure_spans'] as const) {
    if (table === 'figure_days') await beforeDaysChange(tx, []);
    const sets = setsOf(table === 'figure_hours' ? table : 'figure_days', of).map(({ number }) => number);
    await tx.run(sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and "grouping" = any(${sets}::int[])
        and detail = ${detail} and ${domain === undefined ? sql`true` : sql`domain = ${domain}`}
    `);
  }
}
