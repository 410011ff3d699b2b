import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KEY, startApp, type App } from '../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

async function signIn(key = KEY): Promise<string> {
  const { status, headers } = await app.call('POST /v1/session', { key: null, body: { key } });
  assert.equal(status, 200);
  const cookie = headers.get('set-cookie') ?? '';
  assert.match(cookie, /HttpOnly; SameSite=Strict/);
  assert.ok(!cookie.includes(key));
  return cookie.split(';', 1)[0] as string;
}

describe('dashboard sessions', () => {
  it('exchanges a key for a cookie that works in its place', async () => {
    const cookie = await signIn();
    const { status, body } = await app.call('GET /v1/session', { key: null, headers: { cookie } });
    assert.equal(status, 200);
    assert.deepEqual({ name: body.account.name, region: body.account.region, role: body.role }, { name: 'Galley', region: 'us', role: 'admin' });
    assert.equal((await app.call('POST /v1/preview/address', { key: null, headers: { cookie } })).status, 200);
  });

  it('answers 401 to a wrong key, an altered cookie and an old one', async () => {
    assert.equal((await app.call('POST /v1/session', { key: null, body: { key: 'key-wrong' } })).status, 401);
    const cookie = await signIn();
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie: `${cookie}x` } })).status, 401);
    app.clock.advance(13 * 3_600_000);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie } })).status, 401);
  });

  it('refuses a change that another site sends', async () => {
    const cookie = await signIn();
    const { status, body } = await app.call('POST /v1/keys', { key: null, headers: { cookie, origin: 'https://evil.example' }, body: { role: 'admin' } });
    assert.equal(status, 403);
    assert.deepEqual(body, { message: 'This request comes from another site.' });
  });

  it('ends when its key is revoked, and when it is signed out', async () => {
    const made = await app.call('POST /v1/keys', { body: { role: 'developer' } });
    const cookie = await signIn(made.body.key.secret);
    await app.call(`DELETE /v1/keys/${made.body.key.id}`);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie } })).status, 401);
    const { headers } = await app.call('DELETE /v1/session', { key: null });
    assert.match(headers.get('set-cookie') ?? '', /^galley_session=;.*Max-Age=0/);
  });
});
