// Stats over HTTP, the older form of metrics: shapes, conditions, what is deprecated, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gatheredFigures } from '../../../../test/harness/gathered-figures.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';

let app: App;
let sandbox = '';
let headers = {};
let day = new Date();

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  sandbox = (await app.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
  const second = (await app.call('POST /v5/accounts/subaccounts?name=Second')).body.subaccount.id;
  headers = { 'X-Mailgun-On-Behalf-Of': second };
  const { outside } = app.galley;
  // All in one hour, also when the test runs at its end.
  const left = 3_600_000 - (outside.clock.now().getTime() % 3_600_000);
  if (left < 900_000) app.clock.advance(left);
  const now = outside.clock.now();
  day = new Date(Math.floor(now.getTime() / 86_400_000) * 86_400_000);
  const { rows } = await outside.db.text('select id from accounts where parent_id is null');
  const shared = { at: now, accountId: (rows[0] as { id: string }).id, domain: DOMAIN, recipient: 'bob@example.net' };
  const about = (country: string, device: string) => ({
    geolocation: { country },
    'client-info': { 'device-type': device },
  });
  await outside.db.tx((tx) =>
    outside.events.append(tx, [
      { ...shared, event: 'accepted' },
      { ...shared, event: 'accepted', domain: sandbox },
      { ...shared, event: 'delivered', attempt: 1, messageId: '999', provider: 'google' },
      { ...shared, event: 'failed', severity: 'temporary', reason: 'espblock' },
      { ...shared, event: 'failed', severity: 'permanent', reason: 'bounce' },
      { ...shared, event: 'failed', severity: 'permanent', reason: 'suppress-bounce' },
      { ...shared, event: 'failed', severity: 'permanent', reason: 'bounce', about: { 'is-delayed-bounce': true } },
      { ...shared, event: 'opened', messageId: '999', about: about('DE', 'desktop') },
      { ...shared, event: 'opened', messageId: '999', about: about('DE', 'mobile') },
      { ...shared, event: 'clicked', messageId: '999', about: about('FR', 'mobile') },
      { ...shared, event: 'complained', messageId: '999' },
    ]),
  );
  await gatheredFigures(app);
});
after(() => app.close());

const today = (body: any) => body.stats.find(({ time }: any) => time === day.toUTCString());

