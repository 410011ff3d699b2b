// Alerts on sending: as they are kept, and ten days of simulated sending held against a computation of its own.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { lookAt } from './look.ts';

const ALERTS = '/v1/thresholds/alerts/send';
const HITS = '/v1/thresholds/hits';
const MINUTE = 60_000;
const DAY = 1440 * MINUTE;
const EVENTS = 100_000;
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let app: App;
/** The account of the key, and two subaccounts. */
let accounts: [string, string, string];
let stranger: { headers: Record<string, string> };

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_EVENT_RETENTION_DAYS: '60' });
  const add = async (name: string): Promise<string> =>
    (await app.call('POST /v5/accounts/subaccounts', { body: { name } })).body.subaccount.id;
  const first = app.galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accounts = [(await first.executeTakeFirstOrThrow()).id, await add('Shop'), await add('News')];
  stranger = { headers: { 'x-service-account-id': await add('Stranger') } };
});
after(() => app.close());

const alert = (fields: object = {}) => ({
  name: 'bounces',
  metric: 'hard_bounce_rate',
  comparator: '>',
  limit: '0.02',
  dimension: 'domain',
  period: '1h',
  ...fields,
});
const add = async (fields: object = {}) => {
  const made = await app.call(`POST ${ALERTS}`, { body: alert(fields) });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body;
};
const hits = async (): Promise<any[]> => (await app.call(`GET ${HITS}?limit=1000`)).body.items;
const told = async (): Promise<any[]> =>
  (await app.call('GET /v1/galley/alerts?event_type=threshold_hit&limit=1000')).body.items;
/** The look that a worker takes each minute. */
const look = async (): Promise<void> => {
  app.clock.advance(MINUTE);
  await lookAt(app.galley.outside, accounts[0], AbortSignal.timeout(300_000));
};
const write = (events: readonly NewEvent[]) =>
  app.galley.outside.db.tx((tx) => app.galley.outside.events.append(tx, events));
const clear = async () => {
  const { db } = app.galley.outside;
  for (const table of ['sendAlerts', 'alerts'] as const) await db.ofAnyone.deleteFrom(table).execute();
};

describe('alerts on sending', () => {
  beforeEach(clear);

  it('are added, listed, replaced, renamed and deleted', async () => {
    const filters = [{ dimension: 'recipient_provider', comparator: 'contains', values: ['gmail'] }];
    const made = await add({ alert_channels: ['email'], filters, description: 'Lists.' });
    const { id, created_at, updated_at, ...rest } = made;
    assert.match(id, UUID);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      parent_account_id: '',
      subaccount_id: '',
      account_group: '',
      name: 'bounces',
      last_checked: '',
      values_crossed: 0,
      description: 'Lists.',
      alert_channels: ['email'],
      filters,
      metric: 'hard_bounce_rate',
      comparator: '>',
      limit: '0.02',
      dimension: 'domain',
      period: '1h',
    });
    const other = await add({ name: 'a', period: undefined });
    assert.deepEqual([other.period, other.alert_channels], ['1h', ['email', 'slack', 'webhook']]);
    const list = await app.call(`GET ${ALERTS}?limit=1&skip=1`);
    assert.deepEqual([list.status, list.body], [200, { items: [made], total: 2 }]);
    assert.deepEqual((await app.call(`GET ${ALERTS}/bounces`)).body, made);
    assert.deepEqual((await app.call(`GET ${ALERTS}`, stranger)).body, { items: [], total: 0 });
    const put = await app.call(`PUT ${ALERTS}/bounces`, { body: alert({ name: 'b', limit: '0.5' }) });
    assert.deepEqual([put.status, put.body], [200, { message: 'Send alert has been updated' }]);
    assert.deepEqual((await app.call(`GET ${ALERTS}/b`)).body.limit, '0.5');
    const message = 'An alert on sending of this account is named "a" already; names are unique.';
    const twice = await app.call(`PUT ${ALERTS}/b`, { body: alert({ name: 'a' }) });
    assert.deepEqual([twice.status, twice.body], [409, { message }]);
    const again = await app.call(`POST ${ALERTS}`, { body: alert({ name: 'a' }) });
    assert.deepEqual([again.status, again.body], [409, { message }]);
    const gone = await app.call(`DELETE ${ALERTS}/b`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Send alert has been deleted' }]);
    for (const [method, as] of [
      ['GET /b', {}],
      ['DELETE /b', {}],
      ['GET /a', stranger],
      ['DELETE /a', stranger],
    ] as const) {
      const [verb, path] = method.split(' ');
      assert.equal((await app.call(`${verb} ${ALERTS}${path}`, as)).status, 404, method);
    }
  });

  const wrong: [string, object, RegExp][] = [
    ['an unknown metric', { metric: 'opened_rate' }, /^metric/],
    ['a limit in percent', { limit: '2 %' }, /^limit must be a share from 0 to 1 as text/],
    ['a limit above one', { limit: '1.01' }, /^limit must be a share from 0 to 1 as text/],
    ['a period beyond 31 days', { period: '32d' }, /^period must be minutes, hours or days such as 30m, 1h or 7d/],
    ['no period', { period: '0m' }, /^period must be/],
    ['an unknown comparator', { comparator: '=>' }, /^comparator/],
    ['a blank name', { name: ' ' }, /^name must not be empty\.$/],
  ];
  for (const [what, fields, message] of wrong)
    it(`refuse ${what}`, async () => {
      const { status, body } = await app.call(`POST ${ALERTS}`, { body: alert(fields) });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
    });
});

