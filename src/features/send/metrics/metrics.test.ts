// Metrics and what was used over HTTP: shapes, names, conditions, order, pages, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { gatheredFigures } from '../../../../test/harness/gathered-figures.ts';

const DOMAIN = 'news.example.com';
const METRICS = 'POST /v1/analytics/metrics';
const USAGE = 'POST /v1/analytics/usage/metrics';

let app: App;
let sandbox = '';
let subaccount = '';
let accountId = '';
let now = new Date();

async function send(fields: Record<string, unknown>, { domain = DOMAIN, headers = {} } = {}): Promise<void> {
  const letter = { from: 'Ann <ann@news.example.com>', subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${domain}/messages`, { headers, body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  sandbox = (await app.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
  subaccount = (await app.call('POST /v5/accounts/subaccounts?name=Second')).body.subaccount.id;
  const { db, clock } = app.galley.outside;
  accountId = ((await db.text('select id from accounts where parent_id is null')).rows[0] as { id: string }).id;
  const headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
  const other = (await app.call('GET /v4/domains', { headers })).body.items[0].name;
  // All in one hour, also when the test runs at its end.
  const left = 3_600_000 - (clock.now().getTime() % 3_600_000);
  if (left < 900_000) app.clock.advance(left);
  now = clock.now();
  await send({ to: 'bob@example.net', 'o:tag': ['Spring', 'news'] });
  await send({ to: ['carl@example.org', 'dora@example.org'], 'o:tag': 'news' });
  await send({ to: `bounced+550-5.1.1@${sandbox}`, 'o:tag': 'news' });
  await send({ to: `suppressed@${sandbox}` });
  await send({ to: `complained@${sandbox}` });
  await send({ to: 'foreign@example.com' }, { domain: other, headers });
  for (let waiting = 1; waiting > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await db.text('select count(*)::int as count from deliveries');
    waiting = (rows[0] as { count: number }).count;
  }
  await gatheredFigures(app);
});
after(() => app.close());

const wire = (at: Date): string => at.toUTCString().replace('GMT', '+0000');
const start = (at: Date, ms: number): Date => new Date(Math.floor(at.getTime() / ms) * ms);
const valuesOf = (body: any): [string, unknown][] =>
  body.items.map((item: any) => [item.dimensions.map(({ value }: any) => value).join(' '), item.metrics]);

describe('POST /v1/analytics/metrics', () => {
  it('answers as the contract has it', async () => {
    const day = start(now, 86_400_000);
    const { status, body } = await app.call(METRICS, {
      body: {
        start: wire(new Date(now.getTime() - 86_400_000)),
        end: wire(now),
        dimensions: ['time'],
        metrics: ['accepted_count', 'delivered_count', 'delivered_rate', 'bounce_rate', 'opened_rate'],
        filter: { AND: [{ attribute: 'domain', comparator: '=', values: [{ label: DOMAIN, value: DOMAIN }] }] },
        include_aggregates: true,
      },
    });
    assert.equal(status, 200, JSON.stringify(body));
    const metrics = {
      accepted_count: 6,
      delivered_count: 4,
      delivered_rate: '0.8000',
      bounce_rate: '0.1667',
      opened_rate: '0.0000',
    };
    const before = new Date(day.getTime() - 86_400_000);
    const time = (at: Date) => [{ dimension: 'time', value: wire(at), display_value: wire(at) }];
    assert.deepEqual(body, {
      start: wire(before),
      end: wire(new Date(day.getTime() + 86_400_000)),
      resolution: 'day',
      dimensions: ['time'],
      pagination: { sort: 'time:asc', skip: 0, limit: 1000, total: 2 },
      items: [
        { dimensions: time(before), metrics: { accepted_count: 0, delivered_count: 0 } },
        { dimensions: time(day), metrics },
      ],
      aggregates: { metrics },
    });
  });

  it('needs no body: all counts and rates of seven days', async () => {
    const { status, body } = await app.call(METRICS);
    assert.equal(status, 200);
    assert.equal(body.items.length, 1);
    assert.deepEqual(body.items[0].dimensions, []);
    assert.deepEqual(body.items[0].metrics, {
      accepted_incoming_count: 0,
      accepted_outgoing_count: 6,
      accepted_count: 6,
      delivered_smtp_count: 4,
      delivered_http_count: 0,
      delivered_optimized_count: 0,
      delivered_count: 4,
      stored_count: 0,
      processed_count: 6,
      sent_count: 5,
      opened_count: 0,
      clicked_count: 0,
      unique_opened_count: 0,
      unique_clicked_count: 0,
      unsubscribed_count: 0,
      complained_count: 1,
      failed_count: 2,
      temporary_failed_count: 0,
      permanent_failed_count: 2,
      esp_block_count: 0,
      temporary_failed_esp_block_count: 0,
      permanent_failed_esp_block_count: 0,
      rate_limit_count: 0,
      webhook_count: 0,
      permanent_failed_optimized_count: 0,
      permanent_failed_old_count: 0,
      bounced_count: 1,
      hard_bounces_count: 1,
      soft_bounces_count: 0,
      delayed_bounce_count: 0,
      suppressed_bounces_count: 1,
      suppressed_unsubscribed_count: 0,
      suppressed_complaints_count: 0,
      delivered_first_attempt_count: 4,
      delayed_first_attempt_count: 0,
      delivered_subsequent_count: 0,
      delivered_two_plus_attempts_count: 0,
      delivered_rate: '0.8000',
      opened_rate: '0.0000',
      clicked_rate: '0.0000',
      unique_opened_rate: '0.0000',
      unique_clicked_rate: '0.0000',
      unsubscribed_rate: '0.0000',
      complained_rate: '0.2500',
      bounce_rate: '0.1667',
      fail_rate: '0.3333',
      permanent_fail_rate: '0.3333',
      temporary_fail_rate: '0.0000',
      delayed_rate: '0.0000',
      delayed_first_attempt_rate: '0.0000',
    });
  });

  it('tells tags, domains of recipients and hours apart', async () => {
    const of = async (more: object) =>
      valuesOf((await app.call(METRICS, { body: { duration: '1d', metrics: ['accepted_count'], ...more } })).body);
    assert.deepEqual(await of({ dimensions: ['tag'] }), [
      ['news', { accepted_count: 4 }],
      ['spring', { accepted_count: 1 }],
    ]);
    assert.deepEqual(await of({ dimensions: ['recipient_domain'], pagination: { sort: 'recipient_domain:desc' } }), [
      [sandbox, { accepted_count: 3 }],
      ['example.org', { accepted_count: 2 }],
      ['example.net', { accepted_count: 1 }],
    ]);
    assert.deepEqual(
      (await of({ dimensions: ['time'], resolution: 'hour' })).filter(([, { accepted_count: n }]: any) => n > 0),
      [[wire(start(now, 3_600_000)), { accepted_count: 6 }]],
    );
    assert.deepEqual(await of({ dimensions: ['tag', 'domain'], pagination: { skip: 1, limit: 1, sort: 'tag' } }), [
      [`spring ${DOMAIN}`, { accepted_count: 1 }],
    ]);
    assert.deepEqual(
      await of({
        dimensions: ['tag'],
        filter: { AND: [{ attribute: 'tag', comparator: 'not contains', values: [{ value: 'NEW' }] }] },
      }),
      [['spring', { accepted_count: 1 }]],
    );
  });

  it('takes in subaccounts, when they are asked for', async () => {
    const query = { metrics: ['delivered_count'], dimensions: ['subaccount'], include_subaccounts: true };
    const { body } = await app.call(METRICS, { body: query });
    const names = body.items.map((item: any) => item.dimensions[0]);
    assert.deepEqual(names[1], { dimension: 'subaccount', value: subaccount, display_value: 'Second' });
    assert.deepEqual(valuesOf(body), [
      [accountId, { delivered_count: 4 }],
      [subaccount, { delivered_count: 1 }],
    ]);
    const filter = { AND: [{ attribute: 'subaccount', comparator: '=', values: [{ value: subaccount }] }] };
    assert.deepEqual(valuesOf((await app.call(METRICS, { body: { ...query, filter } })).body), [
      [subaccount, { delivered_count: 1 }],
    ]);
    const own = { headers: { 'X-Mailgun-On-Behalf-Of': subaccount }, body: { ...query, include_subaccounts: false } };
    assert.deepEqual(valuesOf((await app.call(METRICS, own)).body), [[subaccount, { delivered_count: 1 }]]);
  });

  it('says from when figures are, where more is asked for than is kept', async () => {
    for (const [resolution, days] of [
      ['hour', 60],
      ['day', 400],
    ] as const) {
      const query = { start: 'Tue, 01 Jan 2019 00:00:00 +0000', resolution, metrics: ['sent_count'] };
      const { body } = await app.call(METRICS, { body: query });
      const ago = (now.getTime() - Date.parse(body.start)) / 86_400_000;
      assert.ok(ago <= days && ago > days - 2, `${resolution}: ${ago}`);
      assert.equal(body.items[0].metrics.sent_count, 5);
    }
  });

  const wrong: [what: string, body: object, message: RegExp][] = [
    ['a metric', { metrics: ['sneezed_count'] }, /^metrics\[0\] must be one of accepted_incoming_count, /],
    ['a dimension', { dimensions: ['weather'] }, /^dimensions\[0\] must be one of time, domain, /],
    ['four dimensions', { dimensions: ['time', 'domain', 'ip', 'tag'] }, /^dimensions must .*3/],
    ['a resolution', { resolution: 'week' }, /^resolution must be one of hour, day, month/],
    ['a time', { start: 'yesterday' }, /^start "yesterday" is not a time/],
    ['an end before its start', { start: wire(new Date(2e12)), end: wire(new Date(1e12)) }, /^start must not be later/],
    ['a duration', { duration: '3 weeks' }, /^duration must match/],
    [
      'an order',
      { pagination: { sort: 'weather:asc' }, metrics: ['sent_count'] },
      /^pagination\.sort must be one of sent_count/,
    ],
    ['a limit', { pagination: { limit: 1001 } }, /^pagination\.limit must be <= 1000/],
    [
      'an attribute',
      { filter: { AND: [{ attribute: 'subject', comparator: '=', values: [{ value: 'x' }] }] } },
      /^filter\.AND\[0\]\.attribute must be one of domain, tag/,
    ],
    [
      'a comparator',
      { filter: { AND: [{ attribute: 'tag', comparator: '~', values: [{ value: 'x' }] }] } },
      /^filter\.AND\[0\]\.comparator must be one of =, !=/,
    ],
    [
      'hours of domains of recipients',
      { resolution: 'hour', dimensions: ['recipient_domain'] },
      /^resolution must be day or month with recipient_domain/,
    ],
  ];
  for (const [what, body, message] of wrong)
    it(`refuses ${what} that it does not know`, async () => {
      const answer = await app.call(METRICS, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });
});

describe('POST /v1/analytics/usage/metrics', () => {
  it('counts what was used, and says what is not counted', async () => {
    const { db } = app.galley.outside;
    const hour = start(now, 3_600_000).toISOString();
    const day = start(now, 86_400_000).toISOString();
    const row = (id: string, [period, at]: string[], used: number) =>
      `('${id}', 'email_preview_success_count', '${period}', '${at}', ${used})`;
    await db.text(`
      insert into uses (account_id, metric, period, starts_at, used)
      values ${[row(accountId, ['hour', hour], 3), row(accountId, ['day', day], 5), row(subaccount, ['day', day], 2)]}
    `);
    const { status, body } = await app.call(USAGE, {
      body: {
        duration: '1d',
        dimensions: ['time', 'subaccount'],
        metrics: ['email_preview_count', 'processed_count', 'link_validation_count'],
        include_subaccounts: true,
        include_aggregates: true,
        pagination: { sort: 'processed_count:desc', limit: 2 },
      },
    });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(valuesOf(body), [
      [
        `${wire(new Date(day))} ${accountId}`,
        { email_preview_count: 5, processed_count: 6, link_validation_count: null },
      ],
      [
        `${wire(new Date(day))} ${subaccount}`,
        { email_preview_count: 2, processed_count: 1, link_validation_count: null },
      ],
    ]);
    assert.deepEqual(body.pagination, { sort: 'processed_count:desc', skip: 0, limit: 2, total: 4 });
    assert.deepEqual(body.aggregates, {
      metrics: { email_preview_count: 7, processed_count: 7, link_validation_count: null },
    });
    const end = wire(new Date(Date.parse(hour) + 3_600_000));
    const hours = { duration: '1h', resolution: 'hour', end, metrics: ['email_preview_count'] };
    assert.deepEqual(valuesOf((await app.call(USAGE, { body: hours })).body), [['', { email_preview_count: 3 }]]);
    const own = { headers: { 'X-Mailgun-On-Behalf-Of': subaccount }, body: { metrics: ['email_preview_count'] } };
    assert.deepEqual(valuesOf((await app.call(USAGE, own)).body), [['', { email_preview_count: 2 }]]);
  });

  it('needs no body, and has all names', async () => {
    const { status, body } = await app.call(USAGE);
    assert.equal(status, 200);
    assert.equal(Object.keys(body.items[0].metrics).length, 21);
    assert.equal(body.items[0].metrics.email_validation_count, 0);
    assert.equal(body.items[0].metrics.archived_count, null);
  });

  it('refuses what it does not know', async () => {
    const condition = { attribute: 'domain', comparator: '=', values: [{ value: DOMAIN }] };
    for (const [body, message] of [
      [{ metrics: ['sent_count'] }, /^metrics\[0\] must be one of processed_count/],
      [{ dimensions: ['domain'] }, /^dimensions\[0\] must be one of time, subaccount/],
      [{ filter: { AND: [condition] } }, /^filter\.AND\.attribute must be subaccount/],
    ] as const) {
      const answer = await app.call(USAGE, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    }
  });
});
