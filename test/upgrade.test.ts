// The present version on the data of the release before: migrated at its start, and all of it there afterwards.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { startGalley, type Galley } from '../src/app/serve.ts';
import { MIGRATIONS } from '../src/app/outside.ts';
import { readConfig } from '../src/platform/config/index.ts';
import { openDatabase, sql } from '../src/platform/db/index.ts';
import { createZoneDns } from '../src/platform/dns/index.ts';
import { createLog } from '../src/platform/log/index.ts';
import { emptyDatabase } from './harness/template-database.ts';
import { FREE_PORTS } from './harness/program.ts';

const RELEASE = join(import.meta.dirname, 'fixtures/previous-release');
const KEY = 'key-of-the-release-before';
/** When its data was made: what a time limit would end is still there. */
const NOW = new Date('2026-11-27T13:00:00Z');

describe('an upgrade from the release before', () => {
  let dir: string;
  let galley: Galley;
  let database: Awaited<ReturnType<typeof emptyDatabase>>;
  let migrationsBefore = 0;
  const call = async (method: string, path: string, body?: object): Promise<any> => {
    const headers = {
      authorization: `Basic ${btoa(`api:${KEY}`)}`,
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(galley.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    assert.equal(answer.status, 200, `${method} ${path}: ${await answer.clone().text()}`);
    return answer.json();
  };
  before(async () => {
    dir = await mkdtemp(join(tmpdir(), 'galley-upgrade-'));
    await cp(join(RELEASE, 'data'), dir, { recursive: true });
    database = await emptyDatabase();
    const env = {
      ...FREE_PORTS,
      ...database.env,
      GALLEY_DATA_DIR: dir,
      GALLEY_PUBLIC_URL: 'https://galley.example.com',
      GALLEY_ROLES: 'api',
      GALLEY_BROWSERS: '1',
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_FIND_FILTERS: 'off',
    };
    const config = readConfig(env);
    const db = await openDatabase(
      config.databaseUrl === undefined ? { dir: join(dir, 'db') } : { url: config.databaseUrl },
    );
    await db.text(gunzipSync(await readFile(join(RELEASE, 'database.sql.gz'))).toString());
    const counted = await db.rows(sql<{ name: string }>`select name from public.migrations`);
    migrationsBefore = counted.length;
    await db.close();
    galley = await startGalley({
      config,
      log: createLog('silent'),
      clock: { now: () => NOW },
      dns: createZoneDns({}),
    });
  });
  after(async () => {
    await galley?.close();
    await database.remove();
    await rm(dir, { recursive: true, force: true });
  });

  it('brings the tables up to date', async () => {
    const { db } = galley.outside;
    const applied = await db.rows(sql<{ name: string }>`select name from migrations`);
    assert.ok(migrationsBefore > 0 && migrationsBefore < MIGRATIONS.length);
    assert.deepEqual(applied.map(({ name }) => name).sort(), MIGRATIONS.map(({ name }) => name).sort());
  });

  it('answers what that release answered', async () => {
    const answers = JSON.parse(await readFile(join(RELEASE, 'answers.json'), 'utf8')) as Record<string, object>;
    for (const [path, answer] of Object.entries(answers))
      assert.partialDeepStrictEqual(await call('GET', path), answer, path);
  });

  it('goes on with it: a message is accepted for its domain', async () => {
    const letter = { from: 'ann@news.example.com', to: 'bob@example.net', subject: 'Since', text: 'Hello' };
    const { id } = await call('POST', '/v3/news.example.com/messages', letter);
    const { items } = await call('GET', '/v1/galley/queue/deliveries?limit=10');
    assert.deepEqual(items.map((item: any) => item.message.subject).sort(), ['Since', 'Spring – ü 🎉']);
    assert.ok(id);
  });
});
