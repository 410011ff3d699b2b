// The gate in the path of sending: what is sent at once, held, released, dropped and refused.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { watch } from './jobs.ts';

const DOMAIN = 'news.example.com';
const PATH = `/v1/galley/domains/${DOMAIN}/gate`;
const POLICY = { limits: { html_bytes_max: 300 } };
const GOOD = '<!doctype html><html lang="en"><title>Hello</title><p>Hello</p></html>';
const LONG = `${GOOD}<p>${'Long. '.repeat(100)}</p>`;
const WHY = 'limits.html_bytes_max is 300, and it is 678.';
const HOUR_MS = 3_600_000;

let app: App;
let other: Record<string, string>;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id as string };
});
after(() => app.close());

async function setMode(mode: string, more: Record<string, unknown> = {}): Promise<void> {
  const body = { mode, policy: POLICY, checks: ['code'], ...more };
  const answer = await app.call(`PUT ${PATH}`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
}

async function send(fields: Record<string, unknown>) {
  const body = { from: `Ann <ann@${DOMAIN}>`, to: 'bob@example.net', subject: 'Hello', ...fields };
  return app.call(`POST /v3/${DOMAIN}/messages`, { body });
}

/** Sends, and answers what the gate says of it when that is through. */
async function gated(fields: Record<string, unknown>) {
  const { status, body } = await send(fields);
  assert.equal(status, 200, JSON.stringify(body));
  await app.idle();
  return find(body.id);
}

async function find(id: string) {
  const { body } = await app.call('GET /v1/galley/gate/messages?limit=1000');
  return body.items.find((item: any) => item.message.id === id);
}

/** Events of a message, oldest first, when `count` of them are there. */
async function eventsOf(id: string, count: number): Promise<any[]> {
  for (;;) {
    app.clock.advance(3000);
    const { body } = await app.call(`GET /v3/${DOMAIN}/events?message-id=${id.slice(1, -1)}&ascending=yes`);
    if (body.items.length >= count) return body.items;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const kinds = (events: any[]): string[] => events.map(({ event }) => event);

const runWatch = () =>
  watch.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });

async function countGates(): Promise<number> {
  return (await app.call('GET /v1/inspect/gate?limit=1')).body.meta.count;
}

describe('the gate of a domain', () => {
  it('is off', async () => {
    const { status, body } = await app.call(`GET ${PATH}`);
    assert.deepEqual([status, body], [200, { domain: DOMAIN, mode: 'off', policy: null, checks: null }]);
    const { body: sent } = await send({ html: LONG });
    assert.deepEqual(kinds(await eventsOf(sent.id, 2)), ['accepted', 'delivered']);
    assert.equal((await app.call('GET /v1/galley/gate/messages')).body.meta.count, 0);
    assert.equal(await countGates(), 0);
  });

  it('is set, and belongs to its account', async () => {
    const body = { mode: 'hold', policy: POLICY, checks: ['code', 'code'] };
    const answer = await app.call(`PUT ${PATH}`, { body });
    assert.deepEqual(
      [answer.status, answer.body],
      [200, { domain: DOMAIN, mode: 'hold', policy: POLICY, checks: ['code'] }],
    );
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, answer.body);
    for (const method of ['GET', 'PUT']) {
      const strange = await app.call(`${method} ${PATH}`, {
        headers: other,
        ...(method === 'PUT' && { body: { mode: 'off' } }),
      });
      assert.deepEqual([strange.status, strange.body], [404, { message: 'Domain not found' }]);
    }
  });

  const WRONG: [string, Record<string, unknown>, RegExp][] = [
    ['a mode that there is not', { mode: 'maybe' }, /mode.*off.*warn.*hold.*refuse/],
    ['no mode', {}, /mode/],
    ['a policy that is none', { mode: 'warn', policy: { fail_on: 'sometimes' } }, /policy\.fail_on/],
    ['a check that needs a baseline', { mode: 'warn', checks: ['screenshots'] }, /checks/],
  ];
  for (const [what, body, message] of WRONG)
    it(`is not set by ${what}`, async () => {
      const answer = await app.call(`PUT ${PATH}`, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });
});

describe('a gate that warns', () => {
  it('lets a message go, and writes the verdict beside it', async () => {
    await setMode('warn');
    const found = await gated({ html: LONG, subject: 'Warned' });
    const { message, verdict, created_at: at, ...rest } = found;
    assert.deepEqual(rest, {
      domain: DOMAIN,
      mode: 'warn',
      state: 'sent',
      reason: `It was sent although it failed the gate. ${WHY}`,
      recipients: 1,
      waiting: 0,
      size_bytes: rest.size_bytes,
      held_until: null,
      decided_at: null,
      decided_by: null,
    });
    assert.deepEqual([verdict.state, verdict.reasons], ['fail', [WHY]]);
    assert.ok(Date.parse(at) > 0);
    assert.deepEqual([message.subject, message.from], ['Warned', `Ann <ann@${DOMAIN}>`]);
    assert.deepEqual(kinds(await eventsOf(message.id, 2)), ['accepted', 'delivered']);
    const report = await app.call(`GET /v1/inspect/gate/${verdict.gate_id}`);
    assert.deepEqual([report.body.items.verdict, report.body.items.name], ['fail', 'Warned']);
  });

  it('names the rules that failed', async () => {
    await setMode('warn', { policy: { fail_on: 'info' } });
    const { verdict } = await gated({ html: `${GOOD}<p style="display:flex">Hello</p>`, subject: 'Rules' });
    assert.equal(verdict.state, 'fail');
    assert.match(verdict.reasons.at(-1), /^Rules that failed: code\/[\w/, -]+\.$/);
  });

  it('is looked at for one message, and not by another account', async () => {
    const { body } = await app.call('GET /v1/galley/gate/messages?limit=1');
    const { storage_key: key } = body.items[0].message;
    assert.deepEqual((await app.call(`GET /v1/galley/gate/messages/${key}`)).body, body.items[0]);
    const none = { message: 'No message that the gate looked at has this storage key.' };
    for (const operation of ['GET', 'POST release', 'POST drop']) {
      const [method, verb] = operation.split(' ');
      const path = `${method} /v1/galley/gate/messages/${key}${verb === undefined ? '' : `/${verb}`}`;
      const answer = await app.call(path, { headers: other });
      assert.deepEqual([answer.status, answer.body], [404, none]);
    }
    assert.equal((await app.call('GET /v1/galley/gate/messages', { headers: other })).body.meta.count, 0);
  });
});

describe('a gate that holds', () => {
  before(() => setMode('hold'));

  it('lets go what passes', async () => {
    const { state, reason, verdict, waiting, message } = await gated({ html: GOOD });
    assert.deepEqual(
      [state, reason, verdict.state, waiting],
      ['passed', 'It waited for the gate and passed.', 'pass', 0],
    );
    assert.deepEqual(kinds(await eventsOf(message.id, 2)), ['accepted', 'delivered']);
  });

  it('judges a content once, whoever it is for', async () => {
    const before = await countGates();
    const html = GOOD.replace('<p>', '<p>%recipient.name% ');
    const all = Array.from({ length: 5 }, (_, n) =>
      send({
        html,
        to: [`ann${n}@example.net`, `bob${n}@example.net`],
        'recipient-variables': JSON.stringify({ [`ann${n}@example.net`]: { name: 'Ann' } }),
      }),
    );
    for (const { status } of await Promise.all(all)) assert.equal(status, 200);
    await app.idle();
    assert.equal(await countGates(), before + 1);
    const again = await gated({ html, to: 'cy@example.net' });
    assert.deepEqual([again.state, again.reason], ['sent', 'It passed the gate.']);
    assert.equal(await countGates(), before + 1);
    app.clock.advance(25 * HOUR_MS);
    const variables = JSON.stringify({ 'cy@example.net': { name: 'Cy' } });
    const later = await gated({ html, to: 'cy@example.net', 'recipient-variables': variables });
    assert.deepEqual([later.state, later.reason], ['passed', 'It waited for the gate and passed.']);
    assert.equal(await countGates(), before + 2);
  });

  it('holds what fails, says so in the queue, and lets it go when a person releases it', async () => {
    const held = await gated({ html: LONG, to: ['bob@example.net', 'cy@example.net'], subject: 'Held' });
    const { storage_key: key, id } = held.message;
    const why = `The gate of ${DOMAIN} holds it. ${WHY}`;
    assert.deepEqual([held.state, held.reason, held.waiting], ['held', why, 2]);
    assert.equal(Date.parse(held.held_until) - Date.parse(held.created_at), 48 * HOUR_MS);
    const { body: queue } = await app.call(`GET /v1/galley/queue/deliveries?message=${key}`);
    const [first, second] = queue.items;
    assert.deepEqual([first.state, first.reason, first.held_until], ['held', why, held.held_until]);
    assert.equal(second.state, 'held');
    const { destinations } = (await app.call('GET /v1/galley/queue')).body;
    assert.deepEqual(
      destinations.map(({ destination, waiting, due, held: count, reason }: any) => [
        destination,
        waiting,
        due,
        count,
        reason,
      ]),
      [['example.net', 2, 0, 2, 'They are held until somebody releases them.']],
    );
    app.clock.advance(10 * HOUR_MS);
    await app.idle();
    assert.deepEqual(kinds(await eventsOf(id, 2)), ['accepted', 'accepted']);
    const both = await Promise.all([1, 2].map(() => app.call(`POST /v1/galley/gate/messages/${key}/release`)));
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 409]);
    const done = both.find(({ status }) => status === 200);
    assert.deepEqual(done?.body, { message: 'Released for 2 recipients.', recipients: 2 });
    const late = both.find(({ status }) => status === 409);
    assert.match(late?.body.message, /^This message was released already by key [\w-]+\.$/);
    assert.deepEqual(kinds(await eventsOf(id, 4)), ['accepted', 'accepted', 'delivered', 'delivered']);
    const { state, waiting, decided_by: by } = await find(id);
    assert.deepEqual([state, waiting], ['released', 0]);
    assert.match(by, /^key /);
    const { items } = (await app.call('GET /v1/galley/gate/messages?state=released')).body;
    assert.deepEqual(
      items.map(({ message }: any) => message.id),
      [id],
    );
  });

  it('drops what a person drops', async () => {
    const { message } = await gated({ html: LONG, subject: 'Dropped' });
    const path = `/v1/galley/gate/messages/${message.storage_key}`;
    const dropped = await app.call(`POST ${path}/drop`);
    assert.deepEqual([dropped.status, dropped.body], [200, { message: 'Dropped for 1 recipient.', recipients: 1 }]);
    const [, rejected] = await eventsOf(message.id, 2);
    assert.deepEqual(
      [rejected.event, rejected.reason ?? rejected.reject.reason, rejected.reject.description],
      ['rejected', 'gate', 'It was held by the gate, and dropped.'],
    );
    const again = await app.call(`POST ${path}/release`);
    assert.equal(again.status, 409);
    assert.match(again.body.message, /^This message was dropped already by key/);
  });

  it('holds nothing of what is canceled in the queue', async () => {
    const { message } = await gated({ html: LONG, subject: 'Canceled' });
    assert.equal((await app.call(`DELETE /v1/galley/queue/messages/${message.storage_key}`)).status, 200);
    await runWatch();
    const found = await find(message.id);
    assert.deepEqual([found.state, found.waiting], ['dropped', 0]);
  });

  it('drops what nobody decides on in 48 hours', async () => {
    const { message } = await gated({ html: LONG, subject: 'Forgotten' });
    app.clock.advance(48 * HOUR_MS);
    await runWatch();
    const [, rejected] = await eventsOf(message.id, 2);
    assert.equal(rejected.reject.description, 'The gate held it for 48 hours, and nobody released it.');
    assert.equal((await find(message.id)).state, 'expired');
  });

  it('holds the time that its sender chose', async () => {
    const at = Math.floor(app.clock.now().getTime() / 1000) + 7200;
    const { message, state } = await gated({ html: GOOD.replace('Hello', 'Later'), 'o:deliverytime': String(at) });
    assert.equal(state, 'passed');
    const { body } = await app.call(`GET /v1/galley/queue/deliveries?message=${message.storage_key}`);
    assert.deepEqual([body.items[0].state, Date.parse(body.items[0].next_attempt_at)], ['scheduled', at * 1000]);
  });

  it('is told when its gate is deleted', async () => {
    const { body } = await app.call('GET /v1/galley/gate/messages?limit=1');
    const { gate_id: id } = body.items[0].verdict;
    assert.equal((await app.call(`DELETE /v1/inspect/gate/${id}`)).status, 200);
    const { verdict } = (await app.call(`GET /v1/galley/gate/messages/${body.items[0].message.storage_key}`)).body;
    assert.equal(verdict.state, 'pass');
  });
});