/** The same numbers in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Ten days of sending, with rates that differ by account, domain and provider. */
function simulated(now: number): NewEvent[] {
  const random = randomNumbers(11);
  const events: NewEvent[] = [];
  for (let place = 0; events.length < EVENTS; place += 1) {
    const owner = place % 3;
    const half = random() < 0.5 ? 'a' : 'b';
    const isGmail = random() < 0.6;
    const shared = {
      at: new Date(now - 5 * MINUTE - Math.floor(random() * (10 * DAY - 10 * MINUTE))),
      accountId: accounts[owner]!,
      domain: `${half}${owner}.example.com`,
      recipient: `r${place}@example.net`,
      provider: isGmail ? 'Gmail' : 'Yahoo',
      messageId: String(place + 1),
    };
    const about = { envelope: { 'sending-ip': `192.0.2.${1 + owner}` } };
    events.push({ ...shared, event: 'accepted' });
    if (random() < 0.03 * (owner + 1))
      events.push({ ...shared, event: 'failed', severity: 'temporary', reason: 'generic', code: 451, about });
    if (random() < (half === 'a' ? 0.01 : 0.05)) {
      const status = { code: 550, 'enhanced-code': '5.1.1', 'bounce-type': 'hard' };
      const failed = { event: 'failed', severity: 'permanent', reason: 'bounce', code: 550 } as const;
      events.push({ ...shared, ...failed, about: { ...about, 'delivery-status': status } });
      continue;
    }
    events.push({ ...shared, event: 'delivered', code: 250, about });
    if (random() < (isGmail ? 0.001 : 0.004)) events.push({ ...shared, event: 'complained', about: {} });
  }
  return events;
}

type Metric = 'hard_bounce_rate' | 'temporary_fail_rate' | 'delivered_rate' | 'complained_rate';

/** The metric over events, once more. */
function rateOf(metric: Metric, events: readonly NewEvent[]): number {
  const number = (test: (event: NewEvent) => boolean): number => events.filter(test).length;
  const delivered = number(({ event }) => event === 'delivered');
  const hard = number(({ severity }) => severity === 'permanent');
  const temporary = number(({ severity }) => severity === 'temporary');
  const complained = number(({ event }) => event === 'complained');
  const rates: Record<Metric, number> = {
    hard_bounce_rate: hard / (delivered + hard),
    temporary_fail_rate: temporary / (temporary + delivered + hard),
    delivered_rate: delivered / (delivered + hard),
    complained_rate: complained / delivered,
  };
  return rates[metric];
}

