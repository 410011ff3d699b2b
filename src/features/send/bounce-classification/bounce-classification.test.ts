// Bounces by class, over HTTP: counts agree with a count by hand, words and samples are there, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gatheredFigures } from '../../../../test/harness/gathered-figures.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import type { NewEvent } from '../../../platform/event-log/index.ts';
import { expire } from './jobs.ts';

const DOMAIN = 'news.example.com';
const SHOP = 'shop.example.com';
const METRICS = 'POST /v2/bounce-classification/metrics';
const OLD = '/v1/bounce-classification';

interface Reply {
  count: number;
  reply: string;
  severity: 'temporary' | 'permanent';
  provider?: string;
  domain?: string;
  reason?: string;
  to?: string;
}

const REPLIES: readonly Reply[] = [
  { count: 5, reply: '550 5.1.1 <r@gmail.example>: no such user', severity: 'permanent', provider: 'google' },
  { count: 3, reply: '421 4.7.28 unusual rate of unsolicited mail', severity: 'temporary', provider: 'google' },
  {
    count: 4,
    reply: '554 5.7.1 [192.0.2.1] blocked using zen.spamhaus.org',
    severity: 'permanent',
    to: 'firm.example',
  },
  { count: 2, reply: '550 5.1.1 unknown user', severity: 'permanent', provider: 'google', domain: SHOP },
  { count: 1, reply: '451 later', severity: 'permanent', reason: 'old', domain: SHOP },
  // Held back here: no receiver said so.
  { count: 7, reply: '', severity: 'permanent', reason: 'suppress-bounce' },
];

let app: App;
let accountId = '';
let subaccount = '';
let headers = {};

const eventsOf = (one: Reply, account: string, messageId?: string): NewEvent[] =>
  Array.from({ length: one.count }, (_unused, place) => ({
    at: new Date(app.galley.outside.clock.now().getTime() - 120_000),
    accountId: account,
    event: 'failed' as const,
    severity: one.severity,
    reason: one.reason ?? 'bounce',
    domain: one.domain ?? DOMAIN,
    recipient: `r${place}@${one.to ?? 'gmail.example'}`,
    ...(one.provider !== undefined && { provider: one.provider }),
    ...(messageId !== undefined && { messageId }),
    code: Number(one.reply.slice(0, 3)),
    about: {
      envelope: { 'sending-ip': '192.0.2.1', 'i-ip-pool-id': 'pool' },
      'delivery-status': {
        code: Number(one.reply.slice(0, 3)),
        ...(/^\d{3} (\d\.\d+\.\d+)/.test(one.reply) && { 'enhanced-code': one.reply.split(' ')[1] }),
        message: one.reply,
      },
    },
  }));

const query = async (body: object, more: object = {}) => {
  const answer = await app.call(METRICS, { body: { duration: '48h', pagination: { limit: 100 }, ...body }, ...more });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};

const counts = (values: Record<string, number | null>) => ({
  critical_bounce_count: 0,
  non_critical_bounce_count: 0,
  critical_delay_count: 0,
  non_critical_delay_count: 0,
  classified_failures_count: 0,
  delivered_smtp_count: null,
  critical_bounce_rate: null,
  non_critical_bounce_rate: null,
  critical_delay_rate: null,
  non_critical_delay_rate: null,
  ...values,
});

const is = (attribute: string, ...values: string[]) => ({
  attribute,
  comparator: '=',
  values: values.map((value) => ({ label: value, value })),
});

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  for (const name of [DOMAIN, SHOP]) await app.call('POST /v4/domains', { body: { name } });
  const { db } = app.galley.outside;
  accountId = ((await db.text('select id from accounts where parent_id is null')).rows[0] as { id: string }).id;
  subaccount = (await app.call('POST /v5/accounts/subaccounts?name=Second')).body.subaccount.id;
  headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
  // All in one hour, also when the test runs at its end or its beginning.
  const { clock } = app.galley.outside;
  const into = clock.now().getTime() % 3_600_000;
  if (into < 900_000 || into > 2_700_000) app.clock.advance(((5_400_000 - into) % 3_600_000) + 1);
  const letter = { from: `Ann <ann@${DOMAIN}>`, subject: 'Hello', text: 'Hello' };
  const to = ['bob@example.net', 'carl@example.net'];
  await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...letter, to, 'o:tag': 'Spring' } });
  await gatheredFigures(app);
  const { rows } = await db.text('select id::text from sent_messages');
  const { id } = rows[0] as { id: string };
  const { outside } = app.galley;
  await outside.db.tx((tx) =>
    outside.events.append(tx, [
      ...REPLIES.flatMap((one) => eventsOf(one, accountId, one.domain === undefined ? id : undefined)),
      ...eventsOf(REPLIES[1]!, subaccount),
    ]),
  );
  await gatheredFigures(app);
});
after(() => app.close());

