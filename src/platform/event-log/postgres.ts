// The log in PostgreSQL: partitions of a day, pages in two steps, of which the first reads an index alone.
import type { Clock } from '../clock/index.ts';
import { anyOf, jsonb, sayOnce, sql, type Db, type RawBuilder, type Sql } from '../db/index.ts';
import { DAY_MS } from '../times/index.ts';
import { COUNT_MAX, settled } from './bounds.ts';
import { EVENT_KINDS, nameOfEvent, nameOfSeverity, SEVERITIES, type EventKind, type Severity } from './kinds.ts';
import { conditionOf, readsRows } from './predicates.ts';
import { tally } from './tally.ts';
import { takeUncounted } from './uncounted.ts';
import type { EventFilter, EventLog, EventPage, LoggedEvent, NewEvent, PageQuery, Position } from './types.ts';

const AT_ONCE = 1000;
const DELETED_AT_ONCE = 5000;
/** A page whose condition no index holds is looked for a day at a time, and ends with what it has after so long. */
const STEP_MS = DAY_MS;
const PAGE_MS = 300;

const dayOf = (at: Date): number => Math.floor(at.getTime() / DAY_MS);
const partitionOf = (day: number): string =>
  `events_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '')}`;

/** The log of a database whose tables are there. `isSent`: each event is noted as one that is to be sent elsewhere. */
export function openPostgresLog({ db, clock, isSent }: { db: Db; clock: Clock; isSent: boolean }): EventLog {
  const days = new Set<number>();
  return {
    append: async (on, events) => {
      for (const day of new Set(events.map(({ at }) => dayOf(at)))) await makeRoom(on, day, days);
      for (let from = 0; from < events.length; from += AT_ONCE)
        await insert(on, events.slice(from, from + AT_ONCE), isSent ? clock.now() : null);
    },
    page: (query) => page(db, settled(query, clock.now())),
    find: (accountId, places) => find(db, accountId, places),
    count: async (filter) => {
      const { count = 0 } = (await db.first(sql<{ count: number }>`
        select count(*)::int as count
        from (select 1 from events where ${matching(settled(filter, clock.now()))} limit ${COUNT_MAX}) found
      `)) as { count: number };
      return { count, isBound: count >= COUNT_MAX };
    },
    aggregate: async (filter) => {
      const found = await db.rows(sql<{ event: number; severity: number | null; count: number }>`
        select event, severity, count(*)::int as count
        from (select event, severity from events where ${matching(settled(filter, clock.now()))} limit ${COUNT_MAX}) found
        group by event, severity
      `);
      return found.map(({ event, severity, count }) => ({ ...names({ event, severity }), count }));
    },
    tally: async (query) => tally(db, await withinDays(db, settled(query, clock.now())), COUNT_MAX),
    takeUncounted,
    prune: async (before, accountId) => {
      if (accountId !== undefined) return deleteOf(db, accountId, before);
      await dropDays(db, dayOf(before));
      for (const day of days) if (day < dayOf(before)) days.delete(day);
    },
    send: () => Promise.resolve(0),
    close: () => Promise.resolve(),
  };
}

/**
 * Makes the partition of a day, when it is not there. `known`: days whose partition was seen.
 *
 * The catalog is asked as a table: `to_regclass` would answer from a cache of the connection, which does not hear of
 * the partition that another process made while this one waited for the lock.
 */
async function makeRoom(on: Sql, day: number, known: Set<number>): Promise<void> {
  if (known.has(day)) return;
  const name = partitionOf(day);
  const isThere = async (): Promise<boolean> =>
    (await on.first(sql`
      select 1
      from pg_class
      where relname = ${name} and relnamespace = (select relnamespace from pg_class where oid = 'events'::regclass)
    `)) !== undefined;
  if (await isThere()) return void known.add(day);
  await on.lock(name);
  if (await isThere()) return;
  const [from, to] = [new Date(day * DAY_MS), new Date((day + 1) * DAY_MS)].map((at) => at.toISOString());
  // Attached, not made in place: so nobody who reads or writes other days waits.
  await on.text(`create table ${name} (like events including defaults)`);
  await on.text(`alter table events attach partition ${name} for values from ('${from}') to ('${to}')`);
}

