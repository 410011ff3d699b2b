// A message that is too much for a browser, in all default clients, and another account's one-picture tests beside it:
// what these take alone and beside it, how long the poison lasts and with which reasons it ends, and what the browsers
// take.
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { defaultClientIds } from '../src/engines/client-emulation/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { poisonEmail, type Poison } from '../test/harness/poison-email.ts';
import { median } from './measure.ts';
import { FREE_PORTS } from '../test/harness/program.ts';
import { call, KEY } from './service.ts';

const POISONS: Poison[] = ['shapes', 'blur', 'layers', 'huge tables', 'tall'];
const ALONE = 7;
const BESIDE_MIN = 7;
const BESIDE_MAX = 25;
/** The poison is given up after that: who has no bounds would go on for most of an hour. */
const GIVE_UP_MS = Number(process.env['GALLEY_TEST_POISON_SECONDS'] ?? 600) * 1000;

async function otherAccount(galley: Galley): Promise<string> {
  const { subaccount } = await call(galley, 'POST /v5/accounts/subaccounts?name=Neighbor');
  const { key } = await call(galley, 'POST /v1/keys', {
    body: { role: 'developer' },
    headers: { 'x-service-account-id': subaccount.id },
  });
  return key.secret;
}

/** One picture, from POST to its end. */
async function onePicture(galley: Galley, key: string): Promise<number> {
  const start = performance.now();
  const { id } = await call(galley, 'POST /v2/preview/tests', {
    key,
    body: { subject: 'Hello', html: `<p>Hello ${start}`, clients: ['gmail_chrome'] },
  });
  for (;;) {
    const { processing, completed } = await call(galley, `GET /v2/preview/tests/${id}`, { key });
    if (completed.length > 0) return performance.now() - start;
    if (processing.length === 0 || performance.now() - start > GIVE_UP_MS) return Number.POSITIVE_INFINITY;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Megabytes that the largest process of a browser, and all browsers together, have written themselves or share. */
function browserMemory(): { largest: number; together: number } {
  let [largest, together] = [0, 0];
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      if (
        !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('galley-chromium-') &&
        !readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('--type=')
      )
        continue;
      const status = readFileSync(`/proc/${name}/status`, 'utf8');
      const own = [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB/gm)].reduce(
        (sum, [, kilobytes]) => sum + Number(kilobytes) / 1024,
        0,
      );
      [largest, together] = [Math.max(largest, own), together + own];
    } catch {
      // The process ended between the two reads.
    }
  }
  return { largest, together };
}

async function reasonsOf(galley: Galley, id: string): Promise<Map<string, number>> {
  const results = await call(galley, `GET /v1/preview/tests/${id}/results`);
  const reasons = new Map<string, number>();
  for (const { status, statusdetails } of Object.values<any>(results)) {
    const reason = statusdetails?.bouncemessage || status;
    reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  }
  return reasons;
}

async function poisonWith(galley: Galley, poison: Poison, other: string): Promise<void> {
  const html = poisonEmail(poison);
  const alone: number[] = [];
  for (let round = 0; round < ALONE; round += 1) alone.push(await onePicture(galley, other));
  const peak = { largest: 0, together: 0 };
  const looking = setInterval(() => {
    const { largest, together } = browserMemory();
    [peak.largest, peak.together] = [Math.max(peak.largest, largest), Math.max(peak.together, together)];
  }, 100);
  const start = performance.now();
  const { id } = await call(galley, 'POST /v2/preview/tests', {
    body: { subject: 'Poison', html, clients: defaultClientIds() },
  });
  const state = { isOver: false };
  const ended = (async (): Promise<number> => {
    for (;;) {
      const { processing } = await call(galley, `GET /v2/preview/tests/${id}`);
      state.isOver = processing.length === 0;
      if (state.isOver || performance.now() - start > GIVE_UP_MS) return performance.now() - start;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  const beside: number[] = [];
  while (!state.isOver && beside.length < BESIDE_MAX && performance.now() - start < GIVE_UP_MS) {
    await new Promise((resolve) => setTimeout(resolve, beside.length < BESIDE_MIN ? 0 : 2_000));
    beside.push(await onePicture(galley, other));
  }
  const lastedMs = await ended;
  clearInterval(looking);
  const ms = (figures: number[]): string =>
    `median ${Math.round(median(figures))} ms, longest ${Math.round(Math.max(...figures))} ms (${figures.length})`;
  console.log(
    `${poison}, ${(Buffer.byteLength(html) / 1024).toFixed(1)} KB: ${state.isOver ? 'ended' : 'NOT ended'} ` +
      `after ${(lastedMs / 1000).toFixed(1)} s; memory of the largest process ${Math.round(peak.largest)} ` +
      `MB, of all browsers ${Math.round(peak.together)} MB`,
  );
  console.log(
    `  another account's picture: alone ${ms(alone)}; beside it ${ms(beside)}: × ` +
      `${(median(beside) / median(alone)).toFixed(2)}, longest × ${(Math.max(...beside) / median(alone)).toFixed(1)}`,
  );
  for (const [reason, clients] of await reasonsOf(galley, id))
    console.log(`  ${String(clients).padStart(3)} clients: ${reason}`);
  await call(galley, `DELETE /v2/preview/tests/${id}`);
}

export async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-'));
  const config = readConfig({
    ...FREE_PORTS,
    GALLEY_DATA_DIR: dir,
    GALLEY_API_KEY: KEY,
    GALLEY_OPTIONAL_ENGINES: 'off',
  });
  const galley = await startGalley({ config, log: createLog('silent') });
  try {
    await galley.outside.browser.warm();
    console.log(`${availableParallelism()} cores, ${galley.outside.browser.summary[0]}`);
    const other = await otherAccount(galley);
    for (const poison of (process.env['GALLEY_TEST_POISONS']?.split(',') as Poison[] | undefined) ?? POISONS)
      await poisonWith(galley, poison, other);
  } finally {
    await galley.close();
    await rm(dir, { recursive: true, force: true });
  }
}
