// The health score over HTTP, of ten days of simulated sending, held against a computation of its own.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { watch } from './jobs.ts';
import { tellHealth } from './watch.ts';

const DAY = 86_400_000;
const DAYS = 10;
const EVENTS = 100_000;
const IPS = ['192.0.2.1', '192.0.2.2'];

let app: App;
/** The account of the key, and two subaccounts. */
let accounts: string[];
let told: NewEvent[];
let stranger: { 'x-mailgun-on-behalf-of': string };

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

/** Rates of each account, as parts of what is sent. */
const RATES = [
  { hard: 0.01, full: 0.002, refused: 0.005, complained: 0.0005 },
  { hard: 0.06, full: 0.02, refused: 0.03, complained: 0.0021 },
  { hard: 0.02, full: 0.01, refused: 0.12, complained: 0.004 },
];

const refusal = (code: number, enhanced: string, type: string) => ({
  'delivery-status': { code, 'enhanced-code': enhanced, 'bounce-type': type },
});

function eventsOf(random: () => number, now: number): NewEvent[] {
  const events: NewEvent[] = [];
  for (let place = 0; events.length < EVENTS; place += 1) {
    const owner = place % 3;
    const rates = RATES[owner]!;
    const ip = IPS[random() < 0.7 ? 0 : 1];
    const at = new Date(now - 3_600_000 - Math.floor(random() * (DAYS * DAY - 3_600_000)));
    const shared = {
      at,
      accountId: accounts[owner]!,
      domain: `mail${owner}.example.com`,
      recipient: `r${place}@example.net`,
      messageId: String(place + 1),
    };
    const envelope = { envelope: { 'sending-ip': ip } };
    const failed = { ...shared, event: 'failed', severity: 'permanent' } as const;
    events.push({ ...shared, event: 'accepted' });
    const draw = random();
    if (draw < rates.hard)
      events.push({ ...failed, reason: 'bounce', code: 550, about: { ...refusal(550, '5.1.1', 'hard'), ...envelope } });
    else if (draw < rates.hard + rates.full)
      events.push({ ...failed, reason: 'bounce', code: 552, about: { ...refusal(552, '5.2.2', 'soft'), ...envelope } });
    else if (draw < rates.hard + rates.full + rates.refused)
      events.push({
        ...failed,
        reason: 'generic',
        code: 550,
        about: { ...refusal(550, '5.7.1', 'soft'), ...envelope },
      });
    else {
      if (random() < 0.05)
        events.push({ ...failed, severity: 'temporary', reason: 'generic', code: 451, about: envelope });
      events.push({ ...shared, event: 'delivered', code: 250, about: envelope });
      if (random() < rates.complained) events.push({ ...shared, event: 'complained', about: {} });
    }
  }
  return events;
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_EVENT_RETENTION_DAYS: '60' });
  const { db, events, clock } = app.galley.outside;
  const add = async (name: string): Promise<string> =>
    (await app.call('POST /v5/accounts/subaccounts', { body: { name } })).body.subaccount.id;
  const first = db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accounts = [(await first.executeTakeFirstOrThrow()).id, await add('Shop'), await add('News')];
  stranger = { 'x-mailgun-on-behalf-of': await add('Stranger') };
  told = eventsOf(randomNumbers(7), clock.now().getTime());
  await db.tx((tx) => events.append(tx, told));
});
after(() => app.close());

interface Expected {
  score: number;
  lost: number[];
  delivered: number;
  sent: number;
}

/** The published formula once more, over the events that were written. */
function computed(events: readonly NewEvent[]): Expected {
  const number = (test: (event: NewEvent) => boolean): number => events.filter(test).length;
  const status = (code: string) => (event: NewEvent) =>
    event.severity === 'permanent' &&
    (event.about!['delivery-status'] as Record<string, string>)['enhanced-code'] === code;
  const delivered = number(({ event }) => event === 'delivered');
  const [hard, full, refused] = ['5.1.1', '5.2.2', '5.7.1'].map((code) => number(status(code))) as [
    number,
    number,
    number,
  ];
  const sent = delivered + hard + full + refused;
  const line = (rate: number, from: number, to: number): number =>
    Math.min(1, Math.max(0, (rate - from) / (to - from)));
  const lost = [
    35 * line(number(({ event }) => event === 'complained') / delivered, 0.001, 0.003),
    25 * line(hard / sent, 0.02, 0.1),
    12 * line(refused / sent, 0.01, 0.1),
    8 * line(full / sent, 0.01, 0.05),
  ];
  return { score: Math.round(100 - lost.reduce((sum, one) => sum + one, 0)), lost, delivered, sent };
}

