import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { App } from '../../../../test/harness/start-app.ts';

let people: People;
let app: App;
before(async () => {
  people = await startPeople();
  app = people.app;
});
after(() => people?.close());

const NO_LINK = 'This link has expired, was used already, or was replaced by a newer one.';
const useLink = (body: object) => app.call('POST /v5/users/links/use', { key: null, body });
const readLink = (token: string) => app.call('POST /v5/users/links/read', { key: null, body: { token } });
const newSubaccount = async (): Promise<string> =>
  (await app.call('POST /v5/accounts/subaccounts?name=Garden')).body.subaccount.id;

describe('an invitation', () => {
  it('goes by email, and makes a user of whoever follows its link', async () => {
    const made = await app.call('POST /v5/users', {
      body: { email: 'Ann@Shop.Example.com', name: 'Ann', role: 'support' },
    });
    assert.equal(made.status, 200);
    const { id, account_id, ...user } = made.body.user;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.match(account_id, /^[0-9a-f]{24}$/);
    assert.deepEqual(user, {
      activated: false,
      name: 'Ann',
      is_disabled: false,
      email: 'ann@shop.example.com',
      email_details: {
        address: 'ann@shop.example.com',
        is_valid: true,
        reason: '',
        parts: { domain: 'shop.example.com', local_part: 'ann', display_name: 'Ann' },
      },
      role: 'support',
      opened_ip: '',
      is_master: true,
      metadata: {},
      tfa_enabled: false,
      tfa_active: false,
      tfa_created_at: null,
      password_updated_at: null,
      preferences: { time_zone: 'UTC', time_format: '24', programming_language: 'curl' },
      auth: { method: 'password', prior_method: '', prior_details: {} },
      github_user_id: null,
      salesforce_user_id: null,
      migration_status: 'none',
    });
    const token = await people.tokenFor('ann@shop.example.com');
    assert.equal(made.body.invitation.url, `https://galley.example.com/welcome#${token}`);
    const read = await readLink(token);
    assert.deepEqual(read.body, {
      kind: 'invitation',
      email: 'ann@shop.example.com',
      name: 'Ann',
      account_name: 'Galley',
      expires_at: made.body.invitation.expires_at,
    });
    const used = await useLink({ token, password: PASSWORD, name: 'Ann Lee' });
    assert.deepEqual(
      [used.status, used.body],
      [200, { message: 'Your password is set.', email: 'ann@shop.example.com' }],
    );
    const now = (await app.call(`GET /v5/users/${id}`)).body;
    assert.deepEqual([now.activated, now.name], [true, 'Ann Lee']);
    assert.match(now.opened_ip, /^(127\.0\.0\.1|::1)$/);
    assert.match(now.password_updated_at, /GMT$/);
  });

  it('works once, for seven days, and is replaced by a newer one', async () => {
    const { user } = (await app.call('POST /v5/users', { body: { email: 'bob@example.com' } })).body;
    const first = await people.tokenFor('bob@example.com');
    let second = '';
    await app.clock.holding(async () => {
      const again = await app.call(`POST /v5/users/${user.id}/invitation`);
      assert.equal(again.status, 200);
      second = await people.tokenFor('bob@example.com');
      assert.notEqual(first, second);
      for (const token of [first, 'made-up']) {
        const { status, body } = await readLink(token);
        assert.deepEqual([status, body], [410, { message: NO_LINK }]);
      }
      app.clock.advance(7 * 86_400_000);
      assert.equal((await readLink(second)).status, 410);
      app.clock.advance(-1000);
      assert.equal((await readLink(second)).status, 200);
    });
    assert.equal((await useLink({ token: second, password: PASSWORD })).status, 200);
    assert.deepEqual((await useLink({ token: second, password: PASSWORD })).body, { message: NO_LINK });
    const taken = await app.call(`POST /v5/users/${user.id}/invitation`);
    assert.deepEqual([taken.status, taken.body.message], [409, 'This user has accepted an invitation already.']);
  });

  it('is worth nothing when its user came in another way: who sent it knows the link, too', async () => {
    const made = await app.call('POST /v5/users', { body: { email: 'came@people.example', role: 'developer' } });
    const token = made.body.invitation.url.split('#')[1];
    assert.equal((await readLink(token)).status, 200);
    // As signing in by SSO does.
    await app.galley.outside.db.ofAnyone
      .updateTable('users')
      .set({ activatedAt: app.clock.now() })
      .where('id', '=', made.body.user.id)
      .execute();
    assert.equal((await readLink(token)).status, 410);
    assert.equal((await useLink({ token, password: PASSWORD })).status, 410);
    assert.equal((await app.call(`DELETE /v5/users/${made.body.user.id}`)).status, 200);
  });

  it('is refused for an address that is taken, whoever’s user it is', async () => {
    await people.join('cy@example.com');
    const headers = { 'x-service-account-id': await newSubaccount() };
    for (const call of [{}, { headers }]) {
      const { status, body } = await app.call('POST /v5/users', { body: { email: 'CY@example.com' }, ...call });
      assert.deepEqual([status, body.message], [409, 'email: cy@example.com belongs to a user already.']);
    }
  });

  for (const [body, message] of [
    [{}, 'email is required.'],
    [{ email: 'nobody' }, 'email "nobody" is not an email address.'],
    [{ email: 'd@example.com', role: 'king' }, 'role must be one of basic, billing, support, developer, admin.'],
  ] as const)
    it(`answers 400: ${message}`, async () => {
      const answer = await app.call('POST /v5/users', { body });
      assert.deepEqual([answer.status, answer.body], [400, { message }]);
    });

  for (const [password, message] of [
    ['short', 'password must have at least 10 characters.'],
    ['aaaaaaaaaaaaabc', 'password must have more than three different characters.'],
    ['dora@example.com1', 'password must not be made of your name, your email address or the word password.'],
    ['Password123', 'password must not be made of your name, your email address or the word password.'],
  ] as const)
    it(`refuses the password ${password}, and stays good`, async () => {
      const { users } = (await app.call('GET /v5/users')).body;
      const dora = users.find(({ email }: { email: string }) => email === 'dora@example.com');
      const again = dora ? `POST /v5/users/${dora.id}/invitation` : 'POST /v5/users';
      await app.call(again, { body: { email: 'dora@example.com', name: 'Dora' } });
      const token = await people.tokenFor('dora@example.com');
      const { status, body } = await useLink({ token, password });
      assert.deepEqual([status, body], [400, { message }]);
      assert.equal((await readLink(token)).status, 200);
    });

  it('that cannot be delivered is told to the admin', async () => {
    const strange = await startPeople({ GALLEY_SMTP_RELAY: '' });
    await strange.app.call('POST /v5/users', { body: { email: 'eve@nowhere.example' } });
    await strange.app.idle();
    const { users } = (await strange.app.call('GET /v5/users')).body;
    assert.equal(typeof users[0].sign_in.mail_problem, 'string');
    await strange.close();
  });
});

