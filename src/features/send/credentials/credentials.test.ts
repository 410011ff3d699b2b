// SMTP credentials over HTTP: what is created, listed, changed and deleted, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { matchesPassword } from '../../../platform/secrets/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'mail.example.com';
const CREDENTIALS = `/v3/domains/${DOMAIN}/credentials`;

let app: App;
let other: { 'x-service-account-id': string };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_QUOTAS: 'credentials=4' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { 'x-service-account-id': body.subaccount.id };
});
after(() => app.close());

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

const create = (fields: Record<string, string>, headers = {}) =>
  app.call(`POST ${CREDENTIALS}`, { body: formOf(fields), headers });
const logins = async (): Promise<string[]> =>
  (await app.call(`GET ${CREDENTIALS}`)).body.items.map(({ login }: { login: string }) => login);
const hashOf = async (login: string): Promise<string> => {
  const { rows } = await app.galley.outside.db.text('select login, password_hash from smtp_credentials');
  return (rows as { login: string; password_hash: string }[]).find((row) => row.login === login)!.password_hash;
};

describe('POST /v3/domains/{domain}/credentials', () => {
  it('creates a login, of which nothing is kept that shows the password', async () => {
    const { status, body } = await create({ login: 'Ann', password: 'correct horse' });
    assert.deepEqual([status, body], [200, { message: 'Created 1 credentials pair(s)' }]);
    const listed = await app.call(`GET ${CREDENTIALS}`);
    const [{ created_at: at, ...ann }] = listed.body.items;
    assert.deepEqual(ann, { mailbox: `ann@${DOMAIN}`, login: `ann@${DOMAIN}`, size_bytes: null });
    assert.match(at, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.equal(listed.body.total_count, 1);
    assert.match(await hashOf(`ann@${DOMAIN}`), /^scrypt\$15\$8\$1\$[\w-]{22}\$[\w-]{43}$/);
  });

  it('makes a password where none is given, and shows it once', async () => {
    const { body } = await create({ mailbox: `bob@${DOMAIN}` });
    assert.equal(body.message, 'Created 1 credentials pair(s)');
    assert.equal(body.note, 'The password was made here; it cannot be shown again.');
    assert.match(body.credentials[`bob@${DOMAIN}`], /^[\w-]{24}$/);
  });

  const wrong: [given: Record<string, string>, message: RegExp][] = [
    [{ password: 'correct horse' }, /^Parameter 'login' is missing$/],
    [{ login: 'cyd', password: 'four' }, /^Password is too short\. It must be between 5 and 32 characters\.$/],
    [{ login: 'cyd', password: 'x'.repeat(33) }, /^Password is too long\. It must be between 5 and 32 characters\.$/],
    [{ login: 'cyd', password: 'tab\tinside' }, /^Password holds a control character/],
    [{ login: 'cydney', password: 'Cydney' }, /^Password is the login, or a part of it; choose another one\.$/],
    [{ login: 'cyd', password: `CYD@${DOMAIN}` }, /^Password is the login, or a part of it/],
    [
      { login: 'cyd@elsewhere.example', password: 'correct horse' },
      /^login "cyd@else.*" is not of the domain mail\.ex/,
    ],
    [{ login: 'c y d', password: 'correct horse' }, /^login "c y d" cannot be used: give at most 64 letters, digits/],
    [{ login: 'x'.repeat(65), password: 'correct horse' }, /^login "x{65}" cannot be used/],
    [{ login: 'ANN', password: 'correct horse' }, /^login ann@mail\.example\.com is there already; change its/],
  ];
  for (const [given, message] of wrong)
    it(`refuses ${JSON.stringify(given).slice(0, 60)} in words`, async () => {
      const { status, body } = await create(given);
      assert.equal(status, 400);
      assert.match(body.message, message);
    });

  it('has a bound for each account, which it states', async () => {
    await create({ login: 'cyd', password: 'correct horse' });
    await create({ login: 'dan', password: 'correct horse' });
    const { status, body } = await create({ login: 'eve', password: 'correct horse' });
    assert.deepEqual(
      [status, body.message],
      [429, 'This account has 4 SMTP credentials, which is as many as it may have; delete some first.'],
    );
  });
});

describe('GET /v3/domains/{domain}/credentials', () => {
  it('pages by limit and skip', async () => {
    const { body } = await app.call(`GET ${CREDENTIALS}?limit=2&skip=1`);
    assert.deepEqual(
      [body.items.map(({ login }: { login: string }) => login), body.total_count],
      [[`bob@${DOMAIN}`, `cyd@${DOMAIN}`], 4],
    );
    for (const [query, message] of [
      ['limit=1001', "Limit parameter can't be larger than 1000"],
      ['limit=0', 'limit must be a whole number from 1 to 1000.'],
      ['limit=ten', 'limit must be a whole number from 1 to 1000.'],
      ['limit=', 'limit must be a whole number from 1 to 1000.'],
    ]) {
      const { status, body: refused } = await app.call(`GET ${CREDENTIALS}?${query}`);
      assert.deepEqual([status, refused.message], [400, message]);
    }
  });

  it('shows nothing of another account, whose domain may have the same name', async () => {
    assert.equal((await app.call(`GET ${CREDENTIALS}`, { headers: other })).status, 404);
    await app.call('POST /v4/domains', { body: { name: DOMAIN }, headers: other });
    assert.deepEqual((await app.call(`GET ${CREDENTIALS}`, { headers: other })).body, { items: [], total_count: 0 });
    assert.equal((await create({ login: 'ann', password: 'another horse' }, other)).status, 200);
    const all = await app.call(`DELETE ${CREDENTIALS}`, { headers: other });
    assert.deepEqual(all.body, { message: 'All domain credentials have been deleted', count: 1 });
    assert.equal((await logins()).length, 4);
  });
});

describe('PUT /v3/domains/{domain}/credentials/{login}', () => {
  it('changes the password, of the login with its domain or without', async () => {
    const earlier = await hashOf(`ann@${DOMAIN}`);
    const { body } = await app.call(`PUT ${CREDENTIALS}/ann`, { body: formOf({ password: 'another horse' }) });
    assert.deepEqual(body, { message: 'Password changed' });
    assert.notEqual(await hashOf(`ann@${DOMAIN}`), earlier);
    const made = await app.call(`PUT ${CREDENTIALS}/ANN@${DOMAIN}`, { body: formOf({}) });
    assert.deepEqual(Object.keys(made.body.credentials), [`ann@${DOMAIN}`]);
  });

  it('refuses what is no password, and a login that is not there', async () => {
    const short = await app.call(`PUT ${CREDENTIALS}/ann`, { body: formOf({ password: 'x' }) });
    assert.deepEqual([short.status, /too short/.test(short.body.message)], [400, true]);
    const none = await app.call(`PUT ${CREDENTIALS}/nobody`, { body: formOf({ password: 'another horse' }) });
    assert.deepEqual([none.status, none.body], [404, { message: 'Credentials not found' }]);
    const foreign = await app.call(`PUT ${CREDENTIALS}/ann`, {
      body: formOf({ password: 'another horse' }),
      headers: other,
    });
    assert.equal(foreign.status, 404);
  });
});

describe('DELETE /v3/domains/{domain}/credentials', () => {
  it('deletes one, and says which', async () => {
    const { body } = await app.call(`DELETE ${CREDENTIALS}/dan`);
    assert.deepEqual(body, { message: 'Credentials have been deleted', spec: `dan@${DOMAIN}` });
    assert.deepEqual((await app.call(`DELETE ${CREDENTIALS}/dan`)).body, { message: 'Credentials not found' });
  });

  it('leaves those of the system, which go with the domain', async () => {
    await create({ login: 'postmaster', password: 'correct horse', system: 'true' });
    const { status, body } = await app.call(`DELETE ${CREDENTIALS}/postmaster`);
    assert.deepEqual([status, body], [400, { message: `Cannot delete system mailbox: postmaster@${DOMAIN}` }]);
    assert.equal((await app.call(`DELETE ${CREDENTIALS}`)).body.count, 3);
    assert.deepEqual(await logins(), [`postmaster@${DOMAIN}`]);
    await app.call(`DELETE /v3/domains/${DOMAIN}`);
    assert.equal((await app.call(`GET ${CREDENTIALS}`)).status, 404);
    await app.call('POST /v4/domains', { body: { name: DOMAIN } });
    assert.deepEqual(await logins(), []);
  });
});

describe('smtp_password at POST /v4/domains and /v3/domains', () => {
  for (const version of ['v3', 'v4'])
    it(`of ${version} makes the login postmaster@, which goes with its domain only`, async () => {
      const name = `${version}.example.com`;
      const added = await app.call(`POST /${version}/domains`, {
        body: formOf({ name, smtp_password: 'correct horse' }),
      });
      assert.deepEqual([added.status, added.body.domain.smtp_login], [200, `postmaster@${name}`]);
      assert.ok(!JSON.stringify(added.body).includes('correct horse'));
      const { body } = await app.call(`GET /v3/domains/${name}/credentials`);
      assert.deepEqual(
        body.items.map(({ login }: { login: string }) => login),
        [`postmaster@${name}`],
      );
      assert.equal(await matchesPassword('correct horse', await hashOf(`postmaster@${name}`)), true);
      const deleted = await app.call(`DELETE /v3/domains/${name}/credentials/postmaster`);
      assert.equal(deleted.body.message, `Cannot delete system mailbox: postmaster@${name}`);
      assert.equal((await app.call(`DELETE /v3/domains/${name}`)).status, 200);
    });

  it('that no login may have adds no domain', async () => {
    for (const [password, reason] of [
      ['four', 'Password is too short. It must be between 5 and 32 characters.'],
      ['postmaster', 'Password is the login, or a part of it; choose another one.'],
    ]) {
      const body = { name: 'never.example.com', smtp_password: password };
      const { status, body: refused } = await app.call('POST /v4/domains', { body });
      assert.deepEqual([status, refused.reason ?? refused.message], [400, reason]);
    }
    assert.equal((await app.call('GET /v4/domains/never.example.com')).status, 404);
  });

  it('that is empty, or left out, makes none', async () => {
    for (const [name, more] of [
      ['bare.example.com', {}],
      ['empty.example.com', { smtp_password: '' }],
    ] as const) {
      await app.call('POST /v4/domains', { body: { name, ...more } });
      assert.equal((await app.call(`GET /v3/domains/${name}/credentials`)).body.total_count, 0);
    }
  });

  it('counts for the bound of credentials', async () => {
    for (const login of ['a1', 'a2', 'a3', 'a4']) await create({ login, password: 'correct horse' });
    const body = { name: 'more.example.com', smtp_password: 'correct horse' };
    assert.equal((await app.call('POST /v4/domains', { body })).status, 429);
    assert.equal((await app.call('GET /v4/domains/more.example.com')).status, 404);
  });
});
