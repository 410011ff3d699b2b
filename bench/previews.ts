// A whole preview test in all default clients, beside bare captures of the same distinct documents in the same
// browsers.
import { mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { CLIENTS, defaultClientIds } from '../src/engines/client-emulation/index.ts';
import { collectAssets } from '../src/features/proof/_message/index.ts';
import { prepareMessage, profileOf, shotNames, shotRequest } from '../src/features/proof/previews/index.ts';
import type { RenderRequest } from '../src/platform/browser/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { imageServer, marketingEmail } from './marketing-email.ts';
import { measure, median, type Measured } from './measure.ts';

const ROUNDS = 3;
const KEY = 'key-of-the-previews-benchmark';

interface Started {
  id: string;
  firstMs: number;
}

async function call(galley: Galley, method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(galley.url + path, {
    method,
    headers: { authorization: `Basic ${btoa(`api:${KEY}`)}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

/** From POST until every client is completed. */
async function wholeTest(galley: Galley, html: string, clients: string[], isQuick = false): Promise<Started> {
  const start = performance.now();
  const { id } = await call(galley, 'POST', '/v2/preview/tests', { subject: 'The spring list', html, clients });
  let firstMs = 0;
  for (;;) {
    const info = await call(galley, 'GET', `/v2/preview/tests/${id}`);
    if (!firstMs && info.completed.length) firstMs = performance.now() - start;
    if (!info.processing.length) {
      if (info.bounced.length) throw new Error(`Bounced: ${info.bounced.join(', ')}`);
      return { id, firstMs };
    }
    await new Promise((resolve) => setTimeout(resolve, isQuick ? 5 : 250));
  }
}

/** The distinct documents that a test of these clients renders. */
async function distinctDocuments(
  galley: Galley,
  html: string,
  clientIds: readonly string[],
): Promise<{ requests: RenderRequest[]; shots: number }> {
  const loaded = {
    html,
    subject: 'The spring list',
    headers: {},
    baseUrl: undefined,
    inline: new Map(),
    raw: undefined,
  };
  const prepared = await prepareMessage(
    galley.outside,
    loaded,
    await collectAssets(galley.outside, loaded, AbortSignal.timeout(60_000)),
  );
  const byKey = new Map<string, RenderRequest>();
  let shots = 0;
  for (const profile of clientIds.map(profileOf)) {
    for (const shot of shotNames({ imageBlocking: false }, profile)) {
      const { key, request } = await shotRequest(galley.outside, {
        scope: 'bare',
        prepared,
        profile,
        shot,
        raw: undefined,
      });
      byKey.set(key, request);
      shots += 1;
    }
  }
  return { requests: [...byKey.values()], shots };
}

/** Load and capture only, as many at once as there are browsers. */
async function bareCaptures(galley: Galley, requests: readonly RenderRequest[], round: number): Promise<void> {
  const queue = [...requests];
  const renderer = galley.outside.browser.pick('chromium', 'light');
  const lane = async (): Promise<void> => {
    for (let next = queue.shift(); next; next = queue.shift())
      await renderer.render({ ...next, scope: `bare-${round}` }, AbortSignal.timeout(60_000));
  };
  await Promise.all(Array.from({ length: galley.outside.config.render.browsers }, lane));
}

function report(name: string, whole: Measured<unknown>[], bare: Measured<unknown>[]): void {
  const figures = (runs: Measured<unknown>[], of: 'wallSeconds' | 'cpuSeconds'): number =>
    median(runs.map((run) => run[of]));
  const wall = figures(whole, 'wallSeconds') / figures(bare, 'wallSeconds');
  const cpu = figures(whole, 'cpuSeconds') / figures(bare, 'cpuSeconds');
  console.log(
    `${name}: whole test ${figures(whole, 'wallSeconds').toFixed(2)} s (CPU ` +
      `${figures(whole, 'cpuSeconds').toFixed(2)} s), bare captures ${figures(bare, 'wallSeconds').toFixed(2)} ` +
      `s (CPU ${figures(bare, 'cpuSeconds').toFixed(2)} s): wall × ${wall.toFixed(2)}, CPU × ${cpu.toFixed(2)}`,
  );
}

async function compare(galley: Galley, name: string, html: string, clientIds: string[]): Promise<void> {
  const { requests, shots } = await distinctDocuments(galley, html, clientIds);
  const whole: Measured<unknown>[] = [];
  const bare: Measured<unknown>[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const one = await measure(() => wholeTest(galley, html, clientIds));
    const other = await measure(() => bareCaptures(galley, requests, round));
    // The first round warms both.
    if (round) whole.push(one);
    if (round) bare.push(other);
    await call(galley, 'DELETE', `/v2/preview/tests/${one.result.id}`);
  }
  report(name, whole, bare);
  reportDedup(name, clientIds, { requests, shots });
}

function reportDedup(
  name: string,
  clientIds: readonly string[],
  { requests, shots }: { requests: readonly unknown[]; shots: number },
): void {
  console.log(
    `${name}: ${clientIds.length} clients, ${shots} screenshots, ${requests.length} distinct: dedup saves ` +
      `${shots - requests.length} renders (${Math.round((1 - requests.length / shots) * 100)} %)`,
  );
}

export async function run(): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'galley-bench-'));
  const images = await imageServer();
  const html = marketingEmail(images.url);
  const config = readConfig({
    GALLEY_PORT: '0',
    GALLEY_SMTP_PORT: '0',
    GALLEY_DATA_DIR: dir,
    GALLEY_API_KEY: KEY,
    GALLEY_ALLOW_HOSTS: '127.0.0.1',
    GALLEY_OPTIONAL_ENGINES: 'off',
  });
  const galley = await startGalley({ config, log: createLog('error') });
  try {
    await galley.outside.browser.warm();
    console.log(
      `${availableParallelism()} cores, ${galley.outside.browser.summary[0]}; ${Buffer.byteLength(html)} ` +
        `bytes of HTML; medians of ${ROUNDS}`,
    );
    await compare(galley, 'default clients', html, defaultClientIds());
    const all = CLIENTS.map((client) => client.id);
    reportDedup('all clients', all, await distinctDocuments(galley, html, all));
    const simple = '<!doctype html><title>Simple</title><p>Your code is <b>123456</b>.</p>';
    reportDedup('all clients, a simple mail', all, await distinctDocuments(galley, simple, all));
    const firsts: number[] = [];
    for (let round = 0; round < 7; round += 1)
      firsts.push((await wholeTest(galley, html, ['gmail_chrome'], true)).firstMs);
    console.log(
      `first screenshot, one client, warm: median ${Math.round(median(firsts))} ` +
        `ms (${firsts.map(Math.round).join(', ')})`,
    );
  } finally {
    await galley.close();
    images.close();
    await rm(dir, { recursive: true, force: true });
  }
}
