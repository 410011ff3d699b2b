import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { KEY, startApp, type App } from '../../../../test/harness/start-app.ts';

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
    assert.deepEqual(
      { name: body.account.name, region: body.account.region, role: body.role, isOperator: body.is_operator },
      { name: 'Galley', region: 'us', role: 'admin', isOperator: true },
    );
    assert.equal(
      (await app.call('POST /v1/preview/address', { key: null, headers: { cookie, origin: app.url } })).status,
      200,
    );
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
    const { status, body } = await app.call('POST /v1/keys', {
      key: null,
      headers: { cookie, origin: 'https://evil.example' },
      body: { role: 'admin' },
    });
    assert.equal(status, 403);
    assert.deepEqual(body, { message: 'This request comes from another site.' });
  });

  it('takes a change only when the browser says that it comes from its own pages', async () => {
    const cookie = await signIn();
    const change = async (headers: Record<string, string>) => {
      const { status, body } = await app.call('POST /v1/preview/address', {
        key: null,
        headers: { cookie, ...headers },
      });
      return status === 403 ? body.message : status;
    };
    const refused = 'This request comes from another site.';
    assert.equal(await change({ 'sec-fetch-site': 'same-origin' }), 200);
    assert.equal(await change({ origin: app.url, 'sec-fetch-site': 'same-origin' }), 200);
    assert.equal(await change({}), refused, 'nobody says where it comes from');
    assert.equal(await change({ origin: 'null' }), refused);
    assert.equal(await change({ 'sec-fetch-site': 'none' }), refused);
    assert.equal(await change({ origin: app.url, 'sec-fetch-site': 'cross-site' }), refused);
    assert.equal(await change({ origin: app.url, 'sec-fetch-site': 'same-site' }), refused);
    const { status } = await app.call('DELETE /v1/session', {
      key: null,
      headers: { cookie, origin: 'https://evil.example' },
    });
    assert.equal(status, 403);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie } })).status, 200);
  });

  it('is begun by JSON from its own pages, never by a form or another site', async () => {
    const json = { 'content-type': 'application/json' };
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const multipart = { 'content-type': 'multipart/form-data; boundary=x' };
    const inForm = `--x\r\ncontent-disposition: form-data; name="key"\r\n\r\n${KEY}\r\n--x--\r\n`;
    for (const [body, headers, wanted] of [
      [`key=${KEY}`, form, 415],
      [inForm, multipart, 415],
      [JSON.stringify({ key: KEY }), { 'content-type': 'text/plain' }, 415],
      [JSON.stringify({ key: KEY }), { ...json, origin: 'https://evil.example' }, 403],
      [JSON.stringify({ key: KEY }), { ...json, 'sec-fetch-site': 'cross-site' }, 403],
      [JSON.stringify({ key: KEY }), { ...json, origin: app.url, 'sec-fetch-site': 'same-origin' }, 200],
    ] as const) {
      const { status, headers: answered } = await app.call('POST /v1/session', { key: null, body, headers });
      assert.deepEqual([status, answered.has('set-cookie')], [wanted, wanted === 200], JSON.stringify(headers));
    }
  });

  it('ends when it is signed out, the cookie with it', async () => {
    const [cookie, other] = [await signIn(), await signIn()];
    const { status, body } = await app.call('DELETE /v1/session', { key: null, headers: { cookie, origin: app.url } });
    assert.deepEqual([status, body], [200, { message: 'signed out' }]);
    const old = await app.call('GET /v1/session', { key: null, headers: { cookie } });
    assert.deepEqual([old.status, old.body], [401, { message: 'The session has ended; sign in again.' }]);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie: other } })).status, 200);
    assert.equal(
      (await app.call('DELETE /v1/session', { key: null, headers: { cookie, origin: app.url } })).status,
      200,
    );
  });

  it('stays ended when its account was disabled, also after that is opened again', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Sleepy')).body.subaccount;
    const made = await app.call('POST /v1/keys', { body: { role: 'admin' }, headers: { 'x-service-account-id': id } });
    const cookie = await signIn(made.body.key.secret);
    const ask = async () => (await app.call('GET /v1/session', { key: null, headers: { cookie } })).status;
    assert.equal(await ask(), 200);
    await app.call(`POST /v5/accounts/subaccounts/${id}/disable`);
    assert.equal(await ask(), 401);
    await app.call(`POST /v5/accounts/subaccounts/${id}/enable`);
    assert.equal(await ask(), 401);
    assert.deepEqual((await app.call('GET /v1/sessions', { key: made.body.key.secret })).body, { items: [], total: 0 });
    const anew = await signIn(made.body.key.secret);
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie: anew } })).status, 200);
  });

  it('is listed and revocable: all of the account by an admin, the own ones by others', async () => {
    const { key } = (await app.call('POST /v1/keys', { body: { role: 'developer', description: 'Ann' } })).body;
    const other = (await app.call('POST /v1/keys', { body: { role: 'developer' } })).body.key;
    const cookie = await signIn(key.secret);
    const own = await app.call('GET /v1/sessions', { key: null, headers: { cookie } });
    assert.equal(own.status, 200);
    const [{ id, address, user_agent, created_at, last_used_at, expires_at, ...rest }] = own.body.items;
    assert.deepEqual(
      [own.body.total, rest],
      [1, { key_id: key.id, key_description: 'Ann', role: 'developer', is_current: true }],
    );
    assert.match(address, /^(127\.0\.0\.1|::1)$/);
    assert.equal(typeof user_agent, 'string');
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), 12 * 3_600_000);
    assert.ok(last_used_at >= created_at);
    assert.ok(!JSON.stringify(own.body).includes(cookie.split('=')[1] as string));
    assert.deepEqual((await app.call('GET /v1/sessions', { key: other.secret })).body.items, []);
    assert.equal((await app.call(`DELETE /v1/sessions/${id}`, { key: other.secret })).status, 404);
    const all = await app.call('GET /v1/sessions');
    assert.ok(
      all.body.items.some((session: { id: string; is_current: boolean }) => session.id === id && !session.is_current),
    );
    assert.deepEqual((await app.call(`DELETE /v1/sessions/${id}`)).body, { message: 'The session was ended.' });
    assert.equal((await app.call('GET /v1/session', { key: null, headers: { cookie } })).status, 401);
    assert.equal((await app.call(`DELETE /v1/sessions/${id}`)).status, 404);
    await signIn(key.secret);
    await app.call(`DELETE /v1/keys/${key.id}`);
    assert.ok(
      !(await app.call('GET /v1/sessions')).body.items.some((session: { key_id: string }) => session.key_id === key.id),
    );
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

