// What waits, for whom, why and until when; and what people do about it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const LETTER = { from: 'Ann <ann@news.example.com>', subject: 'Hello', text: 'Hello' };
const DAY_MS = 86_400_000;

async function openApp(roles: string) {
  const app = await startApp({ GALLEY_ROLES: roles });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  const other = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id as string };
  return { app, other };
}

async function send(app: App, fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...LETTER, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

const waiting = (app: App, query = '', headers = {}) =>
  app.call(`GET /v1/galley/queue/deliveries${query}`, { headers });

describe('a queue that nobody empties', () => {
  let app: App;
  let other: Record<string, string>;
  let first = '';
  let scheduledFor = new Date(0);
  before(async () => {
    ({ app, other } = await openApp('api'));
    first = await send(app, { to: ['bob@Example.NET', 'cy@example.net'], subject: 'First <b>' });
    scheduledFor = new Date(Math.floor(app.clock.now().getTime() / 1000 + 3600) * 1000);
    await send(app, { to: 'later@example.org', 'o:deliverytime': String(scheduledFor.getTime() / 1000) });
  });
  after(() => app.close());

  it('is empty to another account', async () => {
    assert.deepEqual((await app.call('GET /v1/galley/queue', { headers: other })).body, {
      delivery: 'capture',
      waiting: 0,
      is_bound: false,
      in_delivery: 0,
      destinations: [],
    });
    const { body } = await waiting(app, '', other);
    assert.deepEqual([body.meta, body.items], [{ count: 0, is_bound: false }, []]);
  });

  it('is counted by destination, with why and until when', async () => {
    const { body } = await app.call('GET /v1/galley/queue');
    const [net] = body.destinations;
    const nextAt = new Date(net.next_attempt_at);
    assert.ok(Math.abs(nextAt.getTime() - app.clock.now().getTime()) < 60_000);
    assert.deepEqual(body, {
      delivery: 'capture',
      waiting: 3,
      is_bound: false,
      in_delivery: 0,
      destinations: [
        {
          destination: 'example.net',
          waiting: 2,
          due: 2,
          held: 0,
          next_attempt_at: nextAt.toISOString(),
          give_up_at: new Date(nextAt.getTime() + 3 * DAY_MS).toISOString(),
          reason: 'They wait for their turn.',
        },
        {
          destination: 'example.org',
          waiting: 1,
          due: 0,
          held: 0,
          next_attempt_at: scheduledFor.toISOString(),
          give_up_at: new Date(scheduledFor.getTime() + 3 * DAY_MS).toISOString(),
          reason: 'They are scheduled: their senders chose the time.',
        },
      ],
    });
    const none = await app.call('GET /v1/galley/queue?domain=other.example.com');
    assert.deepEqual([none.body.waiting, none.body.destinations], [0, []]);
  });

  it('is listed delivery by delivery', async () => {
    const { body } = await waiting(app);
    assert.deepEqual(body.meta, { count: 3, is_bound: false });
    assert.deepEqual(
      body.items.map(({ recipient, state, reason }: any) => [recipient, state, reason]),
      [
        ['bob@Example.NET', 'due', 'It waits for its turn.'],
        ['cy@example.net', 'due', 'It waits for its turn.'],
        [
          'later@example.org',
          'scheduled',
          'It is scheduled: its sender chose the time, or asked for the hour in which the recipient reads.',
        ],
      ],
    );
    const [{ id, next_attempt_at: at, message, ...item }] = body.items;
    assert.match(id, /^\d+$/);
    assert.deepEqual(item, {
      recipient: 'bob@Example.NET',
      destination: 'example.net',
      domain: DOMAIN,
      state: 'due',
      reason: 'It waits for its turn.',
      attempts: 0,
      give_up_at: new Date(new Date(at).getTime() + 3 * DAY_MS).toISOString(),
      'delivery-mode': 'capture',
    });
    const { storage_key: key, ...about } = message;
    assert.match(key, /^[\w-]{10,}$/);
    assert.deepEqual(about, { id: first, subject: 'First <b>', from: 'Ann <ann@news.example.com>' });
  });

  it('is paged', async () => {
    const { body } = await waiting(app, '?limit=2&destination=EXAMPLE.net&skip=1');
    assert.deepEqual([body.items.length, body.meta.count], [1, 2]);
    assert.deepEqual(body.paging, {
      first: `${app.url}/v1/galley/queue/deliveries?destination=EXAMPLE.net&limit=2&skip=0`,
      last: `${app.url}/v1/galley/queue/deliveries?destination=EXAMPLE.net&limit=2&skip=0`,
      previous: `${app.url}/v1/galley/queue/deliveries?destination=EXAMPLE.net&limit=2&skip=0`,
    });
  });

  const conditions: [query: string, recipients: string[]][] = [
    [`domain=${DOMAIN.toUpperCase()}&recipient=BOB`, ['bob@Example.NET']],
    ['recipient=%25', []],
    ['recipient=_', []],
    ['domain=other.example.com', []],
    ['destination=example.org', ['later@example.org']],
    ['message=<id>', ['bob@Example.NET', 'cy@example.net']],
    ['message=id', ['bob@Example.NET', 'cy@example.net']],
    ['message=nobody', []],
  ];
  for (const [query, recipients] of conditions)
    it(`finds ${recipients.join(' and ') || 'nothing'} by ${query}`, async () => {
      const named = query
        .replace('<id>', encodeURIComponent(first))
        .replace(/=id$/, `=${encodeURIComponent(first.slice(1, -1))}`);
      const { body } = await waiting(app, `?${named}`);
      assert.deepEqual(
        body.items.map(({ recipient }: any) => recipient),
        recipients,
      );
      assert.equal(body.meta.count, recipients.length);
    });

  const refusals: [query: string, message: string][] = [
    ['limit=0', 'limit must be >= 1.'],
    ['limit=1001', 'limit must be <= 1000.'],
    ['skip=-1', 'skip must be >= 0.'],
    ['skip=x', 'skip must be integer.'],
  ];
  for (const [query, message] of refusals)
    it(`refuses ${query}`, async () => {
      const { status, body } = await waiting(app, `?${query}`);
      assert.deepEqual([status, body], [400, { message }]);
    });

  it('is not canceled or tried by another account, nor by a key that only sends', async () => {
    const [{ message }] = (await waiting(app)).body.items;
    const path = `/v1/galley/queue/messages/${message.storage_key}`;
    for (const operation of [`DELETE ${path}`, `POST ${path}/attempts`]) {
      const { status, body } = await app.call(operation, { headers: other });
      assert.deepEqual([status, body], [404, { message: 'Message not found' }]);
    }
    const made = await app.call('POST /v1/keys', { body: { role: 'sending', domain_name: DOMAIN } });
    assert.equal((await app.call(`DELETE ${path}`, { key: made.body.key.secret })).status, 403);
    assert.equal((await waiting(app)).body.meta.count, 3);
  });

  it('loses what is canceled, and an event says so for each recipient', async () => {
    const { storage_key: key } = (await waiting(app)).body.items[0].message;
    const canceled = await app.call(`DELETE /v1/galley/queue/messages/${key}`);
    assert.deepEqual([canceled.status, canceled.body], [200, { message: 'Canceled for 2 recipients.', canceled: 2 }]);
    const again = await app.call(`DELETE /v1/galley/queue/messages/${key}`);
    assert.deepEqual(again.body, { message: 'Nothing of this message was waiting.', canceled: 0 });
    assert.deepEqual(
      (await waiting(app)).body.items.map(({ recipient }: any) => recipient),
      ['later@example.org'],
    );
    app.clock.advance(3000);
    const { body } = await app.call('POST /v1/analytics/logs', { body: { events: ['rejected'] } });
    assert.deepEqual(
      body.items
        .map(({ event, recipient, reject, 'log-level': level }: any) => [event, recipient, reject, level])
        .sort(),
      ['bob@example.net', 'cy@example.net'].map((recipient) => [
        'rejected',
        recipient,
        { reason: 'canceled', description: 'It was canceled while it waited in the queue.' },
        'warn',
      ]),
    );
  });

  it('keeps what is scheduled waiting for its time', async () => {
    const { storage_key: key } = (await waiting(app)).body.items[0].message;
    const { body } = await app.call(`POST /v1/galley/queue/messages/${key}/attempts`);
    assert.deepEqual(body, { message: 'Nothing of this message was waiting for another attempt.', moved: 0 });
    assert.equal((await waiting(app)).body.items[0].next_attempt_at, scheduledFor.toISOString());
  });
});

describe('a delivery that was deferred', () => {
  let app: App;
  let recipient = '';
  before(async () => {
    ({ app } = await openApp('api,send'));
    const { body } = await app.call('GET /v4/domains');
    recipient = `deferred@${body.items.find(({ type }: any) => type === 'sandbox').name}`;
    await send(app, { to: recipient });
  });
  after(() => app.close());

  async function until(isDone: (item: any) => boolean): Promise<any> {
    for (;;) {
      const [item] = (await waiting(app)).body.items;
      if (item && isDone(item)) return item;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('says what the receiver said and when it is tried again, and is tried now when that is asked for', async () => {
    const item = await until(({ attempts }) => attempts === 1);
    const { last_attempt: last, reason, next_attempt_at: next } = item;
    assert.deepEqual([item.state, item.recipient], ['deferred', recipient]);
    assert.equal(typeof last.message, 'string');
    assert.equal(reason, `${item.destination} answered “${last.message}”. It is tried again.`);
    assert.ok(new Date(next) > app.clock.now());
    const { body } = await app.call('GET /v1/galley/queue');
    assert.deepEqual(body.destinations, [
      {
        destination: item.destination,
        waiting: 1,
        due: 0,
        held: 0,
        next_attempt_at: next,
        give_up_at: item.give_up_at,
        reason,
        last_attempt: last,
      },
    ]);
    const tried = await app.call(`POST /v1/galley/queue/messages/${item.message.storage_key}/attempts`);
    assert.deepEqual(tried.body, { message: 'Tried now for 1 recipient.', moved: 1 });
    // The sandbox recipient takes it the second time.
    while ((await waiting(app)).body.meta.count > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