describe('ten days of sending', () => {
  let events: NewEvent[];
  before(async () => {
    await clear();
    events = simulated(app.clock.now().getTime());
    await write(events);
  });
  beforeEach(clear);

  const own = ({ accountId }: NewEvent) => accountId === accounts[0];
  const cases: [string, object, { of: (event: NewEvent) => boolean; by: (event: NewEvent) => string; days: number }][] =
    [
      [
        'hard bounces by domain',
        { metric: 'hard_bounce_rate', limit: '0.03', dimension: 'domain', period: '10d' },
        { of: own, by: ({ domain }) => domain, days: 10 },
      ],
      [
        'hard bounces by subaccount, of one provider',
        {
          metric: 'hard_bounce_rate',
          limit: '0.001',
          dimension: 'subaccount',
          period: '3d',
          filters: [{ dimension: 'recipient_provider', comparator: '=', values: ['gmail'] }],
        },
        { of: ({ provider }) => provider === 'Gmail', by: ({ accountId }) => accountId, days: 3 },
      ],
      [
        'temporary failures by subaccount',
        { metric: 'temporary_fail_rate', comparator: '>=', limit: '0.05', dimension: 'subaccount', period: '10d' },
        { of: () => true, by: ({ accountId }) => accountId, days: 10 },
      ],
      [
        'deliveries by domain, of some subaccounts',
        {
          metric: 'delivered_rate',
          comparator: '<',
          limit: '0.96',
          dimension: 'domain',
          period: '2d',
          filters: [{ dimension: 'subaccount', comparator: '!=', values: ['ACCOUNT'] }],
        },
        { of: (event) => !own(event), by: ({ domain }) => domain, days: 2 },
      ],
      [
        'complaints by provider',
        { metric: 'complained_rate', limit: '0.002', dimension: 'recipient_provider', period: '10d' },
        { of: own, by: ({ provider }) => provider ?? '', days: 10 },
      ],
      [
        'complaints by IP address, of domains with a letter',
        {
          metric: 'complained_rate',
          comparator: '!=',
          limit: '1',
          dimension: 'ip',
          period: '10d',
          filters: [{ dimension: 'domain', comparator: 'contains', values: ['B'] }],
        },
        { of: (event) => own(event) && event.domain.includes('b'), by: () => '192.0.2.1', days: 10 },
      ],
    ];
  for (const [what, fields, { of, by, days }] of cases)
    it(`has the hits of ${what} that a computation of its own has`, async () => {
      const asked = JSON.parse(JSON.stringify(alert(fields)).replaceAll('ACCOUNT', accounts[0]));
      await add(asked);
      await look();
      const { last_checked: lookedAt } = (await app.call(`GET ${ALERTS}/bounces`)).body;
      const from = Date.parse(lookedAt) - days * DAY;
      const known = events.filter((event) => of(event) && event.at.getTime() >= from);
      const rates = [...Map.groupBy(known, by)].map(([value, those]) => [value, rateOf(asked.metric, those)] as const);
      const bound = Number(asked.limit);
      const isCrossed = (rate: number): boolean =>
        ({ '>': rate > bound, '>=': rate >= bound, '<': rate < bound, '!=': rate !== bound })[asked.comparator as '>'];
      const expected = rates.filter(([, rate]) => isCrossed(rate)).map(([value, rate]) => [value, rate.toFixed(6)]);
      const found = (await hits()).map((hit) => [hit.dimension_value, Number(hit.latest_value).toFixed(6)]);
      assert.ok(expected.length > 0);
      assert.deepEqual(found.toSorted(), expected.toSorted());
      assert.deepEqual(
        (await told()).map(({ subject }) => subject).toSorted(),
        expected.map(([value]) => `bounces · ${value}`).toSorted(),
      );
    });
});

