// The timeline of a message: what happened for each recipient, what was said to servers, why it waits.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { startMailServer } from '../../../../test/harness/mail-server.ts';
import { startApp } from '../../../../test/harness/start-app.ts';
import { expire } from './jobs.ts';
import { DOMAIN, liveBed } from './live.fixture.ts';

const asked = new Map<string, number>();

/** Receivers that say later once, or for ever. */
const bed = liveBed({
  settings: { GALLEY_SMTP_HELO: 'out.example.com' },
  answer: (verb, line) => {
    if (verb !== 'RCPT') return undefined;
    const local = (/<([^@>]*)/.exec(line)?.[1] ?? '').toLowerCase();
    const times = (asked.get(local) ?? 0) + 1;
    asked.set(local, times);
    if (local.startsWith('later') && times === 1) return '451 4.7.1 Greylisted';
    if (local.startsWith('never')) return '450-4.2.1 Later\r\n450 4.2.1 please';
    if (local.startsWith('unknown')) return '550 5.1.1 No such user';
    if (local.startsWith('odd')) return '451 4.7.1 N\u0000o\u0007 \u009b31m';
    return undefined;
  },
});

const pathOf = (id: string, query = '') => `GET /v1/galley/messages/${encodeURIComponent(id)}/timeline${query}`;

