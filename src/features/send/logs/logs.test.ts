// Logs and the older list of events over HTTP: shapes, conditions, pages, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const LOGS = 'POST /v1/analytics/logs';
const EVENTS = `GET /v3/${DOMAIN}/events`;

let app: App;
let accountId = '';
let sandbox = '';
let subaccount = '';
let other = '';

async function send(fields: Record<string, unknown>, { domain = DOMAIN, headers = {} } = {}): Promise<string> {
  const letter = { from: 'Ann <ann@news.example.com>', subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${domain}/messages`, { headers, body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await app.call('POST /v4/domains', { body: { name: 'shop.example.com' } });
  sandbox = (await app.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
  const { rows } = await app.galley.outside.db.text('select id from accounts');
  accountId = (rows[0] as { id: string }).id;
  subaccount = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
  const headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
  other = (await app.call('GET /v4/domains', { headers })).body.items[0].name;
  await send({
    to: 'Bob <Bob@Example.net>',
    'o:tag': ['spring', 'News'],
    'v:order': '17',
    'h:Message-Id': '<one@news.example.com>',
    'o:campaign': 'autumn',
  });
  await send({ to: `bounced+550-5.1.1@${sandbox}`, subject: 'Second 100%', 'o:tag': 'spring' });
  await send({ to: ['carl@example.org', 'dora@example.org'], subject: 'Third', text: 'x'.repeat(5000) });
  await send({ to: 'eve@example.com' }, { domain: 'shop.example.com' });
  await send({ to: 'foreign@example.com' }, { domain: other, headers });
  for (let waiting = 1; waiting > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows: left } = await app.galley.outside.db.text('select count(*)::int as count from deliveries');
    waiting = (left[0] as { count: number }).count;
  }
  app.clock.advance(3000);
});
after(() => app.close());

const said = ({ items }: { items: any[] }): string[] =>
  items.map(({ event, recipient }) => `${event} ${recipient.split('@')[0]}`).sort();
const BOUNCE = 'bounced+550-5.1.1';
const OWN = [
  'accepted bob',
  `accepted ${BOUNCE}`,
  'accepted carl',
  'accepted dora',
  'delivered bob',
  'delivered carl',
  'delivered dora',
  `failed ${BOUNCE}`,
];

describe('POST /v1/analytics/logs', () => {
  it('answers with events as the contract has them', async () => {
    const { status, body } = await app.call(LOGS, {
      body: { events: ['delivered'], filter: { AND: [condition('recipient', '=', 'bob@example.net')] } },
    });
    assert.equal(status, 200);
    const [item] = body.items;
    const { id, '@timestamp': at, storage, message, 'delivery-status': delivery, ...rest } = item;
    assert.match(id, /^\d+$/);
    assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.deepEqual([storage.region, storage.env, storage.url.length], ['us', 'production', 1]);
    assert.equal(storage.url[0], `${app.url}/v3/domains/${DOMAIN}/messages/${storage.key}`);
    assert.deepEqual(message, {
      headers: {
        to: 'Bob <Bob@Example.net>',
        'message-id': 'one@news.example.com',
        from: 'Ann <ann@news.example.com>',
        subject: 'Hello',
      },
      attachments: [],
      recipients: ['Bob@Example.net'],
      size: 5,
    });
    assert.deepEqual([delivery.code, delivery['attempt-no']], [250, 1]);
    assert.match(delivery.description, /^Captured/);
    assert.deepEqual(rest, {
      event: 'delivered',
      'log-level': 'info',
      recipient: 'bob@example.net',
      'recipient-domain': 'example.net',
      account: { id: accountId },
      domain: { name: DOMAIN },
      tags: ['spring', 'News'],
      campaigns: [{ id: 'autumn', name: 'autumn' }],
      'user-variables': '{"order":"17"}',
      'delivery-mode': 'capture',
      envelope: {
        sender: 'ann@news.example.com',
        transport: 'smtp',
        targets: 'bob@example.net',
        'sending-ip': '',
        'delivery-mode': 'capture',
      },
      flags: {
        'is-authenticated': true,
        'is-routed': false,
        'is-amp': false,
        'is-system-test': false,
        'is-test-mode': false,
        'is-delayed-bounce': false,
        'is-callback': false,
        'is-encrypted': false,
        'is-big': false,
      },
      method: 'HTTP',
    });
    assert.match(body.start, /GMT$/);
    assert.equal(Date.parse(body.end) - Date.parse(body.start), 86_400_000);
  });

  it('says why one failed', async () => {
    const { body } = await app.call(LOGS, { body: { events: ['failed'] } });
    const [{ severity, reason, 'log-level': level, 'delivery-status': status }] = body.items;
    assert.deepEqual([severity, reason, level], ['permanent', 'bounce', 'error']);
    assert.deepEqual([status.code, status['enhanced-code'], status['bounce-type']], [550, '5.1.1', 'hard']);
  });

  it('needs no body', async () => {
    const { body } = await app.call('POST /v1/analytics/logs');
    assert.deepEqual(said(body), [...OWN, 'accepted eve', 'delivered eve'].sort());
  });

  const queries: [what: string, body: object, found: string[]][] = [
    ['one kind', { events: ['failed'] }, [`failed ${BOUNCE}`]],
    ['metric events alone', { metric_events: ['hard_bounces'] }, [`failed ${BOUNCE}`]],
    ['either list', { events: ['failed'], metric_events: ['accepted_incoming'] }, [`failed ${BOUNCE}`]],
    ['a kind that is never told', { events: ['trapped'] }, []],
    ['a domain', { filter: and(['domain', '=', 'shop.example.com']) }, ['accepted eve', 'delivered eve']],
    ['another domain', { filter: and(['domain', '!=', DOMAIN]) }, ['accepted eve', 'delivered eve']],
    ['a part of a recipient', { filter: and(['recipient', 'contains', 'ARL@']) }, ['accepted carl', 'delivered carl']],
    [
      'no part of a recipient',
      { events: ['delivered'], filter: and(['recipient', 'not contains', 'example.org']) },
      ['delivered bob', 'delivered eve'],
    ],
    [
      'a domain of recipients',
      { filter: and(['recipient-domain', '=', 'example.net']) },
      ['accepted bob', 'delivered bob'],
    ],
    ['a tag', { filter: and(['tag', '=', 'NEWS']) }, ['accepted bob', 'delivered bob']],
    ['a subject', { filter: and(['subject', 'contains', '100%']) }, [`accepted ${BOUNCE}`, `failed ${BOUNCE}`]],
    ['a message', { filter: and(['message-id', '=', '<one@news.example.com>']) }, ['accepted bob', 'delivered bob']],
    ['a sender', { events: ['failed'], filter: and(['from', 'contains', 'ann@']) }, [`failed ${BOUNCE}`]],
    ['a severity', { filter: and(['severity', '=', 'permanent']) }, [`failed ${BOUNCE}`]],
    ['a code', { filter: and(['code', '=', '550']) }, [`failed ${BOUNCE}`]],
    ['two conditions', { filter: and(['tag', '=', 'spring'], ['event', '=', 'failed']) }, [`failed ${BOUNCE}`]],
    ['two values', { filter: and(['event', '=', 'failed', 'opened']) }, [`failed ${BOUNCE}`]],
    ['nothing that there is', { filter: and(['subject', '=', 'none']) }, []],
    ['a time without events', { start: 'Mon, 03 Dec 2025 00:00:00 -0000', end: 'Tue, 04 Dec 2025 00:00:00 -0000' }, []],
    ['a duration', { duration: '2h', events: ['failed'] }, [`failed ${BOUNCE}`]],
    [
      'subaccounts',
      { include_subaccounts: true, filter: and(['subaccount', '!=', 'x'], ['recipient', 'contains', 'foreign']) },
      ['accepted foreign', 'delivered foreign'],
    ],
    ['one subaccount that is not asked for', { filter: and(['subaccount', '=', 'x']) }, []],
  ];
  for (const [what, body, found] of queries)
    it(`finds ${what}`, async () => assert.deepEqual(said((await app.call(LOGS, { body })).body), found));

  it('shows whose an event is', async () => {
    const { body } = await app.call(LOGS, {
      body: { include_subaccounts: true, filter: and(['subaccount', '=', subaccount]) },
    });
    assert.deepEqual(body.items[0].account, { id: subaccount, 'parent-id': accountId });
    const headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
    const own = await app.call(LOGS, { headers, body: { include_subaccounts: true } });
    assert.deepEqual(said(own.body), ['accepted foreign', 'delivered foreign']);
    assert.deepEqual(own.body.items[0].account, { id: subaccount, 'parent-id': accountId });
  });

  for (const sort of ['timestamp:asc', 'timestamp:desc'])
    it(`pages by tokens, ${sort}`, async () => {
      const whole = (await app.call(LOGS, { body: { pagination: { sort, limit: 100 } } })).body;
      const ids = whole.items.map(({ id }: any) => id);
      assert.equal(ids.length, 10);
      const times = whole.items.map((item: any) => item['@timestamp']);
      assert.deepEqual(times, sort.endsWith('asc') ? times.toSorted() : times.toSorted().reverse());
      const read: string[] = [];
      let token: string | undefined;
      let previous = '';
      for (;;) {
        const { body } = await app.call(LOGS, { body: { pagination: { sort, limit: 3, ...(token && { token }) } } });
        if (body.items.length === 0) {
          previous = body.pagination.previous;
          assert.equal(
            (await app.call(LOGS, { body: { pagination: { sort, limit: 3, token: body.pagination.next } } })).body.items
              .length,
            0,
          );
          break;
        }
        read.push(...body.items.map(({ id }: any) => id));
        token = body.pagination.next;
        app.clock.advance(1000);
      }
      assert.deepEqual(read, ids);
      const last = await app.call(LOGS, { body: { pagination: { sort, limit: 3, token: whole.pagination.last } } });
      assert.deepEqual(
        last.body.items.map(({ id }: any) => id),
        ids.slice(-3),
      );
      assert.ok(previous.length > 0);
    });

  it('counts when that is asked for', async () => {
    const { body } = await app.call(LOGS, { body: { include_totals: true, pagination: { limit: 1 } } });
    assert.deepEqual([body.pagination.total, body.pagination.total_is_bound], [10, false]);
    assert.deepEqual(body.aggregates, {
      all: 10,
      metrics: { accepted_count: 5, delivered_count: 4, failed_count: 1, permanent_failed_count: 1 },
    });
    assert.equal('total' in (await app.call(LOGS, { body: {} })).body.pagination, false);
  });

  const wrong: [what: string, body: object, message: RegExp][] = [
    ['an unknown kind', { events: ['sneezed'] }, /^events\[0\] must be one of accepted, /],
    ['an unknown metric', { metric_events: ['sneezed_count'] }, /^metric_events\[0\] must be one of/],
    ['a time that is none', { start: 'yesterday' }, /^start "yesterday" is not a time/],
    ['an end before the start', { start: 'Mon, 03 Dec 2035 00:00:00 GMT' }, /^start must not be later than end/],
    ['a duration without a unit', { duration: '5' }, /^duration must match/],
    [
      'an unknown attribute',
      { filter: and(['color', '=', 'red']) },
      /^filter\.AND\.attribute must be one of bot, code/,
    ],
    ['an unknown comparator', { filter: and(['domain', '~', 'x']) }, /comparator must be one of =, !=, contains/],
    ['a part of a kind', { filter: and(['event', 'contains', 'fail']) }, /comparator must be = or != for event/],
    ['no values', { filter: { AND: [{ attribute: 'domain', comparator: '=', values: [] }] } }, /values/],
    ['OR', { filter: { OR: [] } }, /OR is not known here/],
    ['a page of 101', { pagination: { limit: 101 } }, /limit must be <= 100/],
    ['another order', { pagination: { sort: 'event:asc' } }, /sort must be one of timestamp:asc/],
    ['a made-up token', { pagination: { token: 'abc' } }, /^pagination\.token is not a page of this list/],
  ];
  for (const [what, body, message] of wrong)
    it(`refuses ${what}`, async () => {
      const answer = await app.call(LOGS, { body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, message);
    });

  it('refuses the token of another query, and of another account', async () => {
    const { body } = await app.call(LOGS, { body: { events: ['failed'] } });
    const { next: token } = body.pagination;
    const again = { events: ['failed'], pagination: { token } };
    assert.equal((await app.call(LOGS, { body: again })).status, 200);
    assert.equal((await app.call(LOGS, { body: { ...again, events: ['opened'] } })).status, 400);
    const headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
    assert.equal((await app.call(LOGS, { body: again, headers })).status, 400);
  });
});

function condition(attribute: string, comparator: string, ...values: string[]) {
  return { attribute, comparator, values: values.map((value) => ({ label: value, value })) };
}

function and(...conditions: [attribute: string, comparator: string, ...values: string[]][]) {
  return { AND: conditions.map((one) => condition(...one)) };
}

describe('GET /v3/{domain}/events', () => {
  it('answers with events of the domain, and names its successor', async () => {
    const { status, body, headers } = await app.call(EVENTS);
    assert.equal(status, 200);
    assert.deepEqual(said(body), OWN);
    assert.equal(headers.get('deprecation'), '@1735689600');
    assert.equal(headers.get('link'), '</v1/analytics/logs>; rel="successor-version"');
    const event = body.items.find((item: any) => item.event === 'accepted' && item.recipient.startsWith('bob'));
    assert.deepEqual(event['user-variables'], { order: '17' });
    assert.equal(typeof event.timestamp, 'number');
    assert.equal(event.storage.url, `${app.url}/v3/domains/${DOMAIN}/messages/${event.storage.key}`);
    assert.equal((await app.call(event.storage.url.replace(app.url, 'GET '))).status, 200);
    assert.deepEqual(
      [event.method, typeof event['api-key-id'], event['originating-ip']],
      ['HTTP', 'string', '127.0.0.1'],
    );
  });

  const queries: [query: string, found: string[]][] = [
    ['event=failed', [`failed ${BOUNCE}`]],
    ['event=delivered OR opened OR failed OR unsubscribed OR complained', OWN.slice(4)],
    ['event=NOT accepted&recipient=example.org', ['delivered carl', 'delivered dora']],
    ['recipient=BOB@example.net', ['accepted bob', 'delivered bob']],
    ['recipient=carl OR dora&event=accepted', ['accepted carl', 'accepted dora']],
    ['tags=spring AND news', ['accepted bob', 'delivered bob']],
    ['tags=spring AND NOT news', [`accepted ${BOUNCE}`, `failed ${BOUNCE}`]],
    ['subject="second 100%"', [`accepted ${BOUNCE}`, `failed ${BOUNCE}`]],
    ['subject=third&event=accepted', ['accepted carl', 'accepted dora']],
    ['message-id=one@news.example.com', ['accepted bob', 'delivered bob']],
    ['severity=permanent', [`failed ${BOUNCE}`]],
    ['severity=temporary', []],
    ['size=>1000 <9000&event=delivered', ['delivered carl', 'delivered dora']],
    ['size=5000&event=delivered', ['delivered carl', 'delivered dora']],
    ['recipients=carl&event=delivered', ['delivered carl', 'delivered dora']],
    ['from=ann&event=failed', [`failed ${BOUNCE}`]],
    ['to=bob&event=accepted', ['accepted bob']],
    ['attachment=pdf', []],
    ['list=news@lists.example', []],
    ['begin=0&end=10', []],
  ];
  for (const [query, found] of queries)
    it(`finds ${query}`, async () => {
      const { status, body } = await app.call(`${EVENTS}?${encodeURI(query).replaceAll('+', '%2B')}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(said(body), found);
    });

  it('pages by addresses, also when a client glues them to /v3', async () => {
    for (const order of ['ascending=yes', 'ascending=no', 'begin=0', '']) {
      const whole = (await app.call(`${EVENTS}?${order}`)).body.items.map(({ id }: any) => id);
      const { body: first } = await app.call(`${EVENTS}?limit=3&${order}`);
      const read = first.items.map(({ id }: any) => id);
      for (let { paging } = first; ;) {
        assert.deepEqual(Object.keys(paging).sort(), ['first', 'last', 'next', 'previous']);
        const { status, body } = await app.call(`GET /v3${paging.next}`);
        assert.equal(status, 200);
        if (body.items.length === 0) break;
        read.push(...body.items.map(({ id }: any) => id));
        ({ paging } = body);
      }
      assert.deepEqual(read, whole);
    }
    const [up, down] = await Promise.all(['begin=0', ''].map((query) => app.call(`${EVENTS}?${query}`)));
    assert.deepEqual(
      up!.body.items.map(({ id }: any) => id),
      down!.body.items.map(({ id }: any) => id).reverse(),
    );
  });

  const wrong: [query: string, message: RegExp][] = [
    ['event=sneezed', /^event must be made of accepted, rejected, .*"sneezed" is none/],
    ['event=delivered OR', /^event lacks a term after AND, OR, NOT or a bracket/],
    ['subject="open', /^subject has a quotation mark at 1 that is not closed/],
    ['severity=bad', /^severity must be made of temporary, permanent/],
    ['size=big', /^size must be a number of bytes/],
    ['subject=>5', /^subject is text/],
    ['limit=301', /^limit must be <= 300/],
    ['begin=never', /^begin "never" is not a time/],
    ['begin=20&end=10&ascending=yes', /^begin must not be later than end/],
  ];
  for (const [query, message] of wrong)
    it(`refuses ${query}`, async () => {
      const { status, body } = await app.call(`${EVENTS}?${encodeURI(query)}`);
      assert.equal(status, 400);
      assert.match(body.message, message);
    });

  it('is of one account and one domain', async () => {
    const headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
    assert.equal((await app.call(EVENTS, { headers })).status, 404);
    assert.equal((await app.call('GET /v3/none.example/events')).status, 404);
    const { body } = await app.call(EVENTS);
    const token = body.paging.next.split('/').at(-1);
    assert.equal((await app.call(`GET /v3/shop.example.com/events/${token}`)).status, 400);
    assert.equal((await app.call(`${EVENTS}/${token}x`)).status, 400);
    assert.equal((await app.call(`${EVENTS}/${token}`)).status, 200);
  });
});
