// Webhooks as they are kept: of a domain, in both versions of the wire, and of an account; and the signing key.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let stranger = '';
const DOMAIN = 'hooks.example.com';
const A = 'https://a.example.net/events?x=1,2';
const B = 'https://b.example.net/events';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_ALLOW_HOSTS: '10.9.8.7:8080' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  stranger = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
});
after(() => app.close());

const asStranger = () => ({ headers: { 'x-service-account-id': stranger } });
const NONE = {
  accepted: null,
  delivered: null,
  opened: null,
  clicked: null,
  unsubscribed: null,
  complained: null,
  temporary_fail: null,
  permanent_fail: null,
};

function formOf(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form;
}

describe('/v3/domains/{domain}/webhooks', () => {
  const V3 = `/v3/domains/${DOMAIN}/webhooks`;

  it('are added, listed, replaced and deleted', async () => {
    assert.deepEqual((await app.call(`GET ${V3}`)).body, { webhooks: NONE });
    const made = await app.call(`POST ${V3}`, { body: formOf({ id: 'delivered', url: [A, B] }) });
    assert.deepEqual(made.body, { message: 'Webhook has been created', webhook: { urls: [A, B] } });
    assert.deepEqual((await app.call(`GET ${V3}/delivered`)).body, { webhook: { urls: [A, B] } });
    assert.deepEqual((await app.call(`GET ${V3}`)).body, { webhooks: { ...NONE, delivered: { urls: [A, B] } } });
    const put = await app.call(`PUT ${V3}/delivered`, { body: { url: B } });
    assert.deepEqual(put.body, { message: 'Webhook has been updated', webhook: { urls: [B] } });
    assert.deepEqual((await app.call(`GET ${V3}/delivered`)).body, { webhook: { urls: [B] } });
    const gone = await app.call(`DELETE ${V3}/delivered`);
    assert.deepEqual(gone.body, { message: 'Webhook has been deleted', webhook: { urls: [B] } });
    for (const call of [`GET ${V3}/delivered`, `DELETE ${V3}/delivered`, `GET ${V3}/unheard`]) {
      const { status, body } = await app.call(call);
      assert.deepEqual([status, body.message], [404, 'Webhook not found'], call);
    }
    assert.equal((await app.call(`PUT ${V3}/delivered`, { body: { url: B } })).status, 404);
  });

  it('take the older name of a kind', async () => {
    const { status } = await app.call(`POST ${V3}`, { body: { id: 'unsubscribe', url: B } });
    assert.equal(status, 200);
    assert.deepEqual((await app.call(`GET ${V3}`)).body.webhooks.unsubscribed, { urls: [B] });
    assert.deepEqual((await app.call(`DELETE ${V3}/unsubscribe`)).body.webhook, { urls: [B] });
  });

  const wrong: [string, Record<string, unknown>, RegExp][] = [
    ['an unknown kind', { id: 'read', url: B }, /^id must be one of accepted, delivered, opened/],
    ['no URL', { id: 'clicked' }, /^url is required/],
    ['an empty list', { id: 'clicked', url: [] }, /^url must name at least one URL/],
    ['no absolute URL', { id: 'clicked', url: '/events' }, /^\/events is not a valid url: it is no absolute URL/],
    [
      'another scheme',
      { id: 'clicked', url: 'ftp://a.example.net/' },
      /^ftp:.* is not a valid url: invalid URL scheme/,
    ],
    ['a password', { id: 'clicked', url: 'https://a:b@a.example.net/' }, /user name or a password/],
    ['a private address', { id: 'clicked', url: 'http://10.9.8.7/' }, /not open to requests from here/],
    ['a private address in other digits', { id: 'clicked', url: 'http://0x7f.1/' }, /not open to requests from here/],
    ['IPv6 of this machine', { id: 'clicked', url: 'http://[::1]:8080/' }, /not open to requests from here/],
    ['the name of this machine', { id: 'clicked', url: 'http://localhost:9/' }, /not open to requests from here/],
    ['a long URL', { id: 'clicked', url: `https://a.example.net/${'ä'.repeat(1000)}` }, /more than 2000 bytes/],
    ['four URLs', { id: 'clicked', url: [1, 2, 3, 4].map((one) => `${B}/${one}`) }, /at most 3 URLs/],
  ];
  for (const [what, body, words] of wrong)
    it(`refuse ${what}`, async () => {
      const answer = await app.call(`POST ${V3}`, { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.Reason, words);
      assert.equal(answer.body.message, answer.body.Reason);
      assert.deepEqual((await app.call(`GET ${V3}`)).body, { webhooks: NONE });
    });

  it("take an address that the operator's list opens", async () => {
    const url = 'http://10.9.8.7:8080/events';
    assert.equal((await app.call(`POST ${V3}`, { body: { id: 'clicked', url } })).status, 200);
    assert.equal((await app.call(`DELETE ${V3}/clicked`)).status, 200);
  });

  it('refuse a URL twice and a fourth one', async () => {
    await app.call(`POST ${V3}`, { body: { id: 'opened', url: [A, B] } });
    const again = await app.call(`POST ${V3}`, { body: { id: 'opened', url: B } });
    assert.equal(again.body.Reason, `Webhook for event type 'opened' with URL '${B}' already exists`);
    const four = await app.call(`POST ${V3}`, { body: { id: 'opened', url: [`${B}/3`, `${B}/4`] } });
    assert.equal(four.body.Reason, "An event type has at most 3 URLs; 'opened' would have 4.");
    assert.deepEqual((await app.call(`DELETE ${V3}/opened`)).body.webhook, { urls: [A, B] });
  });

  it('are nobody else’s', async () => {
    await app.call(`POST ${V3}`, { body: { id: 'opened', url: A } });
    for (const call of [`GET ${V3}`, `GET ${V3}/opened`, `DELETE ${V3}/opened`]) {
      const { status, body } = await app.call(call, asStranger());
      assert.deepEqual([status, body.message], [404, 'Domain not found'], call);
    }
    await app.call(`DELETE ${V3}/opened`);
  });

  it('of two calls at once take three URLs, and answer with what is there', async () => {
    const urls = [1, 2, 3, 4, 5, 6].map((one) => `${B}/${one}`);
    const answers = await Promise.all(urls.map((url) => app.call(`POST ${V3}`, { body: { id: 'complained', url } })));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 400, 400, 400]);
    assert.equal((await app.call(`DELETE ${V3}/complained`)).body.webhook.urls.length, 3);
  });
});