describe('POST /v2/bounce-classification/metrics', () => {
  it('answers by class and receiver, with what it means, what to do and what was said', async () => {
    const body = await query({ dimensions: ['entity-name', 'group-id', 'criticality', 'severity', 'category'] });
    assert.deepEqual(
      [body.resolution, body.duration, body.dimensions, body.pagination],
      [
        'day',
        '48h',
        ['entity-name', 'group-id', 'criticality', 'severity', 'category'],
        { sort: 'critical_bounce_count:desc', skip: 0, limit: 100, total: 4 },
      ],
    );
    assert.deepEqual(body.items[0], {
      'entity-name': 'Spamhaus',
      'group-id': 'spamhaus/spamhaus',
      criticality: 'critical',
      severity: 'permanent',
      category: 'blocklist',
      'category-name': 'Blocklisting',
      explanation: 'Your IP address or your domain is on a blocklist that the receiver asks.',
      advice:
        'Stop sending from this IP address or domain, find what put it on the list (a hijacked account, a bought list, ' +
        "spam traps), end it, and then ask the list's operator to remove it.",
      'sample-text': '554 5.7.1 [192.0.2.1] blocked using zen.spamhaus.org',
      'sample-texts': ['554 5.7.1 [192.0.2.1] blocked using zen.spamhaus.org'],
      metrics: counts({ critical_bounce_count: 4, classified_failures_count: 4 }),
    });
    const rest = body.items.slice(1).map((item: any) => [item['group-id'], item.metrics.classified_failures_count]);
    assert.deepEqual(Object.fromEntries(rest), {
      'gmail/invalid-recipient': 7,
      'gmail/gmail-rate': 3,
      'other/expired': 1,
    });
    const invalid = body.items.find((item: any) => item['group-id'] === 'gmail/invalid-recipient');
    assert.deepEqual(invalid['sample-texts'].toSorted(), [
      '550 5.1.1 <<address>>: no such user',
      '550 5.1.1 unknown user',
    ]);
  });

  it('answers by what was sent, beside what was delivered', async () => {
    const { items } = await query({ dimensions: ['domain.name'], pagination: { sort: 'domain.name:asc' } });
    assert.deepEqual(items, [
      {
        'domain.name': DOMAIN,
        metrics: counts({
          critical_bounce_count: 4,
          non_critical_bounce_count: 5,
          non_critical_delay_count: 3,
          classified_failures_count: 12,
          delivered_smtp_count: 2,
          critical_bounce_rate: 36,
          non_critical_bounce_rate: 45,
          critical_delay_rate: 0,
          non_critical_delay_rate: 27,
        }),
      },
      {
        'domain.name': SHOP,
        metrics: counts({
          non_critical_bounce_count: 3,
          classified_failures_count: 3,
          delivered_smtp_count: 0,
          critical_bounce_rate: 0,
          non_critical_bounce_rate: 100,
          critical_delay_rate: 0,
          non_critical_delay_rate: 0,
        }),
      },
    ]);
  });

  const totals: Record<string, Record<string, number>> = {
    'envelope.sending-ip': { '192.0.2.1': 15 },
    'envelope.i-ip-pool-name': { pool: 15 },
    tag: { spring: 12 },
    tags: { spring: 12 },
    'recipient-domain': { 'gmail.example': 11, 'firm.example': 4 },
    'recipient-provider': { google: 10, '': 5 },
    criticality: { critical: 4, 'non-critical': 11 },
    severity: { permanent: 12, temporary: 3 },
    category: { blocklist: 4, 'rate-limit': 3, 'invalid-recipient': 7, expired: 1 },
  };
  for (const [name, expected] of Object.entries(totals))
    it(`agrees with a count by hand, by ${name}`, async () => {
      const { items } = await query({ dimensions: [name] });
      const found = items.map((item: any) => [item[name], item.metrics.classified_failures_count]);
      assert.deepEqual(Object.fromEntries(found), expected);
    });

  it('answers by time, under conditions', async () => {
    const hourly = await query({ dimensions: ['timestamp'], resolution: 'hour' });
    const at = new Date(Math.floor((app.galley.outside.clock.now().getTime() - 120_000) / 3_600_000) * 3_600_000);
    assert.deepEqual(
      hourly.items.map((item: any) => [item.timestamp, item.metrics.classified_failures_count]),
      [[at.toISOString(), 15]],
    );
    const totalOf = async (AND: object[]) =>
      (await query({ filter: { AND } })).items[0]?.metrics.classified_failures_count ?? 0;
    assert.equal(await totalOf([is('entity-name', 'GMAIL')]), 10);
    assert.equal(await totalOf([is('category', 'blocklist', 'expired')]), 5);
    assert.equal(await totalOf([is('group-id', 'gmail/gmail-rate')]), 3);
    assert.equal(await totalOf([{ ...is('severity', 'temporary'), comparator: '!=' }, is('domain.name', DOMAIN)]), 9);
    assert.equal(await totalOf([{ ...is('recipient-domain', 'FIRM'), comparator: 'contains' }]), 4);
    assert.equal(await totalOf([{ ...is('tag', 'spr'), comparator: 'not contains' }]), 0);
  });

  it('shows those of subaccounts when they are asked for, and never those of others', async () => {
    const { items } = await query({ dimensions: ['account.name'], include_subaccounts: true });
    const found = items.map((item: any) => [item['account.id'], item.metrics.classified_failures_count]);
    assert.deepEqual(Object.fromEntries(found), { [accountId]: 15, [subaccount]: 3 });
    const second = await query({ filter: { AND: [is('account.name', 'second')] }, include_subaccounts: true });
    assert.equal(second.items[0].metrics.classified_failures_count, 3);
    const own = await query({ dimensions: ['group-id'] }, { headers });
    assert.deepEqual(
      own.items.map((item: any) => [item['group-id'], item['sample-text']]),
      [['gmail/gmail-rate', '421 4.7.28 unusual rate of unsolicited mail']],
    );
  });

  const wrong: [object, string][] = [
    [
      { dimensions: ['tag', 'recipient-domain'] },
      'dimensions cannot be told apart by tag and by recipient-domain at once; ask for one of them.',
    ],
    [
      { dimensions: ['recipient-domain'], resolution: 'hour' },
      'resolution must be day with recipient-domain: its figures are kept by the day.',
    ],
    [
      { start: 'Tue, 03 Nov 2026 00:00:00 GMT', end: 'Mon, 02 Nov 2026 00:00:00 GMT' },
      'start must not be later than end.',
    ],
  ];
  for (const [body, message] of wrong)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await app.call(METRICS, { body });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });
  for (const body of [{ dimensions: ['weather'] }, { metrics: ['sneezed_count'] }, { duration: 'soon' }])
    it(`refuses ${JSON.stringify(body)}, naming the field`, async () => {
      const answer = await app.call(METRICS, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, new RegExp(Object.keys(body)[0] as string));
    });
});

