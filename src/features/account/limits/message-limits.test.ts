// The monthly limit of messages stops exactly what goes over it, over HTTP and SMTP, in one process and in two.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { postgresAbsence, startPostgres } from '../../../../test/harness/postgres.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const OWN = '/v5/accounts/limit/custom/monthly';
const DOMAIN = 'news.example.com';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  // The second day of a month: no test runs across its end.
  const now = app.clock.now();
  const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 2);
  app.clock.advance(next - now.getTime());
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

const acting = (id: string) => ({ headers: { 'x-mailgun-on-behalf-of': id } });

async function newSubaccount(name: string): Promise<string> {
  const { id } = (await app.call('POST /v5/accounts/subaccounts', { body: { name } })).body.subaccount;
  await app.call('POST /v4/domains', { body: { name: `${name}.example.com` }, ...acting(id) });
  return id;
}

let number = 0;
function letter(count: number, domain: string): object {
  const to = Array.from({ length: count }, () => `reader${(number += 1)}@example.org`).join(',');
  return { from: `ann@${domain}`, to, subject: 'Hello', text: 'Hello' };
}
const send = (count: number, { domain = DOMAIN, as = {}, on = app } = {}) =>
  on.call(`POST /v3/${domain}/messages`, { body: letter(count, domain), ...as });
const limitOf = async (path = OWN, as = {}) => (await app.call(`GET ${path}`, as)).body;