/** The partitions there are, oldest first. */
async function listPartitions(db: Db): Promise<string[]> {
  const found = await db.rows(sql<{ name: string }>`
    select inhrelid::regclass::text as name
    from pg_inherits
    where inhparent = 'events'::regclass
  `);
  return found
    .map(({ name }) => name)
    .filter((name) => /^events_\d{8}$/.test(name))
    .sort();
}

async function dropDays(db: Db, before: number): Promise<void> {
  const first = partitionOf(before);
  for (const name of await listPartitions(db)) if (name < first) await db.text(`drop table if exists ${name}`);
}

/** PostgreSQL: there is no such table. */
const IS_GONE = '42P01';

/** Deletes what an account has of each day, so many rows at a statement that nothing else waits long. */
async function deleteOf(db: Db, accountId: string, before: Date): Promise<void> {
  const last = partitionOf(dayOf(before));
  for (const name of (await listPartitions(db)).filter((one) => one <= last)) {
    const day = sql.table(name);
    try {
      let count = DELETED_AT_ONCE;
      while (count === DELETED_AT_ONCE)
        count = await db.run(sql`
          delete from ${day} where ctid = any(array(
            select ctid from ${day} where account_id = ${accountId} and at < ${before} limit ${DELETED_AT_ONCE}))`);
    } catch (error) {
      // The whole day was dropped meanwhile.
      if ((error as { code?: string }).code !== IS_GONE) throw error;
    }
  }
}

/** As the table and the statement have them. */
const COLUMNS_KEPT = [
  ['at', 'timestamptz'],
  ['account_id', 'text'],
  ['event', 'smallint'],
  ['severity', 'smallint'],
  ['reason', 'text'],
  ['domain', 'text'],
  ['recipient', 'text'],
  ['recipient_domain', 'text'],
  ['provider', 'text'],
  ['message_id', 'bigint'],
  ['position', 'integer'],
  ['attempt', 'integer'],
  ['code', 'integer'],
  ['about', 'jsonb'],
] as const;
type Kept = Record<(typeof COLUMNS_KEPT)[number][0], unknown>;
/** Mostly the same in all events of a statement. */
const ALIKE: (keyof Kept)[] = [
  'at',
  'account_id',
  'event',
  'severity',
  'reason',
  'domain',
  'provider',
  'message_id',
  'attempt',
  'code',
];

const keptOf = ({ recipient, about, position, ...event }: NewEvent): Kept => ({
  at: event.at,
  account_id: event.accountId,
  event: EVENT_KINDS.indexOf(event.event),
  severity: event.severity === undefined ? null : SEVERITIES.indexOf(event.severity),
  reason: event.reason,
  domain: event.domain,
  recipient,
  recipient_domain: recipient.slice(recipient.lastIndexOf('@') + 1),
  provider: event.provider ?? '',
  message_id: event.messageId,
  position,
  attempt: event.attempt,
  code: event.code,
  about,
});

/** `sentAt`: when they were noted to be sent; null: they are not. */
async function insert(on: Sql, events: readonly NewEvent[], sentAt: Date | null): Promise<void> {
  const { once, rows } = sayOnce(events.map(keptOf), ALIKE);
  const values = COLUMNS_KEPT.map(([name, type]) =>
    once.has(name) ? sql`${once.get(name) ?? null}::${sql.raw(type)}` : sql.ref(`one.${name}`),
  );
  const own = COLUMNS_KEPT.filter(([name]) => !once.has(name));
  await on.run(sql`
    with added as (
      insert into events (${sql.join(COLUMNS_KEPT.map(([name]) => sql.id(name)))})
      select ${sql.join(values)}
      from jsonb_to_recordset(${jsonb(rows)}::jsonb)
        as one (${sql.join(own.map(([name, type]) => sql`${sql.id(name)} ${sql.raw(type)}`))})
      returning at, id
    ), unsent as (
      insert into unsent_events (size, ats, ids, written_at)
      select count(*), array_agg(at), array_agg(id), ${sentAt}::timestamptz
      from added
      where ${sentAt}::timestamptz is not null
      having count(*) > 0
    )
    insert into uncounted_events (size, ats, ids)
    select count(*), array_agg(at), array_agg(id) from added having count(*) > 0
  `);
}

function names({ event, severity }: { event: number; severity: number | null }): {
  event: EventKind;
  severity: Severity | null;
} {
  return {
    event: nameOfEvent(event),
    severity: nameOfSeverity(severity),
  };
}

