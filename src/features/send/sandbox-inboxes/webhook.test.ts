// The webhook of an inbox of the sandbox: a signed POST for each message that comes.
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startReceiver, type Receiver } from '../../../../test/harness/webhook-receiver.ts';

const LETTER = { from: 'ann@shop.example', to: 'bob@example.net', subject: 'Your order', text: 'It is on its way.' };
let app: App;
let receiver: Receiver;
let key = '';

before(async () => {
  receiver = await startReceiver();
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: receiver.host });
  key = (await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
});
after(async () => {
  await app?.close();
  await receiver?.close();
});

async function newInbox(name: string, path: string): Promise<void> {
  const body = { name, webhook_url: `${receiver.url}${path}` };
  const { status, body: inbox } = await app.call('POST /v1/sandbox', { body });
  assert.deepEqual([status, inbox.webhook_url], [201, `${receiver.url}${path}`]);
}

async function put(inbox: string): Promise<string> {
  const { status, body } = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body: LETTER });
  assert.equal(status, 200, JSON.stringify(body));
  return body.sandbox_message_id;
}

/** How a message was told of, once that has ended. */
async function told(inbox: string, id: string): Promise<any> {
  for (;;) {
    const { webhook } = (await app.call(`GET /v1/sandbox/${inbox}/messages/${id}`)).body;
    if (webhook?.state !== 'waiting') return webhook;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the webhook of an inbox', () => {
  it('is told of each message, once, signed', async () => {
    await newInbox('shop', '/shop');
    const ids = [await put('shop'), await put('shop')];
    for (const id of ids) {
      const { url, state, attempts } = await told('shop', id);
      assert.deepEqual([url, state], [`${receiver.url}/shop`, 'delivered']);
      const [{ at, took_ms: took, ...attempt }] = attempts;
      assert.deepEqual([attempts.length, attempt], [1, { code: 200, message: 'Delivered.' }]);
      assert.equal(new Date(at).toISOString(), at);
      assert.equal(typeof took, 'number');
    }
    const posts = receiver.posts('/shop');
    assert.deepEqual(posts.map(({ event }) => event['message'].id).toSorted(), ids.toSorted());
    const { signature, event, headers } = posts.find((one) => one.event['message'].id === ids[0])!;
    const made = createHmac('sha256', key)
      .update(signature.timestamp + signature.token)
      .digest('hex');
    assert.equal(signature.signature, made);
    assert.equal(headers['content-type'], 'application/json');
    const { id: inboxId } = (await app.call('GET /v1/sandbox/shop')).body;
    const { timestamp, message, ...rest } = event;
    assert.equal(typeof timestamp, 'number');
    assert.deepEqual(rest, { event: 'sandbox_message', inbox: { id: inboxId, name: 'shop' } });
    const { received_at: at, expires_at: until, size_bytes: size, remote_address: address, ...told_ } = message;
    assert.ok(at < until && size > 100 && typeof address === 'string');
    assert.deepEqual(told_, {
      id: ids[0],
      number: 1,
      from: 'ann@shop.example',
      to: 'bob@example.net',
      subject: 'Your order',
      excerpt: 'It is on its way.',
      mail_from: 'ann@shop.example',
      recipients: ['bob@example.net'],
      attachment_count: 0,
      inline_count: 0,
      is_read: false,
      method: 'HTTP',
      tags: [],
      path: `/v1/sandbox/${inboxId}/messages/${ids[0]}`,
    });
  });

  it('is asked again when it fails, and not when it wants no more', async () => {
    await newInbox('flaky', '/flaky');
    let asked = 0;
    receiver.answer('/flaky', (response) => response.writeHead((asked += 1) === 1 ? 500 : 204).end());
    const flaky = await told('flaky', await put('flaky'));
    assert.equal(flaky.state, 'delivered');
    assert.deepEqual(
      flaky.attempts.map(({ code, message }: any) => [code, message]),
      [
        [500, 'The receiver answered 500.'],
        [204, 'Delivered.'],
      ],
    );
    await newInbox('sated', '/sated');
    receiver.answer('/sated', 406);
    const sated = await told('sated', await put('sated'));
    assert.deepEqual([sated.state, sated.attempts.length], ['rejected', 1]);
  });

  it('is given up after five attempts', async () => {
    await newInbox('dead', '/dead');
    receiver.answer('/dead', 503);
    const dead = await told('dead', await put('dead'));
    assert.deepEqual([dead.state, dead.attempts.length], ['failed', 5]);
    assert.equal(receiver.posts('/dead').length, 5);
  });

  it('is not told of what came before, or when the inbox names another', async () => {
    await newInbox('moved', '/old');
    receiver.answer('/old', 500);
    const id = await put('moved');
    const changed = await app.call('PATCH /v1/sandbox/moved', { body: { webhook_url: null } });
    assert.deepEqual([changed.status, changed.body.webhook_url], [200, null]);
    assert.equal((await told('moved', id)).state, 'dropped');
    assert.equal((await app.call(`GET /v1/sandbox/moved/messages/${await put('moved')}`)).body.webhook, null);
  });

  const WRONG: [unknown, RegExp][] = [
    ['ftp://shop.example/', /^ftp:\/\/shop\.example\/ is not a valid url: invalid URL scheme$/],
    ['nowhere', /^nowhere is not a valid url: it is no absolute URL$/],
    ['http://10.0.0.1/', /is not a valid url: its host or port is not open to requests from here$/],
    ['http://a:b@shop.example/', /it must not carry a user name or a password$/],
    [`https://shop.example/${'x'.repeat(2000)}`, /it has more than 2000 bytes$/],
    [7, /webhook_url/],
  ];
  for (const [url, message] of WRONG)
    it(`is no ${String(url).slice(0, 30)}`, async () => {
      for (const call of ['POST /v1/sandbox', 'PATCH /v1/sandbox/shop']) {
        const { status, body } = await app.call(call, { body: { name: 'wrong', webhook_url: url } });
        assert.equal(status, 400);
        assert.match(body.message, message);
      }
      assert.equal((await app.call('GET /v1/sandbox/shop')).body.webhook_url, `${receiver.url}/shop`);
    });

  it('belongs to its account', async () => {
    const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
    const headers = { 'x-mailgun-on-behalf-of': body.subaccount.id };
    const answer = await app.call('PATCH /v1/sandbox/shop', { body: { webhook_url: null }, headers });
    assert.equal(answer.status, 404);
    assert.equal((await app.call('GET /v1/sandbox/shop')).body.webhook_url, `${receiver.url}/shop`);
  });
});