describe('a hit', () => {
  beforeEach(clear);
  const domain = 'crossed.example.com';
  const sent = (delivered: number, bounced: number, on = app): NewEvent[] => {
    const at = new Date(on.clock.now().getTime() - 10_000);
    const shared = { at, accountId: accounts[0], domain, recipient: 'r@example.net' };
    const status = { 'delivery-status': { code: 550, 'enhanced-code': '5.1.1', 'bounce-type': 'hard' } };
    const failed = { event: 'failed', severity: 'permanent', reason: 'bounce', code: 550, about: status } as const;
    return [
      ...Array.from({ length: delivered }, (): NewEvent => ({ ...shared, event: 'delivered', code: 250 })),
      ...Array.from({ length: bounced }, (): NewEvent => ({ ...shared, ...failed })),
    ];
  };
  const only = { filters: [{ dimension: 'domain', comparator: '=', values: [domain] }] };

  it('is raised once, has the latest value, ends once, and expires', async () => {
    const made = await add({ ...only, limit: '0.1' });
    await write(sent(8, 2));
    await look();
    const [hit, ...others] = await hits();
    const { id, created_at, updated_at, expires_at, ...rest } = hit;
    assert.deepEqual([others, created_at], [[], updated_at]);
    assert.match(id, UUID);
    assert.equal(Date.parse(expires_at) - Date.parse(updated_at), 60 * MINUTE);
    assert.deepEqual(rest, {
      name: 'bounces',
      triggered: true,
      latest_value: '0.2',
      metric: 'hard_bounce_rate',
      comparator: '>',
      limit: '0.1',
      parent_account_id: '',
      subaccount_id: '',
      dimension: 'domain',
      dimension_value: domain,
    });
    const { last_checked } = (await app.call(`GET ${ALERTS}/bounces`)).body;
    assert.equal(last_checked, updated_at);
    assert.equal(made.last_checked, '');
    await write(sent(0, 2));
    await look();
    const [renewed] = await hits();
    assert.deepEqual([renewed.id, renewed.latest_value, renewed.triggered], [id, '0.333333', true]);
    assert.ok(Date.parse(renewed.expires_at) > Date.parse(expires_at));
    const [open, ...rest_] = await told();
    assert.deepEqual([rest_, open.count, open.over_at], [[], 1, null]);
    assert.equal(
      open.message,
      `Hard bounces of domain ${domain}: 20 % in the last 1h (2 of 10). "bounces" watches for > 10 %.`,
    );
    await write(sent(88, 0));
    await look();
    const [ended] = await hits();
    assert.deepEqual([ended.triggered, ended.latest_value], [false, '0.04']);
    const [over, ...more] = await told();
    assert.deepEqual([more, over.id], [[], open.id]);
    assert.ok(over.over_at !== null);
    app.clock.advance(60 * MINUTE);
    assert.deepEqual(await hits(), []);
  });

  it('ends when nothing is sent any more, and when its alert is changed or deleted', async () => {
    app.clock.advance(120 * MINUTE);
    await add({ ...only, limit: '0.1' });
    await write(sent(1, 1));
    await look();
    assert.equal((await hits()).length, 1);
    app.clock.advance(60 * MINUTE);
    await look();
    assert.deepEqual(
      (await hits()).map(({ triggered, latest_value: value }) => [triggered, value]),
      [],
    );
    const [quiet] = await told();
    assert.equal(quiet.message, `In the last 1h nothing was counted of domain ${domain} that "bounces" watches.`);
    for (const end of [
      () => app.call(`PUT ${ALERTS}/bounces`, { body: alert({ ...only, limit: '0.1', description: 'New.' }) }),
      () => app.call(`DELETE ${ALERTS}/bounces`),
    ]) {
      await write(sent(1, 1));
      await look();
      const open = (await told()).filter(({ over_at: over }) => over === null);
      assert.equal(open.length, 1);
      assert.equal((await end()).status, 200);
      assert.deepEqual(await hits(), []);
      assert.ok((await told()).every(({ over_at: over }) => over !== null));
    }
  });

  it('is open for 500 values at most: who has one keeps it, and the others are counted', async () => {
    app.clock.advance(120 * MINUTE);
    const domains = Array.from({ length: 501 }, (_, place) => `d${place}.many.example.com`);
    const filters = [{ dimension: 'domain', comparator: 'contains', values: ['.many.'] }];
    await add({ filters, limit: '0.1' });
    const [first, ...others] = domains;
    await write(sent(1, 1).map((event) => ({ ...event, domain: first! })));
    await look();
    assert.deepEqual(
      (await hits()).map((hit) => hit.dimension_value),
      [first],
    );
    for (const one of others) await write(sent(2, 2).map((event) => ({ ...event, domain: one })));
    await look();
    const open = (await hits()).filter(({ triggered }) => triggered).map((hit) => hit.dimension_value);
    assert.equal(open.length, 500);
    assert.ok(open.includes(first));
    const { values_crossed: crossed } = (await app.call(`GET ${ALERTS}/bounces`)).body;
    assert.equal(crossed, 501);
    const alerts = await told();
    assert.equal(alerts.length, 500);
    assert.ok(alerts.every(({ over_at: over }) => over === null));
    const [said] = alerts.filter(({ subject }) => subject !== `bounces · ${first}`);
    assert.ok(
      said.message.endsWith(' 1 more of its values cross it and have no hit: 500 may be open at once.'),
      said.message,
    );
    // One of the 500 recovers, and makes room.
    await write(sent(100, 0).map((event) => ({ ...event, domain: first! })));
    await look();
    await look();
    const later = (await hits()).filter(({ triggered }) => triggered).map((hit) => hit.dimension_value);
    assert.deepEqual(later.toSorted(), others.toSorted());
  });

  it('is found by the worker without being asked', async () => {
    const working = await startApp({ GALLEY_ROLES: 'api,work' });
    try {
      const { db, events } = working.galley.outside;
      const { id } = await db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
      await db.tx((tx) =>
        events.append(
          tx,
          sent(1, 1, working).map((event) => ({ ...event, accountId: id })),
        ),
      );
      assert.equal((await working.call(`POST ${ALERTS}`, { body: alert() })).status, 200);
      const found = async (): Promise<any[]> => (await working.call(`GET ${HITS}`)).body.items;
      while ((await found()).length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
      assert.equal((await found())[0].dimension_value, domain);
    } finally {
      await working.close();
    }
  });
});