function assertAs(found: any, events: readonly NewEvent[]): void {
  const expected = computed(events);
  assert.deepEqual(found.counters, { delivered: expected.delivered, sent: expected.sent });
  assert.equal(found.score, expected.score);
  const names = ['complaint', 'bounce', 'bad_failure', 'full_mailbox'];
  const lost = names.map((name) => found.components.find((one: { name: string }) => one.name === name).lost);
  assert.deepEqual(
    lost,
    expected.lost.map((one) => Number(one.toFixed(2))),
  );
}

const get = async (path: string, headers = {}): Promise<any> => {
  const { status, body } = await app.call(`GET ${path}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
};

describe('the health score', () => {
  it('of all equals a computation of its own, with both spellings of the path', async () => {
    const found = await get('/v1/health-score/total');
    assertAs(found, told);
    assert.equal(found.is_bound, false);
    const { start: _start, end: _end, ...other } = await get('/v1/maverick-score/total?include_subaccounts=true');
    const { start: _s, end: _e, ...same } = found;
    assert.deepEqual(other, same);
  });

  it('of the account alone leaves its subaccounts out', async () =>
    assertAs(
      await get('/v1/health-score/total?include_subaccounts=false'),
      told.filter(({ accountId }) => accountId === accounts[0]),
    ));

  it('of a subaccount is its own, and of another one nothing', async () => {
    assertAs(
      await get('/v1/health-score/total', { 'x-mailgun-on-behalf-of': accounts[1] }),
      told.filter(({ accountId }) => accountId === accounts[1]),
    );
    const none = await get('/v1/health-score/total', stranger);
    assert.deepEqual(
      [none.score, none.interval, none.counters],
      // Traps are not measured, so that they are no part of it.
      [100, { low: 20, high: 100 }, { delivered: 0, sent: 0 }],
    );
    assert.deepEqual(await get('/v1/health-score/grouped', stranger), {
      meta: { count: 0 },
      paging: {
        first: `${app.url}/v1/health-score/grouped?include_subaccounts=true&group=domain&minimum_sent=10000&limit=10&skip=0`,
        last: `${app.url}/v1/health-score/grouped?include_subaccounts=true&group=domain&minimum_sent=10000&limit=10&skip=0`,
      },
      items: [],
      is_bound: false,
    });
  });

  it('has literal words, rates in whole percents, and the interval', async () => {
    const found = await get('/v1/health-score/total', { 'x-mailgun-on-behalf-of': accounts[1] });
    const own = told.filter(({ accountId }) => accountId === accounts[1]);
    const { delivered } = computed(own);
    const complaints = own.filter(({ event }) => event === 'complained').length;
    const [complaint] = found.components;
    assert.deepEqual([complaint.count, complaint.of], [complaints, delivered]);
    assert.match(
      complaint.words,
      /^−\d+: complaints 0\.\d+ %, the large providers' limit is 0\.1 %, and 0\.3 % must never be reached\.$/,
    );
    assert.ok(complaint.interval.low < complaint.rate && complaint.rate < complaint.interval.high);
    assert.ok(found.interval.low <= found.score && found.score <= found.interval.high);
    assert.deepEqual(found.rates, {
      bounce_rate: 6,
      complaint_rate: 0,
      trap_rate: 0,
      full_mailbox_rate: 2,
      bad_failure_rate: 3,
    });
    assert.deepEqual(
      found.components.find(({ name }: { name: string }) => name === 'trap'),
      {
        name: 'trap',
        count: 0,
        of: delivered,
        rate: 0,
        interval: null,
        weight: 20,
        lost: 0,
        is_measured: false,
        words: 'spam trap hits: not measured, because no spam trap is set up and no report was imported.',
      },
    );
  });

  it('counts spam trap hits that a report names', async () => {
    const form = new FormData();
    const day = new Date(app.clock.now().getTime() - 2 * DAY).toISOString().slice(0, 10);
    form.append('file', new File([`date,type,hits,domain\n${day},pristine,4,mail2.example.com\n`], 'feed.csv'));
    const headers = { 'x-mailgun-on-behalf-of': accounts[2]! };
    assert.equal((await app.call('POST /v1/spamtraps/imports', { body: form, headers })).status, 200);
    const { components } = await get('/v1/health-score/total', headers);
    const trap = components.find(({ name }: { name: string }) => name === 'trap');
    assert.deepEqual([trap.count, trap.is_measured], [4, true]);
    const share = 4 / computed(told.filter(({ accountId }) => accountId === accounts[2])).delivered;
    assert.equal(trap.lost, Number((20 * (share / 0.0005)).toFixed(2)));
    await app.galley.outside.db.ofAnyone.deleteFrom('spamTrapHits').execute();
  });
});

describe('groups', () => {
  const cases: [group: string, keyOf: (event: NewEvent) => string][] = [
    ['domain', ({ domain }) => domain],
    ['subaccount', ({ accountId }) => accountId],
    ['timestamp', ({ at }) => at.toISOString().slice(0, 10)],
  ];
  for (const [group, keyOf] of cases)
    it(`by ${group} equal a computation of their own`, async () => {
      const { items, meta } = await get(`/v1/health-score/grouped?group=${group}&minimum_sent=0&limit=100`);
      const expected = Map.groupBy(told, keyOf);
      assert.equal(meta.count, expected.size);
      assert.deepEqual(
        items.map((item: { group_key: string }) => item.group_key),
        [...expected.keys()].sort(),
      );
      for (const item of items) {
        assertAs(item, expected.get(item.group_key)!);
        assert.equal(item.account_id, group === 'subaccount' ? item.group_key : undefined);
      }
    });

  it('by IP count complaints for the address that delivered', async () => {
    const ipOf = ({ about }: NewEvent) => (about?.['envelope'] as Record<string, string> | undefined)?.['sending-ip'];
    const ips = new Map(told.flatMap((event) => (ipOf(event) ? [[event.messageId, ipOf(event)]] : [])));
    const { items } = await get('/v1/health-score/grouped?group=ip&minimum_sent=0');
    assert.deepEqual(
      items.map((item: { group_key: string }) => item.group_key),
      IPS,
    );
    for (const item of items)
      assertAs(
        item,
        told.filter((event) => event.event !== 'accepted' && ips.get(event.messageId) === item.group_key),
      );
  });

  it('are those that sent more than 10,000, unless it is said otherwise', async () => {
    const { items } = await get('/v1/health-score/grouped?group=subaccount');
    assert.equal(items.length, 3);
    assert.ok(items.every((item: { counters: { sent: number } }) => item.counters.sent > 10_000));
    const days = await get('/v1/health-score/grouped?group=timestamp');
    assert.equal(days.meta.count, 0);
  });

  it('are found by terms, texts and order, page by page', async () => {
    const keys = async (query: string): Promise<string[]> =>
      (await get(`/v1/maverick-score/grouped?minimum_sent=0&${query}`)).items.map(
        (item: { group_key: string }) => item.group_key,
      );
    assert.deepEqual(await keys('term=domain:mail1.example.com'), ['mail1.example.com']);
    assert.deepEqual(await keys('term[]=domain:MAIL1.example.com&term[]=domain:mail2.example.com'), [
      'mail1.example.com',
      'mail2.example.com',
    ]);
    assert.deepEqual(await keys('query=domain:l2.exam'), ['mail2.example.com']);
    assert.deepEqual(await keys(`group=subaccount&term=account_id:${accounts[1]}`), [accounts[1]]);
    assert.deepEqual(await keys('sort=bounce_rate:desc'), [
      'mail1.example.com',
      'mail2.example.com',
      'mail0.example.com',
    ]);
    assert.deepEqual(await keys('sort=domain:desc&limit=1&skip=1'), ['mail1.example.com']);
  });

  for (const [query, message] of [
    ['group=planet', 'group must be one of domain, ip, subaccount, timestamp.'],
    ['limit=101', 'limit must be <= 100.'],
    ['term=ip:192.0.2.1', 'term must be domain:…, as group is domain.'],
    ['query=example', 'query must be domain:…, as group is domain.'],
    ['start=soon', 'start "soon" is not a time; give it as RFC 2822 or ISO 8601.'],
    ['start=2026-02-01&end=2026-01-01', 'start must not be later than end.'],
    ['start=2026-01-01&end=2026-06-01', 'start must be at most 92 days before end.'],
  ])
    it(`refuse ${query}`, async () => {
      const { status, body } = await app.call(`GET /v1/health-score/grouped?${query}`);
      assert.deepEqual([status, body.Reason, body.message], [400, message, message]);
    });
  it('refuse an order that there is not', async () => {
    const { status, body } = await app.call('GET /v1/health-score/grouped?sort=age:up');
    assert.deepEqual([status, body.Reason.startsWith('sort must be one of domain, ip')], [400, true]);
  });
});

describe('the formula', () => {
  it('is published with its sources, and its weights make a hundred', async () => {
    const { components } = await get('/v1/health-score/formula');
    assert.equal(
      components.reduce((sum: number, { weight }: { weight: number }) => sum + weight, 0),
      100,
    );
    const [complaint] = components;
    assert.deepEqual([complaint.name, complaint.starts_at, complaint.full_at], ['complaint', 0.001, 0.003]);
    assert.deepEqual(complaint.sources[0], {
      name: 'Google, Email sender guidelines',
      url: 'https://support.google.com/a/answer/81126',
      as_of: '2024-02',
    });
  });
});

describe('a health score that falls', () => {
  let own: { 'x-mailgun-on-behalf-of': string };
  let accountId: string;
  const turn = { signal: new AbortController().signal, attempt: 1, isLast: true };
  const look = async (): Promise<any[]> => {
    await tellHealth(app.galley.outside, accountId);
    const { body } = await app.call('GET /v1/galley/alerts?event_type=health_fell', { headers: own });
    return body.items.map(({ message, fix, page, count, over_at }: any) => ({
      message,
      fix,
      page,
      count,
      isOpen: over_at === null,
    }));
  };
  async function send(count: number, complaints: number): Promise<void> {
    const { db, events, clock } = app.galley.outside;
    const at = new Date(clock.now().getTime() - 60_000);
    const shared = { at, accountId, domain: 'fallen.example.com', recipient: 'r@example.net', messageId: '1' };
    const of = (event: 'delivered' | 'complained', many: number): NewEvent[] =>
      Array.from({ length: many }, () => ({ ...shared, event, about: {} }));
    await db.tx((tx) => events.append(tx, [...of('delivered', count), ...of('complained', complaints)]));
  }

  before(async () => {
    accountId = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Fallen' } })).body.subaccount.id;
    own = { 'x-mailgun-on-behalf-of': accountId };
  });

  it('is told once when it is surely low, and once when it is well again', async () => {
    assert.deepEqual(await look(), []);
    // One complaint in 100 may be chance.
    await send(100, 1);
    assert.deepEqual(await look(), []);
    await send(3900, 39);
    const fallen = {
      message:
        'The health score of the last 7 days is 65 of 100, below 80. What costs the most: −35: complaints 1 %, ' +
        "the large providers' limit is 0.1 %, and 0.3 % must never be reached.",
      fix: 'Write only to people who asked for it, and make it easy to unsubscribe.',
      page: '/reputation',
      count: 1,
      isOpen: true,
    };
    assert.deepEqual(await look(), [fallen]);
    assert.deepEqual(await look(), [{ ...fallen, count: 2 }]);
    // Eight days later what was complained of is no longer counted.
    app.clock.advance(8 * DAY);
    await send(2000, 0);
    const well = { message: 'The health score of the last 7 days is 100 of 100: well again.', isOpen: false };
    const over = (await look()).map(({ message, isOpen }) => ({ message, isOpen }));
    assert.deepEqual(over, [well]);
    assert.deepEqual((await look()).length, 1);
  });

  it('is looked at for every account that is open', async () => {
    await watch.run(app.galley.outside, {}, turn);
    const { rows } = await app.galley.outside.db.text(
      "select payload ->> 'accountId' as id from jobs where name = 'health-score.look'",
    );
    const looked = new Set(rows.map((row) => (row as { id: string }).id));
    assert.deepEqual(
      [...accounts, accountId].filter((id) => !looked.has(id)),
      [],
    );
  });
});
