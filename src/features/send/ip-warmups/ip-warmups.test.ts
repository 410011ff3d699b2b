// Warm-ups over HTTP: begun, listed, shown, changed and stopped, to the field.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const IPS = Array.from({ length: 13 }, (_, place) => `127.0.0.${place + 2}=mail${place + 2}.example.com`).join(',');
const SHARED = '127.0.0.30=shared.example.com;shared';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: App;
let other: { 'x-service-account-id': string };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: `${IPS},${SHARED}` });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { 'x-service-account-id': body.subaccount.id };
});
after(() => app.close());

const after24 = (start: string, ms = DAY_MS): string => new Date(new Date(start).getTime() + ms).toISOString();
const galleyItem = async (ip: string): Promise<any> =>
  (await app.call('GET /v1/galley/ip_warmups')).body.items.find((item: any) => item.ip === ip);

describe('POST /v3/ip_warmups/{addr}', () => {
  it('begins the published plan, and the details have both spellings', () =>
    app.clock.holding(async () => {
      const begun = app.clock.now().toISOString();
      const { status, body } = await app.call('POST /v3/ip_warmups/127.0.0.2');
      assert.deepEqual([status, body], [200, { message: 'success' }]);
      assert.deepEqual((await app.call('GET /v3/ip_warmups/127.0.0.2')).body, {
        details: {
          ip: '127.0.0.2',
          sent_within_stage: '0%',
          throttle: 20,
          start_volume: 0,
          stage: 1,
          stage_limit: 480,
          hourly_limit: 20,
          stage_started_at: begun,
          hour_started_at: begun,
          plan_started_at: begun,
          plan_last_updated_at: begun,
          total_stages: 15,
          stage_history: [],
          stage_number: 1,
          stage_start_volume: 0,
          stage_start_time: begun,
          stage_volume_limit: 480,
        },
      });
      assert.deepEqual(await galleyItem('127.0.0.2'), {
        ip: '127.0.0.2',
        state: 'warming',
        warm_at: null,
        started_at: begun,
        stage: 1,
        stages: [480, 672, 936, 1320, 1848, 2592, 3624, 5064, 7080, 9912, 13_896, 19_440, 24_000, 38_088, 53_328],
        stage_started_at: begun,
        is_resting: false,
        stage_ends_at: after24(begun),
        sent: 0,
        hourly_limit: 20,
        sent_in_hour: 0,
        forecast: {
          warm_at: after24(begun, 15 * DAY_MS),
          earliest_at: after24(begun, 15 * DAY_MS),
          rate: 1,
          decisions: 0,
        },
      });
    }));

  it('is said by the list of addresses', async () => {
    const { body } = await app.call('GET /v3/ips');
    const warming = body.details.filter((one: any) => one.is_on_warmup).map(({ ip }: any) => ip);
    assert.deepEqual(warming, ['127.0.0.2']);
  });

  it('takes a target or stages, from JSON and from forms', async () => {
    const stagesOf = async (ip: string, call: object): Promise<number[]> => {
      const { status, body } = await app.call(`POST /v3/ip_warmups/${ip}`, call);
      assert.equal(status, 200, JSON.stringify(body));
      return (await galleyItem(ip)).stages;
    };
    assert.deepEqual(await stagesOf('127.0.0.3', { body: { target_volume: 1000 } }), [480, 672, 936, 1000]);
    assert.deepEqual(await stagesOf('127.0.0.4', { body: { stages: [50, 100, 100] } }), [50, 100, 100]);
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    assert.deepEqual(await stagesOf('127.0.0.5', { body: 'stages=50,100', headers }), [50, 100]);
    assert.deepEqual(await stagesOf('127.0.0.6', { body: 'stages=50&stages=70', headers }), [50, 70]);
  });

  const faults: [body: object, message: string][] = [
    [{ stages: [] }, 'stages must have from 1 to 60 stages; it has 0.'],
    [{ stages: [10, 5] }, 'stages must not fall from stage to stage; stage 2 is below stage 1.'],
    [{ stages: [0] }, 'stages must be whole numbers of messages from 1 to 50,000,000; stage 1 is not.'],
    [{ stages: ['many'] }, 'stages must be whole numbers of messages from 1 to 50,000,000; stage 1 is not.'],
    [{ stages: [10], target_volume: 10 }, 'stages and target_volume exclude each other.'],
    [{ target_volume: 0 }, 'target_volume must be >= 1.'],
  ];
  for (const [body, message] of faults)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await app.call('POST /v3/ip_warmups/127.0.0.14', { body });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  it('refuses one that is under way, and what the account may not warm up', async () => {
    const again = await app.call('POST /v3/ip_warmups/127.0.0.2');
    assert.deepEqual([again.status, again.body], [409, { message: '127.0.0.2 is warming up already.' }]);
    for (const [ip, headers] of [
      ['127.0.0.14', other],
      ['127.0.0.30', other],
      ['203.0.113.9', {}],
      ['nothing', {}],
    ] as const)
      assert.equal((await app.call(`POST /v3/ip_warmups/${ip}`, { headers })).status, 404, ip);
    const shared = await app.call('POST /v3/ip_warmups/127.0.0.30', { headers: other });
    assert.deepEqual(shared.body, { message: '127.0.0.30 is shared: only the account that owns it warms it up.' });
  });
});