describe('users', () => {
  it('are listed, by role and page by page, and are nobody else’s', async () => {
    const id = await people.join('fay@example.com', 'billing');
    const { body } = await app.call('GET /v5/users?role=billing');
    assert.deepEqual([body.total, body.users.map(({ email }: { email: string }) => email)], [1, ['fay@example.com']]);
    assert.equal(body.users[0].sign_in.has_password, true);
    assert.equal((await app.call('GET /v5/users?limit=1&skip=1')).body.users.length, 1);
    const headers = { 'x-service-account-id': await newSubaccount() };
    assert.deepEqual((await app.call('GET /v5/users', { headers })).body, { users: [], total: 0 });
    for (const operation of [
      `GET /v5/users/${id}`,
      `PUT /v5/users/${id}`,
      `POST /v5/users/${id}/invitation`,
      `DELETE /v5/users/${id}`,
      'GET /v5/users/nobody',
    ]) {
      const body = operation.startsWith('PUT') ? { body: { role: 'admin' } } : {};
      const answer = await app.call(operation, operation.endsWith('nobody') ? {} : { headers, ...body });
      assert.deepEqual([answer.status, answer.body], [404, { message: 'No such user exists' }], operation);
    }
  });

  it('are managed by admins alone', async () => {
    const id = await people.join('gus@example.com', 'developer');
    const cookie = await people.signIn('gus@example.com');
    for (const operation of ['GET /v5/users', `GET /v5/users/${id}`, 'POST /v5/users', `DELETE /v5/users/${id}`]) {
      const { status } = await people.as(cookie, operation, operation.startsWith('POST') ? { body: {} } : {});
      assert.equal(status, 403, operation);
    }
  });

  it('are themselves by their session and by their keys, not by others’', async () => {
    const id = await people.join('hal@example.com', 'basic');
    const cookie = await people.signIn('hal@example.com');
    const me = await people.as(cookie, 'GET /v5/users/me');
    assert.deepEqual([me.status, me.body.id, me.body.role], [200, id, 'basic']);
    const incompatible = await app.call('GET /v5/users/me');
    assert.deepEqual(
      [incompatible.status, incompatible.body],
      [403, { message: 'Incompatible key for this endpoint' }],
    );
    const keyOf = async (headers = {}) =>
      (await app.call('POST /v1/keys', { body: { role: 'basic', user_id: id }, headers })).body.key;
    const own = await keyOf();
    assert.equal((await app.call('GET /v5/users/me', { key: own.secret })).body.id, id);
    const foreign = await keyOf({ 'x-service-account-id': await newSubaccount() });
    assert.equal((await app.call('GET /v5/users/me', { key: foreign.secret })).status, 403);
    const change = await app.call('PUT /v5/users/me/name', { key: own.secret, body: { name: 'H' } });
    assert.deepEqual(
      [change.status, change.body.message],
      [403, 'Only a user who signed in can change this; a key cannot.'],
    );
    const renamed = await people.as(cookie, 'PUT /v5/users/me/name', { body: { name: ' Hal ' } });
    assert.equal(renamed.body.user.name, 'Hal');
  });

  it('get another role at once', async () => {
    const id = await people.join('ida@example.com', 'support');
    const cookie = await people.signIn('ida@example.com');
    const write = () => people.as(cookie, 'POST /v1/preview/address');
    assert.equal((await write()).status, 403);
    const { body } = await app.call(`PUT /v5/users/${id}`, { body: { role: 'developer', name: 'Ida' } });
    assert.deepEqual([body.user.role, body.user.name], ['developer', 'Ida']);
    assert.equal((await write()).status, 200);
  });

  for (const [what, end] of [
    ['are disabled', (id: string) => app.call(`PUT /v5/users/${id}`, { body: { is_disabled: true } })],
    ['are deleted', (id: string) => app.call(`DELETE /v5/users/${id}`)],
  ] as const)
    it(`${what}, and everything of theirs ends at once`, async () => {
      const email = `${what.slice(4)}@example.com`;
      const id = await people.join(email, 'admin');
      const cookie = await people.signIn(email);
      const { key } = (await app.call('POST /v1/keys', { body: { role: 'developer', user_id: id } })).body;
      await app.call('POST /v5/users/password-reset', { key: null, body: { email } });
      const token = await people.tokenFor(email);
      assert.equal((await app.call('GET /v2/preview/tests', { key: key.secret })).status, 200);
      const self = await people.as(cookie, `PUT /v5/users/${id}`, { body: { is_disabled: true } });
      assert.equal(self.status, 409);
      assert.equal((await end(id)).status, 200);
      assert.equal((await people.as(cookie, 'GET /v1/session')).status, 401);
      assert.equal((await app.call('GET /v2/preview/tests', { key: key.secret })).status, 401);
      assert.equal((await readLink(token)).status, 410);
      const signIn = await app.call('POST /v1/session/password', { key: null, body: { email, password: PASSWORD } });
      assert.deepEqual([signIn.status, signIn.body.message], [401, 'The email address or the password is wrong.']);
      const sessions = (await app.call('GET /v1/sessions')).body.items;
      assert.ok(!sessions.some(({ user }: { user?: { id: string } }) => user?.id === id));
    });

  it('who are admins and disable each other at the same moment leave one', async () => {
    const admins: { id: string; cookie: string }[] = [];
    for (const email of ['left@example.com', 'right@example.com']) {
      const id = await people.join(email, 'admin');
      admins.push({ id, cookie: await people.signIn(email) });
    }
    const [left, right] = admins as [(typeof admins)[0], (typeof admins)[0]];
    const changes = [{ is_disabled: true }, { role: 'support' }];
    for (const body of changes) {
      const answers = await Promise.all([
        people.as(left.cookie, `PUT /v5/users/${right.id}`, { body }),
        people.as(right.cookie, `PUT /v5/users/${left.id}`, { body }),
      ]);
      const well = answers.filter(({ status }) => status === 200);
      assert.equal(well.length, 1, JSON.stringify(answers.map(({ body: said }) => said)));
      assert.ok(answers.some(({ status }) => status === 401 || status === 403));
      const users = await Promise.all(admins.map(async ({ id }) => (await app.call(`GET /v5/users/${id}`)).body));
      assert.equal(users.filter(({ role, is_disabled }) => role === 'admin' && !is_disabled).length, 1);
      for (const { id } of admins)
        await app.call(`PUT /v5/users/${id}`, { body: { is_disabled: false, role: 'admin' } });
      // Who was disabled signs in anew.
      left.cookie = await people.signIn('left@example.com');
      right.cookie = await people.signIn('right@example.com');
    }
  });

  it('are enabled again, and sign in anew', async () => {
    const id = await people.join('jo@example.com');
    const cookie = await people.signIn('jo@example.com');
    await app.call(`PUT /v5/users/${id}`, { body: { is_disabled: true } });
    await app.call(`PUT /v5/users/${id}`, { body: { is_disabled: false } });
    assert.equal((await people.as(cookie, 'GET /v1/session')).status, 401);
    assert.equal((await people.as(await people.signIn('jo@example.com'), 'GET /v1/session')).status, 200);
  });
});

