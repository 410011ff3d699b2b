// Limits of what leaves from an IP address: exact in one process and in two, and for one account alone.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startMailServer } from '../../../../test/harness/mail-server.ts';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const PATH = '/v1/galley/sending_limits';
const HOUR_MS = 3_600_000;
const [FIRST, SECOND] = ['127.0.0.71', '127.0.0.72'];
const OTHERS = 'letters.example.com';

/** Ten minutes behind the beginning of an hour of the next day, so that no test runs into the next one. */
function settle({ clock }: Pick<App, 'clock'>): void {
  const now = clock.now().getTime();
  clock.advance((Math.floor(now / (24 * HOUR_MS)) + 1) * 24 * HOUR_MS + 11 * HOUR_MS + HOUR_MS / 6 - now);
}

/** Until nothing is due or on its way. */
async function nothingIsDue(app: App): Promise<void> {
  for (const end = Date.now() + 90_000; ;) {
    const { rows } = await app.galley.outside.db.text(
      'select 1 from deliveries where is_taken or due_at <= $1 limit 1',
      [app.clock.now()],
    );
    if (rows.length === 0) return;
    assert.ok(Date.now() < end, 'it is still on its way');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const people = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${name}${place}@example.net`);

describe('limits of what leaves from an address', () => {
  const settings = { GALLEY_SENDING_IPS: `${FIRST}=mail1.example.com;shared,${SECOND}=mail2.example.com;shared` };
  const bed = liveBed({ settings });
  let other: { headers: Record<string, string> };
  const put = (body: object) => bed.app.call(`PUT ${PATH}`, { body });
  /** How many left from an address for recipients of this name. */
  const left = (name: string, ip?: string): number =>
    bed.server.messages.filter(
      ({ to, client }) => to.some((one) => one.startsWith(name)) && (ip === undefined || client.ip === ip),
    ).length;

  before(async () => {
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts?name=Other');
    other = { headers: { 'x-mailgun-on-behalf-of': body.subaccount.id } };
    const { body: added } = await bed.app.call('POST /v4/domains', { ...other, body: { name: OTHERS } });
    for (const record of added.sending_dns_records) bed.zone[record.name] = { TXT: [record.value] };
    await bed.app.call(`PUT /v4/domains/${OTHERS}/verify`, other);
    settle(bed.app);
  });

  it('are for addresses that the account sends from', async () => {
    for (const name of ['192.0.2.9', 'mail'])
      assert.equal(
        (await put({ scope: 'ip', name, period: 'hour', max: 1 })).body.message,
        'name must be an IP address that this account may send from, as GET /v3/ips lists them.',
      );
    assert.equal((await put({ scope: 'ip', period: 'hour', max: 1 })).body.message, 'name must name the ip.');
  });

  it('are used up one after the other, and hold back nothing of another account', async () => {
    await put({ scope: 'ip', name: FIRST, period: 'hour', max: 3 });
    const { status, body } = await put({ scope: 'ip', name: SECOND, period: 'hour', max: 4 });
    const { id, resets_at: resetsAt, ...about } = body;
    assert.deepEqual([status, about], [200, { scope: 'ip', name: SECOND, period: 'hour', max: 4, used: 0 }]);
    assert.match(`${id} ${resetsAt}`, /^\d+ \d{4}-\d\d-\d\dT12:00:00\.000Z$/);
    await bed.send({ to: people('mine', 20) });
    const letter = { from: `ann@${OTHERS}`, to: people('theirs', 10), subject: 'Hello', text: 'Hello' };
    assert.equal((await bed.app.call(`POST /v3/${OTHERS}/messages`, { ...other, body: letter })).status, 200);
    await nothingIsDue(bed.app);
    assert.deepEqual([left('mine', FIRST), left('mine', SECOND), left('theirs')], [3, 4, 10]);
    const { items } = (await bed.app.call('GET /v1/galley/queue/deliveries?limit=1000')).body;
    assert.equal(items.length, 13);
    for (const { reason, attempts } of items) {
      assert.match(
        reason,
        /^The limit of [34] messages an hour from 127\.0\.0\.7[12] is used up; the next may leave at /,
      );
      assert.equal(attempts, 0);
    }
    const uses = (await bed.app.call(`GET ${PATH}`)).body.items.map(({ used }: any) => used);
    assert.deepEqual(uses, [3, 4]);
    assert.deepEqual((await bed.app.call(`GET ${PATH}`, other)).body.items, []);
  });

  it('begin anew with the hour, and let the rest go when they are deleted', async () => {
    bed.app.clock.advance(HOUR_MS);
    await nothingIsDue(bed.app);
    assert.deepEqual([left('mine', FIRST), left('mine', SECOND)], [6, 8]);
    for (const { id } of (await bed.app.call(`GET ${PATH}`)).body.items) await bed.app.call(`DELETE ${PATH}/${id}`);
    await bed.app.idle();
    await nothingIsDue(bed.app);
    assert.equal(left('mine'), 20);
  });
});

describe('a limit of an address in two processes', { skip: postgresAbsence }, () => {
  it('lets exactly so many leave', { timeout: 300_000 }, async () => {
    const zone: Record<string, DeclaredRecords> = {
      'example.net': { MX: ['10 mx.example.net'] },
      'mx.example.net': { A: ['127.0.0.1'] },
    };
    const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
    const server = await startMailServer({});
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-ip-limits-'));
    const settings = {
      GALLEY_ROLES: 'api,work,send',
      GALLEY_DELIVERY: 'live',
      GALLEY_ALLOW_HOSTS: '127.0.0.0/8',
      GALLEY_SENDING_IPS: `${FIRST}=mail1.example.com`,
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
      for (const one of apps) settle(one);
      const limit = { scope: 'ip', name: FIRST, period: 'day', max: 3 };
      assert.equal((await first.call(`PUT ${PATH}`, { body: limit })).status, 200);
      // At once: the other process asks the database when it takes what waits.
      await Promise.all(
        Array.from({ length: 10 }, async (_, place) => {
          const letter = { from: `ann@${DOMAIN}`, to: people(`reader${place}-`, 20), subject: 'Hello', text: 'Hello' };
          const { status } = await (place % 2 ? first : second).call(`POST /v3/${DOMAIN}/messages`, { body: letter });
          assert.equal(status, 200);
        }),
      );
      await nothingIsDue(first);
      assert.equal(server.messages.length, 3);
      const { rows } = await first.galley.outside.db.text('select count(*)::int as count from deliveries');
      assert.deepEqual(rows, [{ count: 197 }]);
      assert.equal((await second.call(`GET ${PATH}`)).body.items[0].used, 3);
    } finally {
      for (const one of apps) await one.close();
      await postgres.close();
      await server.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