describe('/v4/domains/{domain}/webhooks', () => {
  const V4 = `/v4/domains/${DOMAIN}/webhooks`;
  const post = (method: string, pairs: [string, string][]) =>
    app.call(`${method} ${V4}`, {
      body: new URLSearchParams(pairs).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });

  it('give a URL its kinds, replace them, and delete several URLs', async () => {
    const types = (names: string[]): [string, string][] => names.map((name) => ['event_types', name]);
    const made = await post('POST', [['url', A], ...types(['clicked', 'opened'])]);
    assert.deepEqual(made.body, { webhooks: { ...NONE, clicked: { urls: [A] }, opened: { urls: [A] } } });
    const twice = await post('POST', [['url', A], ...types(['delivered', 'clicked'])]);
    assert.equal(twice.status, 400);
    assert.equal(twice.body.Reason, `Webhook for event type 'clicked' with URL '${A}' already exists`);
    const put = await post('PUT', [['url', A], ...types(['delivered', 'clicked'])]);
    assert.deepEqual(put.body, { webhooks: { ...NONE, clicked: { urls: [A] }, delivered: { urls: [A] } } });
    await post('POST', [
      ['url', B],
      ['event_types', 'accepted,complained'],
    ]);
    const deleted = await app.call(`DELETE ${V4}?url=${encodeURIComponent(`${A},${B}`)}`);
    assert.deepEqual(deleted.body, { webhooks: NONE });
  });

  it('say what is wrong', async () => {
    const scheme = await post('POST', [
      ['url', 'ws://a.example.net'],
      ['event_types', 'clicked'],
    ]);
    assert.equal(scheme.body.Reason, 'invalid parameters: ws://a.example.net is not a valid url: invalid URL scheme');
    const kind = await post('POST', [
      ['url', A],
      ['event_types', 'clicked'],
      ['event_types', 'read'],
    ]);
    assert.match(kind.body.Reason, /^event_types must be one of accepted/);
    const none = await app.call(`POST ${V4}`, { body: { url: A, event_types: [] } });
    assert.match(none.body.Reason, /^event_types must name at least one of accepted/);
    const unknown = await post('PUT', [
      ['url', A],
      ['event_types', 'clicked'],
    ]);
    assert.deepEqual([unknown.status, unknown.body.message], [404, 'Webhook not found']);
    assert.equal((await app.call(`DELETE ${V4}?url=${B}`)).status, 404);
    assert.equal(
      (await app.call(`DELETE /v4/domains/no.example.com/webhooks?url=${B}`)).body.message,
      'Domain not found',
    );
  });
});