describe('a gate that refuses', () => {
  before(() => setMode('refuse'));

  it('rejects what it does not know yet, and then answers the sender', async () => {
    const html = LONG.replace('Long', 'Bad.');
    const { message, state, reason } = await gated({ html, subject: 'Refused' });
    assert.deepEqual([state, reason], ['refused', `The gate of ${DOMAIN} refused it. ${WHY}`]);
    const [, rejected] = await eventsOf(message.id, 2);
    assert.deepEqual([rejected.event, rejected.reject.description], ['rejected', `The gate refused it. ${WHY}`]);
    const known = await send({ html, subject: 'Refused', to: 'dee@example.net' });
    assert.deepEqual(
      [known.status, known.body],
      [403, { message: `The gate of ${DOMAIN} refuses this message. ${WHY}` }],
    );
    const good = await gated({ html: GOOD.replace('Hello', 'Fine') });
    assert.equal(good.state, 'passed');
  });
});

describe('what the gate may hold of an account', () => {
  it('has a bound', async () => {
    await setMode('hold');
    const { message } = await gated({ html: LONG, subject: 'The last' });
    // As if there were a thousand.
    await app.galley.outside.db.text(
      `update message_gates set size_bytes = 1073741824 where state = 'held' and message_id =
        (select id from sent_messages where key = $1)`,
      [message.storage_key],
    );
    const { status, body } = await send({ html: LONG, subject: 'One more' });
    assert.equal(status, 429);
    assert.match(body.message, /^The gate holds \d+ messages of this account, \d+ MB; at most 1000 and 1 GB wait\./);
    assert.equal((await app.call(`POST /v1/galley/gate/messages/${message.storage_key}/drop`)).status, 200);
    assert.equal((await gated({ html: LONG, subject: 'One more' })).state, 'held');
  });
});
