// The process that `bench/accept.ts` asks: a Galley that takes messages and sends none.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGalley } from '../src/app/serve.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { jsonb, sql } from '../src/platform/db/index.ts';
import { createLog } from '../src/platform/log/index.ts';

const ROWS = 1000;
const [key = '', domain = ''] = process.argv.slice(2);
const dir = await mkdtemp(join(tmpdir(), 'galley-bench-accept-'));
const galley = await startGalley({
  config: readConfig({
    GALLEY_PORT: '0',
    GALLEY_DATA_DIR: dir,
    GALLEY_API_KEY: key,
    GALLEY_OPTIONAL_ENGINES: 'off',
    GALLEY_FIND_FILTERS: 'off',
    GALLEY_ROLES: 'api',
    GALLEY_KEY_REQUESTS_PER_MINUTE: '0',
    GALLEY_ACCOUNT_REQUESTS_PER_MINUTE: '0',
    ...(process.env['GALLEY_DATABASE_URL'] && { GALLEY_DATABASE_URL: process.env['GALLEY_DATABASE_URL'] }),
  }),
  log: createLog('warn'),
});
const { db } = galley.outside;
const authorization = `Basic ${btoa(`api:${key}`)}`;
const added = await fetch(`${galley.url}/v4/domains`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ name: domain }),
});
if (!added.ok) throw new Error(`a domain was answered ${added.status}`);
await db.text('create table bench_rows (id bigint generated always as identity primary key, who text, what jsonb)');

/** Milliseconds of one statement that keeps a thousand rows, and of nothing else. */
async function bareInsert(from: number): Promise<number> {
  const rows = Array.from({ length: ROWS }, (_, place) => ({
    who: `r${from + place}@d${place % 50}.example`,
    what: { name: `Reader ${from + place}`, id: `id-${from + place}` },
  }));
  const start = performance.now();
  await db.run(sql`insert into bench_rows (who, what)
    select who, what from jsonb_to_recordset(${jsonb(rows)}::jsonb) as one (who text, what jsonb)`);
  return performance.now() - start;
}

process.on('message', (question: { insertFrom: number } | 'cpu' | 'stop') => {
  void (async () => {
    if (question === 'cpu') {
      const { user, system } = process.cpuUsage();
      return process.send?.((user + system) / 1000);
    }
    if (question !== 'stop') return process.send?.(await bareInsert(question.insertFrom));
    await galley.close();
    await rm(dir, { recursive: true, force: true });
    return process.exit();
  })();
});
process.on('disconnect', () => process.exit());
process.send?.({ url: galley.url });
