import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cookieOf, PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { App } from '../../../../test/harness/start-app.ts';

let people: People;
let app: App;
before(async () => {
  people = await startPeople({ GALLEY_WRONG_KEYS_PER_MINUTE: '0', GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1' });
  app = people.app;
});
after(() => people?.close());

const WRONG = 'The email address or the password is wrong.';
const attempt = (email: string, password: string, { from, ...headers }: Record<string, string> = {}) =>
  app.call('POST /v1/session/password', {
    key: null,
    body: { email, password },
    headers: { ...headers, ...(from !== undefined && { 'x-forwarded-for': from }) },
  });

describe('signing in by password', () => {
  it('gives a cookie that works like that of a key, and a new one each time', async () => {
    const id = await people.join('ann@example.com', 'developer');
    const answer = await attempt(' Ann@Example.com ', PASSWORD);
    assert.deepEqual([answer.status, answer.body], [200, { signed_in: true }]);
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^galley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
    const cookie = cookieOf(answer);
    const { body } = await people.as(cookie, 'GET /v1/session');
    assert.deepEqual(
      { role: body.role, user: body.user, key: body.key_id },
      { role: 'developer', user: { id, name: 'Ann', email: 'ann@example.com' }, key: undefined },
    );
    const again = await attempt('ann@example.com', PASSWORD, { cookie, origin: app.url });
    assert.notEqual(cookieOf(again), cookie);
    assert.equal((await people.as(cookie, 'GET /v1/session')).status, 401, 'the old cookie is worth nothing');
    assert.equal((await people.as(cookieOf(again), 'GET /v1/session')).status, 200);
  });

  it('is answered alike for a wrong password, an unknown address, and a user without a password', async () => {
    await people.join('bob@example.com');
    await app.call('POST /v5/users', { body: { email: 'invited@example.com' } });
    const answers = [
      await attempt('bob@example.com', 'wrong'),
      await attempt('nobody@example.com', 'wrong'),
      await attempt('no address', 'wrong'),
      await attempt('invited@example.com', 'wrong'),
    ];
    for (const { status, body, headers } of answers)
      assert.deepEqual([status, body, headers.get('set-cookie')], [401, { message: WRONG }, null]);
  });

  it('stands in the audit log, also when it fails; nothing stands there of addresses that are nobody’s', async () => {
    await people.join('dan@example.com');
    await attempt('dan@example.com', 'wrong', { 'user-agent': 'a browser' });
    await attempt('nobody@example.com', 'wrong');
    await attempt('dan@example.com', PASSWORD, { 'user-agent': 'a browser' });
    await app.idle();
    const { body } = await app.call('GET /v1/audit?kind=sign_in&who=example.com&limit=100');
    const entries = (body.items as any[]).filter(({ actor }) => /^(dan|nobody)@/.test(actor.name));
    assert.deepEqual(
      entries
        .map(({ operation, result: outcome, resource, user_agent: agent }) => ({ operation, outcome, resource, agent }))
        .toSorted((one, other) => (one.operation < other.operation ? -1 : 1)),
      [
        {
          operation: 'user.sign_in_failed',
          outcome: 'failure',
          resource: { by: 'password', reason: 'wrong password' },
          agent: 'a browser',
        },
        { operation: 'user.signed_in', outcome: 'success', resource: { by: 'password' }, agent: 'a browser' },
      ],
    );
    const joined = await app.call('GET /v1/audit?operation=user.joined&who=dan');
    assert.equal(joined.body.items.length, 1);
  });

  it('is begun by JSON from its own pages, never by a form or another site', async () => {
    const { status } = await attempt('bob@example.com', PASSWORD, { origin: 'https://evil.example' });
    assert.equal(status, 403);
    const form = new FormData();
    form.set('email', 'bob@example.com');
    form.set('password', PASSWORD);
    assert.equal((await app.call('POST /v1/session/password', { key: null, body: form })).status, 415);
  });

  it('waits after ten wrong ones, alike for who is there and who is not', async () => {
    await people.join('cy@example.com');
    await app.clock.holding(async () => {
      for (const email of ['cy@example.com', 'phantom@example.com']) {
        for (let round = 0; round < 10; round += 1)
          assert.equal((await attempt(email, 'wrong', { from: '198.51.100.7' })).status, 401);
        for (const password of ['wrong', PASSWORD]) {
          const { status, body, headers } = await attempt(email, password, { from: '203.0.113.9' });
          assert.equal(status, 429, `${email} from wherever`);
          assert.equal(headers.get('retry-after'), '180');
          assert.equal(
            body.message,
            'Too many wrong passwords or codes were tried for this user. Try again in 3 minutes, or sign in in ' +
              'another way.',
          );
        }
      }
      app.clock.advance(181_000);
      assert.equal((await attempt('cy@example.com', PASSWORD, { from: '203.0.113.9' })).status, 200);
    });
  });

  it('does not lock out who comes from where they signed in before', async () => {
    await people.join('dora@example.com');
    await app.clock.holding(async () => {
      assert.equal((await attempt('dora@example.com', PASSWORD, { from: '192.0.2.10' })).status, 200);
      for (let round = 0; round < 11; round += 1) await attempt('dora@example.com', 'wrong', { from: '198.51.100.7' });
      assert.equal((await attempt('dora@example.com', PASSWORD, { from: '198.51.100.7' })).status, 429);
      assert.equal((await attempt('dora@example.com', PASSWORD, { from: '192.0.2.10' })).status, 200);
    });
  });

  it('is open to every role, and each sees and ends sessions of its own', async () => {
    await people.join('basic@example.com', 'basic');
    await people.join('other@example.com', 'billing');
    const [cookie, other] = [await people.signIn('basic@example.com'), await people.signIn('other@example.com')];
    const own = await people.as(cookie, 'GET /v1/sessions');
    assert.equal(own.body.total, 1);
    const [session] = own.body.items;
    assert.deepEqual(
      [session.user.email, session.role, session.is_current, 'key_id' in session],
      ['basic@example.com', 'basic', true, false],
    );
    assert.equal((await people.as(other, 'GET /v1/session')).body.role, 'basic', 'billing may do what basic may');
    assert.equal((await people.as(other, `DELETE /v1/sessions/${session.id}`)).status, 404);
    assert.equal((await people.as(cookie, `DELETE /v1/sessions/${session.id}`)).status, 200);
    assert.equal((await people.as(cookie, 'GET /v1/session')).status, 401);
    assert.equal((await people.as(other, 'GET /v5/users')).status, 403);
  });

  it('acts for subaccounts of the own account, and for no others', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Shed')).body.subaccount;
    await people.join('eve@example.com', 'admin');
    const cookie = await people.signIn('eve@example.com');
    const ask = (account: string) =>
      people.as(cookie, 'GET /v1/session', { headers: { 'x-service-account-id': account } });
    assert.equal((await ask(id)).body.account.name, 'Shed');
    assert.equal((await ask('0123456789abcdef01234567')).status, 403);
    const own = await people.as(cookie, 'GET /v1/sessions?own=true');
    assert.ok(own.body.items.every(({ user }: { user?: { email: string } }) => user?.email === 'eve@example.com'));
  });
});

describe('wrong passwords of one address', () => {
  it('are limited like wrong keys', async () => {
    const strict = await startPeople({ GALLEY_WRONG_KEYS_PER_MINUTE: '3' });
    await strict.app.clock.holding(async () => {
      for (let round = 0; round < 3; round += 1) {
        const body = { email: `user${round}@example.com`, password: 'wrong' };
        assert.equal((await strict.app.call('POST /v1/session/password', { key: null, body })).status, 401);
      }
      const body = { email: 'another@example.com', password: 'wrong' };
      assert.equal((await strict.app.call('POST /v1/session/password', { key: null, body })).status, 429);
    });
    await strict.close();
  });
});