describe('/v1/webhooks', () => {
  it('are added, read, replaced and deleted', async () => {
    const body = { url: A, event_types: ['clicked', 'delivered'], description: 'Shop' };
    const made = await app.call('POST /v1/webhooks', { body });
    const { webhook_id: id } = made.body;
    assert.match(id, /^[0-9a-f]{24}$/);
    const read = await app.call(`GET /v1/webhooks/${id}`);
    assert.deepEqual(
      { ...read.body, created_at: '' },
      { webhook_id: id, description: 'Shop', url: A, event_types: ['delivered', 'clicked'], created_at: '' },
    );
    assert.deepEqual((await app.call('GET /v1/webhooks')).body, { webhooks: [read.body] });
    assert.deepEqual((await app.call(`GET /v1/webhooks?webhook_ids=${id},${'0'.repeat(24)}`)).body.webhooks.length, 1);
    const put = await app.call(`PUT /v1/webhooks/${id}`, {
      body: formOf({ url: B, event_types: ['delivered', 'opened'] }),
    });
    assert.deepEqual(put.body, { webhook_id: id });
    const changed = (await app.call(`GET /v1/webhooks/${id}`)).body;
    assert.deepEqual([changed.url, changed.event_types, changed.description], [B, ['delivered', 'opened'], '']);
    assert.equal((await app.call(`DELETE /v1/webhooks/${id}`)).body.message, 'Webhook has been deleted');
    const gone = await app.call(`GET /v1/webhooks/${id}`);
    assert.deepEqual([gone.status, gone.body.Description], [404, 'Webhook not found']);
  });

  it('have each URL once, and are deleted together or not at all', async () => {
    const make = (url: string) => app.call('POST /v1/webhooks', { body: { url, event_types: 'clicked' } });
    const [one, two] = [await make(A), await make(B)];
    const twice = await make(B);
    assert.equal(twice.status, 409);
    assert.match(twice.body.Description, /has this URL already/);
    const ids = [one.body.webhook_id, two.body.webhook_id];
    const put = await app.call(`PUT /v1/webhooks/${ids[0]}`, { body: { url: B, event_types: 'clicked' } });
    assert.equal(put.status, 409);
    assert.equal((await app.call(`DELETE /v1/webhooks?webhook_ids=${ids[0]},unheard`)).status, 404);
    const neither = await app.call('DELETE /v1/webhooks');
    assert.deepEqual([neither.status, neither.body.Description], [400, 'webhook_ids or all=true is required.']);
    assert.equal((await app.call('GET /v1/webhooks')).body.webhooks.length, 2);
    assert.deepEqual((await app.call('GET /v1/webhooks', asStranger())).body.webhooks, []);
    assert.equal((await app.call(`GET /v1/webhooks/${ids[0]}`, asStranger())).status, 404);
    assert.equal(
      (await app.call('DELETE /v1/webhooks?all=true', asStranger())).body.message,
      '0 webhooks have been deleted',
    );
    assert.equal((await app.call('DELETE /v1/webhooks?all=true')).body.message, '2 webhooks have been deleted');
  });
});

describe('/v5/accounts/http_signing_key', () => {
  const PATH = '/v5/accounts/http_signing_key';

  it('is made once, is another for each account, and is replaced', async () => {
    const [one, two] = await Promise.all([app.call(`GET ${PATH}`), app.call(`GET ${PATH}`)]);
    assert.deepEqual(one.body, two.body);
    assert.match(one.body.http_signing_key, /^[0-9a-f]{32}$/);
    const other = await app.call(`GET ${PATH}`, asStranger());
    assert.notEqual(other.body.http_signing_key, one.body.http_signing_key);
    const rotated = await app.call(`POST ${PATH}`);
    assert.equal(rotated.body.message, 'regenerated HTTP signing key for account');
    assert.notEqual(rotated.body.http_signing_key, one.body.http_signing_key);
    assert.equal((await app.call(`GET ${PATH}`)).body.http_signing_key, rotated.body.http_signing_key);
    assert.deepEqual((await app.call(`GET ${PATH}`, asStranger())).body, other.body);
  });

  it('is not for keys that only read, and replaced by an admin', async () => {
    const keyOf = async (role: string) => (await app.call('POST /v1/keys', { body: { role } })).body.key.secret;
    const [support, developer] = [await keyOf('support'), await keyOf('developer')];
    assert.equal((await app.call(`GET ${PATH}`, { key: support })).status, 403);
    assert.equal((await app.call(`GET ${PATH}`, { key: developer })).status, 200);
    assert.equal((await app.call(`POST ${PATH}`, { key: developer })).status, 403);
  });
});