describe('time-outs of the account', () => {
  const set = (query: string) => app.call(`PUT /v5/accounts?${query}`);
  const isIn = async (cookie: string): Promise<boolean> =>
    (await app.call('GET /v1/session', { key: null, headers: { cookie } })).status === 200;

  it('end a session that is not used, and one that is, after their time', async () => {
    await set('inactive_session_timeout=600&absolute_session_timeout=1800');
    const cookie = await signIn();
    for (let minutes = 0; minutes < 24; minutes += 8) {
      assert.equal(await isIn(cookie), true);
      app.clock.advance(8 * 60_000);
    }
    assert.equal(await isIn(cookie), true);
    app.clock.advance(8 * 60_000);
    assert.equal(await isIn(cookie), false, 'after half an hour, though it was used');
    const idle = await signIn();
    app.clock.advance(12 * 60_000);
    assert.equal(await isIn(idle), false, 'after ten minutes without a use');
    await set('inactive_session_timeout=0&absolute_session_timeout=0');
  });

  it('hold for sessions that are under way when they become shorter', async () => {
    const cookie = await signIn();
    app.clock.advance(3600_000);
    assert.equal(await isIn(cookie), true);
    await set('absolute_session_timeout=1800');
    assert.equal(await isIn(cookie), false);
    await set('absolute_session_timeout=0');
  });

  it('say with the cookie how long it lasts, and signing out says where to go', async () => {
    await set('absolute_session_timeout=7200&logout_redirect_url=https://example.com/bye');
    const signed = await app.call('POST /v1/session', { key: null, body: { key: KEY } });
    assert.match(signed.headers.get('set-cookie') ?? '', /Max-Age=7200/);
    const cookie = (signed.headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const { body } = await app.call('DELETE /v1/session', { key: null, headers: { cookie, origin: app.url } });
    assert.deepEqual(body, { message: 'signed out', logout_redirect_url: 'https://example.com/bye' });
    await set('absolute_session_timeout=0&logout_redirect_url=');
  });
});
