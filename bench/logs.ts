// The log of events when it is full: pages, filters and totals over HTTP, each beside the same of the smaller log in
// the same run, and a page of 200 subaccounts beside one of a single account; then events written a second.
//
// BENCH_POSTGRES_MILLIONS=1,10 and BENCH_EMBEDDED_MILLIONS=1,3 say how many events (0: none), BENCH_ROUNDS how often.
import { type Galley } from '../src/app/serve.ts';
import type { NewEvent } from '../src/platform/event-log/index.ts';
import { postgresAbsence, startPostgres, type PostgresServer } from '../test/harness/postgres.ts';
import { DAYS, fill, SUBACCOUNTS } from './logs-fill.ts';
import { call, startApi } from './service.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 40);
const WARM = 5;
const DEEP_PAGES = 40;
const RATIO_MAX = 1.3;
const PARTS_MAX = 3;
/** Statistics of the server appear so late. */
const STATISTICS_MS = 1500;

const millions = (name: string, usual: string): number[] =>
  (process.env[name] ?? usual)
    .split(',')
    .map(Number)
    .filter((count) => count > 0);

interface Bed {
  name: string;
  events: number;
  galley: Galley;
  domain: string;
  accountId: string;
  close(): Promise<void>;
}

async function open(name: string, count: number, settings: Record<string, string>): Promise<Bed> {
  const { galley, close } = await startApi('logs', settings);
  const { items } = await call(galley, 'GET /v4/domains');
  const domain = items[0].name as string;
  const { rows } = await galley.outside.db.text('select id from accounts where parent_id is null order by created_at');
  const accountId = (rows[0] as { id: string }).id;
  const events = count * 1_000_000;
  const seconds = await fill(galley.outside.db, { accountId, domain, events, now: new Date() });
  console.log(`${name}, ${count} M events of ${DAYS} days: filled in ${seconds.toFixed(1)} s`);
  return {
    name,
    events,
    galley,
    domain,
    accountId,
    close,
  };
}

interface Query {
  what: string;
  body: Record<string, unknown>;
  /** Whether what it takes must not grow with the log. */
  isPage: boolean;
}

const where = (attribute: string, comparator: string, value: string) => ({
  filter: { AND: [{ attribute, comparator, values: [{ value }] }] },
});

async function queriesOf({ galley, accountId }: Bed): Promise<Query[]> {
  const start = new Date(Date.now() - DAYS * 86_400_000).toUTCString();
  const { rows } = await galley.outside.db.text('select recipient from events where account_id = $1 limit 1', [
    accountId,
  ]);
  const { recipient } = rows[0] as { recipient: string };
  let token = (await call(galley, 'POST /v1/analytics/logs', { body: { start } })).pagination.next as string;
  for (let page = 0; page < DEEP_PAGES; page += 1)
    token = (await call(galley, 'POST /v1/analytics/logs', { body: { start, pagination: { token } } })).pagination.next;
  const page = (what: string, body: object): Query => ({ what, body: { start, ...body }, isPage: true });
  const other = (what: string, body: object): Query => ({ what, body: { start, ...body }, isPage: false });
  return [
    page('page', {}),
    page(`page ${DEEP_PAGES + 2}`, { pagination: { token } }),
    page('page of one kind', { events: ['delivered'] }),
    page('page, oldest first', { pagination: { sort: 'timestamp:asc' } }),
    page('recipient =', where('recipient', '=', recipient)),
    page(`page with ${SUBACCOUNTS} subaccounts`, { include_subaccounts: true }),
    other('filter that finds nothing', { events: ['complained'] }),
    other('recipient contains', where('recipient', 'contains', recipient.slice(0, recipient.indexOf('@') + 1))),
    other('recipient contains nothing', where('recipient', 'contains', 'nobody')),
    other('tag', where('tag', '=', 'spring')),
    other('reason that finds nothing', where('reason', '=', 'old')),
    other('totals', { include_totals: true }),
  ];
}

interface Times {
  p50: number;
  p95: number;
  found: number;
  /** Blocks of 8 KB that the server looked at; undefined where it does not say. */
  blocks: number | undefined;
}

async function blocksOf({ galley }: Bed): Promise<number | undefined> {
  if (galley.outside.config.databaseUrl === undefined) return undefined;
  await new Promise((resolve) => setTimeout(resolve, STATISTICS_MS));
  // Each connection tells what it has counted when it has something to do again.
  await Promise.all(Array.from({ length: 20 }, () => galley.outside.db.text('select pg_sleep(0.02)')));
  const { rows } = await galley.outside.db.text(
    `select (blks_hit + blks_read)::float8 as blocks from pg_stat_database where datname = current_database()`,
  );
  return (rows[0] as { blocks: number }).blocks;
}

