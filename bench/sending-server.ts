// The process that `bench/sending.ts` asks: a whole Galley that delivers live, to a sink that stands for all domains.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley } from '../src/app/serve.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { sql } from '../src/platform/db/index.ts';
import { createZoneDns, type DeclaredRecords } from '../src/platform/dns/index.ts';
import { createLog } from '../src/platform/log/index.ts';

/** What is asked again and again, so it takes little. */
export interface Progress {
  /** Everything that was accepted has ended, and its events are written. */
  isDone: boolean;
  /** Processor time of this process since it began, its threads included. */
  cpuMs: number;
}

/** Since the process began. */
export interface ServerFacts {
  /** Recipients whose message was delivered, as the events say. */
  delivered: number;
  /** Other ends and deferrals. */
  failed: number;
  waiting: number;
  rssMb: number;
  rssMaxMb: number;
}

const DOMAIN = 'news.bench.example';
const [key = '', sinkPort = '', destinations = '1'] = process.argv.slice(2);

const zone: Record<string, DeclaredRecords> = {};
for (let index = 0; index < Number(destinations); index += 1) {
  zone[`d${index}.example`] = { MX: [`10 mx.d${index}.example`] };
  zone[`mx.d${index}.example`] = { A: ['127.0.0.1'] };
}

let known = createZoneDns(zone);

const dir = await mkdtemp(join(tmpdir(), 'galley-bench-sending-'));
const config = readConfig({
  GALLEY_PORT: '0',
  GALLEY_SMTP_PORT: '0',
  GALLEY_SUBMISSION_PORT: '0',
  GALLEY_DATA_DIR: dir,
  GALLEY_API_KEY: key,
  GALLEY_OPTIONAL_ENGINES: 'off',
  GALLEY_FIND_FILTERS: 'off',
  GALLEY_ROLES: 'api,work,send',
  GALLEY_DELIVERY: 'live',
  GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
  GALLEY_KEY_REQUESTS_PER_MINUTE: '0',
  GALLEY_ACCOUNT_REQUESTS_PER_MINUTE: '0',
  ...(process.env['GALLEY_DATABASE_URL'] && { GALLEY_DATABASE_URL: process.env['GALLEY_DATABASE_URL'] }),
});
const galley = await startGalley({
  config,
  log: createLog('warn'),
  dns: { resolve: (name, type) => known.resolve(name, type) },
  mail: { mxPort: Number(sinkPort) },
});
const { db, events } = galley.outside;

async function call(method: string, path: string, body?: object): Promise<any> {
  const response = await fetch(galley.url + path, {
    method,
    headers: {
      authorization: `Basic ${btoa(`api:${key}`)}`,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function progress(): Promise<Progress> {
  const { user, system } = process.cpuUsage();
  const left = await db.first(sql`select 1 from deliveries limit 1`);
  return { isDone: left === undefined, cpuMs: (user + system) / 1000 };
}

async function facts(): Promise<ServerFacts> {
  const { id = '' } = (await db.first(sql<{ id: string }>`select id from accounts`)) ?? {};
  const to = new Date(Date.now() + 60_000);
  const told = await events.aggregate({ accountIds: [id], from: new Date(0), to });
  const countOf = (kind: string): number =>
    told.reduce((sum, { event, count }) => sum + (event === kind ? count : 0), 0);
  const waiting = await db.first(sql<{ count: string }>`select count(*) from deliveries`);
  return {
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    waiting: Number(waiting?.count ?? 0),
    rssMb: process.memoryUsage.rss() / 1024 / 1024,
    rssMaxMb: process.resourceUsage().maxRSS / 1024,
  };
}

const domain = await call('POST', '/v4/domains', { name: DOMAIN });
for (const { name, value } of domain.sending_dns_records) zone[name] = { TXT: [value] };
known = createZoneDns(zone);
await call('PUT', `/v4/domains/${DOMAIN}/verify`);

process.on('message', (question: 'progress' | 'facts' | 'stop') => {
  void (async () => {
    if (question === 'progress') return process.send?.(await progress());
    if (question === 'facts') return process.send?.(await facts());
    await galley.close();
    await rm(dir, { recursive: true, force: true });
    return process.exit();
  })();
});
process.on('disconnect', () => process.exit());
process.send?.({ url: galley.url });
