// A message leaves the sandbox for real addresses, and an inbox is watched.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const LETTER = { from: 'ann@mail.example.com', to: 'team@example.net', subject: 'Try it', text: 'Released.' };

let app: App;
let stranger: Record<string, string>;
let id: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  await app.call('POST /v4/domains', { body: { name: 'mail.example.com' } });
  await app.call('POST /v1/sandbox', { body: { name: 'demo' } });
  id = (await app.call('POST /v1/sandbox/demo/messages', { body: LETTER })).body.sandbox_message_id;
});
after(() => app.close());

describe('a message of the sandbox', () => {
  const release = (body: object, headers: Record<string, string> = {}) =>
    app.call(`POST /v1/sandbox/demo/messages/${id}/release`, { body, headers });

  it('is sent to the one address that is given, and to nobody that it names', async () => {
    const { status, body } = await release({ domain: 'mail.example.com', to: 'me@example.org' });
    assert.deepEqual([status, body.message], [200, 'Queued. Thank you.']);
    const queued = await app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(body.id)}`);
    assert.deepEqual(
      queued.body.items.map((one: any) => one.recipient),
      ['me@example.org'],
    );
    assert.equal((await app.call(`GET /v1/sandbox/demo/messages/${id}`)).status, 200);
    const { items } = (await app.call('GET /v1/audit')).body;
    assert.ok(JSON.stringify(items).includes(`/v1/sandbox/demo/messages/${id}/release`), 'it is in the audit log');
  });

  it('is sent to each address of a list once, and to nobody else', async () => {
    const to = ['me@example.org', ' You@Example.org ', 'you@example.org', 'team@example.com'];
    const other = (await app.call('POST /v1/sandbox/demo/messages', { body: LETTER })).body.sandbox_message_id;
    const { status, body } = await app.call(`POST /v1/sandbox/demo/messages/${other}/release`, {
      body: { domain: 'mail.example.com', to },
    });
    assert.deepEqual([status, body.message], [200, 'Queued. Thank you.']);
    const queued = await app.call(`GET /v1/galley/queue/deliveries?message=${encodeURIComponent(body.id)}`);
    assert.deepEqual(queued.body.items.map((one: any) => one.recipient).toSorted(), [
      'me@example.org',
      'team@example.com',
      'you@example.org',
    ]);
  });

  it('goes to nobody where one address of a list is wrong; the answer names each that is', async () => {
    const count = async (): Promise<number> => (await app.call('GET /v1/galley/queue/deliveries')).body.total;
    const before = await count();
    const to = ['me@example.org', 'nobody', 'you@example.org', 'a@b.example\r\nRCPT TO:<c@d.example>'];
    const { status, body } = await release({ domain: 'mail.example.com', to });
    assert.deepEqual(
      [status, body.message],
      [400, 'to must be addresses such as ann@example.com; "nobody", "a@b.example\r\nRCPT TO:<c@d.example>" are none.'],
    );
    assert.equal(await count(), before);
  });

  for (const [body, status, message] of [
    [{ domain: 'mail.example.com', to: [] }, 400, /^to has 0 addresses; 1 to 20/],
    [
      { domain: 'mail.example.com', to: Array.from({ length: 21 }, (_, n) => `r${n}@b.example`) },
      400,
      /^to has 21 addresses; 1 to 20 are valid/,
    ],
    [{ domain: 'mail.example.com' }, 400, /to/],
    [{ domain: 'mail.example.com', to: 'a@b.example, c@d.example' }, 400, /^to must be one address/],
    [{ to: 'me@example.org' }, 400, /domain/],
    [{ domain: 'other.example.com', to: 'me@example.org' }, 404, /omain/],
  ] as const)
    it(`is not sent by ${JSON.stringify(body)}`, async () => {
      const answer = await release(body);
      assert.equal(answer.status, status);
      assert.match(answer.body.message, message);
    });

  it('is not sent by another account', async () => {
    const answer = await release({ domain: 'mail.example.com', to: 'me@example.org' }, stranger);
    assert.deepEqual([answer.status, answer.body.message], [404, 'No sandbox inbox has the id or the name "demo".']);
  });
});

describe('an inbox that is watched', () => {
  it('says at first how it is, then when it has changed, and when it is gone', async () => {
    await app.call('POST /v1/sandbox', { body: { name: 'watched' } });
    const headers = { authorization: `Basic ${btoa(`api:${app.key}`)}` };
    const response = await fetch(`${app.url}/v1/sandbox/watched/events`, { headers });
    assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const until = async (words: string): Promise<void> => {
      while (!text.includes(words)) {
        const { done, value } = await reader.read();
        assert.ok(!done, text);
        text += value;
      }
    };
    await until('event: changed\ndata: {"revision":0,"message_count":0,"unread_count":0}\n\n');
    await app.call('POST /v1/sandbox/watched/messages', { body: LETTER });
    await until('event: changed\ndata: {"revision":1,"message_count":1,"unread_count":1}\n\n');
    await app.call('DELETE /v1/sandbox/watched');
    await until('event: deleted\ndata: {}\n\n');
    for (let done = false; !done;) ({ done } = await reader.read());
  });

  it('is not watched by another account', async () => {
    const answer = await app.call('GET /v1/sandbox/demo/events', { headers: stranger });
    assert.equal(answer.status, 404);
  });
});
