import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startOidcServer, type OidcServer } from '../../../../test/harness/oidc.ts';
import { cookieOf, PASSWORD, startPeople, type People } from '../../../../test/harness/people.ts';
import type { Answer, App } from '../../../../test/harness/start-app.ts';

let provider: OidcServer;
let people: People;
let app: App;
before(async () => {
  provider = await startOidcServer();
  people = await startPeople({ ...provider.settings, GALLEY_WRONG_KEYS_PER_MINUTE: '0' });
  app = people.app;
});
after(async () => {
  await people?.close();
  await provider?.close();
});
beforeEach(() => {
  Object.assign(provider, { person: {}, tampered: {}, signature: 'right', refusal: '' });
  provider.replaced.clear();
});

const BEGIN_AGAIN =
  'This sign-in was not begun in this browser, took longer than ten minutes, or was used already. Begin again.';

const begin = (body: object = {}, at: App = app): Promise<Answer> =>
  at.call('POST /v1/session/sso', { key: null, body });

const finish = (answer: string, cookie: string, at: App = app): Promise<Answer> =>
  at.call('POST /v1/session/sso/answer', { key: null, body: { answer }, headers: { cookie } });

/** All of it, as the browser of this person does. */
async function signIn(person: Record<string, unknown>, at: App = app, from = '/previews'): Promise<Answer> {
  provider.person = person;
  const begun = await begin({ from }, at);
  assert.equal(begun.status, 200, JSON.stringify(begun.body));
  return finish(await provider.visit(begun.body.url), cookieOf(begun), at);
}

const verified = (subject: string, email: string, more: object = {}) => ({
  sub: subject,
  email,
  email_verified: true,
  name: 'Ann Marsh',
  ...more,
});

const auditOf = async (email: string, at: App = app) => {
  await at.idle();
  const { body } = await at.call(`GET /v1/audit?who=${email}&limit=100`);
  return (body.items as any[]).map(({ operation, result, resource }) => ({ operation, result, resource }));
};

describe('signing in by single sign-on', () => {
  it('is offered with the name of the provider', async () => {
    const { body } = await app.call('GET /v1/session/ways', { key: null });
    assert.deepEqual(body.sso, { name: 'Harbor ID' });
  });

  it('sends the browser to the provider with PKCE, state and nonce, and binds them to it', async () => {
    const { body, headers } = await begin({ from: '/gates' });
    const url = new URL(body.url);
    assert.equal(url.origin + url.pathname, `${provider.issuer}/authorize`);
    const { state, nonce, code_challenge: challenge, ...said } = Object.fromEntries(url.searchParams);
    assert.deepEqual(said, {
      client_id: 'galley',
      redirect_uri: 'https://galley.example.com/sign-in/sso',
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
    });
    for (const secret of [state, nonce, challenge]) assert.match(secret ?? '', /^[\w-]{43}$/);
    const cookie = headers.get('set-cookie') ?? '';
    assert.match(
      cookie,
      /^galley_sso=v1\.[\w-]+; Path=\/v1\/session\/sso; HttpOnly; SameSite=Strict; Max-Age=600; Secure$/,
    );
    for (const secret of [state, nonce]) assert.ok(!cookie.includes(secret as string));
  });

  it('finds an invited user by the verified address, and later by who they are', async () => {
    const { body: invited } = await app.call('POST /v5/users', {
      body: { email: 'ann@example.com', name: 'Ann', role: 'support' },
    });
    const answer = await signIn(verified('p-ann', 'Ann@Example.com'), app, '/gates?state=passed');
    assert.deepEqual([answer.status, answer.body], [200, { signed_in: true, from: '/gates?state=passed' }]);
    const session = await people.as(cookieOf(answer), 'GET /v1/session');
    assert.deepEqual([session.body.user.id, session.body.role], [invited.user.id, 'support']);
    const { body: user } = await app.call(`GET /v5/users/${invited.user.id}`);
    assert.deepEqual([user.activated, user.auth.method], [true, 'sso']);
    const token = await people.tokenFor('ann@example.com');
    const link = await app.call('POST /v5/users/links/read', { key: null, body: { token } });
    assert.equal(link.status, 410, 'the invitation is worth nothing any more');
    const moved = await signIn({ sub: 'p-ann', email: 'other@example.com', email_verified: false });
    assert.equal(moved.status, 200, JSON.stringify(moved.body));
    assert.equal((await people.as(cookieOf(moved), 'GET /v1/session')).body.user.id, invited.user.id);
    const noted = (await auditOf('ann@example.com')).filter(({ resource }) => resource.by === 'sso');
    assert.deepEqual(noted.map(({ operation }) => operation).toSorted(), [
      'user.joined',
      'user.signed_in',
      'user.signed_in',
      'user.sso_linked',
    ]);
  });

  it('ends the session that the browser had', async () => {
    await people.join('bea@example.com');
    const first = await signIn(verified('p-bea', 'bea@example.com'));
    provider.person = verified('p-bea', 'bea@example.com');
    const begun = await begin();
    const both = `${cookieOf(first)}; ${cookieOf(begun)}`;
    const second = await app.call('POST /v1/session/sso/answer', {
      key: null,
      body: { answer: await provider.visit(begun.body.url) },
      headers: { cookie: both, origin: app.url },
    });
    assert.equal(second.status, 200);
    assert.equal((await people.as(cookieOf(first), 'GET /v1/session')).status, 401);
  });

  it('asks for the user info where the ID token leaves out the address', async () => {
    await people.join('cam@example.com');
    provider.tampered = { email: undefined, email_verified: undefined };
    assert.equal((await signIn(verified('p-cam', 'cam@example.com'))).status, 200);
    assert.ok(provider.asked.includes('/userinfo'));
    provider.replaced.set(
      '/userinfo',
      (_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ sub: 'somebody else', email: 'cam@example.com', email_verified: true })),
    );
    const { status, body } = await signIn(verified('p-cam-2', 'cam@example.com'));
    assert.equal(status, 401, JSON.stringify(body));
  });

  it('returns to pages of its own alone', async () => {
    await people.join('dot@example.com');
    for (const from of ['https://evil.example/', '//evil.example/', '/\\evil.example', 'gates', '/a\nb'])
      assert.equal((await signIn(verified('p-dot', 'dot@example.com'), app, from)).body.from, '/', from);
  });

  it('is in the list of descriptions once for all who ask at the same time', async () => {
    provider.asked.length = 0;
    await Promise.all(Array.from({ length: 5 }, () => begin()));
    assert.ok(provider.asked.filter((path) => path.includes('openid-configuration')).length <= 1);
  });
});

