// Two processes on one PostgreSQL take the messages of one batch, send it and decide on it at once.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const [CALLS, EACH, SAMPLE] = [12, 10, 30];

describe('a batch in two processes', { skip: postgresAbsence }, () => {
  it('leaves for its sample exactly, is held once and released once', { timeout: 300_000 }, async () => {
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-batches-'));
    const settings = { GALLEY_ROLES: 'api,work,send', GALLEY_DATABASE_URL: postgres.url, GALLEY_DATA_DIR: dataDir };
    const apps: App[] = [];
    try {
      for (const _ of ['first', 'second']) apps.push(await startApp(settings));
      const [first, second] = apps as [App, App];
      await first.call('POST /v4/domains', { body: { name: DOMAIN } });
      const { items: domains } = (await first.call('GET /v4/domains')).body;
      const sandbox = domains.find(({ type }: any) => type === 'sandbox').name;
      const body = { mode: 'on', sample: SAMPLE, bounced_max: 50, deferred_max: 100 };
      assert.equal((await first.call(`PUT /v1/galley/domains/${DOMAIN}/breaker`, { body })).status, 200);
      const rows = async (query: string): Promise<any[]> => (await first.galley.outside.db.text(query)).rows;
      const sent = Array.from({ length: CALLS }, (_, call) => {
        const to = Array.from({ length: EACH }, (_, place) => `bounced+550-5.${call}.${place}@${sandbox}`);
        const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello', 'o:tag': 'spring' };
        return apps[call % 2]!.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
      });
      for (const { status } of await Promise.all(sent)) assert.equal(status, 200);
      let batches: any[] = [];
      for (const end = Date.now() + 90_000; batches[0]?.state !== 'held';) {
        assert.ok(Date.now() < end, JSON.stringify(batches));
        await new Promise((resolve) => setTimeout(resolve, 50));
        batches = (await second.call('GET /v1/galley/batches')).body.items;
      }
      assert.equal(batches.length, 1);
      const [{ id, recipients, sample }] = batches;
      assert.deepEqual([recipients, sample.sampled], [CALLS * EACH, SAMPLE]);
      const tried = (await rows('select distinct message_id, position from events where attempt is not null')).length;
      const stopped = (await rows('select 1 from deliveries where is_stopped')).length;
      assert.ok(tried > SAMPLE / 2 && tried <= SAMPLE, `${tried} were tried`);
      assert.equal(tried + (await rows('select 1 from deliveries')).length, CALLS * EACH);
      assert.ok(stopped >= CALLS * EACH - SAMPLE, `${stopped} are stopped`);
      const presses = await Promise.all(
        [first, second, first, second].map((app) => app.call(`POST /v1/galley/batches/${id}/release`)),
      );
      assert.deepEqual(presses.map(({ status }) => status).sort(), [200, 409, 409, 409]);
      for (const end = Date.now() + 90_000; (await rows('select 1 from deliveries')).length > 0;) {
        assert.ok(Date.now() < end, 'not all was delivered');
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      const counts = await rows('select count(*)::int as count from events group by message_id, position');
      // Each was accepted and bounced, once.
      assert.deepEqual(
        counts.map(({ count }) => count),
        Array(CALLS * EACH).fill(2),
      );
    } finally {
      for (const app of apps) await app.close();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
