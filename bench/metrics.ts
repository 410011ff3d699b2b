// Metrics of thirty days over HTTP: every dimension alone and in pairs, read from the sums, with those that are refused;
// then how fast events become sums, and by how many statements.
//
// BENCH_POSTGRES_MILLIONS=1,10 and BENCH_EMBEDDED_MILLIONS=1,3 say how many events (0: none), BENCH_ROUNDS how often,
// BENCH_DATABASE_URL names a server to use in place of one that is started: a database is made there, and dropped.
import pg from 'pg';
import { type Galley } from '../src/app/serve.ts';
import { gatherFigures } from '../src/features/send/_figures/gather.ts';
import { DIMENSIONS } from '../src/features/send/metrics/contract.ts';
import type { NewEvent } from '../src/platform/event-log/index.ts';
import { unhurriedly } from '../src/platform/db/connections.ts';
import { postgresAbsence, startPostgres } from '../test/harness/postgres.ts';
import { DAYS, fill } from './metrics-fill.ts';
import { KEY, startApi } from './service.ts';

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 20);
const GOAL_MS = 200;
const GATHERED = 20_000;

const millions = (name: string, usual: string): number[] =>
  (process.env[name] ?? usual)
    .split(',')
    .map(Number)
    .filter((count) => count > 0);

async function ask(galley: Galley, body: object): Promise<{ status: number; body: any }> {
  const response = await fetch(`${galley.url}/v1/analytics/metrics`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

interface Timed {
  by: readonly string[];
  p50: number;
  p95: number;
  groups: number;
}

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number;

/** Undefined where the query is refused. */
async function timed(galley: Galley, by: readonly string[]): Promise<Timed | undefined> {
  const body = { duration: `${DAYS}d`, dimensions: by, pagination: { limit: 100 } };
  const times: number[] = [];
  let groups = 0;
  for (let round = -1; round < ROUNDS; round += 1) {
    const began = performance.now();
    const answer = await ask(galley, body);
    if (answer.status === 400) {
      console.log(`  ${by.join(' × ').padEnd(38)} refused: ${answer.body.message}`);
      return undefined;
    }
    if (answer.status !== 200)
      throw new Error(`${by.join()} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    if (round >= 0) times.push(performance.now() - began);
    groups = answer.body.pagination.total;
  }
  times.sort((a, b) => a - b);
  return { by, p50: at(times, 0.5), p95: at(times, 0.95), groups };
}

async function queries(galley: Galley): Promise<void> {
  const pairs = DIMENSIONS.flatMap((one, place) => DIMENSIONS.slice(place + 1).map((other) => [one, other]));
  const found: Timed[] = [];
  for (const by of [...DIMENSIONS.map((one) => [one]), ...pairs]) {
    const one = await timed(galley, by);
    if (!one) continue;
    found.push(one);
    const ms = `${one.p50.toFixed(1).padStart(7)} / ${one.p95.toFixed(1).padStart(7)} ms`;
    const state = one.p95 <= GOAL_MS ? '' : `  (goal ≤ ${GOAL_MS}: MISSED)`;
    console.log(`  ${by.join(' × ').padEnd(38)} ${ms}, ${String(one.groups).padStart(5)} groups${state}`);
  }
  const all = found.map(({ p95 }) => p95).sort((a, b) => a - b);
  const missed = all.filter((p95) => p95 > GOAL_MS).length;
  console.log(
    `  p95 of ${all.length} queries: middle ${at(all, 0.5).toFixed(1)} ms, worst ${at(all, 1).toFixed(1)} ms; ` +
      `${missed === 0 ? `all ≤ ${GOAL_MS} ms: met` : `${missed} over ${GOAL_MS} ms: MISSED`}`,
  );
}

/** Events become sums: how many a second, in how many turns. */
async function gathering({ outside }: Galley, accountId: string): Promise<void> {
  const { db, events, lists } = outside;
  const now = Date.now();
  const told = Array.from({ length: GATHERED }, (_unused, n): NewEvent => {
    const event = n % 10 === 9 ? ('failed' as const) : n % 2 === 0 ? ('accepted' as const) : ('delivered' as const);
    const status = { code: 550, 'enhanced-code': '5.1.1', message: `550 5.1.1 <r${n}@host.example>: User unknown` };
    return {
      at: new Date(now - n),
      accountId,
      event,
      ...(event === 'failed' && {
        severity: 'permanent',
        reason: 'bounce',
        code: 550,
        about: { 'delivery-status': status },
      }),
      domain: `d${n % 10}.example.com`,
      recipient: `r${n}@host${n % 200}.example`,
      provider: `provider${n % 8}`,
    };
  });
  for (let from = 0; from < told.length; from += 1000)
    await db.tx((tx) => events.append(tx, told.slice(from, from + 1000)));
  const began = performance.now();
  let turns = 0;
  while ((await gatherFigures({ db, events, lists })) > 0) turns += 1;
  const seconds = (performance.now() - began) / 1000;
  const rate = (GATHERED / seconds).toFixed(0);
  console.log(`  ${GATHERED} events became sums in ${turns} turns, ${seconds.toFixed(1)} s: ${rate}/s`);
}

async function measure(name: string, count: number, settings: Record<string, string>): Promise<void> {
  const { galley, close } = await startApi('metrics', settings);
  try {
    const { db } = galley.outside;
    const { rows } = await db.text('select id from accounts where parent_id is null');
    const { id: accountId } = rows[0] as { id: string };
    const events = count * 1e6;
    const seconds = await unhurriedly(() => fill(db, { accountId, events, now: new Date() }));
    const sums = await db.text(
      'select (select count(*) from figure_days) as days, (select count(*) from figure_hours) as hours',
    );
    const { days, hours } = sums.rows[0] as { days: string; hours: string };
    console.log(
      `${name}, ${count} M events of ${DAYS} days: ${days} sums by day, ${hours} by hour, ${seconds.toFixed(1)} s`,
    );
    await queries(galley);
    await gathering(galley, accountId);
  } finally {
    await close();
  }
}

/** Runs on a new database of the server. */
async function onServer(url: string, count: number): Promise<void> {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const name = `metrics_bench_${process.pid}`;
  try {
    await admin.query(`create database ${name}`);
    const own = new URL(url);
    own.pathname = `/${name}`;
    await measure('PostgreSQL', count, { GALLEY_DATABASE_URL: own.href });
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

/** Measures, and prints what it finds. */
export async function run(): Promise<void> {
  const given = process.env['BENCH_DATABASE_URL'];
  const counts = millions('BENCH_POSTGRES_MILLIONS', '1,10');
  if (counts.length > 0 && given === undefined && postgresAbsence !== undefined) console.log(postgresAbsence);
  else if (counts.length > 0) {
    const server = given === undefined ? await startPostgres({ shared_buffers: '512MB', fsync: 'on' }) : undefined;
    try {
      for (const count of counts) await onServer(given ?? (server as { url: string }).url, count);
    } finally {
      await server?.close();
    }
  }
  for (const count of millions('BENCH_EMBEDDED_MILLIONS', '1,3')) await measure('embedded', count, {});
}
