// One account queues eighty tests, then another one picture: how long it takes beside what it takes alone. Then three
// hundred tests wait, longer than a try may run: none is queued twice, none bounces.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { sql } from '../src/platform/db/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { freshDatabase } from '../test/harness/template-database.ts';
import { imageServer, marketingEmail } from './marketing-email.ts';
import { median } from './measure.ts';
import { FREE_PORTS } from '../test/harness/program.ts';
import { call, KEY } from './service.ts';

const ROUNDS = 5;
const TESTS = 80;
const TIMES_MAX = 5;
const WAITING_TESTS = 300;
const WAITING_CLIENTS = ['gmail_chrome', 'ol2021'];

interface Bench {
  galley: Galley;
  html: string;
}

async function otherAccount(galley: Galley): Promise<string> {
  const { subaccount } = await call(galley, 'POST /v5/accounts/subaccounts?name=other');
  const made = await call(galley, 'POST /v1/keys', {
    body: { role: 'admin' },
    headers: { 'x-service-account-id': subaccount.id },
  });
  return made.key.secret;
}

/** Milliseconds from POST until the picture is there. */
async function onePicture({ galley, html }: Bench, key: string): Promise<number> {
  const start = performance.now();
  const { id } = await call(galley, 'POST /v2/preview/tests', {
    key,
    body: { subject: 'One', html, clients: ['gmail_chrome'] },
  });
  while (!(await call(galley, `GET /v2/preview/tests/${id}`, { key })).completed?.length)
    await new Promise((resolve) => setTimeout(resolve, 5));
  return performance.now() - start;
}

async function several(bench: Bench, key: string): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await onePicture(bench, key));
  return times;
}

const inMs = (times: readonly number[]): string => times.map((time) => Math.round(time)).join(', ');

async function attack(bench: Bench): Promise<boolean> {
  const { galley, html } = bench;
  const key = await otherAccount(galley);
  await several(bench, key);
  const alone = await several(bench, key);
  console.log(`one picture alone: ${inMs(alone)} ms`);
  for (let n = 0; n < TESTS; n += 1)
    await call(galley, 'POST /v2/preview/tests', { body: { subject: `Many ${n}`, html } });
  const behind = await several(bench, key);
  const { 'previews.prepare': unprepared = 0, 'previews.render-batch': batches = 0 } =
    await galley.outside.jobs.counts();
  const times = median(behind) / median(alone);
  console.log(`behind ${TESTS} tests in all default clients of another account: ${inMs(behind)} ms`);
  console.log(
    `median ${times.toFixed(1)} times its time alone (at most ${TIMES_MAX}); the other's ${unprepared} tests and ` +
      `${batches} batches of pictures wait still`,
  );
  if (unprepared + batches === 0) console.log('The other account was done before: the figure says nothing.');
  return times <= TIMES_MAX;
}

/**
 * Nothing is queued twice when there were as many jobs as this: for each test one that prepares it and one that compares
 * its pictures, and one for each distinct picture, because so few are a batch each.
 */
async function waiting({ galley }: Bench): Promise<boolean> {
  const { db } = galley.outside;
  const jobsMade = async (): Promise<number> =>
    Number(
      (
        await db.first(
          sql<{ last: string }>`select case when is_called then last_value else 0 end as last from jobs_id_seq`,
        )
      )?.last ?? 0,
    );
  const before = await jobsMade();
  const start = performance.now();
  const ids: string[] = [];
  for (let n = 0; n < WAITING_TESTS; n += 1)
    ids.push(
      (
        await call(galley, 'POST /v2/preview/tests', {
          body: { subject: `Waiting ${n}`, html: `<h1>${n}</h1>`, clients: WAITING_CLIENTS },
        })
      ).id,
    );
  while (Object.keys(await galley.outside.jobs.counts()).some((name) => name.startsWith('previews.')))
    await new Promise((resolve) => setTimeout(resolve, 1000));
  const seconds = (performance.now() - start) / 1000;
  const results = await db.rows(sql<{ status: string; attempts: number; count: number }>`
    select status, attempts, count(*)::int as count
    from preview_results
    where test_id = any(${ids}::text[])
    group by 1, 2
  `);
  const pictures =
    (
      await db.first(
        sql<{ count: number }>`select count(*)::int as count from preview_renders where test_id = any(${ids}::text[])`,
      )
    )?.count ?? 0;
  const twice = (await jobsMade()) - before - 2 * ids.length - pictures;
  console.log(
    `${WAITING_TESTS} tests, ${pictures} pictures in ${Math.round(seconds)} s: ` +
      `${results.map(({ status, attempts, count }) => `${count} ${status} after ${attempts}`).join(', ')}; ` +
      `${twice} jobs more than these need`,
  );
  return twice === 0 && results.every(({ status, attempts }) => status === 'completed' && attempts === 1);
}

async function withGalley(work: (bench: Bench) => Promise<boolean>): Promise<boolean> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-fairness-'));
  const database = await freshDatabase(dir);
  const images = await imageServer();
  const env = {
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_ALLOW_HOSTS: '127.0.0.1',
    GALLEY_DRAIN_SECONDS: '0',
    ...database.env,
  };
  const galley = await startGalley({ config: readConfig(env), log: createLog('silent') });
  try {
    return await work({ galley, html: marketingEmail(images.url) });
  } finally {
    await galley.close();
    await images.close();
    await database.remove();
    await rm(dir, { recursive: true, force: true });
  }
}

const PARTS = { attack, waiting };

/** Both parts, or the one that is named: `npm run bench -- fairness attack`. */
export async function run(): Promise<void> {
  const [, name] = process.argv.slice(2);
  for (const [part, work] of Object.entries(PARTS)) {
    if ((name === undefined || name === part) && !(await withGalley(work))) process.exitCode = 1;
  }
}
