// Passkeys of people who sign in by the provider of single sign-on alone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startOidcServer, type OidcServer } from '../../../../test/harness/oidc.ts';
import { cookieOf, PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { Answer } from '../../../../test/harness/start-app.ts';
import { Device } from './device.fixture.ts';

const ORIGIN = 'https://galley.example.com';
const PATH = '/v5/users/me/passkeys';
const REFUSAL = 'You sign in with Harbor ID; passwords and passkeys are off for its users.';

let provider: OidcServer;
before(async () => {
  provider = await startOidcServer();
});
after(() => provider?.close());

/** As the provider's person with this address. */
async function signInByProvider({ app }: People, email: string): Promise<Answer> {
  provider.person = { sub: `p-${email}`, email, email_verified: true };
  const begun = await app.call('POST /v1/session/sso', { key: null, body: {} });
  const answer = await provider.visit(begun.body.url);
  const headers = { cookie: cookieOf(begun) };
  const signedIn = await app.call('POST /v1/session/sso/answer', { key: null, body: { answer }, headers });
  assert.equal(signedIn.status, 200, JSON.stringify(signedIn.body));
  return signedIn;
}

async function signInWith({ app }: People, device: Device): Promise<Answer> {
  const begun = await app.call('POST /v1/session/passkey/challenge', { key: null, body: {} });
  const credential = device.answer(begun.body.options);
  return app.call('POST /v1/session/passkey', { key: null, body: { credential } });
}

const begin = (people: People, cookie: string): Promise<Answer> =>
  people.as(cookie, `POST ${PATH}/challenge`, { body: { current_password: PASSWORD } });

/** Somebody who signed in by password, and has a passkey in the device. */
async function joinWith(people: People, email: string, device: Device): Promise<string> {
  await people.join(email);
  const cookie = await people.signIn(email);
  const credential = device.make((await begin(people, cookie)).body.options);
  assert.equal((await people.as(cookie, `POST ${PATH}`, { body: { name: 'Phone', credential } })).status, 200);
  return cookie;
}

describe('with GALLEY_OIDC_PASSWORDS=off, a passkey of somebody who signed in by the provider', () => {
  let people: People;
  before(async () => {
    people = await startPeople({ ...provider.settings, GALLEY_OIDC_PASSWORDS: 'off' });
  });
  after(() => people?.close());

  it('is refused from then on, and no other is kept; it can be deleted', async () => {
    const device = new Device(ORIGIN);
    const early = await joinWith(people, 'max@example.com', device);
    assert.equal((await people.as(early, `GET ${PATH}`)).body.refusal, null);
    assert.equal((await signInWith(people, device)).status, 200, 'before the first sign-in by the provider');
    const made = new Device(ORIGIN).make((await begin(people, early)).body.options);
    const cookie = cookieOf(await signInByProvider(people, 'max@example.com'));
    const { status, body, headers } = await signInWith(people, device);
    assert.deepEqual([status, body, headers.get('set-cookie')], [403, { message: REFUSAL }, null]);
    const { items, refusal } = (await people.as(cookie, `GET ${PATH}`)).body;
    assert.deepEqual([items.length, refusal], [1, REFUSAL]);
    for (const { status, body } of [
      await begin(people, cookie),
      await people.as(cookie, `POST ${PATH}`, { body: { name: 'Begun before', credential: made } }),
    ])
      assert.deepEqual([status, body], [403, { message: REFUSAL }]);
    assert.equal((await people.as(cookie, `DELETE ${PATH}/${items[0].id}`)).status, 200);
    await people.app.idle();
    const entries = (await people.app.call('GET /v1/audit?kind=sign_in&who=max&limit=100')).body.items;
    assert.deepEqual(
      entries.filter(({ result }: any) => result === 'failure').map(({ resource }: any) => resource),
      [{ by: 'passkey', reason: 'passkeys are off for users of single sign-on' }],
    );
  });

  it('is as good as before where somebody else signed in by the provider', async () => {
    const device = new Device(ORIGIN);
    await joinWith(people, 'may@example.com', device);
    await people.join('ned@example.com');
    await signInByProvider(people, 'ned@example.com');
    assert.equal((await signInWith(people, device)).status, 200);
  });
});

describe('with GALLEY_OIDC_PASSWORDS=on, a passkey of somebody who signed in by the provider', () => {
  it('signs in', async () => {
    const people = await startPeople(provider.settings);
    const device = new Device(ORIGIN);
    await joinWith(people, 'kim@example.com', device);
    await signInByProvider(people, 'kim@example.com');
    assert.equal((await signInWith(people, device)).status, 200);
    await people.close();
  });
});
