// The circuit breaker through the front door: a batch leaves for its first recipients, and goes on or is held by what
// the servers say to these.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DOMAIN, liveBed } from './live.fixture.ts';

const SAMPLE = 20;
const bed = liveBed({
  // Who is nobody is refused, who is busy is deferred.
  answer: (verb, text) =>
    verb !== 'RCPT'
      ? undefined
      : /nobody/.test(text)
        ? '550 5.1.1 No such user'
        : /busy/.test(text)
          ? '451 4.3.2 Later'
          : undefined,
  async prepare() {
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts?name=Other');
    other = { headers: { 'x-mailgun-on-behalf-of': body.subaccount.id } };
    await put({ mode: 'on', sample: SAMPLE, bounced_max: 10, deferred_max: 50 });
  },
});
let other: { headers: Record<string, string> };

const PATH = `/v1/galley/domains/${DOMAIN}/breaker`;
const put = (body: object) => bed.app.call(`PUT ${PATH}`, { body });
const batches = async (query = ''): Promise<any> => (await bed.app.call(`GET /v1/galley/batches${query}`)).body;
const people = (name: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) => `${name}${place}@example.net`);

/** The batch of that name, when it is in this state and nothing of it is on its way. */
async function batchIn(state: string, name?: string): Promise<any> {
  for (const end = Date.now() + 90_000; ;) {
    const { items } = await batches();
    const found = items.find((item: any) => name === undefined || item.name === name);
    const { rows } = await bed.app.galley.outside.db.text(
      'select 1 from deliveries where is_taken or (due_at <= $1 and not is_stopped and not is_held) limit 1',
      [bed.app.clock.now()],
    );
    if (found?.state === state && rows.length === 0) return found;
    assert.ok(Date.now() < end, JSON.stringify(found));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function countOf(event: string, tag: string): Promise<number> {
  bed.app.clock.advance(3000);
  const begin = String(Math.floor(bed.app.clock.now().getTime() / 1000) - 80_000);
  const query = new URLSearchParams({ begin, ascending: 'yes', limit: '300', event, tags: tag });
  return (await bed.app.call(`GET /v3/${DOMAIN}/events?${query}`)).body.items.length;
}

/** Until nothing waits for a batch. */
async function settled(): Promise<void> {
  for (const end = Date.now() + 90_000; ;) {
    const { items } = await batches();
    if (items.every(({ waiting, state }: any) => waiting === 0 && state !== 'sampling')) return;
    assert.ok(Date.now() < end, JSON.stringify(items));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('the breaker of a domain', () => {
  it('is off with stated limits until it is set, and another account sees none of it', async () => {
    await bed.verify('new.example.com');
    const { body } = await bed.app.call('GET /v1/galley/domains/new.example.com/breaker');
    assert.deepEqual(body, { domain: 'new.example.com', mode: 'off', sample: 200, bounced_max: 10, deferred_max: 50 });
    const set = { domain: DOMAIN, mode: 'on', sample: SAMPLE, bounced_max: 10, deferred_max: 50 };
    assert.deepEqual((await bed.app.call(`GET ${PATH}`)).body, set);
    for (const operation of [`GET ${PATH}`, `PUT ${PATH}`]) {
      const answer = await bed.app.call(operation, { ...other, ...(operation.startsWith('PUT') && { body: set }) });
      assert.equal(answer.status, 404, JSON.stringify(answer.body));
    }
  });

  const wrongs: [body: object, message: string][] = [
    [{ mode: 'perhaps' }, 'mode must be one of off, on.'],
    [{}, 'mode is required.'],
    [{ mode: 'on', sample: 9 }, 'sample must be >= 10.'],
    [{ mode: 'on', sample: 1001 }, 'sample must be <= 1000.'],
    [{ mode: 'on', bounced_max: 101 }, 'bounced_max must be <= 100.'],
    [{ mode: 'on', deferred_max: -1 }, 'deferred_max must be >= 0.'],
  ];
  for (const [body, message] of wrongs)
    it(`refuses ${JSON.stringify(body)}`, async () => {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });
});

describe('a batch', () => {
  it('goes on when its first deliveries go well', async () => {
    const to = people('well', 50);
    await bed.send({ to, 'o:tag': 'spring' });
    const found = await batchIn('passed', 'spring');
    await settled();
    await batchIn('passed', 'spring');
    const { id, reason, started_at, decided_at, sample, ...about } = found;
    assert.match(id, /^\d+$/);
    assert.match(reason, /^The tag “spring” went on\. Of its first \d+ deliveries 0 \(0 %\) bounced/);
    assert.ok(started_at <= decided_at);
    assert.ok(sample.delivered >= 18 && sample.sampled === SAMPLE, JSON.stringify(sample));
    assert.deepEqual(
      { ...about, waiting: 0 },
      {
        domain: DOMAIN,
        kind: 'tag',
        name: 'spring',
        state: 'passed',
        messages: 1,
        recipients: 50,
        waiting: 0,
        held_at: null,
        held_until: null,
        decided_by: null,
      },
    );
    assert.equal(await countOf('delivered', 'spring'), 50);
    // What joins it later does not wait.
    await bed.send({ to: people('later', 30), 'o:tag': 'Spring' });
    await batchIn('passed', 'spring');
    assert.equal(await countOf('delivered', 'spring'), 80);
    assert.equal((await batches()).meta.count, 1);
  });

  it('is held when they bounce, exactly behind its sample, and says so everywhere', async () => {
    await bed.app.call('POST /v1/alerts/settings/events', {
      body: { event_type: 'batch_held', channel: 'email', settings: { emails: ['ann@example.com'] } },
    });
    const ids = [
      await bed.send({ to: people('nobodyA', 15), 'o:tag': 'bad' }),
      await bed.send({ to: people('nobodyB', 15), 'o:tag': 'bad' }),
      await bed.send({ to: people('fine', 30), 'o:tag': 'bad' }),
    ];
    const { id, reason, sample, ...about } = await batchIn('held', 'bad');
    assert.ok(sample.bounced >= 3 && sample.bounced <= SAMPLE && sample.delivered === 0, JSON.stringify(sample));
    assert.match(
      reason,
      /^The tag “bad” is held\. Of its first (\d+) deliveries \1 \(100 %\) bounced and 0 \(0 %\) were/,
    );
    assert.equal(about.recipients, 60);
    assert.equal(new Date(about.held_until).getTime() - new Date(about.held_at).getTime(), 48 * 3_600_000);
    const failed = await countOf('failed', 'bad');
    assert.ok(failed >= sample.bounced && failed <= SAMPLE, `${failed} were tried`);
    assert.equal(about.waiting, 60 - failed);
    assert.equal(await countOf('delivered', 'bad'), 0);
    // The queue and the timeline say why.
    const { body: queue } = await bed.app.call('GET /v1/galley/queue/deliveries?recipient=fine0');
    assert.deepEqual([queue.items[0].state, queue.items[0].reason], ['held', reason]);
    const { body: line } = await bed.app.call(
      `GET /v1/galley/messages/${queue.items[0].message.storage_key}/timeline?recipient=fine0`,
    );
    const { state, reason: why, until } = line.items[0].waiting;
    assert.deepEqual([state, why, until], ['held', reason, about.held_until]);
    assert.equal(queue.items[0].message.id, ids[2]);
    await bed.app.idle();
    const { items } = (await bed.app.call('GET /v1/galley/alerts')).body;
    assert.equal(items[0].message, `A batch of ${DOMAIN} is held. ${reason}`);
    // Another account neither sees nor decides it.
    for (const operation of [`GET /v1/galley/batches/${id}`, `POST /v1/galley/batches/${id}/release`]) {
      const answer = await bed.app.call(operation, other);
      assert.deepEqual([answer.status, answer.body], [404, { message: 'This account has no batch with this id.' }]);
    }
    assert.equal((await bed.app.call('GET /v1/galley/batches', other)).body.meta.count, 0);
    // What joins it while it is held waits, too.
    await bed.send({ to: people('joined', 2), 'o:tag': 'bad' });
    assert.deepEqual(
      (await batches('?state=held')).items.map(({ recipients }: any) => recipients),
      [62],
    );
  });

  it('is released once, and delivered', async () => {
    const [{ id, waiting }] = (await batches('?state=waiting')).items;
    const presses = await Promise.all(
      Array.from({ length: 4 }, () => bed.app.call(`POST /v1/galley/batches/${id}/release`)),
    );
    assert.deepEqual(presses.map(({ status }) => status).sort(), [200, 409, 409, 409]);
    const done = presses.find(({ status }) => status === 200)!;
    assert.deepEqual(done.body, { message: `Released for ${waiting} recipients.`, recipients: waiting });
    assert.match(presses.find(({ status }) => status === 409)!.body.message, /^This batch was released already by /);
    await settled();
    await batchIn('released', 'bad');
    assert.equal(await countOf('delivered', 'bad'), 32);
    assert.equal(await countOf('failed', 'bad'), 30);
    const dropped = await bed.app.call(`POST /v1/galley/batches/${id}/drop`);
    assert.equal(dropped.status, 409);
  });

  it('is held when too many are deferred, and dropped', async () => {
    await bed.send({ to: [...people('busy', 15), ...people('calm', 25)], 'o:campaign': 'autumn', 'o:tag': 'x' });
    const { id, kind, sample } = await batchIn('held', 'autumn');
    assert.equal(kind, 'campaign');
    assert.ok(sample.deferred >= 11, JSON.stringify(sample));
    // What was deferred while it was held is stopped within a minute, too.
    const delivered = await countOf('delivered', 'x');
    assert.equal((await bed.app.call(`POST /v1/galley/batches/${id}/drop`)).status, 200);
    await settled();
    const { state, reason } = await batchIn('dropped', 'autumn');
    assert.equal(state, 'dropped');
    assert.match(reason, /^The campaign “autumn” was dropped by /);
    assert.equal(await countOf('rejected', 'x'), 40 - delivered);
    bed.app.clock.advance(3000);
    const query = new URLSearchParams({ event: 'rejected', recipient: 'calm24@example.net', limit: '1' });
    const [rejected] = (await bed.app.call(`GET /v3/${DOMAIN}/events?${query}`)).body.items;
    assert.deepEqual(rejected.reject, { reason: 'batch', description: 'Its batch was held, and dropped.' });
    // The next of this name is another batch.
    await bed.send({ to: people('again', 3), 'o:campaign': 'autumn' });
    const { items } = await batches();
    assert.deepEqual([items[0].name, items[0].state, items[0].recipients], ['autumn', 'sampling', 3]);
    assert.ok(items[0].id !== id);
  });

  it('is a call by itself where nothing names it, and is dropped after 48 hours', async () => {
    await bed.send({ to: people('nobodyC', 30) });
    const { id, kind } = await batchIn('held');
    assert.equal(kind, 'message');
    bed.app.clock.advance(48 * 3_600_000 + 1000);
    for (const end = Date.now() + 90_000; ;) {
      await bed.app.idle();
      const { body } = await bed.app.call(`GET /v1/galley/batches/${id}`);
      if (body.state === 'expired' && body.waiting === 0) break;
      assert.ok(Date.now() < end, JSON.stringify(body));
      bed.app.clock.advance(61_000);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  });

  it('is none of small calls without a name, of messages that somebody waits for, and of tests', async () => {
    const { meta } = await batches();
    await bed.send({ to: people('small', SAMPLE) });
    await bed.send({ to: people('reset', 30), 'o:tag': 'reset', 'o:transactional': 'yes' });
    await bed.send({ to: people('test', 30), 'o:tag': 'test', 'o:testmode': 'yes' });
    await put({ mode: 'off' });
    await bed.send({ to: people('off', 30), 'o:tag': 'off' });
    await put({ mode: 'on', sample: SAMPLE });
    assert.equal((await batches()).meta.count, meta.count);
    const { status, body } = await bed.app.call(`POST /v3/${DOMAIN}/messages`, {
      body: { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hi', text: 'Hi', 'o:transactional': 'maybe' },
    });
    assert.deepEqual([status, body], [400, { message: 'o:transactional must be one of yes, no, true, false.' }]);
  });

  it('is listed by pages, by state and by domain', async () => {
    const { items, meta, paging } = await batches('?limit=1&state=released');
    assert.deepEqual([items.length, meta.count, items[0].name], [1, 1, 'bad']);
    assert.match(paging.first, /\/v1\/galley\/batches\?state=released&limit=1&skip=0$/);
    assert.equal((await batches('?domain=NEW.example.com')).meta.count, 0);
    for (const [query, message] of [
      ['state=odd', 'state must be one of waiting, sampling, passed, held, released, dropped, expired.'],
      ['limit=0', 'limit must be >= 1.'],
    ]) {
      const { status, body } = await bed.app.call(`GET /v1/galley/batches?${query}`);
      assert.deepEqual([status, body], [400, { message }]);
    }
    assert.equal((await bed.app.call('GET /v1/galley/batches/none')).status, 404);
  });
});
