import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import events from './index.ts';

let app: App;
let accountId = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { rows } = await app.galley.outside.db.text('select id from accounts');
  accountId = (rows[0] as { id: string }).id;
});
after(() => app.close());

const DAY_MS = 86_400_000;
const path = '/v1/galley/event-retention';

describe('how long events are kept', () => {
  it('is as long as the service keeps them, or less', async () => {
    assert.deepEqual((await app.call(`GET ${path}`)).body, { days: 30, days_max: 30 });
    assert.deepEqual((await app.call(`PUT ${path}`, { body: { days: 7 } })).body, { days: 7, days_max: 30 });
    assert.deepEqual((await app.call(`GET ${path}`)).body, { days: 7, days_max: 30 });
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
    const headers = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id };
    assert.deepEqual((await app.call(`GET ${path}`, { headers })).body, { days: 30, days_max: 30 });
  });

  for (const [days, message] of [
    [31, 'days must be from 1 to 30: the service keeps events no longer.'],
    [0, 'days must be >= 1.'],
    ['x', 'days must be integer.'],
  ] as const)
    it(`is not ${days}`, async () => {
      const { status, body } = await app.call(`PUT ${path}`, { body: { days } });
      assert.deepEqual([status, body], [400, { message }]);
    });

  it('is kept to', async () => {
    const { outside } = app.galley;
    const now = outside.clock.now();
    const eventOf = (account: string, days: number) => ({
      at: new Date(now.getTime() - days * DAY_MS),
      accountId: account,
      event: 'delivered' as const,
      domain: 'news.example.com',
      recipient: 'bob@example.net',
    });
    await outside.events.append(outside.db, [
      ...[1, 6, 8, 20].map((days) => eventOf(accountId, days)),
      ...[1, 20, 40].map((days) => eventOf('another', days)),
    ]);
    const expire = events.jobs?.find(({ name }) => name === 'events.expire');
    await expire?.run(outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
    const countOf = async (account: string): Promise<number> =>
      (await outside.events.count({ accountIds: [account], from: new Date(0), to: now })).count;
    assert.deepEqual([await countOf(accountId), await countOf('another')], [2, 2]);
  });
});