async function timeline(id: string, query = ''): Promise<any> {
  const { status, body } = await bed.app.call(pathOf(id, query));
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Once every recipient is in this state. */
async function until(id: string, state: string): Promise<any> {
  for (const end = Date.now() + 90_000; ;) {
    await bed.eventsOf('nobody@example.net');
    const body = await timeline(id);
    if (body.items.every((item: any) => item.state === state)) return body;
    assert.ok(Date.now() < end, JSON.stringify(body.items));
  }
}

/** Times of the machine's clock, which differ from run to run. */
const untimed = (exchanges: any[]) =>
  exchanges.map(({ after_ms: after, took_ms: took, ...exchange }) => {
    assert.ok(Number.isInteger(after) && (took === null || (Number.isInteger(took) && took >= 0)));
    return exchange;
  });
const reduced = (text: string) => text.replace(/<b\+[\w-]+@/, '<b+TOKEN@').replace(/SIZE=\d+/, 'SIZE=N');
const said = (exchanges: any[]) => untimed(exchanges).map((one) => [reduced(one.said), one.reply]);

describe('a message that is deferred and then taken', () => {
  let id = '';
  before(async () => {
    id = await bed.send({ to: 'Later@example.net' });
  });

  it('says why it waits and until when, in the words of the queue, with what was said', async () => {
    await bed.eventsOf('nobody@example.net');
    const { items, message, meta, gate, paging } = await timeline(id);
    const { items: queued } = (await bed.app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(id)}`))
      .body;
    assert.equal(queued.length, 1);
    const { storage_key: key, accepted_at: acceptedAt, ...about } = message;
    assert.equal(key, queued[0].message.storage_key);
    assert.ok(Number.isFinite(Date.parse(acceptedAt)));
    assert.deepEqual(about, {
      id,
      domain: DOMAIN,
      subject: 'Hello',
      from: `Ann <ann@${DOMAIN}>`,
      method: 'HTTP',
      recipients: 1,
      'delivery-mode': 'live',
    });
    assert.deepEqual([meta, gate], [{ count: 1, is_bound: false }, null]);
    assert.ok(paging.first.startsWith(`${bed.app.url}/v1/galley/messages/`), paging.first);
    const [{ steps, waiting, ...item }] = items;
    assert.deepEqual(item, { recipient: 'Later@example.net', state: 'waiting', delivery: 'live', steps_left_off: 0 });
    assert.deepEqual(waiting, {
      state: 'deferred',
      reason: 'example.net answered “451 4.7.1 Greylisted”. It is tried again.',
      until: queued[0].next_attempt_at,
      attempts: 1,
      next_attempt_at: queued[0].next_attempt_at,
      give_up_at: queued[0].give_up_at,
    });
    assert.equal(waiting.reason, queued[0].reason);
    const [accepted, deferred] = steps;
    assert.equal(steps.length, 2);
    const { at, ...first } = accepted;
    assert.ok(Number.isFinite(Date.parse(at)));
    assert.deepEqual(first, { event: 'accepted', text: 'Galley took it, to be delivered.', webhooks: [] });
    const { at: _at, conversation, ...second } = deferred;
    assert.deepEqual(second, {
      event: 'failed',
      text: 'The receiver did not take it yet.',
      severity: 'temporary',
      reason: 'generic',
      attempt: 1,
      code: 451,
      reply: '451 4.7.1 Greylisted',
      host: 'mx.example.net',
      sending_ip: '127.0.0.1',
      webhooks: [],
    });
    const { took_ms: took, connections, ...bounds } = conversation;
    assert.ok(Number.isInteger(took) && took >= 0);
    assert.deepEqual(bounds, { connections_left_off: 0, exchanges_left_off: 0 });
    const [{ opening, exchanges, connect_ms: connectMs, ...connection }] = connections;
    assert.ok(Number.isInteger(connectMs));
    assert.equal(connections.length, 1);
    assert.deepEqual(connection, {
      host: 'mx.example.net',
      address: '127.0.0.1',
      local_address: '127.0.0.1',
      tls: null,
      is_reused: false,
      result: 'the server said 451 4.7.1 Greylisted',
    });
    assert.deepEqual(said(opening), [
      ['', '220 mx.test ESMTP'],
      ['EHLO out.example.com', '250-mx.test\n250-PIPELINING\n250-SIZE 1000000\n250-8BITMIME\n250 AUTH PLAIN'],
    ]);
    assert.deepEqual(said(exchanges), [
      ['MAIL FROM:<b+TOKEN@galley.localhost> SIZE=N', '250 2.1.0 Ok'],
      ['RCPT TO:<Later@example.net>', '451 4.7.1 Greylisted'],
      ['DATA', '503 5.5.1 No recipients'],
    ]);
  });

  it('is delivered at the next attempt, and its own part of a reused connection is told apart', async () => {
    bed.app.clock.advance(400_000);
    const { items } = await until(id, 'delivered');
    const [{ steps, waiting }] = items;
    assert.equal(waiting, null);
    assert.deepEqual(
      steps.map(({ event, attempt, text }: any) => [event, attempt, text]),
      [
        ['accepted', undefined, 'Galley took it, to be delivered.'],
        ['failed', 1, 'The receiver did not take it yet.'],
        ['delivered', 2, 'mx.example.net took it without TLS.'],
      ],
    );
    const { connections } = steps[2].conversation;
    const last = connections.at(-1).exchanges.at(-1);
    assert.deepEqual([last.said, last.reply], ['.', '250 2.0.0 Ok: queued as 1']);
    const text = JSON.stringify(steps);
    // The message itself is nowhere.
    assert.ok(!text.includes('Subject:') && !text.includes('DKIM-Signature'), text);
  });

  it('names the opening that an earlier message had', async () => {
    const ids = await Promise.all(['one', 'two', 'three'].map((to) => bed.send({ to: `${to}@example.net` })));
    const again = await bed.send({ to: Array.from({ length: 30 }, (_, index) => `r${index}@example.net`) });
    const { items } = await until(again, 'delivered');
    for (const one of ids) await until(one, 'delivered');
    const all = items.flatMap(({ steps }: any) => steps.at(-1).conversation.connections);
    const reused = all.find((one: any) => one.is_reused);
    assert.ok(reused, JSON.stringify(all.map((one: any) => one.is_reused)));
    assert.equal(reused.opening[0].reply, '220 mx.test ESMTP');
    assert.equal(reused.exchanges[0].said.slice(0, 10), 'MAIL FROM:');
    assert.ok(!JSON.stringify(reused.opening).includes('RCPT'));
  });
});

describe('many recipients', () => {
  it('are paged and found, each with how it ended', async () => {
    const id = await bed.send({ to: ['unknown@example.net', 'odd@example.net', 'fine@example.net'] });
    await bed.eventsOf('nobody@example.net');
    const all = await timeline(id);
    assert.deepEqual(
      all.items.map(({ recipient, state }: any) => [recipient, state]),
      [
        ['unknown@example.net', 'failed'],
        ['odd@example.net', 'waiting'],
        ['fine@example.net', 'delivered'],
      ],
    );
    const { code, reply, text, severity, conversation } = all.items[0].steps[1];
    assert.deepEqual(
      [code, reply, text, severity, conversation.connections[0].result],
      [
        550,
        '550 5.1.1 No such user',
        'The receiver refused it for good.',
        'permanent',
        'the server said 550 5.1.1 No such user',
      ],
    );
    // What no text has is left out of what a stranger says.
    const odd = all.items[1].steps[1].conversation.connections[0].exchanges;
    assert.deepEqual(said(odd)[1], ['RCPT TO:<odd@example.net>', '451 4.7.1 N o   31m']);
    const page = await timeline(id, '?limit=1&skip=1');
    assert.deepEqual([page.meta, page.items.length], [{ count: 3, is_bound: false }, 1]);
    assert.equal(page.items[0].recipient, 'odd@example.net');
    assert.ok(page.paging.next.endsWith('limit=1&skip=2'), page.paging.next);
    const found = await timeline(id, '?recipient=FINE');
    assert.deepEqual([found.meta.count, found.items[0].recipient], [1, 'fine@example.net']);
    assert.deepEqual((await timeline(id, '?recipient=zzz')).items, []);
    const { storage_key: key } = all.message;
    assert.deepEqual((await timeline(key)).items.length, 3);
    assert.deepEqual((await timeline(id.slice(1, -1))).items.length, 3);
  });

  const refusals: [query: string, message: string][] = [
    ['limit=0', 'limit must be >= 1.'],
    ['limit=51', 'limit must be <= 50.'],
    ['skip=-1', 'skip must be >= 0.'],
  ];
  for (const [query, message] of refusals)
    it(`are refused with ${query}`, async () => {
      const { status, body } = await bed.app.call(pathOf('x', `?${query}`));
      assert.deepEqual([status, body], [400, { message }]);
    });

  it('are not shown to another account, nor is what there is not', async () => {
    const id = await bed.send({ to: 'mine@example.net' });
    const { body } = await bed.app.call('POST /v5/accounts/subaccounts?name=Other');
    const headers = { 'X-Mailgun-On-Behalf-Of': body.subaccount.id as string };
    const { message } = await timeline(id);
    for (const name of [id, message.storage_key]) {
      const refused = await bed.app.call(pathOf(name), { headers });
      assert.deepEqual([refused.status, refused.body], [404, { message: 'Message not found' }]);
    }
    assert.equal((await bed.app.call(pathOf('nobody'))).status, 404);
    const made = await bed.app.call('POST /v1/keys', { body: { role: 'sending', domain_name: DOMAIN } });
    assert.equal((await bed.app.call(pathOf(id), { key: made.body.key.secret })).status, 403);
  });
});

describe('a recipient who is tried often', () => {
  it('keeps what was said first and the last nine times, and says what is gone', async () => {
    const id = await bed.send({ to: 'never@example.net' });
    for (let attempt = 1; attempt <= 12; attempt++) {
      for (const end = Date.now() + 90_000; ;) {
        const [{ waiting }] = (await timeline(id)).items;
        if (waiting.attempts >= attempt && waiting.state === 'deferred') break;
        assert.ok(Date.now() < end, JSON.stringify(waiting));
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      bed.app.clock.advance(3000);
      const { storage_key: key } = (await timeline(id)).message;
      if (attempt < 12) await bed.app.call(`POST /v1/galley/queue/messages/${key}/attempts`);
    }
    bed.app.clock.advance(3000);
    const [{ steps, waiting }] = (await timeline(id)).items;
    assert.equal(waiting.reason, 'example.net answered “450 4.2.1 Later please”. It is tried again.');
    const tried = steps.filter(({ event }: any) => event === 'failed');
    assert.deepEqual(
      tried.map(({ attempt, conversation }: any) => [attempt, conversation !== null]),
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12].map((attempt) => [attempt, attempt === 1 || attempt > 3]),
    );
    assert.equal(
      tried[1].no_conversation,
      'It is no longer kept: of a recipient, the first attempt and the last 9 are.',
    );
    const replies = tried[11].conversation.connections.at(-1).exchanges.map(({ reply }: any) => reply);
    assert.ok(replies.includes('450-4.2.1 Later\n450 4.2.1 please'), JSON.stringify(replies));
  });
});

describe('conversations', () => {
  it('go with the events of their message, earlier where the account keeps those for less time', async () => {
    const id = await bed.send({ to: 'old@example.net' });
    await until(id, 'delivered');
    const { clock, call, galley } = bed.app;
    const kept = async (): Promise<number> => {
      const { rows } = await galley.outside.db.text(
        `select 1 from delivery_attempts join sent_messages on id = delivery_attempts.message_id
         where sent_messages.message_id = $1`,
        [id.slice(1, -1)],
      );
      return rows.length;
    };
    assert.equal(await kept(), 1);
    await expire.run(galley.outside, {}, { signal: new AbortController().signal } as never);
    assert.equal(await kept(), 1);
    assert.equal((await call('PUT /v1/galley/event-retention', { body: { days: 2 } })).status, 200);
    clock.advance(3 * 86_400_000);
    await expire.run(galley.outside, {}, { signal: new AbortController().signal } as never);
    assert.equal(await kept(), 0);
    const [{ state, steps }] = (await timeline(id)).items;
    assert.deepEqual([state, steps.at(-1)?.conversation ?? null], ['delivered', null]);
  });
});

describe('what does not leave the machine', () => {
  it('is called captured or simulated, and has no conversation', async () => {
    const id = await bed.send({ to: 'test@example.net', 'o:testmode': 'yes' });
    const [item] = (await until(id, 'delivered')).items;
    assert.equal(item.delivery, 'simulated');
    const { text, conversation, no_conversation: why } = item.steps.at(-1);
    assert.deepEqual(
      [text, conversation, why],
      ['This was simulated: nothing left this machine.', null, 'This was simulated: no server was asked.'],
    );
  });
});

describe('a relay with a login', () => {
  it('is told without its password, and without our address', async () => {
    await using relay = await startMailServer({
      answer: (verb) => (verb === 'AUTH' ? '535 5.7.8 s3cret-word is wrong' : undefined),
    });
    const app = await startApp({
      GALLEY_ROLES: 'api,work,send',
      GALLEY_DELIVERY: 'live',
      GALLEY_SMTP_RELAY: `smtp://someone:s3cret-word@127.0.0.1:${relay.port}?tls=off`,
    });
    try {
      await app.call('POST /v4/domains', { body: { name: DOMAIN } });
      await app.galley.outside.db.text("update sending_domains set state = 'active' where name = $1", [DOMAIN]);
      const { body } = await app.call(`POST /v3/${DOMAIN}/messages`, {
        body: { from: `ann@${DOMAIN}`, to: 'bob@example.net', subject: 'Hello', text: 'Hello' },
      });
      let step: any;
      for (const end = Date.now() + 90_000; !step;) {
        app.clock.advance(3000);
        const shown = await app.call(pathOf(body.id));
        step = shown.body.items?.[0]?.steps.find(({ attempt }: any) => attempt === 1);
        assert.ok(Date.now() < end, JSON.stringify([body, shown.body]));
      }
      const [{ opening, local_address: ours }] = step.conversation.connections;
      assert.equal(ours, null);
      assert.deepEqual(said(opening).at(-1), ['AUTH PLAIN (left out)', '535 5.7.8 (left out) is wrong']);
      const text = JSON.stringify(step.conversation);
      assert.ok(!text.includes('s3cret-word') && !text.includes(Buffer.from('s3cret-word').toString('base64')), text);
    } finally {
      await app.close();
    }
  });
});
