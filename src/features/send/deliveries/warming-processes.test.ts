// One address that is warming up, and two processes that send from it, on one PostgreSQL.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startMailServer } from '../../../../test/harness/mail-server.ts';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const IP = '127.0.0.2';
/** Of a stage of 288 messages in 24 hours: 12 an hour, one each twelfth of it. */
const HOURLY = 12;
const STEP_MS = 3_600_000 / HOURLY;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));

describe('the throttle of a warming address in two processes', { skip: postgresAbsence }, () => {
  it('lets exactly as many leave in the hour as its stage says', { timeout: 300_000 }, async () => {
    const zone: Record<string, DeclaredRecords> = {
      'example.net': { MX: ['10 mx.example.net'] },
      'mx.example.net': { A: ['127.0.0.1'] },
    };
    const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
    const server = await startMailServer({});
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-warming-'));
    const settings = {
      GALLEY_ROLES: 'api,work,send',
      GALLEY_DELIVERY: 'live',
      GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
      GALLEY_SENDING_IPS: `${IP}=mail2.example.com`,
      GALLEY_DATABASE_URL: postgres.url,
      GALLEY_DATA_DIR: dataDir,
    };
    const world = { dns, mail: { mxPort: server.port, replyTimeoutMs: 5000, greetingTimeoutMs: 2000 } };
    const apps: App[] = [];
    try {
      for (const _ of ['first', 'second']) apps.push(await startApp(settings, world));
      const [first, second] = apps as [App, App];
      const { body } = await first.call('POST /v4/domains', { body: { name: DOMAIN } });
      for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
      assert.equal((await first.call(`PUT /v4/domains/${DOMAIN}/verify`)).body.domain.state, 'active');
      const inHour = async (): Promise<void> => {
        const begun = await first.call(`POST /v3/ip_warmups/${IP}`, { body: { stages: [HOURLY * 24] } });
        assert.equal(begun.status, 200, JSON.stringify(begun.body));
        // The other process hears of it within a second.
        await new Promise((resolve) => setTimeout(resolve, 2000));
        const senders = new Set<string>();
        for (const [place, app] of apps.entries()) {
          const to = Array.from({ length: 20 }, (_, n) => `reader${place}-${n}@example.net`);
          const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello' };
          assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
        }
        for (let left = 1; left <= HOURLY; left += 1) {
          while (server.messages.length < left) await pause();
          for (const { client } of server.messages) senders.add(client.ip);
          for (const { clock } of apps) clock.advance(left === HOURLY ? STEP_MS - 1000 : STEP_MS);
        }
        // Whoever would take one more looks meanwhile, in both processes.
        for (let looks = 0; looks < 150; looks += 1) await pause();
        assert.equal(server.messages.length, HOURLY);
        assert.deepEqual([...senders], [IP]);
        const { details } = (await second.call(`GET /v3/ip_warmups/${IP}`)).body;
        assert.deepEqual([details.hourly_limit, details.throttle], [HOURLY, HOURLY]);
        for (const { clock } of apps) clock.advance(2000);
        while (server.messages.length <= HOURLY) await pause();
      };
      await first.clock.holding(() => second.clock.holding(inHour));
    } finally {
      for (const app of apps) await app.close();
      await postgres.close();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
