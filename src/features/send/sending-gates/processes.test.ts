// Two processes on one PostgreSQL, and people who release the same messages in both at once.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const HTML = '<!doctype html><html lang="en"><title>Hello</title><p>Hello</p></html>';
const MESSAGES = 12;

describe('messages that are held', { skip: postgresAbsence }, () => {
  it('are each released or dropped once', { timeout: 300_000 }, async () => {
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-gates-'));
    const settings = {
      GALLEY_ROLES: 'api,work,send',
      GALLEY_DATABASE_URL: postgres.url,
      GALLEY_DATA_DIR: dataDir,
    };
    const apps: App[] = [];
    try {
      for (const _ of ['first', 'second']) apps.push(await startApp(settings));
      const [first, second] = apps as [App, App];
      await first.call('POST /v4/domains', { body: { name: DOMAIN } });
      const body = { mode: 'hold', policy: { limits: { html_bytes_max: 20 } }, checks: ['code'] };
      assert.equal((await first.call(`PUT /v1/galley/domains/${DOMAIN}/gate`, { body })).status, 200);
      const sent = Array.from({ length: MESSAGES }, (_, place) =>
        apps[place % 2]!.call(`POST /v3/${DOMAIN}/messages`, {
          body: { from: `ann@${DOMAIN}`, to: `bob${place}@example.net`, subject: 'Hello', html: HTML },
        }),
      );
      for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
      await first.idle();
      const { body: held } = await first.call('GET /v1/galley/gate/messages?state=held');
      assert.equal(held.meta.count, MESSAGES);
      assert.equal((await first.call('GET /v1/inspect/gate')).body.meta.count, 1);
      const keys: string[] = held.items.map(({ message }: any) => message.storage_key);
      const presses = keys.flatMap((key, place) =>
        [first, second, first, second].map((app, turn) => {
          const verb = place % 3 === 0 && turn % 2 === 1 ? 'drop' : 'release';
          return app.call(`POST /v1/galley/gate/messages/${key}/${verb}`);
        }),
      );
      const statuses = (await Promise.all(presses)).map(({ status }) => status);
      assert.equal(statuses.filter((status) => status === 200).length, MESSAGES);
      assert.equal(statuses.filter((status) => status === 409).length, 3 * MESSAGES);
      const waits = async (): Promise<number> => {
        const { waiting, in_delivery: taken } = (await first.call('GET /v1/galley/queue')).body;
        return waiting + taken;
      };
      while ((await waits()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
      const ended = await first.galley.outside.db.text(
        'select message_id, count(*)::int as count from events group by message_id',
      );
      const counts = ended.rows as { count: number }[];
      // Each was accepted, and either delivered or rejected.
      assert.deepEqual(
        counts.map(({ count }) => count),
        Array(MESSAGES).fill(2),
      );
    } finally {
      for (const app of apps) await app.close();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