describe('whom the provider means', () => {
  const refused = async (answer: Answer, words: string): Promise<void> => {
    assert.deepEqual([answer.status, answer.body], [403, { message: `You cannot sign in: ${words}` }]);
    assert.equal(answer.headers.get('set-cookie'), null);
  };

  it('is nobody without a verified address', async () => {
    await people.join('eli@example.com');
    for (const email_verified of [false, undefined, 'true', 1])
      await refused(
        await signIn({ sub: 'p-eli', email: 'eli@example.com', email_verified }),
        'the provider of Harbor ID does not say that eli@example.com is verified.',
      );
    await refused(await signIn({ sub: 'p-eli' }), 'the provider of Harbor ID does not tell your email address.');
    assert.equal(
      (await signIn({ sub: 'p-eli', email: 'eli@example.com', xms_edov: true })).status,
      403,
      'a claim of Entra counts at Entra alone',
    );
  });

  it('is nobody who was not invited', async () =>
    refused(
      await signIn(verified('p-nobody', 'nobody@example.com')),
      'there is no user with the address nobody@example.com. An admin can invite you.',
    ));

  it('stays out while disabled, linked or not, and the audit log says so', async () => {
    const id = await people.join('fay@example.com');
    const disable = (is_disabled: boolean) => app.call(`PUT /v5/users/${id}`, { body: { is_disabled } });
    const words = 'this user is disabled. An admin of the account can enable it.';
    await disable(true);
    await refused(await signIn(verified('p-fay', 'fay@example.com')), words);
    await disable(false);
    assert.equal((await signIn(verified('p-fay', 'fay@example.com'))).status, 200);
    await disable(true);
    await refused(await signIn(verified('p-fay', 'fay@example.com')), words);
    const failures = (await auditOf('fay@example.com')).filter(({ result }) => result === 'failure');
    assert.deepEqual(failures[0], {
      operation: 'user.sign_in_failed',
      result: 'failure',
      resource: { by: 'sso', reason: 'disabled' },
    });
  });

  it('is not whoever got the address of somebody else later', async () => {
    const id = await people.join('gil@example.com');
    assert.equal((await signIn(verified('p-gil', 'gil@example.com'))).status, 200);
    await refused(
      await signIn(verified('p-gil-the-second', 'gil@example.com')),
      'the user gil@example.com belongs to another person at the provider of Harbor ID. An admin can delete and ' +
        'invite it again.',
    );
    await app.call(`DELETE /v5/users/${id}`);
    await people.join('gil@example.com');
    assert.equal((await signIn(verified('p-gil-the-second', 'gil@example.com'))).status, 200);
    await refused(
      await signIn(verified('p-gil', 'gil@example.com')),
      'the user gil@example.com belongs to another person at the provider of Harbor ID. An admin can delete and ' +
        'invite it again.',
    );
  });

  it('comes in once where two come at the same time', async () => {
    await people.join('hal@example.com');
    provider.person = verified('p-hal', 'hal@example.com');
    const begun = await Promise.all([begin(), begin()]);
    const answers = await Promise.all(
      begun.map(async (one) => finish(await provider.visit(one.body.url), cookieOf(one))),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    const linked = (await auditOf('hal@example.com')).filter(({ operation }) => operation === 'user.sso_linked');
    assert.equal(linked.length, 1);
  });
});

describe('an answer', () => {
  const refuses = async (answer: Answer, message: string): Promise<void> => {
    assert.deepEqual([answer.status, answer.body], [401, { message }]);
    assert.equal(answer.headers.get('set-cookie'), null);
  };

  it('counts in the browser that began, once, for ten minutes', async () => {
    await people.join('ida@example.com');
    provider.person = verified('p-ida', 'ida@example.com');
    const [mine, other] = [await begin(), await begin()];
    const answer = await provider.visit(mine.body.url);
    const asked = provider.asked.length;
    await refuses(await finish(answer, ''), BEGIN_AGAIN);
    await refuses(await finish(answer, cookieOf(other)), BEGIN_AGAIN);
    await refuses(await finish(answer, 'galley_sso=v1.made-up-by-somebody-else-made-up-by-somebody'), BEGIN_AGAIN);
    await refuses(await finish('error=x&error_description=Call+5551234&state=forged', cookieOf(mine)), BEGIN_AGAIN);
    assert.equal(provider.asked.length, asked, 'the provider was not asked');
    assert.equal((await finish(answer, cookieOf(mine))).status, 200);
    await refuses(
      await finish(answer, cookieOf(mine)),
      'The provider of Harbor ID refused the sign-in: invalid_grant (The code is not known.).',
    );
    await app.clock.holding(async () => {
      const late = await begin();
      app.clock.advance(600_001);
      await refuses(await finish(await provider.visit(late.body.url), cookieOf(late)), BEGIN_AGAIN);
    });
  });

  it('counts once, though the provider takes its code twice', async () => {
    await people.join('ivo@example.com');
    provider.person = verified('p-ivo', 'ivo@example.com');
    const begun = await begin();
    const answer = await provider.visit(begun.body.url);
    const code = new URLSearchParams(answer).get('code') as string;
    assert.equal((await finish(answer, cookieOf(begun))).status, 200);
    provider.reuse(code);
    await refuses(await finish(answer, cookieOf(begun)), BEGIN_AGAIN);
  });

  const PROVE = 'The provider of Harbor ID did not prove who you are: ';
  const past = Math.floor(Date.now() / 1000) - 3600;
  for (const [what, lie, why] of [
    ['of another issuer', { tampered: { iss: 'https://evil.example' } }, 'its token names another issuer.'],
    ['for another client', { tampered: { aud: 'another' } }, 'its token is for another client.'],
    [
      'for two clients',
      { tampered: { aud: ['galley', 'another'], azp: 'another' } },
      'its token is for another client.',
    ],
    ['of another sign-in', { tampered: { nonce: 'another' } }, 'its token belongs to another sign-in.'],
    ['of no sign-in', { tampered: { nonce: undefined } }, 'its answer is not valid.'],
    [
      'that has expired',
      { tampered: { iat: past - 60, exp: past } },
      'its token has expired, or one of the two clocks is wrong.',
    ],
    ['without an end', { tampered: { exp: undefined } }, 'its answer is not valid.'],
    ['about nobody', { tampered: { sub: '' } }, 'its answer is not valid.'],
    ['signed with another key', { signature: 'of another key' }, 'its answer is not valid.'],
    ['whose signature is cut off', { signature: 'cut off' }, 'its answer is not valid.'],
    ['that says alg none', { signature: 'none' }, 'its token is not signed in a way that can be verified.'],
    [
      'signed with the client secret',
      { signature: 'by the client secret' },
      'its token is not signed in a way that can be verified.',
    ],
  ] as const)
    it(`with a token ${what} lets nobody in`, async () => {
      Object.assign(provider, lie);
      await refuses(await signIn(verified('p-liar', 'ann@example.com')), PROVE + why);
    });

  it('that the provider refused is told in its words', async () => {
    provider.refusal = 'error=access_denied&error_description=You+are+not+in+the+team%00+today';
    await refuses(
      await signIn({}),
      'The provider of Harbor ID did not let you in: access_denied (You are not in the team  today).',
    );
  });

  it('is a sentence where the provider is slow, floods, redirects or talks nonsense', async () => {
    const cases = [
      [503, 'You cannot sign in with Harbor ID at the moment: its answer is too large.', flood],
      [401, 'The provider of Harbor ID did not prove who you are: its answer is not valid.', redirect],
      [401, 'The provider of Harbor ID did not prove who you are: its answer is not valid.', nonsense],
      [503, 'You cannot sign in with Harbor ID at the moment: it took too long to answer.', () => {}],
    ] as const;
    for (const [status, message, handle] of cases) {
      provider.replaced.set('/token', handle);
      const answer = await signIn(verified('p-x', 'ann@example.com'));
      assert.deepEqual([answer.status, answer.body.message], [status, message]);
    }
  });
});

type Handler = NonNullable<ReturnType<OidcServer['replaced']['get']>>;
const flood: Handler = (_request, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(`{"padding":"${'x'.repeat(10 * 1024 * 1024)}"}`);
};
const redirect: Handler = (_request, response) =>
  void response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end();
const nonsense: Handler = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');

describe('the description of the provider', () => {
  const problems = [
    ['flood', flood, 503, 'You cannot sign in with Harbor ID at the moment: its answer is too large.'],
    ['redirect', redirect, 503, 'You cannot sign in with Harbor ID at the moment: it answered with a redirect.'],
    ['nonsense', nonsense, 401, 'The provider of Harbor ID did not prove who you are: its answer is not valid.'],
    [
      'another name',
      ((_request, response) =>
        void response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"issuer":"https://evil.example"}')) as Handler,
      401,
      'The provider of Harbor ID did not prove who you are: it names itself otherwise than GALLEY_OIDC_ISSUER does.',
    ],
  ] as const;

  it('is asked for again some seconds after it failed, and then known for an hour', async () => {
    const own = await startPeople(provider.settings);
    await own.app.clock.holding(async () => {
      for (const [name, handle, status, message] of problems) {
        provider.replaced.set('/.well-known/openid-configuration', handle);
        const answer = await begin({}, own.app);
        assert.deepEqual([answer.status, answer.body.message], [status, message], name);
        const asked = provider.asked.length;
        assert.equal((await begin({}, own.app)).status, status);
        assert.equal(provider.asked.length, asked, 'not asked again at once');
        own.app.clock.advance(5001);
      }
      provider.replaced.clear();
      assert.equal((await begin({}, own.app)).status, 200);
      const asked = provider.asked.length;
      assert.equal((await begin({}, own.app)).status, 200);
      assert.equal(provider.asked.length, asked);
      own.app.clock.advance(3_600_001);
      assert.equal((await begin({}, own.app)).status, 200);
      assert.equal(provider.asked.length, asked + 1);
    });
    await own.close();
  });

  it('is not asked for at a private address that the operator did not open', async () => {
    const own = await startPeople({ ...provider.settings, GALLEY_ALLOW_HOSTS: '' });
    const { status, body } = await begin({}, own.app);
    assert.deepEqual(
      [status, body.message],
      [503, 'You cannot sign in with Harbor ID at the moment: it cannot be reached.'],
    );
    await own.close();
  });
});

describe('where the operator says so', () => {
  it('there is no single sign-on', async () => {
    const own = await startPeople();
    assert.equal((await own.app.call('GET /v1/session/ways', { key: null })).body.sso, null);
    for (const answer of [await begin({}, own.app), await finish('code=1&state=2', '', own.app)])
      assert.deepEqual(
        [answer.status, answer.body],
        [404, { message: 'This service has no single sign-on: GALLEY_OIDC_ISSUER is not set.' }],
      );
    await own.close();
  });

  it('the groups of the provider give the role, at each sign-in anew, and who has none stays out', async () => {
    const own = await startPeople({
      ...provider.settings,
      GALLEY_OIDC_ROLE_CLAIM: 'realm_access.roles',
      GALLEY_OIDC_ROLES: 'readers=support, mail admins=admin',
      GALLEY_OIDC_CREATE_ROLE: 'basic',
    });
    const come = (...roles: string[]) =>
      signIn(verified('p-jo', 'jo@example.com', { realm_access: { roles } }), own.app);
    const roleOf = async (answer: Answer) => (await own.as(cookieOf(answer), 'GET /v1/session')).body.role;
    const stranger = await come('cooks');
    assert.deepEqual(
      [stranger.status, stranger.body.message],
      [
        403,
        'You cannot sign in: the provider of Harbor ID does not count you to a group that has a role here. Its admin ' +
          'can change that.',
      ],
    );
    assert.equal((await own.app.call('GET /v5/users')).body.total, 0);
    assert.equal(await roleOf(await come('cooks', 'readers')), 'support');
    assert.equal(await roleOf(await come('readers', 'mail admins')), 'admin');
    assert.equal(await roleOf(await come('readers')), 'support');
    assert.equal((await come()).status, 403);
    assert.deepEqual(
      (await auditOf('jo@example.com', own.app))
        .filter(({ operation }) => operation === 'user.role_by_sso')
        .map(({ resource }) => resource.reason),
      ['admin became support', 'support became admin'],
    );
    await own.close();
  });

  it('users are made at their first sign-in, with the stated role', async () => {
    const own = await startPeople({ ...provider.settings, GALLEY_OIDC_CREATE_ROLE: 'developer' });
    const answer = await signIn(verified('p-kim', 'kim@example.com'), own.app);
    const { body } = await own.as(cookieOf(answer), 'GET /v1/session');
    assert.deepEqual([body.role, body.user.name, body.user.email], ['developer', 'Ann Marsh', 'kim@example.com']);
    assert.equal((await signIn({ sub: 'p-lee', email: 'lee@example.com' }, own.app)).status, 403);
    assert.equal((await own.app.call('GET /v5/users')).body.total, 1);
    await own.close();
  });

  it('users of the provider have no way in by password', async () => {
    const own = await startPeople({ ...provider.settings, GALLEY_OIDC_PASSWORDS: 'off' });
    await own.join('max@example.com');
    await own.signIn('max@example.com');
    assert.equal((await signIn(verified('p-max', 'max@example.com'), own.app)).status, 200);
    const attempt = (password: string) =>
      own.app.call('POST /v1/session/password', { key: null, body: { email: 'max@example.com', password } });
    const { status, body } = await attempt(PASSWORD);
    assert.deepEqual(
      [status, body.message],
      [403, 'You sign in with Harbor ID; passwords and passkeys are off for its users.'],
    );
    assert.equal((await attempt('wrong')).status, 401);
    await own.close();
  });

  it('addresses that are not allowed stay out, and nothing is linked', async () => {
    const own = await startPeople({ ...provider.settings, GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1' });
    await own.join('nan@example.com');
    await own.app.call('POST /v2/ip_whitelist', {
      body: 'address=203.0.113.7&description=office',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-forwarded-for': '203.0.113.7' },
    });
    const answer = await signIn(verified('p-nan', 'nan@example.com'), own.app);
    assert.equal(answer.status, 403, JSON.stringify(answer.body));
    await own.close();
  });
});

describe('the endpoints of single sign-on', () => {
  it('take JSON from own pages alone', async () => {
    const headers = { origin: 'https://evil.example' };
    for (const [path, body] of [
      ['/v1/session/sso', {}],
      ['/v1/session/sso/answer', { answer: 'code=1&state=2' }],
    ] as const) {
      assert.equal((await app.call(`POST ${path}`, { key: null, body, headers })).status, 403);
      assert.equal((await app.call(`POST ${path}`, { key: null, body: new FormData() })).status, 415);
    }
  });

  for (const [body, message] of [
    [{}, 'answer is required.'],
    [{ answer: '' }, 'answer must have at least 1 characters.'],
  ] as const)
    it(`answers 400: ${message}`, async () => {
      const { status, body: said } = await app.call('POST /v1/session/sso/answer', { key: null, body });
      assert.equal(status, 400);
      assert.match(said.message, /^answer /);
    });
});
