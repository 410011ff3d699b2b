// The log of events in ClickHouse beside the same log in PostgreSQL: every event compared, row by row; queries timed in
// turns; sending, and the disk of both. ClickHouse runs within a process, by what `node scripts/tool.mjs --with
// clickhouse` installs: for a server's times, measure a server.
//
// BENCH_MILLIONS=1 says how many events, BENCH_ROUNDS how often.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMigratedDatabase } from '../src/app/outside.ts';
import { systemClock } from '../src/platform/clock/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { unhurriedly } from '../src/platform/db/connections.ts';
import { openEventLog, type EventLog, type EventPredicate, type PageQuery } from '../src/platform/event-log/index.ts';
import { clickHouseAbsence, startClickHouse } from '../test/harness/clickhouse.ts';
import { postgresAbsence, startPostgres } from '../test/harness/postgres.ts';
import { DAYS, fill } from './logs-fill.ts';
import { median } from './measure.ts';

const EVENTS = Number(process.env['BENCH_MILLIONS'] ?? 1) * 1e6;
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 11);
const PAGE = 20_000;
const DAY_MS = 86_400_000;

interface Logs {
  postgres: EventLog;
  clickhouse: EventLog;
}

const seconds = (began: number): number => (performance.now() - began) / 1000;

/** Every event of both, in order. */
async function compare({ postgres, clickhouse }: Logs, query: PageQuery): Promise<number> {
  let count = 0;
  for (let after: PageQuery['after']; ;) {
    const [expected, found] = [await postgres.page({ ...query, after }), await clickhouse.page({ ...query, after })];
    assert.deepEqual(found.events, expected.events);
    count += found.events.length;
    after = found.events.at(-1);
    if (!after) return count;
  }
}

const DIMENSIONS = ['account', 'day', 'domain', 'provider'] as const satisfies Parameters<EventLog['tally']>[0]['by'];

/** Counts of both, by each of what events are told apart by and in pairs; sending IPs are looked at by the tests. */
async function compareCounts({ postgres, clickhouse }: Logs, query: PageQuery): Promise<number> {
  const ordered = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  const pairs = DIMENSIONS.flatMap((one, place) => DIMENSIONS.slice(place + 1).map((other) => [one, other]));
  const tallies = [[], ...DIMENSIONS.map((one) => [one]), ...pairs];
  assert.deepEqual(ordered(await clickhouse.aggregate(query)), ordered(await postgres.aggregate(query)));
  let rows = 0;
  for (const by of tallies) {
    const [expected, found] = [await postgres.tally({ ...query, by }), await clickhouse.tally({ ...query, by })];
    assert.deepEqual([expected.isBound, found.isBound], [false, false], by.join());
    assert.deepEqual(ordered(found.rows), ordered(expected.rows), by.join());
    rows += found.rows.length;
  }
  return rows;
}

async function time(logs: Logs, what: string, ask: (log: EventLog) => Promise<unknown>): Promise<void> {
  const times: Record<keyof Logs, number[]> = { postgres: [], clickhouse: [] };
  for (let round = -2; round < ROUNDS; round += 1)
    for (const name of ['postgres', 'clickhouse'] as const) {
      const began = performance.now();
      await ask(logs[name]);
      if (round >= 0) times[name].push(performance.now() - began);
    }
  const [before, now] = [median(times.postgres), median(times.clickhouse)];
  console.log(`  ${what.padEnd(34)} ${before.toFixed(0).padStart(6)} ms, ClickHouse ${now.toFixed(0).padStart(6)} ms`);
}

async function queries(logs: Logs, all: PageQuery): Promise<void> {
  const where = (condition: EventPredicate) => (log: EventLog) => log.page({ ...all, limit: 100, where: condition });
  const account = { ...all, accountIds: all.accountIds.slice(0, 1) };
  await time(logs, 'page of an account', (log) => log.page({ ...account, limit: 100 }));
  await time(logs, 'page of all accounts', (log) => log.page({ ...all, limit: 100 }));
  await time(logs, 'recipient contains', where({ field: 'recipient', is: 'contains', values: ['reader77@'] }));
  await time(logs, 'reason that finds nothing', where({ field: 'reason', is: 'in', values: ['old'] }));
  await time(logs, 'totals', (log) => log.aggregate(all));
  await time(logs, 'counts by day, domain, provider', (log) =>
    log.tally({ ...all, by: ['day', 'domain', 'provider'] }),
  );
}

/** Measures, and prints what it finds. */
export async function run(): Promise<void> {
  const absence = clickHouseAbsence ?? postgresAbsence;
  if (absence !== undefined) return console.log(absence);
  const server = await startPostgres({ shared_buffers: '512MB' });
  const other = await startClickHouse();
  const dataDir = await mkdtemp(join(tmpdir(), 'galley-clickhouse-bench-'));
  const db = await openMigratedDatabase(readConfig({ GALLEY_DATA_DIR: dataDir, GALLEY_DATABASE_URL: server.url }));
  const now = new Date();
  await db.text(
    `insert into accounts (id, name, region, created_at, updated_at) values ('bench', 'Bench', 'us', $1, $1)`,
    [now],
  );
  await unhurriedly(() => fill(db, { accountId: 'bench', domain: 'news.example.com', events: EVENTS, now }));
  const doors = { db, clock: systemClock };
  const logs = { postgres: openEventLog(doors), clickhouse: openEventLog({ ...doors, clickHouseUrl: other.url }) };
  try {
    const began = performance.now();
    while ((await logs.clickhouse.send()) > 0);
    const rate = EVENTS / seconds(began);
    console.log(`${EVENTS} events of ${DAYS} days were sent in ${seconds(began).toFixed(0)} s: ${rate.toFixed(0)}/s`);
    const accounts = (await db.text('select id from accounts order by id')).rows as { id: string }[];
    const from = new Date(now.getTime() - (DAYS + 1) * DAY_MS);
    const accountIds = accounts.map(({ id }) => id);
    const all = { accountIds, from, to: now, order: 'descending', limit: PAGE } as const;
    console.log(`${await compare(logs, all)} events are equal, row by row`);
    console.log(`${await compareCounts(logs, all)} counts of groups are equal, by each dimension and in pairs`);
    await queries(logs, all);
    const size = `select sum(pg_total_relation_size(inhrelid))::float8 as bytes from pg_inherits
      where inhparent = 'events'::regclass`;
    const [{ bytes }] = (await db.text(size)).rows as [{ bytes: number }];
    const parts = `select toFloat64(sum(bytes_on_disk)) as bytes from system.parts where active and table = 'events'`;
    const [there] = await other.query(parts);
    const mb = (count: number): string => `${(count / 1e6).toFixed(0)} MB`;
    console.log(`disk: PostgreSQL ${mb(bytes)}, ClickHouse ${mb(there.bytes)}: × ${(bytes / there.bytes).toFixed(1)}`);
  } finally {
    await logs.clickhouse.close();
    await db.close();
    await other.close();
    await server.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}