describe('GET /v3/ip_warmups', () => {
  before(async () => {
    for (let place = 7; place <= 13; place += 1) await app.call(`POST /v3/ip_warmups/127.0.0.${place}`);
  });

  it('pages by ten, and its last page is empty', async () => {
    const first = (await app.call('GET /v3/ip_warmups')).body;
    assert.equal(first.items.length, 10);
    const second = (await app.call(`GET ${first.paging.next}`)).body;
    assert.equal(second.items.length, 2);
    const shown = [...first.items, ...second.items].map(({ ip }: any) => ip);
    assert.deepEqual(shown, [...shown].sort());
    assert.deepEqual((await app.call(`GET ${second.paging.next}`)).body.items, []);
    assert.deepEqual((await app.call(`GET ${second.paging.first}`)).body.items, first.items);
    assert.deepEqual(Object.keys(first.paging), ['first', 'next']);
  });

  it('shows each as existing clients read it', async () => {
    const { body } = await app.call('GET /v3/ip_warmups?limit=1&page=next&address=127.0.0.1999');
    const [{ stage_start_time: startedAt, ...item }] = body.items;
    assert.match(startedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual(item, {
      ip: '127.0.0.2',
      sent_within_stage: '0%',
      throttle: 20,
      stage_number: 1,
      stage_start_volume: 0,
      stage_volume_limit: 480,
    });
  });

  it('is empty to another account', async () => {
    assert.deepEqual((await app.call('GET /v3/ip_warmups', { headers: other })).body.items, []);
    assert.equal((await app.call('GET /v1/galley/ip_warmups', { headers: other })).body.meta.count, 0);
  });

  it('refuses what it cannot read', async () => {
    for (const [query, message] of [
      ['limit=0', 'limit must be >= 1.'],
      ['page=2', 'page must be one of first, last, next, previous.'],
      ['page=next', 'address is required where page is next or previous.'],
    ]) {
      const { status, body } = await app.call(`GET /v3/ip_warmups?${query}`);
      assert.equal(status, 400, query);
      assert.equal(body.message, message);
    }
  });
});

describe('the plan', () => {
  it('is proposed from a published schedule, which is named', async () => {
    const { body } = await app.call('GET /v1/galley/ip_warmup_plans?target_volume=700');
    assert.deepEqual(body.stages, [480, 672, 700]);
    assert.match(body.source.url, /^https:\/\/www\.twilio\.com\//);
    assert.equal(body.source.read_on, '2026-11-23');
  });

  it('is changed from the running stage on', async () => {
    const changed = await app.call('PUT /v1/galley/ip_warmups/127.0.0.3', { body: { stages: [600, 900] } });
    assert.deepEqual([changed.status, changed.body.stages], [200, [600, 900]]);
    const { details } = (await app.call('GET /v3/ip_warmups/127.0.0.3')).body;
    assert.deepEqual([details.stage_limit, details.total_stages], [600, 2]);
    for (const [call, status] of [
      [{ body: { stages: [5, 1] } }, 400],
      [{ body: {} }, 400],
      [{ body: { stages: [5] }, headers: other }, 404],
    ] as const)
      assert.equal((await app.call('PUT /v1/galley/ip_warmups/127.0.0.3', call)).status, status);
  });
});

describe('GET /v1/galley/ip_warmups/{addr}/decisions', () => {
  it('is empty before the first stage has ended, and nobody else’s business', async () => {
    assert.deepEqual((await app.call('GET /v1/galley/ip_warmups/127.0.0.2/decisions')).body, { items: [] });
    const path = 'GET /v1/galley/ip_warmups/127.0.0.2/decisions';
    assert.equal((await app.call(path, { headers: other })).status, 404);
  });
});

describe('DELETE /v3/ip_warmups/{addr}', () => {
  it('stops it', async () => {
    const { status, body } = await app.call('DELETE /v3/ip_warmups/127.0.0.13');
    assert.deepEqual([status, body], [200, { message: 'success' }]);
    assert.equal((await app.call('GET /v3/ip_warmups/127.0.0.13')).status, 404);
    const again = await app.call('DELETE /v3/ip_warmups/127.0.0.13');
    assert.deepEqual(
      [again.status, again.body],
      [404, { message: 'No warm-up of an IP address has the id "127.0.0.13".' }],
    );
    assert.equal((await app.call('POST /v3/ip_warmups/127.0.0.13')).status, 200);
  });

  it('is refused to another account', async () => {
    for (const method of ['GET', 'DELETE'])
      assert.equal((await app.call(`${method} /v3/ip_warmups/127.0.0.2`, { headers: other })).status, 404);
  });
});