describe('stats', () => {
  it('answer as the contract has it, and name their successor', async () => {
    const events = 'event=accepted&event=delivered&event=failed&event=opened&event=clicked&event=complained';
    const answer = await app.call(
      `GET /v3/${DOMAIN}/stats/total?${events}&event=unsubscribed&event=stored&duration=2d`,
    );
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.headers.get('deprecation'), '@1735689600');
    assert.equal(answer.headers.get('link'), '</v1/analytics/metrics>; rel="successor-version"');
    const { stats, ...rest } = answer.body;
    assert.deepEqual(rest, {
      description: '',
      start: new Date(day.getTime() - 2 * 86_400_000).toUTCString(),
      end: new Date(day.getTime() + 86_400_000).toUTCString(),
      resolution: 'day',
    });
    assert.equal(stats.length, 3);
    assert.deepEqual(stats[2], {
      time: day.toUTCString(),
      accepted: { incoming: 0, outgoing: 1, total: 1 },
      delivered: { smtp: 1, http: 0, optimized: 0, total: 1 },
      failed: {
        temporary: { espblock: 1, total: 1 },
        permanent: {
          'suppress-bounce': 1,
          'suppress-unsubscribe': 0,
          'suppress-complaint': 0,
          bounce: 1,
          'delayed-bounce': 1,
          webhook: 0,
          optimized: 0,
          total: 3,
        },
      },
      opened: { total: 2, unique: 1 },
      clicked: { total: 1, unique: 1 },
      unsubscribed: { total: 0 },
      complained: { total: 1 },
      stored: { total: 0 },
    });
    assert.deepEqual(stats[0].opened, { total: 0, unique: 0 });
  });

  it('are of all domains, of each, or of what meets a condition', async () => {
    const total = await app.call('GET /v3/stats/total?event=accepted&resolution=day');
    assert.deepEqual(today(total.body), {
      time: day.toUTCString(),
      accepted: { incoming: 0, outgoing: 2, total: 2 },
    });
    const at = day.getTime() / 1000;
    const each = await app.call(`GET /v3/stats/total/domains?event=accepted&timestamp=${at}`);
    assert.deepEqual(
      each.body.stats.map(({ domain, accepted }: any) => [domain, accepted.total]),
      [
        [DOMAIN, 1],
        [sandbox, 1],
      ].sort(),
    );
    const filtered = await app.call(
      'GET /v3/stats/filter?event=opened&filter=country:de%20AND%20device:mobile&group=total',
    );
    assert.deepEqual(filtered.body.stats[0].opened, { total: 1, unique: 0 });
    const hours = await app.call(`GET /v3/stats/filter?event=opened&filter=domain:${DOMAIN}&group=hour&duration=1h`);
    assert.equal(hours.body.resolution, 'hour');
    assert.equal(hours.body.stats.at(-1).opened.total, 2);
  });

  it('are told by provider, device and country', async () => {
    const zero = { clicked: 0, complained: 0, opened: 0, unique_clicked: 0, unique_opened: 0, unsubscribed: 0 };
    const of = async (name: string) => (await app.call(`GET /v3/${DOMAIN}/aggregates/${name}`)).body;
    assert.deepEqual(await of('countries'), {
      countries: {
        DE: { ...zero, opened: 2, unique_opened: 1 },
        FR: { ...zero, clicked: 1, unique_clicked: 1 },
      },
    });
    assert.deepEqual(Object.keys((await of('devices')).devices), ['desktop', 'mobile']);
    assert.deepEqual(await of('providers'), {
      providers: {
        google: { ...zero, delivered: 1, opened: 2, unique_opened: 1, clicked: 1, unique_clicked: 1, complained: 1 },
      },
    });
  });

  it('are of the account alone', async () => {
    const total = await app.call('GET /v3/stats/total?event=accepted', { headers });
    assert.deepEqual(today(total.body).accepted, { incoming: 0, outgoing: 0, total: 0 });
    for (const path of [
      'stats/total?event=accepted',
      'aggregates/providers',
      'aggregates/devices',
      'aggregates/countries',
    ])
      assert.equal((await app.call(`GET /v3/${DOMAIN}/${path}`, { headers })).status, 404, path);
    const each = await app.call(`GET /v3/stats/total/domains?event=accepted&timestamp=${day.getTime() / 1000}`, {
      headers,
    });
    assert.deepEqual(each.body.stats, []);
    const filtered = await app.call(`GET /v3/stats/filter?event=accepted&group=total`, { headers });
    assert.equal(filtered.body.stats[0].accepted.total, 0);
  });

  it('refuse what they do not know, and say what is valid', async () => {
    for (const [path, message] of [
      ['/v3/stats/total?event=sneezed', /^event must be one of accepted, .*; "sneezed" is none\.$/],
      ['/v3/stats/total', /^event is required/],
      [`/v3/${DOMAIN}/stats/total?event=opened&start=yesterday`, /^start "yesterday" is not a time/],
      ['/v3/stats/total/domains?event=opened', /^timestamp is required/],
      ['/v3/stats/total/domains?event=opened&timestamp=soon', /^timestamp "soon" is not a time/],
      ['/v3/stats/filter?event=opened&filter=weather:sunny', /^filter must name one of domain, tag/],
      ['/v3/stats/filter?event=opened&group=weather', /^group must be one of total, time/],
    ] as const) {
      const { status, body } = await app.call(`GET ${path}`);
      assert.equal(status, 400, path);
      assert.match(body.message, message);
    }
  });
});