describe('a password', () => {
  it('is changed with the one before; the other sessions end', async () => {
    await people.join('kim@example.com', 'support');
    const [cookie, other] = [await people.signIn('kim@example.com'), await people.signIn('kim@example.com')];
    const change = (body: object) => people.as(cookie, 'PUT /v5/users/me/password', { body });
    const wrong = await change({ current_password: 'no', password: 'eleven green kettles' });
    assert.deepEqual([wrong.status, wrong.body], [400, { message: 'current_password is not your password.' }]);
    const done = await change({ current_password: PASSWORD, password: 'eleven green kettles' });
    assert.deepEqual([done.status, done.body], [200, { message: 'Your password was changed.' }]);
    assert.equal((await people.as(cookie, 'GET /v1/session')).status, 200);
    assert.equal((await people.as(other, 'GET /v1/session')).status, 401);
    const old = { email: 'kim@example.com', password: PASSWORD };
    assert.equal((await app.call('POST /v1/session/password', { key: null, body: old })).status, 401);
    await people.signIn('kim@example.com', 'eleven green kettles');
  });

  it('is chosen anew by a link, and nobody learns whether there is a user', async () => {
    await people.join('lou@example.com');
    const cookie = await people.signIn('lou@example.com');
    const ask = (email: string) => app.call('POST /v5/users/password-reset', { key: null, body: { email } });
    const answers = [await ask('lou@example.com'), await ask('nobody@example.com')];
    for (const { status, body } of answers)
      assert.deepEqual(
        [status, body],
        [202, { message: 'If this is the address of a user, an email with a link is on its way.' }],
      );
    const token = await people.tokenFor('lou@example.com');
    assert.ok(!people.mail.messages.some(({ to }) => to.includes('nobody@example.com')));
    assert.equal((await readLink(token)).body.kind, 'reset');
    assert.equal((await useLink({ token, password: 'nine silver ladders' })).status, 200);
    assert.equal((await people.as(cookie, 'GET /v1/session')).status, 401);
    await people.signIn('lou@example.com', 'nine silver ladders');
    await app.clock.holding(async () => {
      await ask('lou@example.com');
      await ask('lou@example.com');
      for (const email of ['lou@example.com', 'lou@EXAMPLE.com']) assert.equal((await ask(email)).status, 429);
    });
  });

  it('is not sent links for where nobody said what the service is called outside', async () => {
    const nameless = await startPeople({ GALLEY_PUBLIC_URL: '' });
    const { status, body } = await nameless.app.call('POST /v5/users/password-reset', {
      key: null,
      body: { email: 'a@example.com' },
    });
    assert.deepEqual(
      [status, body.message],
      [409, 'Galley sends no links for new passwords while GALLEY_PUBLIC_URL is not set.'],
    );
    assert.deepEqual((await nameless.app.call('GET /v1/session/ways', { key: null })).body, {
      password_reset: false,
      sso: null,
      passkeys: null,
    });
    await nameless.close();
  });

  it('is kept as Argon2id makes it, and a link as a digest', async () => {
    await people.join('max@example.com');
    const { rows } = await app.galley.outside.db.ofAnyone
      .selectFrom('users')
      .select('passwordHash')
      .where('email', '=', 'max@example.com')
      .execute()
      .then((rows) => ({ rows }));
    assert.match(rows[0]?.passwordHash ?? '', /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
  });
});
