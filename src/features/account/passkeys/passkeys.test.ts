import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { cookieOf, PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { Answer, App } from '../../../../test/harness/start-app.ts';
import { joinGuarded } from '../../../../test/harness/authenticator.ts';
import { Device } from './device.fixture.ts';

const ORIGIN = 'https://galley.example.com';
const PATH = '/v5/users/me/passkeys';
const REFUSED = 'This passkey is not known here, or its answer is not valid. Try again, or sign in in another way.';
let people: People;
let app: App;
before(async () => {
  people = await startPeople({ GALLEY_WRONG_KEYS_PER_MINUTE: '0' });
  app = people.app;
});
after(() => people?.close());

async function optionsFor(cookie: string, proofs: object = { current_password: PASSWORD }): Promise<any> {
  const { status, body } = await people.as(cookie, `POST ${PATH}/challenge`, { body: proofs });
  assert.equal(status, 200, JSON.stringify(body));
  return body.options;
}

const keep = (cookie: string, credential: object, name = 'Phone'): Promise<Answer> =>
  people.as(cookie, `POST ${PATH}`, { body: { name, credential } });

/** Somebody who signed in, and has a passkey in this device. */
async function joinWith(email: string, device: Device): Promise<{ id: string; cookie: string; passkeyId: string }> {
  const id = await people.join(email);
  const cookie = await people.signIn(email);
  const { status, body } = await keep(cookie, device.make(await optionsFor(cookie)));
  assert.equal(status, 200, JSON.stringify(body));
  return { id, cookie, passkeyId: body.passkey.id };
}

async function challenge(): Promise<any> {
  return (await app.call('POST /v1/session/passkey/challenge', { key: null, body: {} })).body.options;
}

const signIn = (credential: object, headers: Record<string, string> = {}): Promise<Answer> =>
  app.call('POST /v1/session/passkey', { key: null, body: { credential }, headers });

describe('a passkey', () => {
  it('is begun with the password, and kept with a name', async () => {
    const id = await people.join('ann@example.com');
    const cookie = await people.signIn('ann@example.com');
    const wrong = await people.as(cookie, `POST ${PATH}/challenge`, { body: { current_password: 'no' } });
    assert.deepEqual([wrong.status, wrong.body], [400, { message: 'current_password is not your password.' }]);
    const options = await optionsFor(cookie);
    assert.deepEqual(
      { ...options, challenge: '' },
      {
        challenge: '',
        rp: { id: 'galley.example.com', name: 'Galley' },
        user: { id: Buffer.from(id).toString('base64url'), name: 'ann@example.com', displayName: 'Ann' },
        pubKeyCredParams: [-7, -8, -257].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
    );
    const device = new Device(ORIGIN);
    const credential = device.make(options, { flags: 0x1d });
    const kept = await keep(cookie, credential, ' My phone ');
    const { id: passkeyId, created_at, ...passkey } = kept.body.passkey;
    assert.deepEqual(
      [kept.status, kept.body.message, passkey],
      [
        200,
        'The passkey is kept.',
        { name: 'My phone', domain: 'galley.example.com', is_backed_up: true, last_used_at: null },
      ],
    );
    assert.match(created_at, /Z$/);
    assert.deepEqual((await people.as(cookie, `GET ${PATH}`)).body, {
      items: [kept.body.passkey],
      total: 1,
      refusal: null,
    });
    const known = await optionsFor(cookie);
    assert.deepEqual(known.excludeCredentials, [{ type: 'public-key', id: credential.id }]);
    const again = await keep(cookie, device.make(known));
    assert.deepEqual([again.status, again.body], [409, { message: 'This passkey is known here already.' }]);
    const { items } = (await app.call('GET /v1/audit?operation=passkey&who=ann')).body;
    assert.deepEqual(
      items.map(({ operation, resource }: any) => [operation, resource]),
      [['createPasskey', { name: ' My phone '.trim(), passkey_id: passkeyId }]],
    );
  });

  it('is refused where it is not what was asked for, or for a challenge that is not good', async () => {
    await people.join('bob@example.com');
    const cookie = await people.signIn('bob@example.com');
    const device = new Device(ORIGIN);
    for (const [says, fault] of [
      [{ origin: 'https://evil.example' }, 'it was made at another address'],
      [{ domain: 'evil.example' }, 'it is a passkey of another domain'],
      [{ flags: 0x01 }, 'the device did not ask who it is'],
      [{ flags: 0x04 }, 'nobody was there'],
      [{ type: 'webauthn.get' }, 'it is for something else'],
      [{ crossOrigin: true }, 'it was made within another page'],
    ] as const) {
      const { status, body } = await keep(cookie, device.make(await optionsFor(cookie), says));
      assert.deepEqual([status, body], [400, { message: `credential is not what was asked for: ${fault}.` }]);
    }
    const made = device.make(await optionsFor(cookie));
    const withKey = (publicKey: string, publicKeyAlgorithm = -7) =>
      keep(cookie, { ...made, response: { ...made.response, publicKey, publicKeyAlgorithm } });
    const noKey = { message: 'credential is not what was asked for: the key is none of its algorithm.' };
    assert.deepEqual((await withKey('AAAA')).body, noKey);
    assert.deepEqual((await withKey(made.response.publicKey, -257)).body, noKey);
    const OVER = { message: 'credential is for a challenge that is over or was used. Begin anew.' };
    const own = await optionsFor(cookie);
    await app.clock.holding(async () => {
      const late = await optionsFor(cookie);
      app.clock.advance(300_000);
      for (const wrong of ['made-up', (await challenge()).challenge, late.challenge])
        assert.deepEqual((await keep(cookie, device.make({ ...own, challenge: wrong }))).body, OVER);
    });
    const fresh = await optionsFor(cookie);
    await people.join('other@example.com');
    const other = await people.signIn('other@example.com');
    assert.deepEqual((await keep(other, device.make(fresh))).body, OVER, 'of another user');
    assert.equal((await keep(cookie, device.make(fresh))).status, 200);
    assert.deepEqual((await keep(cookie, new Device(ORIGIN).make(fresh))).body, OVER, 'used');
  });

  it('takes a code, too, of who has a second factor', async () => {
    const guarded = await joinGuarded(people, 'cy@example.com');
    const begin = (code: string) =>
      people.as(guarded.cookie, `POST ${PATH}/challenge`, { body: { current_password: PASSWORD, code } });
    assert.equal((await begin('000000')).status, 400);
    const { status, body } = await begin(guarded.nextCode());
    assert.equal(status, 200);
    const device = new Device(ORIGIN);
    assert.equal((await keep(guarded.cookie, device.make(body.options))).status, 200);
    assert.deepEqual((await signIn(device.answer(await challenge()))).body, { signed_in: true }, 'without a code');
  });

  it('is nothing for a key, and nobody else’s', async () => {
    const { passkeyId } = await joinWith('dora@example.com', new Device(ORIGIN));
    await people.join('eve@example.com', 'admin');
    const eve = await people.signIn('eve@example.com');
    assert.equal((await people.as(eve, `GET ${PATH}`)).body.total, 0);
    assert.equal((await people.as(eve, `DELETE ${PATH}/${passkeyId}`)).status, 404);
    const body = { name: 'Mine' };
    assert.equal((await people.as(eve, `PATCH ${PATH}/${passkeyId}`, { body })).status, 404);
    assert.equal((await app.call(`PATCH ${PATH}/${passkeyId}`, { body })).status, 403);
    for (const operation of [`GET ${PATH}`, `DELETE ${PATH}/${passkeyId}`])
      assert.deepEqual((await app.call(operation)).status, 403, operation);
  });

  it('gets another name', async () => {
    const { cookie, passkeyId } = await joinWith('gil@example.com', new Device(ORIGIN));
    const rename = (name: unknown, id = passkeyId) => people.as(cookie, `PATCH ${PATH}/${id}`, { body: { name } });
    const [before] = (await people.as(cookie, `GET ${PATH}`)).body.items;
    const { status, body } = await rename(' Desk ');
    assert.deepEqual(
      [status, body],
      [200, { message: 'The passkey was renamed.', passkey: { ...before, name: 'Desk' } }],
    );
    assert.deepEqual((await people.as(cookie, `GET ${PATH}`)).body.items, [body.passkey]);
    for (const [name, words] of [
      ['', /^name/],
      ['   ', /^name must not be blank/],
      ['x'.repeat(101), /^name/],
      [7, /^name/],
    ] as const) {
      const wrong = await rename(name);
      assert.equal(wrong.status, 400);
      assert.match(wrong.body.message, words);
    }
    assert.equal((await rename('Desk', '64b0c0f1a2b3c4d5e6f70819')).status, 404);
    const { items } = (await app.call('GET /v1/audit?operation=updatePasskey&who=gil')).body;
    assert.deepEqual(
      items.map(({ resource }: any) => resource),
      [{ name: 'Desk', passkey_id: passkeyId }],
    );
  });

  it('is one of twenty at most', async () => {
    await people.join('fay@example.com');
    const cookie = await people.signIn('fay@example.com');
    const last = await optionsFor(cookie);
    for (let count = 0; count < 20; count += 1)
      assert.equal((await keep(cookie, new Device(ORIGIN).make(await optionsFor(cookie)))).status, 200);
    const message = 'You have 20 passkeys, which is as many as a user may have. Delete one first.';
    for (const { status, body } of [
      await keep(cookie, new Device(ORIGIN).make(last)),
      await people.as(cookie, `POST ${PATH}/challenge`, { body: { current_password: PASSWORD } }),
    ])
      assert.deepEqual([status, body], [409, { message }]);
  });

  it('is nowhere that browsers have none', async () => {
    const local = await startPeople({ GALLEY_PUBLIC_URL: 'http://192.0.2.1:8080' });
    const { status, body } = await local.app.call('POST /v1/session/passkey/challenge', { key: null, body: {} });
    assert.deepEqual(
      [status, body.message],
      [
        409,
        'Browsers have passkeys only at https addresses with a name, and at http://localhost; this is http://192.0.2.1:8080.',
      ],
    );
    await local.close();
  });
});

describe('signing in with a passkey', () => {
  for (const kind of ['ES256', 'EdDSA', 'RS256'] as const)
    it(`takes what the device signed (${kind}), and asks for nothing else`, async () => {
      const device = new Device(ORIGIN, kind);
      const email = `${kind.toLowerCase()}@example.com`;
      const { id } = await joinWith(email, device);
      const options = await challenge();
      assert.deepEqual(
        { ...options, challenge: '' },
        {
          challenge: '',
          rpId: 'galley.example.com',
          timeout: 300_000,
          userVerification: 'required',
          allowCredentials: [],
        },
      );
      const answer = await signIn(device.answer(options));
      assert.deepEqual([answer.status, answer.body], [200, { signed_in: true }]);
      const session = await people.as(cookieOf(answer), 'GET /v1/session');
      assert.equal(session.body.user.id, id);
      assert.deepEqual((await app.call(`GET /v5/users/${id}`)).body.auth.method, 'passkey');
      const [passkey] = (await people.as(cookieOf(answer), `GET ${PATH}`)).body.items;
      assert.match(passkey.last_used_at, /Z$/);
    });

  it('is refused for a wrong answer, and for one that was used', async () => {
    const device = new Device(ORIGIN);
    await joinWith('gus@example.com', device);
    const refused = async (credential: object, why: string): Promise<void> => {
      const { status, body, headers } = await signIn(credential);
      assert.deepEqual([status, body, headers.get('set-cookie')], [401, { message: REFUSED }, null], why);
    };
    for (const says of [
      { origin: 'https://evil.example' },
      { domain: 'evil.example' },
      { flags: 0x01 },
      { flags: 0x04 },
      { type: 'webauthn.create' },
    ])
      await refused(device.answer(await challenge(), says), JSON.stringify(says));
    await refused(new Device(ORIGIN).answer(await challenge()), 'unknown');
    const right = device.answer(await challenge());
    const another = device.answer(await challenge());
    await refused({ ...right, response: { ...right.response, signature: another.response.signature } }, 'signature');
    await refused({ ...right, response: { ...right.response, userHandle: 'AAAA' } }, 'user');
    await refused(device.answer({ challenge: 'made-up' }), 'challenge');
    await app.clock.holding(async () => {
      const late = await challenge();
      app.clock.advance(300_000);
      await refused(device.answer(late), 'late');
    });
    const once = device.answer(await challenge());
    const both = await Promise.all([signIn(once), signIn(once)]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), [200, 401]);
    await app.idle();
    const { items } = (await app.call('GET /v1/audit?kind=sign_in&who=gus&limit=100')).body;
    const reasons = items.map(({ resource }: any) => resource).filter(({ by }: any) => by === 'passkey');
    assert.ok(reasons.some(({ reason }: any) => reason === 'the challenge is over or was used'));
    assert.ok(reasons.some(({ reason }: any) => reason === undefined));
  });

  it('is refused where the counter goes back: the passkey may be a copy', async () => {
    const device = new Device(ORIGIN);
    device.counter = 5;
    await joinWith('hal@example.com', device);
    for (const [counter, status] of [
      [6, 200],
      [6, 401],
      [3, 401],
      [0, 401],
      [7, 200],
    ] as const) {
      device.counter = counter;
      assert.equal((await signIn(device.answer(await challenge()))).status, status, String(counter));
    }
  });

  it('ends with the passkey, with the user’s access, and with the user', async () => {
    const device = new Device(ORIGIN);
    const { id, cookie, passkeyId } = await joinWith('ida@example.com', device);
    const status = async () => (await signIn(device.answer(await challenge()))).status;
    await app.call(`PUT /v5/users/${id}`, { body: { is_disabled: true } });
    assert.equal(await status(), 401);
    await app.call(`PUT /v5/users/${id}`, { body: { is_disabled: false } });
    assert.equal(await status(), 200);
    assert.equal((await people.as(cookie, `DELETE ${PATH}/${passkeyId}`)).status, 401, 'the old session');
    const own = await people.signIn('ida@example.com');
    const deleted = await people.as(own, `DELETE ${PATH}/${passkeyId}`);
    assert.deepEqual([deleted.status, deleted.body], [200, { message: 'The passkey was deleted.' }]);
    assert.equal(await status(), 401);
    assert.equal((await keep(own, device.make(await optionsFor(own)))).status, 200);
    await app.call(`DELETE /v5/users/${id}`);
    assert.equal(await status(), 401);
    const { db } = app.galley.outside;
    assert.deepEqual(await db.ofAnyone.selectFrom('passkeys').select('id').where('userId', '=', id).execute(), []);
  });

  it('is begun by JSON from its own pages', async () => {
    const device = new Device(ORIGIN);
    await joinWith('jo@example.com', device);
    const { status } = await signIn(device.answer(await challenge()), { origin: 'https://evil.example' });
    assert.equal(status, 403);
  });
});
