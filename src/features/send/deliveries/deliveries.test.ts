// From the queue to the events: what is captured, what sandbox recipients answer, and whose turn it is.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../platform/config/index.ts';
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { claimDeliveries } from '../messages/index.ts';

const DOMAIN = 'news.example.com';
const LETTER = { from: 'ann@news.example.com', subject: 'Hello', text: 'Hello' };

let app: App;
let accountId = '';
let sandbox = '';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('GET /v4/domains');
  sandbox = body.items.find(({ type }: { type: string }) => type === 'sandbox').name;
  const { rows } = await app.galley.outside.db.text('select id from accounts');
  accountId = (rows[0] as { id: string }).id;
});
after(() => app.close());

async function send(fields: Record<string, unknown>): Promise<string> {
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...LETTER, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

async function isEmpty(): Promise<boolean> {
  const { rows } = await app.galley.outside.db.text('select 1 from deliveries where due_at <= now() limit 1');
  return rows.length === 0;
}

/** All events of a recipient, oldest first, once the queue is empty. */
async function eventsOf(recipient: string, until: (events: LoggedEvent[]) => boolean): Promise<LoggedEvent[]> {
  for (;;) {
    app.clock.advance(3000);
    const { events } = await app.galley.outside.events.page({
      accountIds: [accountId],
      from: new Date(0),
      to: new Date(app.clock.now().getTime() + 1),
      where: { field: 'recipient', is: 'in', values: [recipient] },
      order: 'ascending',
      limit: 100,
    });
    if (until(events)) return events;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const shape = ({ event, severity, reason, code }: LoggedEvent) =>
  [event, severity, reason, code].filter((x) => x !== null);

const statusOf = ({ about }: LoggedEvent) => (about ?? {})['delivery-status'] as Record<string, unknown>;

describe('a message that is captured', () => {
  it('is delivered for each recipient, and the event says what that means', async () => {
    await send({ to: 'Bob@Example.NET' });
    const [accepted, delivered] = await eventsOf('bob@example.net', (events) => events.length >= 2);
    assert.deepEqual(shape(accepted!), ['accepted']);
    assert.deepEqual(shape(delivered!), ['delivered', 250]);
    assert.equal(delivered!.recipientDomain, 'example.net');
    const { 'first-delivery-attempt-seconds': _seconds, ...status } = statusOf(delivered!);
    assert.deepEqual(status, {
      code: 250,
      message: 'OK',
      description: 'Captured: it was kept on this machine, and did not leave it.',
      'attempt-no': 1,
    });
  });

  it('is a test when that is asked for, also for a sandbox recipient', async () => {
    await send({ to: `bounced@${sandbox}`, 'o:testmode': 'yes' });
    const events = await eventsOf(`bounced@${sandbox}`, (found) => found.length >= 2);
    assert.deepEqual(events.map(shape), [['accepted'], ['delivered', 250]]);
  });

  it('waits for its time', async () => {
    const at = Math.floor(app.clock.now().getTime() / 1000) + 3600;
    await send({ to: 'later@example.net', 'o:deliverytime': String(at) });
    assert.equal((await eventsOf('later@example.net', (events) => events.length > 0)).length, 1);
    app.clock.advance(3_600_000);
    assert.equal((await eventsOf('later@example.net', (events) => events.length > 1)).length, 2);
  });

  it('is delivered to a thousand recipients once each', async () => {
    const to = Array.from({ length: 1000 }, (_, place) => `r${place}@many.example`);
    await send({ to });
    await eventsOf('r999@many.example', (events) => events.length >= 2);
    while (!(await isEmpty())) await new Promise((resolve) => setTimeout(resolve, 20));
    app.clock.advance(3000);
    const counts = await app.galley.outside.events.aggregate({
      accountIds: [accountId],
      from: new Date(0),
      to: app.clock.now(),
      where: { field: 'recipientDomain', is: 'in', values: ['many.example'] },
    });
    assert.deepEqual(counts.map(({ event, count }) => [event, count]).sort(), [
      ['accepted', 1000],
      ['delivered', 1000],
    ]);
  });
});

describe('recipients of the sandbox domain', () => {
  const answers: [local: string, events: unknown[][]][] = [
    ['delivered', [['delivered', 250]]],
    ['bounced', [['failed', 'permanent', 'bounce', 550]]],
    ['bounced+552-5.2.2', [['failed', 'permanent', 'bounce', 552]]],
    ['complained', [['delivered', 250], ['complained']]],
    ['unsubscribed', [['delivered', 250], ['unsubscribed']]],
    ['opened', [['delivered', 250], ['opened']]],
    ['suppressed', [['failed', 'permanent', 'suppress-bounce', 605]]],
    ['somebody', [['delivered', 250]]],
  ];
  for (const [local, events] of answers)
    it(`${local}@ answers by its name`, async () => {
      await send({ to: `${local}@${sandbox}` });
      const found = await eventsOf(
        `${local}@${sandbox}`,
        (some) =>
          some
            .slice(-events.length)
            .map(({ event }) => event)
            .join() === events.map(([event]) => event).join(),
      );
      assert.deepEqual(found.slice(-events.length).map(shape), events);
    });

  it('deferred@ takes the message at the second try', async () => {
    await send({ to: `deferred+451-4.3.2@${sandbox}` });
    const [, failed] = await eventsOf(`deferred+451-4.3.2@${sandbox}`, (events) => events.length >= 2);
    assert.deepEqual(shape(failed!), ['failed', 'temporary', 'generic', 451]);
    assert.equal(statusOf(failed!)['retry-seconds'], 60);
    app.clock.advance(61_000);
    const events = await eventsOf(`deferred+451-4.3.2@${sandbox}`, (found) => found.length >= 3);
    assert.deepEqual(events.map(shape).at(-1), ['delivered', 250]);
    assert.equal(events.at(-1)?.attempt, 2);
  });

  it('are ordinary addresses for another account', async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
    const headers = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id };
    const own = (await app.call('GET /v4/domains', { headers })).body.items[0].name;
    const recipient = `bounced+another@${sandbox}`;
    const sent = await app.call(`POST /v3/${own}/messages`, { headers, body: { ...LETTER, to: recipient } });
    assert.equal(sent.status, 200);
    const [foreign] = [accountId];
    accountId = body.subaccount.id;
    const events = await eventsOf(recipient, (found) => found.length >= 2);
    accountId = foreign;
    assert.deepEqual(events.map(shape).at(-1), ['delivered', 250]);
  });
});

describe('the turn', () => {
  it('comes for an account at once, however much of another waits', async () => {
    const quiet = await startApp({ GALLEY_ROLES: 'api' });
    try {
      const { body } = await quiet.call('POST /v5/accounts/subaccounts?name=Small');
      const headers = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id };
      const [big] = (await quiet.call('GET /v4/domains')).body.items;
      const [small] = (await quiet.call('GET /v4/domains', { headers })).body.items;
      const to = Array.from({ length: 500 }, (_, place) => `r${place}@many.example`);
      await quiet.call(`POST /v3/${big.name}/messages`, { body: { ...LETTER, to } });
      await quiet.call(`POST /v3/${small.name}/messages`, { headers, body: { ...LETTER, to: 'one@few.example' } });
      const now = quiet.clock.now();
      const taking = { worker: 'test', now, takenUntil: new Date(now.getTime() + 60_000), limit: 20 };
      const claimed = await claimDeliveries(quiet.galley.outside.db, taking);
      const destinations = claimed.map(({ destination }) => destination);
      assert.ok(destinations.includes('few.example') && claimed.length <= 20, destinations.join());
      const again = await claimDeliveries(quiet.galley.outside.db, taking);
      const ids = new Set([...claimed, ...again].map(({ id }) => id));
      assert.equal(ids.size, claimed.length + again.length, 'one was taken twice');
    } finally {
      await quiet.close();
    }
  });
});

describe('GALLEY_DELIVERY', () => {
  it('captures by default', () => {
    assert.equal(readConfig({}).sending.delivery, 'capture');
    assert.deepEqual(readConfig({}).roles, ['api', 'work', 'mail', 'send']);
    assert.equal(readConfig({ GALLEY_DELIVERY: 'live' }).sending.delivery, 'live');
    assert.throws(() => readConfig({ GALLEY_DELIVERY: 'some' }), /give one of capture, live/);
  });
});