describe('GET /v1/bounce-classification', () => {
  const get = async (path: string, more: object = {}) => {
    const answer = await app.call(`GET ${OLD}${path}`, more);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    return answer.body;
  };

  it('lists groups, most first, and names its successor', async () => {
    const answer = await app.call(`GET ${OLD}/stats?group=domain.name&group=entity-id&group=rule-id&limit=1`);
    assert.deepEqual(answer.body.items, [
      {
        domain: { name: DOMAIN },
        'entity-id': 'gmail',
        'rule-id': 'invalid-recipient',
        'short-explanation': 'Unknown recipient',
        bounced: { total: 5 },
      },
    ]);
    assert.equal(answer.body._duration, '168h0m0s');
    assert.equal(answer.headers.get('deprecation'), '@1735689600');
    const all = await get('/stats?include_subaccounts=true');
    assert.equal(
      all.items.reduce((sum: number, item: any) => sum + item.bounced.total, 0),
      18,
    );
    const { status, body } = await app.call(`GET ${OLD}/stats?group=weather`);
    assert.deepEqual(
      [status, body],
      [400, { message: 'group must be one of subaccount.id, domain.name, entity-id, rule-id; "weather" is none.' }],
    );
  });

  it('lists domains, their entities and the rules of these', async () => {
    assert.deepEqual(await get('/domains'), {
      items: [
        { domain: { name: DOMAIN }, bounced: { total: 12 } },
        { domain: { name: SHOP }, bounced: { total: 3 } },
      ],
      total: 2,
    });
    assert.deepEqual(await get('/domains?query=SHOP'), {
      items: [{ domain: { name: SHOP }, bounced: { total: 3 } }],
      total: 1,
    });
    assert.deepEqual(await get(`/domains/${DOMAIN}/entities`), {
      items: [
        { 'entity-id': 'gmail', 'entity-name': 'Gmail', bounced: { total: 8 } },
        { 'entity-id': 'spamhaus', 'entity-name': 'Spamhaus', bounced: { total: 4 } },
      ],
    });
    assert.deepEqual((await get(`/domains/${DOMAIN}/entities/gmail/rules`)).items[1], {
      'rule-id': 'gmail-rate',
      category: 'rate-limit',
      severity: 'TEMPORARY',
      'sample-text': '421 4.7.28 unusual rate of unsolicited mail',
      explanation: 'You sent faster, or over more connections, than the receiver takes from you at the moment.',
      bounced: { total: 3 },
    });
  });

  it('lists failures of a rule, page by page', async () => {
    let [path, seen] = [`/domains/${DOMAIN}/events?rule-id=gmail-rate&limit=5`, 0];
    for (let page = 0; page < 6; page++) {
      const { items, paging } = await get(path);
      seen += items.length;
      for (const item of items) {
        assert.deepEqual(item['i-classification'], {
          reason: 'rate-limit',
          'rule-id': 'gmail-rate',
          'entity-id': 'gmail',
        });
        assert.deepEqual(
          [item['delivery-status'].message, item.envelope['sending-ip'], new Date(item['@timestamp']).getTime()],
          ['421 4.7.28 unusual rate of unsolicited mail', '192.0.2.1', item.timestamp * 1000],
        );
      }
      path = paging.next.slice(paging.next.indexOf(OLD) + OLD.length);
    }
    assert.equal(seen, 3);
    const { status, body } = await app.call(`GET ${OLD}/domains/${SHOP}/events?page=forged`);
    assert.deepEqual(
      [status, body],
      [400, { message: 'page is not a page of this list; take it from the answer with the page before.' }],
    );
  });

  it('is of the account alone', async () => {
    for (const path of ['entities', 'entities/gmail/rules', 'events'])
      assert.equal((await app.call(`GET ${OLD}/domains/${DOMAIN}/${path}`, { headers })).status, 404, path);
    assert.deepEqual((await get('/domains', { headers })).items, [{ domain: { name: DOMAIN }, bounced: { total: 3 } }]);
  });

  it('says which entities and rules there are', async () => {
    const [entities, rules] = [await get('/config/entities'), await get('/config/rules')];
    assert.deepEqual(entities.gmail, { name: 'Gmail' });
    assert.deepEqual(rules['spamhaus'], {
      entity_id: 'spamhaus',
      class: 'blocklist',
      'sample-text': '554 5.7.1 Service unavailable; Client host [192.0.2.1] blocked using Spamhaus.',
      explanation: 'Your IP address or your domain is on a blocklist that the receiver asks.',
      'short-explanation': 'Blocklisting',
      advice: rules['blocklist'].advice,
    });
  });
});

describe('figures of bounces', () => {
  it('end with their tag, with their time and with their account', async () => {
    const rows = async (where: string) =>
      (await app.galley.outside.db.text(`select 1 from bounce_figures where ${where}`)).rows.length;
    assert.ok((await rows('"grouping" = 1')) > 0);
    await app.call('DELETE /v1/analytics/tags', { body: { tag: 'Spring' } });
    assert.equal(await rows('"grouping" = 1'), 0);
    await app.call('DELETE /v5/accounts/subaccounts', { headers });
    await app.idle();
    assert.equal(await rows(`account_id = '${subaccount}'`), 0);
    app.clock.advance(61 * 86_400_000);
    await expire.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
    assert.deepEqual([await rows('is_hourly'), (await rows('not is_hourly')) > 0], [0, true]);
  });
});
