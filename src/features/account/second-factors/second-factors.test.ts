import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cookieOf, PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { App } from '../../../../test/harness/start-app.ts';
import { joinGuarded, shownAt } from '../../../../test/harness/authenticator.ts';

const PATH = '/v5/users/me/second-factor';
const WRONG_CODE = 'code is wrong, or was used before. Give the six digits that your app shows now.';
let people: People;
let app: App;
before(async () => {
  people = await startPeople({ GALLEY_WRONG_KEYS_PER_MINUTE: '0', GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1' });
  app = people.app;
});
after(() => people?.close());

const isIn = async (cookie: string): Promise<boolean> => (await people.as(cookie, 'GET /v1/session')).status === 200;
const withCode = (challenge: string, code: string, headers: Record<string, string> = {}) =>
  app.call('POST /v1/session/code', { key: null, body: { challenge, code }, headers });

describe('a second factor', () => {
  it('is begun with the password, turned on by a code, and ends the other sessions', async () => {
    const id = await people.join('ann@example.com');
    const [cookie, other] = [await people.signIn('ann@example.com'), await people.signIn('ann@example.com')];
    const off = await people.as(cookie, `GET ${PATH}`);
    assert.deepEqual([off.status, off.body], [200, { is_on: false, created_at: null, recovery_codes_left: 0 }]);
    const wrong = await people.as(cookie, `POST ${PATH}`, { body: { current_password: 'no' } });
    assert.deepEqual([wrong.status, wrong.body], [400, { message: 'current_password is not your password.' }]);
    const replaced = (await people.as(cookie, `POST ${PATH}`, { body: { current_password: PASSWORD } })).body;
    const begun = await people.as(cookie, `POST ${PATH}`, { body: { current_password: PASSWORD } });
    const { secret } = begun.body;
    assert.match(secret, /^[A-Z2-7]{32}$/);
    assert.equal(begun.body.url, `otpauth://totp/Galley:ann%40example.com?secret=${secret}&issuer=Galley`);
    const confirm = (code: string) => people.as(cookie, `POST ${PATH}/confirmation`, { body: { code } });
    for (const code of [shownAt(replaced.secret, app.clock.now()), '12345', 'seven']) {
      const { status, body } = await confirm(code);
      assert.deepEqual([status, body], [400, { message: WRONG_CODE }]);
    }
    assert.ok(await isIn(other), 'nothing has changed before the code');
    const confirmed = await confirm(shownAt(secret, app.clock.now()));
    assert.deepEqual([confirmed.status, confirmed.body.message], [200, 'Your second factor is on.']);
    const codes: string[] = confirmed.body.recovery_codes;
    assert.equal(new Set(codes).size, 10);
    for (const code of codes) assert.match(code, /^[a-z2-7]{4}-[a-z2-7]{4}-[a-z2-7]{4}$/);
    assert.deepEqual([await isIn(cookie), await isIn(other)], [true, false]);
    const { body: on } = await people.as(cookie, `GET ${PATH}`);
    assert.deepEqual([on.is_on, on.recovery_codes_left], [true, 10]);
    assert.match(on.created_at, /^\d{4}-.*Z$/);
    const user = (await app.call(`GET /v5/users/${id}`)).body;
    assert.deepEqual([user.tfa_enabled, user.tfa_active], [true, true]);
    assert.match(user.tfa_created_at, /GMT$/);
    for (const again of [
      await people.as(cookie, `POST ${PATH}`, { body: { current_password: PASSWORD } }),
      await confirm('123456'),
    ])
      assert.deepEqual(
        [again.status, again.body],
        [409, { message: 'Your second factor is on already. Turn it off first.' }],
      );
  });

  it('that was begun waits an hour for its code', async () => {
    await people.join('bob@example.com');
    const cookie = await people.signIn('bob@example.com');
    const confirm = (code: string) => people.as(cookie, `POST ${PATH}/confirmation`, { body: { code } });
    const message = 'There is no secret that waits for a code, or it is older than an hour. Begin anew.';
    assert.deepEqual((await confirm('123456')).body, { message });
    const { body } = await people.as(cookie, `POST ${PATH}`, { body: { current_password: PASSWORD } });
    app.clock.advance(3_600_000);
    const late = await confirm(shownAt(body.secret, app.clock.now()));
    assert.deepEqual([late.status, late.body], [409, { message }]);
    await people.signIn('bob@example.com');
    assert.equal((await people.as(cookie, `GET ${PATH}`)).body.is_on, false);
  });

  it('is nothing for a key', async () => {
    const calls = [
      [`GET ${PATH}`, undefined],
      [`POST ${PATH}`, { current_password: PASSWORD }],
      [`POST ${PATH}/confirmation`, { code: '123456' }],
      [`POST ${PATH}/recovery-codes`, { current_password: PASSWORD, code: '123456' }],
      [`DELETE ${PATH}`, { current_password: PASSWORD, code: '123456' }],
    ] as const;
    for (const [operation, body] of calls) {
      const answer = await app.call(operation, body ? { body } : {});
      assert.deepEqual(
        [answer.status, answer.body.message],
        [403, 'Only a user who signed in can change this; a key cannot.'],
        operation,
      );
    }
  });

  it('is kept encrypted, and its recovery codes as digests', async () => {
    const guarded = await joinGuarded(people, 'cy@example.com');
    const { db } = app.galley.outside;
    const rows = await db.ofAnyone.selectFrom('secondFactors').selectAll().where('userId', '=', guarded.id).execute();
    assert.match(rows[0]?.sealedSecret ?? '', /^v1\./);
    const codes = await db.ofAnyone.selectFrom('recoveryCodes').selectAll().where('userId', '=', guarded.id).execute();
    assert.deepEqual(
      codes.map(({ digest }) => digest.length),
      Array.from({ length: 10 }, () => 32),
    );
  });

  it('is turned off with password and code, and its recovery codes renewed', async () => {
    const guarded = await joinGuarded(people, 'dora@example.com');
    const { cookie } = guarded;
    const call = (operation: string, current: string, code: string) =>
      people.as(cookie, operation, { body: { current_password: current, code } });
    for (const operation of [`POST ${PATH}/recovery-codes`, `DELETE ${PATH}`]) {
      const noPassword = await call(operation, 'no', guarded.nextCode());
      assert.deepEqual([noPassword.status, noPassword.body.message], [400, 'current_password is not your password.']);
      const noCode = await call(operation, PASSWORD, '000000');
      assert.deepEqual([noCode.status, noCode.body], [400, { message: WRONG_CODE }]);
    }
    const renewed = await call(`POST ${PATH}/recovery-codes`, PASSWORD, guarded.nextCode());
    assert.deepEqual([renewed.status, renewed.body.message], [200, 'Your recovery codes were replaced.']);
    assert.equal((await guarded.finish(guarded.recoveryCodes[0] as string)).status, 401, 'an old one');
    assert.equal((await guarded.finish(renewed.body.recovery_codes[0])).status, 200);
    assert.equal((await people.as(cookie, `GET ${PATH}`)).body.recovery_codes_left, 9);
    const off = await call(`DELETE ${PATH}`, PASSWORD, renewed.body.recovery_codes[1]);
    assert.deepEqual([off.status, off.body], [200, { message: 'Your second factor is off.' }]);
    assert.deepEqual((await guarded.begin()).body, { signed_in: true });
    const again = await call(`DELETE ${PATH}`, PASSWORD, '000000');
    assert.deepEqual([again.status, again.body], [409, { message: 'You have no second factor.' }]);
  });

  it('of another is reset by an admin of the account', async () => {
    const guarded = await joinGuarded(people, 'eve@example.com', 'admin');
    const operation = `DELETE /v5/users/${guarded.id}/second-factor`;
    const { id: subaccount } = (await app.call('POST /v5/accounts/subaccounts?name=Shed')).body.subaccount;
    const stranger = await app.call(operation, { headers: { 'x-service-account-id': subaccount } });
    assert.deepEqual([stranger.status, stranger.body], [404, { message: 'No such user exists' }]);
    const own = await people.as(guarded.cookie, operation);
    assert.deepEqual(
      [own.status, own.body],
      [409, { message: 'Nobody resets their own second factor; turn it off with a code, or ask an admin.' }],
    );
    const { challenge } = (await guarded.begin()).body;
    const reset = await app.call(operation);
    assert.deepEqual([reset.status, reset.body], [200, { message: 'The second factor of the user is off.' }]);
    assert.equal((await withCode(challenge, guarded.nextCode())).status, 401);
    assert.deepEqual((await guarded.begin()).body, { signed_in: true });
    const again = await app.call(operation);
    assert.deepEqual([again.status, again.body], [409, { message: 'This user has no second factor.' }]);
    assert.equal((await app.call(`GET /v5/users/${guarded.id}`)).body.tfa_created_at, null);
    const { items } = (await app.call('GET /v1/audit?operation=removeSecondFactor')).body;
    assert.deepEqual(
      items.map(({ resource, actor }: any) => [resource, actor.type]),
      [[{ user_id: guarded.id }, 'key']],
    );
  });

  it('is gone with its user', async () => {
    const guarded = await joinGuarded(people, 'fay@example.com');
    const { challenge } = (await guarded.begin()).body;
    assert.equal((await app.call(`DELETE /v5/users/${guarded.id}`)).status, 200);
    assert.equal((await withCode(challenge, guarded.nextCode())).status, 410);
    const { db } = app.galley.outside;
    for (const table of ['secondFactors', 'recoveryCodes', 'halfSessions'] as const)
      assert.deepEqual(
        await db.ofAnyone.selectFrom(table).select('userId').where('userId', '=', guarded.id).execute(),
        [],
      );
  });
});

describe('signing in with a second factor', () => {
  it('takes a code after the password, from an app that is half a minute early or late', async () => {
    const guarded = await joinGuarded(people, 'gus@example.com');
    const begun = await guarded.begin();
    assert.deepEqual([begun.status, begun.body.signed_in, begun.headers.get('set-cookie')], [200, false, null]);
    const { challenge } = begun.body;
    assert.match(challenge, /^[\w-]{43}$/);
    const answer = await withCode(challenge, guarded.nextCode().replace(/(...)/, '$1 '), { 'user-agent': 'a browser' });
    assert.deepEqual([answer.status, answer.body], [200, { signed_in: true }]);
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^galley_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict/,
    );
    assert.ok(await isIn(cookieOf(answer)));
    await app.clock.holding(async () => {
      for (const awayMs of [-30_000, 30_000]) {
        const code = guarded.nextCode();
        app.clock.advance(-awayMs);
        assert.equal((await guarded.finish(code)).status, 200);
        app.clock.advance(60_000);
      }
      const code = guarded.nextCode();
      app.clock.advance(60_000);
      assert.equal((await guarded.finish(code)).status, 401);
    });
  });

  it('takes each code once, of two at the same time one', async () => {
    const guarded = await joinGuarded(people, 'hal@example.com');
    const challenges = [(await guarded.begin()).body.challenge, (await guarded.begin()).body.challenge];
    const code = guarded.nextCode();
    const answers = await Promise.all(challenges.map((challenge) => withCode(challenge, code)));
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 401]);
    const used = await guarded.finish(code);
    assert.deepEqual([used.status, used.body], [401, { message: 'The code is wrong, or was used before.' }]);
    const recovery = guarded.recoveryCodes[3] as string;
    assert.equal((await guarded.finish(recovery.toUpperCase().replaceAll('-', ' '))).status, 200);
    assert.equal((await guarded.finish(recovery)).status, 401);
  });

  it('gives a challenge that opens nothing else, is good once, and for five minutes', async () => {
    const guarded = await joinGuarded(people, 'ida@example.com');
    const { challenge } = (await guarded.begin()).body;
    assert.equal(await isIn(`galley_session=${challenge}`), false);
    assert.equal((await app.call('GET /v1/session', { key: challenge })).status, 401);
    assert.equal((await withCode(challenge, guarded.nextCode())).status, 200);
    const OVER = { message: 'The time for the code is over. Sign in with your password again.' };
    const again = await withCode(challenge, guarded.nextCode());
    assert.deepEqual([again.status, again.body], [410, OVER]);
    assert.deepEqual((await withCode('made-up', guarded.nextCode())).body, OVER);
    await app.clock.holding(async () => {
      const late = (await guarded.begin()).body.challenge;
      app.clock.advance(300_000);
      assert.equal((await withCode(late, guarded.nextCode())).status, 410);
    });
    const first = (await guarded.begin()).body.challenge;
    for (let round = 0; round < 5; round += 1) {
      app.clock.advance(1000);
      await guarded.begin();
    }
    assert.equal((await withCode(first, guarded.nextCode())).status, 410, 'five are kept');
    const { challenge: ended } = (await guarded.begin()).body;
    await people.as(guarded.cookie, 'PUT /v5/users/me/password', {
      body: { current_password: PASSWORD, password: 'eleven green kettles' },
    });
    assert.equal((await withCode(ended, guarded.nextCode())).status, 410, 'the password was changed');
  });

  it('waits after ten wrong codes, like after wrong passwords', async () => {
    const guarded = await joinGuarded(people, 'jo@example.com');
    await app.clock.holding(async () => {
      const { challenge } = (await guarded.begin()).body;
      const from = { 'x-forwarded-for': '198.51.100.7' };
      for (let round = 0; round < 10; round += 1) assert.equal((await withCode(challenge, '000000', from)).status, 401);
      const code = guarded.nextCode();
      app.clock.advance(-60_000);
      const { status, body } = await withCode(challenge, code, from);
      assert.deepEqual(
        [status, body.message],
        [
          429,
          'Too many wrong passwords or codes were tried for this user. Try again in 3 minutes, or sign in in another way.',
        ],
      );
    });
  });

  it('stands in the audit log with what was proven', async () => {
    const guarded = await joinGuarded(people, 'kim@example.com');
    await guarded.finish('000000');
    await guarded.finish(guarded.nextCode());
    app.clock.advance(1000);
    await guarded.finish(guarded.recoveryCodes[0] as string);
    await app.idle();
    const { items } = (await app.call('GET /v1/audit?kind=sign_in&who=kim&limit=100')).body;
    const resources = items.map(({ resource }: any) => resource);
    for (const resource of [
      { by: 'password' },
      { by: 'password', reason: 'wrong code' },
      { by: 'password', and: 'code' },
      { by: 'password', and: 'recovery code' },
    ])
      assert.ok(
        resources.some((one: object) => JSON.stringify(one) === JSON.stringify(resource)),
        JSON.stringify(resource),
      );
    const changes = (await app.call('GET /v1/audit?kind=change&who=kim&limit=100')).body.items;
    assert.deepEqual(
      changes.map(({ operation, fields }: any) => [operation, fields]),
      [
        ['enableSecondFactor', ['code']],
        ['createSecondFactor', ['current_password']],
        ['user.joined', []],
      ],
    );
  });
});
