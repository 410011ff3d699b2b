// The process that `bench/api.ts` asks: a whole Galley, and beside it a bare Fastify on the same database that answers
// the same by one statement. Its event loop is watched from inside.
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Fastify from 'fastify';
import { startGalley } from '../src/app/serve.ts';
import { findInfo } from '../src/features/proof/previews/info-store.ts';
import { sql } from '../src/platform/db/index.ts';
import { loadVerifiers } from '../src/engines/mail-authentication/index.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { FREE_PORTS } from '../test/harness/program.ts';

/** What the bench asks of this process. */
export type Question = 'loop' | 'forget keys' | 'stop';

/** Since the last question, in milliseconds, and MiB. */
export interface LoopFacts {
  heldMaxMs: number;
  /** The same in processor time of the thread: what else the machine does at that time does not count. */
  heldCpuMs: number;
  rssMb: number;
}

const dir = await mkdtemp(join(tmpdir(), 'galley-bench-api-'));
const key = process.argv[2] as string;
const config = readConfig({
  ...FREE_PORTS,
  GALLEY_DATA_DIR: dir,
  GALLEY_API_KEY: key,
  GALLEY_OPTIONAL_ENGINES: 'off',
  // The pages of the benchmark.
  GALLEY_ALLOW_HOSTS: '127.0.0.1',
  // One key asks for all.
  GALLEY_KEY_REQUESTS_PER_MINUTE: '0',
  GALLEY_ACCOUNT_REQUESTS_PER_MINUTE: '0',
  GALLEY_QUOTAS: 'screenshots=999999999,inspections=999999999,keys=999999999',
  ...(process.env['GALLEY_DATABASE_URL'] && { GALLEY_DATABASE_URL: process.env['GALLEY_DATABASE_URL'] }),
});
// As `galley start` does.
await loadVerifiers();
const galley = await startGalley({ config, log: createLog('silent') });
const { db } = galley.outside;

const owner = await db.first(sql<{ id: string }>`select id from accounts`);
const bare = Fastify();
bare.get('/tests/:id', async (request) => {
  const { id } = request.params as { id: string };
  return findInfo(db, owner?.id ?? '', id);
});
bare.post(
  '/keys',
  {
    schema: {
      body: {
        type: 'object',
        required: ['role'],
        properties: { role: { type: 'string' }, description: { type: 'string', maxLength: 500 } },
      },
    },
  },
  async (request) => {
    const { role, description } = request.body as { role: string; description: string };
    const id = crypto.randomUUID();
    const now = new Date();
    await db.run(sql`
      insert into api_keys (id, account_id, role, description, digest, created_at, updated_at)
      select ${id}, account_id, ${role}, ${description}, decode(md5(${id}), 'hex'), ${now}, ${now}
      from api_keys
      limit 1
    `);
    return { id, role, description, created_at: now };
  },
);
await bare.listen({ host: '127.0.0.1', port: 0 });

/** The refusal of a sender that is no one's names the domain that may be used. */
async function sandboxDomain(): Promise<string> {
  const headers = { authorization: `Basic ${btoa(`api:${key}`)}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ from: 'a@elsewhere.example', subject: 'x', html: 'x' });
  const answer = await fetch(`${galley.url}/v4/inbox/tests`, { method: 'POST', headers, body });
  return /sandbox[\w.-]+?(?=\.?$)/.exec(((await answer.json()) as { message: string }).message)?.[0] ?? '';
}

/** What the benchmark calls keys that it makes. */
const MADE = 'made by the benchmark';

const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

const spentMs = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};
let [heldCpuMs, spentBefore] = [0, spentMs()];
setInterval(() => {
  const spent = spentMs();
  heldCpuMs = Math.max(heldCpuMs, spent - spentBefore);
  spentBefore = spent;
}, 2);

process.on('message', (question: Question) => {
  if (question === 'loop') {
    process.send?.({
      heldMaxMs: delay.max / 1e6,
      heldCpuMs,
      rssMb: process.memoryUsage.rss() / 1024 / 1024,
    } satisfies LoopFacts);
    delay.reset();
    heldCpuMs = 0;
    return;
  }
  if (question === 'forget keys') {
    void db.run(sql`delete from api_keys where description = ${MADE}`).then((count) => process.send?.(count));
    return;
  }
  void (async () => {
    await bare.close();
    await galley.close();
    await rm(dir, { recursive: true, force: true });
    process.exit();
  })();
});
process.on('disconnect', () => process.exit());
process.send?.({
  url: galley.url,
  bareUrl: `http://127.0.0.1:${(bare.server.address() as AddressInfo).port}`,
  sandbox: await sandboxDomain(),
});
