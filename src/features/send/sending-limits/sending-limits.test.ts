// Limits of what leaves, on the wire and in two processes.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const PATH = '/v1/galley/sending_limits';
const HOUR_MS = 3_600_000;

let app: App;
let other: { headers: Record<string, string> };

/** Ten minutes behind the beginning of an hour of the next day, so that no test runs into the next one. */
function settle({ clock }: App): void {
  const now = clock.now().getTime();
  clock.advance((Math.floor(now / (24 * HOUR_MS)) + 1) * 24 * HOUR_MS + 11 * HOUR_MS + HOUR_MS / 6 - now);
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { headers: { 'x-mailgun-on-behalf-of': body.subaccount.id } };
  settle(app);
});
after(() => app.close());

const put = (body: object) => app.call(`PUT ${PATH}`, { body });
const people = (count: number): string[] => Array.from({ length: count }, (_, place) => `reader${place}@example.net`);

async function send(count: number, on = app, domain = DOMAIN): Promise<void> {
  const body = { from: `ann@${domain}`, to: people(count), subject: 'Hello', text: 'Hello' };
  assert.equal((await on.call(`POST /v3/${domain}/messages`, { body })).status, 200);
}

/** What waits, when nothing is on its way. */
async function waiting(on = app): Promise<any[]> {
  for (const end = Date.now() + 90_000; ;) {
    const { rows } = await on.galley.outside.db.text(
      'select 1 from deliveries where is_taken or due_at <= $1 limit 1',
      [on.clock.now()],
    );
    if (rows.length === 0) break;
    assert.ok(Date.now() < end, 'it is still on its way');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return (await on.call('GET /v1/galley/queue/deliveries?limit=1000')).body.items;
}

describe('limits of what leaves', () => {
  const wrongs: [body: object, message: RegExp][] = [
    [{ scope: 'world', period: 'hour', max: 1 }, /^scope must be one of account, domain, provider, ip\.$/],
    [{ scope: 'account', period: 'week', max: 1 }, /^period must be one of hour, day\.$/],
    [{ scope: 'account', period: 'hour', max: 0 }, /^max must be >= 1\.$/],
    [{ scope: 'account', period: 'hour' }, /^max is required\.$/],
    [{ scope: 'account', name: 'x', period: 'hour', max: 1 }, /^name must be empty for the account\.$/],
    [{ scope: 'domain', period: 'hour', max: 1 }, /^name must name the domain\.$/],
    [{ scope: 'provider', name: 'gmail', period: 'hour', max: 1 }, /^name must be one of 163\.com, .*, google, .*\.$/],
  ];
  for (const [body, message] of wrongs)
    it(`refuse ${JSON.stringify(body)}`, async () => {
      const answer = await put(body);
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });

  it('are set, listed and deleted, each account its own', async () => {
    assert.equal((await put({ scope: 'domain', name: 'none.example.com', period: 'hour', max: 1 })).status, 404);
    const { body } = await put({ scope: 'domain', name: DOMAIN.toUpperCase(), period: 'day', max: 500 });
    const { id, resets_at: resetsAt, ...about } = body;
    assert.deepEqual(about, { scope: 'domain', name: DOMAIN, period: 'day', max: 500, used: 0 });
    assert.match(resetsAt, /T00:00:00\.000Z$/);
    const again = await put({ scope: 'domain', name: DOMAIN, period: 'day', max: 400 });
    assert.deepEqual([again.body.id, again.body.max], [id, 400]);
    const { items, meta, providers } = (await app.call(`GET ${PATH}`)).body;
    assert.deepEqual([items.length, meta.count, items[0].max], [1, 1, 400]);
    assert.ok(providers.includes('google'), String(providers));
    assert.equal((await app.call(`GET ${PATH}`, other)).body.meta.count, 0);
    const none = await app.call(`DELETE ${PATH}/${id}`, other);
    assert.deepEqual([none.status, none.body], [404, { message: 'This account has no sending limit with this id.' }]);
    assert.deepEqual((await app.call(`DELETE ${PATH}/${id}`)).body, { message: 'Sending limit deleted' });
    assert.equal((await app.call(`DELETE ${PATH}/${id}`)).status, 404);
  });

  it('let exactly so many leave, and the others wait for the next hour and say so', async () => {
    await put({ scope: 'domain', name: DOMAIN, period: 'hour', max: 10 });
    await put({ scope: 'account', name: '', period: 'day', max: 25 });
    await send(30);
    const items = await waiting();
    assert.equal(items.length, 20);
    const { reason, state } = items[0];
    assert.deepEqual(
      [reason, state],
      [`The limit of 10 messages an hour of ${DOMAIN} is used up; the next may leave at 12:00 UTC.`, 'deferred'],
    );
    // They do not all come again at once.
    const dues = items.map(({ next_attempt_at: at }: any) => at.slice(11, 16));
    assert.deepEqual(
      [dues.filter((at) => at === '12:00').length, dues.filter((at) => at === '13:00').length],
      [10, 10],
    );
    const uses = (await app.call(`GET ${PATH}`)).body.items.map(({ scope, used }: any) => [scope, used]);
    assert.deepEqual(uses, [
      ['domain', 10],
      ['account', 10],
    ]);
    // Tests do not count.
    const body = { from: `ann@${DOMAIN}`, to: 'test@example.net', subject: 'Hi', text: 'Hi', 'o:testmode': 'yes' };
    await app.call(`POST /v3/${DOMAIN}/messages`, { body });
    assert.equal((await waiting()).length, 20);
    app.clock.advance(HOUR_MS);
    assert.equal((await waiting()).length, 10);
    app.clock.advance(HOUR_MS);
    const left = await waiting();
    assert.equal(left.length, 5);
    assert.match(
      left[0].reason,
      /^The limit of 25 messages a day of the account is used up; the next may leave at .* 00:00 UTC\.$/,
    );
  });

  it('are looked at again when they change', async () => {
    await put({ scope: 'account', name: '', period: 'day', max: 26 });
    await app.idle();
    assert.equal((await waiting()).length, 4);
    for (const { id } of (await app.call(`GET ${PATH}`)).body.items) await app.call(`DELETE ${PATH}/${id}`);
    await app.idle();
    assert.deepEqual(await waiting(), []);
  });
});

describe('a limit in two processes', { skip: postgresAbsence }, () => {
  it('lets exactly so many leave', { timeout: 300_000 }, async () => {
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-limits-'));
    const settings = { GALLEY_ROLES: 'api,work,send', GALLEY_DATABASE_URL: postgres.url, GALLEY_DATA_DIR: dataDir };
    const apps: App[] = [];
    try {
      for (const _ of ['first', 'second']) apps.push(await startApp(settings));
      const [first, second] = apps as [App, App];
      for (const one of apps) settle(one);
      await first.call('POST /v4/domains', { body: { name: DOMAIN } });
      const body = { scope: 'domain', name: DOMAIN, period: 'day', max: 777 };
      assert.equal((await first.call(`PUT ${PATH}`, { body })).status, 200);
      await Promise.all(Array.from({ length: 30 }, (_, place) => send(50, place % 2 ? first : second)));
      await waiting(first);
      const { rows } = await first.galley.outside.db.text('select count(*)::int as count from deliveries');
      assert.deepEqual(rows, [{ count: 1500 - 777 }]);
      assert.equal((await second.call(`GET ${PATH}`)).body.items[0].used, 777);
    } finally {
      for (const one of apps) await one.close();
      await postgres.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });
});