const within = ({ from, to, where }: EventFilter): RawBuilder<unknown> => sql`
  at >= ${from} and at < ${to} and ${where ? conditionOf(where) : sql`true`}
`;

const matching = (filter: EventFilter): RawBuilder<unknown> =>
  sql`account_id = ${anyOf(filter.accountIds)} and ${within(filter)}`;

/** The part of the time in which there are events. */
async function withinDays<Query extends EventFilter>(db: Db, query: Query): Promise<Query> {
  const days = (await listPartitions(db)).map((name) =>
    Date.parse(name.replace(/^events_(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3')),
  );
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  return {
    ...query,
    from: new Date(Math.max(first, query.from.getTime())),
    to: new Date(Math.min(last + DAY_MS, query.to.getTime())),
  };
}

/** A step at a time where rows must be looked at, else at once. */
async function page(db: Db, wanted: PageQuery): Promise<EventPage> {
  if (!readsRows(wanted.where)) return { events: await read(db, wanted) };
  const query = await withinDays(db, wanted);
  const began = performance.now();
  const events: LoggedEvent[] = [];
  const isDown = query.order === 'descending';
  let edge = edgeOf(query);
  for (;;) {
    const far = isDown ? edge - STEP_MS : edge + STEP_MS;
    const [low, high] = isDown ? [far, edge] : [edge, far];
    const step = {
      ...query,
      from: new Date(Math.max(low, query.from.getTime())),
      to: new Date(Math.min(high, query.to.getTime())),
      limit: query.limit - events.length,
    };
    events.push(...(await read(db, step)));
    edge = far;
    const isEnd = isDown ? far <= query.from.getTime() : far >= query.to.getTime();
    if (isEnd || events.length >= query.limit) return { events };
    if (performance.now() - began > PAGE_MS) return { events, resume: { at: new Date(far), id: '0' } };
  }
}

/** Where the first step begins, in milliseconds. */
function edgeOf({ order, after, from, to }: PageQuery): number {
  if (order === 'descending') return after ? Math.min(after.at.getTime() + 1, to.getTime()) : to.getTime();
  return after ? Math.max(after.at.getTime(), from.getTime()) : from.getTime();
}

function behind(order: PageQuery['order'], after: Position | undefined): RawBuilder<unknown> {
  if (!after) return sql`true`;
  return order === 'descending'
    ? sql`(at, id) < (${after.at}::timestamptz, ${after.id}::bigint)`
    : sql`(at, id) > (${after.at}::timestamptz, ${after.id}::bigint)`;
}

/** As they stand in the table. */
type EventRow = Omit<LoggedEvent, 'event' | 'severity'> & { event: number; severity: number | null };

const COLUMNS = sql`events.at, events.id, account_id, event, severity, reason, domain, recipient, recipient_domain,
  provider, message_id, position, attempt, code, about`;

async function find(db: Db, accountId: string, places: readonly Position[]): Promise<LoggedEvent[]> {
  if (places.length === 0) return [];
  const found = await db.rows(sql<EventRow>`
    select ${COLUMNS}
    from jsonb_to_recordset(${jsonb(places)}::jsonb) as place (at timestamptz, id bigint)
    join events on events.at = place.at and events.id = place.id
    where account_id = ${accountId}
  `);
  return found.map((row) => ({ ...row, ...names(row) }));
}

/** The index says which events a page holds, of each account so many; then their rows are read. */
async function read(db: Db, query: PageQuery): Promise<LoggedEvent[]> {
  const { accountIds, order, after, limit } = query;
  const direction = order === 'descending' ? sql`at desc, id desc` : sql`at, id`;
  const found = await db.rows(sql<EventRow>`
    with page as materialized (
      select near.at, near.id
      from unnest(${[...accountIds]}::text[]) as one (account_id)
      cross join lateral (
        select at, id
        from events
        where account_id = one.account_id and ${within(query)} and ${behind(order, after)}
        order by ${direction}
        limit ${limit}
      ) near
      order by ${direction}
      limit ${limit}
    )
    select ${COLUMNS}
    from page
    join events on events.at = page.at and events.id = page.id
    order by ${order === 'descending' ? sql`events.at desc, events.id desc` : sql`events.at, events.id`}
  `);
  return found.map((row) => ({ ...row, ...names(row) }));
}