describe('the monthly limit of messages', () => {
  it('answers with the published texts', async () => {
    const id = await newSubaccount('texts');
    const of = `/v5/accounts/subaccounts/${id}/limit/custom/monthly`;
    const none = '/v5/accounts/subaccounts/0123456789abcdef01234567/limit/custom/monthly';
    for (const [operation, status, message] of [
      [`GET ${OWN}`, 404, 'No threshold for account'],
      [`GET ${of}`, 404, 'No threshold for account'],
      [`PUT ${OWN}?limit=999`, 400, 'The limit parameter minumum is 1000'],
      [`PUT ${of}?limit=0`, 400, 'The limit parameter minumum is 1000'],
      [`PUT ${of}?limit=many`, 400, 'limit must be integer.'],
      [`PUT ${OWN}`, 400, 'limit is required.'],
      [`DELETE ${OWN}`, 400, 'Could not delete threshold for account'],
      [`DELETE ${of}`, 400, 'Could not delete threshold for account'],
      [`GET ${none}`, 400, 'Not a subaccount'],
      [`PUT ${none}?limit=1000`, 400, 'Invalid subaccount ID'],
      ['PUT /v5/accounts/limit/custom/enable', 400, 'Unable to re-enable account with current account disablement'],
    ] as const) {
      const answer = await app.call(operation);
      assert.deepEqual([answer.status, answer.body], [status, { message }], operation);
    }
    assert.deepEqual((await app.call(`PUT ${of}?limit=1000`)).body, { success: true });
    assert.deepEqual(await limitOf(of), { limit: 1000, current: 0, period: '1m' });
    assert.deepEqual((await app.call(`DELETE ${of}`)).body, { success: true });
  });

  it('lets exactly so many through, whole calls at a time, until it is lifted, raised or the month ends', async () => {
    const id = await newSubaccount('garden');
    const domain = 'garden.example.com';
    const as = acting(id);
    const of = `/v5/accounts/subaccounts/${id}/limit/custom/monthly`;
    await app.call(`PUT ${of}?limit=1000`);
    const statuses = [];
    for (const count of [600, 401, 400]) statuses.push((await send(count, { domain, as })).status);
    assert.deepEqual(statuses, [200, 429, 200]);
    assert.deepEqual(await limitOf(of), { limit: 1000, current: 1000, period: '1m' });
    const refused = await send(1, { domain, as });
    assert.equal(refused.status, 429);
    assert.match(
      refused.body.message,
      /^Domain garden\.example\.com is not allowed to send: the monthly limit of 1000 messages is exceeded \(1000 were accepted this month\), try again after \d+ seconds\. It resets at \d{4}-\d\d-01T00:00:00\.000Z\.$/,
    );
    assert.ok(Number(refused.headers.get('retry-after')) > 86_400);
    assert.equal((await send(1)).status, 200, 'another account');
    // The subaccount sees its parent's limit, and can neither lift nor delete it.
    const { secret } = (await app.call('POST /v1/keys', { body: { role: 'admin' }, ...as })).body.key;
    assert.deepEqual(await limitOf(OWN, { key: secret }), { limit: 1000, current: 1000, period: '1m' });
    assert.equal((await app.call('PUT /v5/accounts/limit/custom/enable', { key: secret })).status, 400);
    assert.equal((await app.call(`DELETE ${OWN}`, { key: secret })).status, 400);
    assert.deepEqual((await app.call('PUT /v5/accounts/limit/custom/enable', as)).body, { success: true });
    assert.equal((await send(1, { domain, as })).status, 200);
    await app.call(`PUT ${of}?limit=1000`);
    assert.equal((await send(1, { domain, as })).status, 429, 'set anew, it holds');
    await app.call(`PUT ${of}?limit=1010`);
    assert.equal((await send(1, { domain, as })).status, 200);
    app.clock.advance(31 * 86_400_000);
    assert.equal((await limitOf(of)).current, 0);
    assert.equal((await send(1000, { domain, as })).status, 200);
  });

  it("counts subaccounts for the parent's own limit, and stops all of them there", async () => {
    const id = await newSubaccount('shed');
    await app.call(`PUT ${OWN}?limit=1000`);
    const { current } = await limitOf();
    const left = 1000 - current;
    const as = acting(id);
    const domain = 'shed.example.com';
    if (left > 1) assert.equal((await send(left - 1, { domain, as })).status, 200);
    const statuses = [await send(2, { domain, as }), await send(2)].map(({ status }) => status);
    assert.deepEqual(statuses, [429, 429]);
    assert.deepEqual((await app.call(`DELETE ${OWN}`)).body, { success: true });
    assert.equal((await send(2, { domain, as })).status, 200);
  });

  it('is exact when many send at once', async () => {
    const id = await newSubaccount('crowd');
    await app.call(`PUT /v5/accounts/subaccounts/${id}/limit/custom/monthly?limit=1000`);
    const to = { domain: 'crowd.example.com', as: acting(id) };
    const answers = await Promise.all(Array.from({ length: 12 }, () => send(150, to)));
    assert.equal(answers.filter(({ status }) => status === 200).length, 6);
    const { rows } = await app.galley.outside.db.text(
      `select count(*)::int as count from deliveries where account_id = '${id}'`,
    );
    assert.deepEqual(rows, [{ count: 900 }]);
  });

  it('tells its owner at 50, 75 and 100 percent, once each', async () => {
    const id = await newSubaccount('told');
    await app.call('POST /v1/alerts/settings/events', {
      body: { event_type: 'limit_reached', channel: 'email', settings: { emails: ['ann@example.com'] } },
    });
    await app.call(`PUT /v5/accounts/subaccounts/${id}/limit/custom/monthly?limit=1000`);
    for (let n = 0; n < 10; n += 1) await send(100, { domain: 'told.example.com', as: acting(id) });
    await app.idle();
    const told = async (): Promise<string[]> => {
      const { items } = (await app.call('GET /v1/galley/alerts')).body;
      return items
        .map(({ message }: { message: string }) => message)
        .filter((message: string) => message.includes('"told"'))
        .map((message: string) => /: (\d+ of \d+) messages/.exec(message)?.[1])
        .toSorted();
    };
    let found = await told();
    while (found.length < 3) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      found = await told();
    }
    assert.deepEqual(found, ['1000 of 1000', '500 of 1000', '800 of 1000']);
  });
});

describe('the limit in two processes', { skip: postgresAbsence }, () => {
  it('lets exactly so many through', { timeout: 240_000 }, async () => {
    const postgres = await startPostgres();
    const dataDir = await mkdtemp(join(tmpdir(), 'galley-message-limits-'));
    const settings = { GALLEY_ROLES: 'api', GALLEY_DATABASE_URL: postgres.url, GALLEY_DATA_DIR: dataDir };
    const first = await startApp(settings);
    const second = await startApp(settings);
    try {
      await first.call('POST /v4/domains', { body: { name: DOMAIN } });
      await first.call(`PUT ${OWN}?limit=1000`);
      const answers = await Promise.all(
        Array.from({ length: 16 }, (_, place) => send(150, { on: place % 2 ? first : second })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 6);
      assert.equal((await second.call(`GET ${OWN}`)).body.current, 900);
    } finally {
      await second.close();
      await first.close();
      await postgres.close();
      await rm(dataDir, { recursive: true });
    }
  });
});
