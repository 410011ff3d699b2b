// The rows of sums: added to, read, deleted.
import { anyOf, jsonb, sql, type Db, type RawBuilder, type Sql } from '../db/index.ts';

type SumTable = 'figure_hours' | 'figure_days';

/** So many events of one hour or day, in one group. */
export interface Sum {
  accountId: string;
  grouping: number;
  at: string;
  counter: number;
  domain: string;
  provider: string;
  ip: string;
  ipPool: string;
  country: string;
  device: string;
  bot: string;
  detail: string;
  n: number;
}

const KEY = sql`account_id, "grouping", at, counter, domain, provider, ip, ip_pool, country, device, bot, detail`;

/** Adds to rows in the order of their key: so processes that add to the same ones wait, and never for each other. */
export async function addSums(tx: Sql, table: SumTable, sums: readonly Sum[]): Promise<void> {
  if (sums.length === 0) return;
  await tx.run(sql`
    insert into ${sql.ref(table)} (${KEY}, n)
    select "accountId", "grouping", at, counter, domain, provider, ip, "ipPool", country, device, bot, detail, n
    from jsonb_to_recordset(${jsonb(sums)}::jsonb) as one (
      "accountId" text, "grouping" smallint, at timestamptz, counter smallint, domain text, provider text, ip text,
      "ipPool" text, country text, device text, bot text, detail text, n bigint
    )
    order by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12
    on conflict (${KEY}) do update set n = ${sql.ref(table)}.n + excluded.n
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

export type SumColumn = 'accountId' | 'domain' | 'provider' | 'ip' | 'ipPool' | 'country' | 'device' | 'bot' | 'detail';

interface SumCondition {
  column: SumColumn;
  is: 'in' | 'contains';
  /** In lower case. */
  values: readonly string[];
  isNot: boolean;
}

interface SumsQuery {
  accountIds: readonly string[];
  grouping: number;
  from: Date;
  to: Date;
  table: SumTable;
  /** `none`: one for all the time. */
  resolution: 'hour' | 'day' | 'month' | 'none';
  by: readonly SumColumn[];
  where: readonly SumCondition[];
  counters: readonly number[];
  limit: number;
}

export type SumRow = Record<SumColumn, string> & { at: Date | null; counter: number; n: number };

const containing = (text: string): string => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function conditionOf({ column, is, values, isNot }: SumCondition): RawBuilder<unknown> {
  const lower = sql`lower(${sql.ref(column)})`;
  const plain =
    is === 'in'
      ? sql`${lower} = any(${[...values]}::text[])`
      : sql`${lower} like any(${values.map(containing)}::text[])`;
  return isNot ? sql`not ${plain}` : plain;
}

/** Sums by group, in no order. */
export function readSums(db: Db, query: SumsQuery): Promise<SumRow[]> {
  const { accountIds, grouping, from, to, table, resolution, by, where, counters, limit } = query;
  // Rows begin at whole hours, or at whole days.
  const isKept = resolution === (table === 'figure_hours' ? 'hour' : 'day');
  const at =
    resolution === 'none'
      ? sql`null::timestamptz`
      : isKept
        ? sql`at`
        : sql`date_trunc(${sql.lit(resolution)}, at, 'UTC')`;
  const columns = by.map((column) => sql.ref(column));
  const groups = [...(resolution === 'none' ? [] : [at]), ...columns, sql`counter`];
  return db.rows(sql<SumRow>`
    select ${sql.join([sql`${at} as at`, ...columns, sql`counter`])}, sum(n::float8) as n
    from ${sql.ref(table)}
    where account_id = ${anyOf(accountIds)} and "grouping" = ${grouping} and at >= ${from} and at < ${to}
      and counter = any(${[...counters]}::int[])
      and ${where.length === 0 ? sql`true` : sql.join(where.map(conditionOf), sql` and `)}
    group by ${sql.join(groups)}
    limit ${limit}
  `);
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
    ['figure_firsts', firsts],
  ] as const)
    counts.push(
      await tx.run(sql`
        delete from ${sql.ref(table)}
        where ctid = any(array(select ctid from ${sql.ref(table)} where at < ${before} limit ${limit}))
      `),
    );
  return Math.max(...counts);
}

/** Deletes what is of one detail, of one domain or of all. */
export async function deleteSums(
  tx: Sql,
  accountId: string,
  { grouping, detail, domain }: { grouping: number; detail: string; domain?: string | undefined },
): Promise<void> {
  for (const table of ['figure_hours', 'figure_days'])
    await tx.run(sql`
      delete from ${sql.ref(table)}
      where account_id = ${accountId} and "grouping" = ${grouping} and detail = ${detail}
        and ${domain === undefined ? sql`true` : sql`domain = ${domain}`}
    `);
}
