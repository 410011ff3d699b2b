// Killed again and again while messages are accepted and their events are on the way to ClickHouse: each is there once.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clickHouseAbsence, startClickHouse } from '../harness/clickhouse.ts';
import { call, KEY, kill, start } from '../harness/crash.ts';
import { freshDatabase } from '../harness/template-database.ts';

const DOMAIN = 'news.example.com';
const KILLS = 2;
const CALLS = 2;
const EACH = 20;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describe('kill −9 while events go to ClickHouse', { skip: clickHouseAbsence ?? false }, () => {
  it('loses none, and has none twice', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-crash-'));
    const database = await freshDatabase(dataDir);
    const server = await startClickHouse();
    const env = {
      GALLEY_PORT: '0',
      GALLEY_SMTP_PORT: '0',
      GALLEY_DATA_DIR: dataDir,
      GALLEY_API_KEY: KEY,
      GALLEY_ROLES: 'api,send',
      GALLEY_OPTIONAL_ENGINES: 'off',
      GALLEY_LOG_LEVEL: 'silent',
      GALLEY_CLICKHOUSE_URL: server.url,
      ...database.env,
    };
    const answered: string[] = [];
    const there = async (): Promise<{ recipient: string; id: string; event: number }[]> =>
      server.query('select recipient, toString(id) as id, event from events');
    let running = await start(env);
    try {
      await call(running.url, 'POST', '/v4/domains', { name: DOMAIN });
      for (let killed = 0; killed <= KILLS; killed += 1) {
        for (let n = 0; n < CALLS; n += 1) {
          const to = Array.from({ length: EACH }, (_, place) => `r${killed}-${n}-${place}@world.example`);
          const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello' };
          await call(running.url, 'POST', `/v3/${DOMAIN}/messages`, letter);
          answered.push(...to);
          // Between a batch that is written and its answer, too: then it is tried again after five seconds.
          if (n === 1) server.loseAnswer();
        }
        if (killed === KILLS) break;
        await kill(running);
        running = await start(env);
      }
      const isThere = async (): Promise<boolean> => {
        const found = new Set((await there()).filter(({ event }) => event === 0).map(({ recipient }) => recipient));
        return answered.every((recipient) => found.has(recipient));
      };
      for (const end = Date.now() + 180_000; !(await isThere()); await pause(500))
        assert.ok(Date.now() < end, 'the events did not come in time');
      const found = await there();
      assert.equal(new Set(found.map(({ id }) => id)).size, found.length);
      const accepted = found.filter(({ event }) => event === 0).map(({ recipient }) => recipient);
      assert.deepEqual(accepted.sort(), answered.sort());
    } finally {
      running.child.kill('SIGKILL');
      await server.close();
      await database.remove();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
