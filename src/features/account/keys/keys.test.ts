import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KEY, startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/;

async function newKey(body: object): Promise<{ id: string; secret: string }> {
  const { status, body: answer } = await app.call('POST /v1/keys', { body });
  assert.equal(status, 200);
  return answer.key;
}

describe('authentication', () => {
  it('answers 401 with a challenge when no key is given', async () => {
    const { status, body, headers } = await app.call('GET /v2/preview/tests', { key: null });
    assert.equal(status, 401);
    const message = 'Invalid private key';
    assert.deepEqual(body, { Reason: message, error: { name: 'AccessDenied', message }, message });
    assert.match(headers.get('www-authenticate') ?? '', /^Basic /);
    assert.match(headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/);
  });

  it('answers 401 to a wrong key and to a user that is not `api`', async () => {
    assert.equal((await app.call('GET /v1/keys', { key: 'key-wrong' })).status, 401);
    const user = Buffer.from(`someone:${KEY}`).toString('base64');
    const { status, body } = await app.call('GET /v1/keys', { key: null, headers: { authorization: `Basic ${user}` } });
    assert.equal(status, 401);
    assert.deepEqual(body, { message: 'Invalid private key' });
  });
});

describe('POST /v1/keys', () => {
  it('answers with the secret once, and the list never has it', async () => {
    const { status, body } = await app.call('POST /v1/keys', {
      body: { role: 'developer', description: 'CI', expiration: 3600 },
    });
    assert.equal(status, 200);
    const { id, secret, created_at, updated_at, expires_at, ...rest } = body.key;
    assert.match(secret, /^key-[0-9a-f]{40}$/);
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{8}$/);
    for (const time of [created_at, updated_at, expires_at]) assert.match(time, TIME);
    assert.deepEqual(rest, { description: 'CI', kind: 'user', role: 'developer', is_disabled: false });
    assert.equal(body.message, 'great success');
    const list = await app.call('GET /v1/keys');
    assert.equal(list.body.total_count, 2);
    assert.ok(!JSON.stringify(list.body).includes(secret));
    assert.equal((await app.call('GET /v2/preview/tests', { key: secret })).status, 200);
  });

  it('takes a form, numbers as text', async () => {
    const form = new FormData();
    form.set('role', 'support');
    form.set('expiration', '60');
    const response = await fetch(`${app.url}/v1/keys`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Basic ${btoa(`api:${KEY}`)}` },
    });
    const { key } = (await response.json()) as { key: { id: string; role: string; expires_at: string } };
    assert.equal(key.role, 'support');
    assert.match(key.expires_at, TIME);
    await app.call(`DELETE /v1/keys/${key.id}`);
  });

  it('names the field and what is valid', async () => {
    const { status, body } = await app.call('POST /v1/keys', { body: { role: 'king' } });
    assert.equal(status, 400);
    assert.deepEqual(body, { message: 'role must be one of admin, developer, support, basic, sending.' });
    assert.deepEqual((await app.call('POST /v1/keys', { body: {} })).body, { message: 'role is required.' });
    assert.deepEqual((await app.call('POST /v1/keys', { body: '{"role":' })).body, {
      message: 'The body is not valid JSON.',
    });
    assert.equal(
      (await app.call('POST /v1/keys', { body: 'role=admin', headers: { 'content-type': 'text/plain' } })).status,
      415,
    );
    assert.equal(
      (await app.call('POST /v1/keys', { body: { role: 'admin', description: 'x'.repeat(1_200_000) } })).status,
      413,
    );
  });
});

describe('the fields of a key', () => {
  it('are strings where they are there, and left out where not', async () => {
    const bare = (await app.call('POST /v1/keys', { body: { role: 'basic' } })).body.key;
    assert.deepEqual(Object.keys(bare).sort(), [
      'created_at',
      'description',
      'id',
      'is_disabled',
      'kind',
      'role',
      'secret',
      'updated_at',
    ]);
    const form = new FormData();
    const fields = {
      role: 'sending',
      kind: 'domain',
      domain_name: 'News.Shop.example',
      user_id: 'u-1',
      user_name: 'Ann',
      email: 'ann@shop.example',
      expiration: '60',
    };
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    const response = await fetch(`${app.url}/v1/keys`, {
      method: 'POST',
      body: form,
      headers: { authorization: `Basic ${btoa(`api:${KEY}`)}` },
    });
    const { key } = (await response.json()) as { key: Record<string, unknown> };
    const { kind, domain_name, user_id, user_name, requestor, role } = key;
    assert.deepEqual(
      { kind, domain_name, user_id, user_name, requestor, role },
      {
        kind: 'domain',
        domain_name: 'news.shop.example',
        user_id: 'u-1',
        user_name: 'Ann',
        requestor: 'ann@shop.example',
        role: 'sending',
      },
    );
    const { items } = (await app.call('GET /v1/keys?kind=domain&domain_name=news.shop.example')).body;
    assert.deepEqual(
      items.map(({ id }: { id: string }) => id),
      [key['id']],
    );
    assert.ok(!JSON.stringify((await app.call('GET /v1/keys')).body).includes('null'));
    for (const { id } of [bare, ...items]) await app.call(`DELETE /v1/keys/${id}`);
  });

  for (const [body, message] of [
    [{ role: 'sending', kind: 'domain' }, 'domain_name is required where kind is domain.'],
    [{ role: 'sending', domain_name: 'no domain' }, 'domain_name "no domain" is not the name of a domain.'],
    [
      { role: 'developer', domain_name: 'shop.example' },
      'role must be sending where domain_name is given: other roles act on the whole account.',
    ],
    [{ role: 'basic', kind: 'robot' }, 'kind must be one of domain, user, web.'],
  ] as const)
    it(`answer 400: ${message}`, async () =>
      assert.deepEqual((await app.call('POST /v1/keys', { body })).body, { message }));
});

describe('roles', () => {
  it('lets a basic key read figures only', async () => {
    const { secret, id } = await newKey({ role: 'basic' });
    for (const path of [
      '/v2/preview/tests',
      '/v1/previews/summary',
      '/v4/inbox/results',
      '/v1/inspect/gate',
      '/v1/inspect/spam',
      '/v4/domains',
    ])
      assert.equal((await app.call(`GET ${path}`, { key: secret })).status, 200, path);
    for (const operation of [
      'GET /v1/keys',
      'GET /v2/preview/tests/x',
      'GET /v1/preview/tests/x/content',
      'POST /v2/preview/tests',
      'DELETE /v2/preview/tests/x',
      'GET /v1/seeds/mailboxes',
    ]) {
      const { status, body } = await app.call(operation, {
        key: secret,
        ...(operation.startsWith('POST') && { body: {} }),
      });
      assert.deepEqual(
        [status, body.message],
        [
          403,
          operation === 'GET /v1/keys'
            ? 'The role basic has no access to API keys. The role admin or developer has.'
            : 'The role basic may only read figures here, such as lists and statistics of tests. The role ' +
              `${operation.startsWith('GET') ? 'admin, developer or support' : 'admin or developer'} may do this.`,
        ],
        operation,
      );
    }
    assert.equal((await app.call('POST /v1/session', { key: null, body: { key: secret } })).status, 403);
    await app.call(`DELETE /v1/keys/${id}`);
  });

  it('lets a sending key do nothing but send', async () => {
    const { secret, id } = await newKey({ role: 'sending', kind: 'domain', domain_name: 'shop.example' });
    for (const operation of [
      'GET /v2/preview/tests',
      'GET /v1/previews/summary',
      'POST /v1/preview/address',
      'POST /v4/inbox/tests',
    ]) {
      const { status, body } = await app.call(operation, { key: secret });
      assert.deepEqual([status, body.message], [403, 'A key with the role sending may only send messages.'], operation);
    }
    await app.call(`DELETE /v1/keys/${id}`);
  });

  it('lets a developer key do all but make keys', async () => {
    const { secret } = await newKey({ role: 'developer' });
    assert.equal((await app.call('GET /v1/keys', { key: secret })).status, 200);
    const refused = await app.call('POST /v1/keys', { key: secret, body: { role: 'developer' } });
    assert.equal(refused.status, 403);
    assert.deepEqual(refused.body, { message: 'This needs a key with the role admin.' });
    assert.equal((await app.call('POST /v1/preview/address', { key: secret })).status, 200);
  });

  it('lets a support key read only', async () => {
    const { secret } = await newKey({ role: 'support' });
    assert.equal((await app.call('GET /v2/preview/tests', { key: secret })).status, 200);
    const refused = await app.call('POST /v1/preview/address', { key: secret });
    assert.equal(refused.status, 403);
    const message = 'The role support may only read here. The role admin or developer may do this.';
    assert.deepEqual(refused.body, { Reason: message, error: { name: 'PermissionError', message }, message });
  });
});

describe('DELETE /v1/keys/{key_id}', () => {
  it('revokes at once', async () => {
    const { id, secret } = await newKey({ role: 'developer' });
    const { status, body } = await app.call(`DELETE /v1/keys/${id}`);
    assert.deepEqual([status, body], [200, { message: 'key deleted' }]);
    assert.equal((await app.call('GET /v2/preview/tests', { key: secret })).status, 401);
    assert.equal((await app.call(`DELETE /v1/keys/${id}`)).status, 404);
  });

  it('keeps the last admin key', async () => {
    const list = await app.call('GET /v1/keys');
    const admins = list.body.items.filter((key: { role: string }) => key.role === 'admin');
    assert.equal(admins.length, 1);
    const { status, body } = await app.call(`DELETE /v1/keys/${admins[0].id}`);
    assert.equal(status, 409);
    assert.deepEqual(body, { message: 'This is the last admin key; create another before revoking it.' });
  });
});

describe('expiry', () => {
  it('refuses a key after its time', async () => {
    const { secret } = await newKey({ role: 'developer', expiration: 60 });
    assert.equal((await app.call('GET /v2/preview/tests', { key: secret })).status, 200);
    app.clock.advance(61_000);
    assert.equal((await app.call('GET /v2/preview/tests', { key: secret })).status, 401);
  });
});

describe('POST /v1/keys/public', () => {
  it('answers with a public key, another one each time, which opens nothing', async () => {
    const { status, body } = await app.call('POST /v1/keys/public');
    assert.equal(status, 200);
    assert.equal(body.message, 'The public API key has been successfully regenerated.');
    assert.match(body.key, /^pubkey-[0-9a-f]{32}$/);
    assert.notEqual((await app.call('POST /v1/keys/public')).body.key, body.key);
    assert.equal((await app.call('GET /v1/keys', { key: body.key })).status, 401);
  });
});
