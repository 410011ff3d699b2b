// Sums of several days, made when their days are over: a query over a month reads a few of them in place of thirty of
// each group. Whoever changes sums of days says so here, and what was made of those days is made anew.
import { sql, type Db, type RawBuilder, type Sql } from '../db/index.ts';
import { setsOf, wholeSet, type Detail } from './sets.ts';

const DAY_MS = 86_400_000;
const SPAN_MS = 5 * DAY_MS;
/** Sums of days that were over so long ago are made: those who gather events are mostly through with them. */
const SETTLED_MS = 3_600_000;
const LOCK = sql`hashtext('figures.spans')`;

/** The column as indexes by age have it, and a moment to compare it with. */
export const AT_UTC = sql`(at at time zone 'UTC')`;
export const utcOf = (at: Date): RawBuilder<unknown> => sql`(${at}::timestamptz at time zone 'UTC')`;

const startOf = (at: Date): Date => new Date(Math.floor(at.getTime() / SPAN_MS) * SPAN_MS);
const endOf = (span: Date): Date => new Date(span.getTime() + SPAN_MS);

/** Every span from the first that begins within a time, up to the last that ends within it. */
function spansWithin({ from, to }: { from: Date; to: Date }): Date[] {
  const spans = [];
  for (let at = startOf(new Date(from.getTime() + SPAN_MS - 1)); endOf(at) <= to; at = endOf(at)) spans.push(at);
  return spans;
}

/** The sets whose sums are made: those of all columns have nearly as many rows as their days, and have none. */
const SETS = (['none', 'tag', 'recipientDomain'] satisfies Detail[]).flatMap((detail) =>
  setsOf('figure_days', detail)
    .map(({ number }) => number)
    .filter((number) => number !== wholeSet(detail)),
);

/**
 * To be called before sums of days change, in the same transaction: until it ends, none are made of them. What was made
 * of those days holds no longer.
 */
export async function beforeDaysChange(tx: Sql, days: readonly Date[]): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock_shared(${LOCK})`);
  const spans = [...new Set(days.map((at) => startOf(at).getTime()))].map((at) => new Date(at));
  if (spans.length > 0) await tx.run(sql`delete from figure_span_marks where at = any(${spans}::timestamptz[])`);
}

interface Part {
  table: 'figure_spans' | 'figure_days';
  from: Date;
  to: Date;
}

/** How a set is read over whole days: sums of several of them where they are made, and the days that are left. */
export async function partsOf(db: Sql, set: number, range: { from: Date; to: Date }): Promise<Part[]> {
  const made = await db.rows(sql<{ at: Date }>`
    select at from figure_span_marks
    where "grouping" = ${set} and at = any(${spansWithin(range)}::timestamptz[])
  `);
  const held = new Set(made.map(({ at }) => at.getTime()));
  const parts: Part[] = [];
  for (let at = range.from; at < range.to;) {
    const isMade = held.has(at.getTime());
    const next = isMade ? endOf(at) : new Date(Math.min(endOf(startOf(at)).getTime(), range.to.getTime()));
    const table = isMade ? 'figure_spans' : 'figure_days';
    const last = parts.at(-1);
    if (last?.table === table) last.to = next;
    else parts.push({ table, from: at, to: next });
    at = next;
  }
  return parts.length > 0 ? parts : [{ table: 'figure_days', ...range }];
}

/** Spans and sets whose sums are not made yet, the latest first. */
async function listMissing(db: Db, range: { from: Date; to: Date }): Promise<{ set: number; at: Date }[]> {
  const rows = await db.rows(sql<{ set: number; at: Date }>`select "grouping" as set, at from figure_span_marks`);
  const made = new Set(rows.map(({ set, at }) => `${set} ${at.getTime()}`));
  return spansWithin(range)
    .reverse()
    .flatMap((at) => SETS.map((set) => ({ set, at })))
    .filter(({ set, at }) => !made.has(`${set} ${at.getTime()}`));
}

/**
 * Makes sums that are missing, one set of one span at a time, of days since `since`; safe to run beside itself, and to
 * end in between.
 */
export async function makeSpans(
  db: Db,
  { since, now, counters }: { since: Date; now: Date; counters: readonly string[] },
  signal: AbortSignal,
): Promise<void> {
  const keys = sql.join(
    ['account_id', 'grouping', 'domain', 'provider', 'ip', 'ip_pool', 'country', 'device', 'bot', 'detail'].map(
      (name) => sql.ref(name),
    ),
  );
  const names = sql.join(counters.map((name) => sql.ref(name)));
  const sums = sql.join(counters.map((name) => sql`sum(${sql.ref(name)})`));
  for (const { set, at } of await listMissing(db, { from: since, to: new Date(now.getTime() - SETTLED_MS) })) {
    if (signal.aborted) return;
    await db.tx(async (tx) => {
      // Waits until those who change days have ended; others wait until this has.
      await tx.run(sql`select pg_advisory_xact_lock(${LOCK})`);
      await tx.run(sql`delete from figure_spans where "grouping" = ${set} and ${AT_UTC} = ${utcOf(at)}`);
      await tx.run(sql`
        insert into figure_spans (at, ${keys}, ${names})
        select ${at}::timestamptz, ${keys}, ${sums} from figure_days
        where "grouping" = ${set} and ${AT_UTC} >= ${utcOf(at)} and ${AT_UTC} < ${utcOf(endOf(at))}
        group by ${keys}
      `);
      await tx.run(sql`
        insert into figure_span_marks ("grouping", at) values (${set}, ${at}) on conflict do nothing
      `);
    });
  }
}