/** Each query in turns on all beds, so that what else the machine does meets all. */
async function measure(beds: readonly Bed[], queries: readonly Query[][], place: number): Promise<Times[]> {
  const bodies = queries.map((ofBed) => ofBed.flatMap(({ body }, index) => (index === place ? [body] : [])));
  const times = beds.map((): number[] => []);
  const found = beds.map(() => 0);
  const before = await Promise.all(beds.map(blocksOf));
  for (let round = -WARM; round < ROUNDS; round += 1)
    for (const [index, bed] of beds.entries()) {
      const began = performance.now();
      const { items } = await call(bed.galley, 'POST /v1/analytics/logs', { body: bodies[index]?.[0] ?? {} });
      if (round >= 0) times[index]?.push(performance.now() - began);
      found[index] = items.length;
    }
  const after = await Promise.all(beds.map(blocksOf));
  return beds.map((_, index) => {
    const sorted = (times[index] as number[]).sort((a, b) => a - b);
    const at = (share: number): number =>
      sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;
    const [first, last] = [before[index], after[index]];
    const blocks = first === undefined || last === undefined ? undefined : (last - first) / (ROUNDS + WARM);
    return { p50: at(0.5), p95: at(0.95), found: found[index] as number, blocks };
  });
}

const shown = ({ p50, p95, found, blocks }: Times): string =>
  `${p50.toFixed(1).padStart(8)} / ${p95.toFixed(1).padStart(8)} ms, ${String(found).padStart(3)} found` +
  (blocks === undefined ? '' : `, ${blocks.toFixed(0).padStart(6)} blocks`);

const verdict = (ratio: number, max: number): string =>
  `× ${ratio.toFixed(2)}  (goal ≤ ${max}: ${ratio <= max ? 'met' : 'MISSED'})`;

async function compare(beds: readonly Bed[]): Promise<void> {
  const queries = await Promise.all(beds.map(queriesOf));
  let single: Times | undefined;
  console.log(`p50 / p95 over ${ROUNDS} calls, ${beds.map(({ events }) => `${events / 1e6} M`).join(' beside ')}`);
  for (const [place, { what, isPage }] of (queries[0] ?? []).entries()) {
    const times = await measure(beds, queries, place);
    const [small, large] = [times[0] as Times, times.at(-1) as Times];
    single ??= small;
    console.log(
      `${what.padEnd(30)} ${times.map(shown).join('   ')}` +
        (beds.length > 1
          ? `   p95 ${isPage ? verdict(large.p95 / small.p95, RATIO_MAX) : `× ${(large.p95 / small.p95).toFixed(2)}`}`
          : '') +
        (what.includes('subaccounts')
          ? `   beside one account: p50 ${verdict(small.p50 / single.p50, PARTS_MAX)}`
          : ''),
    );
  }
}

/** Events a second, so many in a transaction. */
async function writes({ galley, accountId, domain, events: held }: Bed): Promise<void> {
  const { db, events } = galley.outside;
  const rates: string[] = [];
  for (const [size, times] of [
    [1, 100],
    [200, 25],
    [1000, 10],
  ] as const) {
    const began = performance.now();
    for (let time = 0; time < times; time += 1) {
      const at = new Date();
      const batch = Array.from({ length: size }, (_, position): NewEvent => {
        const [event, recipient] = ['delivered' as const, `reader${position}@example.net`];
        return { at, accountId, event, domain, recipient, messageId: '1', position, attempt: 1, code: 250 };
      });
      await db.tx((tx) => events.append(tx, batch));
    }
    rates.push(`${size} at once ${((size * times * 1000) / (performance.now() - began)).toFixed(0)}/s`);
  }
  console.log(`${held / 1e6} M, events written: ${rates.join(', ')}`);
}

async function runOn(beds: readonly Bed[]): Promise<void> {
  try {
    if (beds.length > 0) await compare(beds);
    for (const bed of beds) await writes(bed);
  } finally {
    for (const bed of beds) await bed.close();
  }
}

async function onPostgres(counts: readonly number[]): Promise<void> {
  if (counts.length === 0) return;
  if (postgresAbsence !== undefined) return console.log(postgresAbsence);
  const server: PostgresServer = await startPostgres({ shared_buffers: '512MB', fsync: 'on', full_page_writes: 'on' });
  try {
    const beds: Bed[] = [];
    for (const count of counts) {
      const name = `logs_${String(count).replace('.', '_')}`;
      await server.query(`create database ${name}`);
      const url = new URL(server.url);
      url.pathname = `/${name}`;
      beds.push(await open('PostgreSQL', count, { GALLEY_DATABASE_URL: url.href }));
    }
    await runOn(beds);
  } finally {
    await server.close();
  }
}

/** Measures, and prints what it finds. */
export async function run(): Promise<void> {
  await onPostgres(millions('BENCH_POSTGRES_MILLIONS', '1,10'));
  const beds: Bed[] = [];
  for (const count of millions('BENCH_EMBEDDED_MILLIONS', '1,3')) beds.push(await open('embedded', count, {}));
  await runOn(beds);
}
