// An existing client of this API, unmodified, with subaccounts, limits, the account, keys and logins. It has no class
// for users: those are read with what it makes its requests with.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startPeople, type People } from '../harness/people.ts';
import type { App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const DOMAIN = 'letters.example.com';

let people: People;
let app: App;
const clientOf = (key: string): any => new Mailgun(FormData).client({ username: 'api', key, url: app.url });
let client: any;
before(async () => {
  people = await startPeople();
  ({ app } = people);
  client = clientOf(app.key);
  await client.domains.create({ name: DOMAIN });
});
after(() => people.close());

const isRefused = (status: number, words: RegExp) => (error: { status: number; details: string }) => {
  assert.deepEqual([error.status, error.details.match(words) !== null], [status, true], error.details);
  return true;
};

describe('mailgun.js with subaccounts', () => {
  it('creates, reads, lists, disables, enables and closes them', async () => {
    const { subaccount: made } = await client.subaccounts.create('Garden');
    assert.deepEqual([made.name, made.status, made.created_at instanceof Date], ['Garden', 'open', true]);
    assert.ok(Math.abs(made.created_at.getTime() - app.clock.now().getTime()) < 3_600_000);
    await client.subaccounts.create('Attic');
    const { subaccounts, total } = await client.subaccounts.list({ limit: 1, skip: 1, sort: 'asc' });
    assert.deepEqual([subaccounts.map(({ name }: any) => name), total], [['Garden'], 2]);
    const disabled = await client.subaccounts.disable(made.id);
    assert.equal(disabled.subaccount.status, 'disabled');
    await assert.rejects(client.subaccounts.disable(made.id), isRefused(400, /^subaccount is already disabled$/));
    assert.equal((await client.subaccounts.enable(made.id)).subaccount.status, 'open');
    assert.equal((await client.subaccounts.destroy(made.id)).message, 'Subaccount successfully deleted');
    assert.equal((await client.subaccounts.get(made.id)).subaccount.status, 'closed');
    await assert.rejects(client.subaccounts.enable(made.id), isRefused(400, /closed/));
    await assert.rejects(client.subaccounts.get('no-such-account'), { status: 404 });
    await assert.rejects(client.subaccounts.destroy('no-such-account'), { status: 403 });
    await assert.rejects(client.subaccounts.create(''), { status: 400 });
  });

  it('sets their monthly limit and switches their features', async () => {
    const { id } = (await client.subaccounts.create('Limited')).subaccount;
    await assert.rejects(client.subaccounts.getMonthlySendingLimit(id), isRefused(404, /^No threshold for account$/));
    await assert.rejects(
      client.subaccounts.setMonthlySendingLimit(id, 999),
      isRefused(400, /^The limit parameter minumum is 1000$/),
    );
    assert.deepEqual(await client.subaccounts.setMonthlySendingLimit(id, 1000), { success: true });
    const limit = await client.subaccounts.getMonthlySendingLimit(id);
    assert.deepEqual(limit, { limit: 1000, current: 0, period: '1m' });
    const { features } = await client.subaccounts.updateSubaccountFeature(id, { sending: false, email_preview: true });
    assert.deepEqual([features.sending, features.email_preview], [{ enabled: false }, { enabled: true }]);
    await assert.rejects(
      client.subaccounts.updateSubaccountFeature(id, {}),
      isRefused(400, /^No valid updates provided/),
    );
    await assert.rejects(client.subaccounts.updateSubaccountFeature('nobody', { sending: false }), { status: 404 });
  });

  it('acts for one, and for no other account', async () => {
    const { id } = (await client.subaccounts.create('Acting')).subaccount;
    const acting = clientOf(app.key);
    acting.setSubaccount(id);
    assert.equal((await acting.domains.create({ name: 'of-the-subaccount.example.com' })).state, 'unverified');
    assert.equal((await acting.domains.get('of-the-subaccount.example.com')).name, 'of-the-subaccount.example.com');
    acting.resetSubaccount();
    await assert.rejects(acting.domains.get('of-the-subaccount.example.com'), { status: 404 });
    acting.setSubaccount('nobody');
    await assert.rejects(acting.domains.list(), { status: 403 });
  });
});

describe('mailgun.js with the account', () => {
  it('sets and deletes its monthly limit', async () => {
    await assert.rejects(client.customMessageLimit.get(), isRefused(404, /^No threshold for account$/));
    await assert.rejects(client.customMessageLimit.set(1), isRefused(400, /^The limit parameter minumum is 1000$/));
    assert.deepEqual(await client.customMessageLimit.set(5000), { success: true });
    assert.equal((await client.customMessageLimit.get()).limit, 5000);
    await assert.rejects(client.customMessageLimit.enable(), isRefused(400, /^Unable to re-enable account/));
    assert.deepEqual(await client.customMessageLimit.destroy(), { success: true });
    await assert.rejects(
      client.customMessageLimit.destroy(),
      isRefused(400, /^Could not delete threshold for account/),
    );
  });

  it('changes its settings, reads and renews the signing key of webhooks', async () => {
    const { accountManagement: account } = client;
    assert.equal((await account.updateAccountSettings({ name: 'Letters' })).message, 'Account info has been updated');
    await assert.rejects(account.updateAccountSettings({}), isRefused(400, /^Either `name`/));
    const { http_signing_key: before } = await account.getWebhookSigningKey();
    const renewed = await account.createWebhookSigningKey();
    assert.equal(renewed.message, 'regenerated HTTP signing key for account');
    assert.notEqual(renewed.http_signing_key, before);
    assert.deepEqual(await account.resendActivationEmail(), { success: false });
  });
});

describe('mailgun.js with keys', () => {
  it('creates one, which works as far as its role goes, lists it, and deletes it', async () => {
    const { message, key } = await client.apiKeys.create({ role: 'basic', description: 'Figures', expiration: '3600' });
    assert.deepEqual([message, key.role, key.kind], ['great success', 'basic', 'user']);
    const figures = clientOf(key.secret);
    assert.ok(Array.isArray(await figures.domains.list()));
    await assert.rejects(figures.domains.create({ name: 'more.example.com' }), { status: 403 });
    const { items, totalCount } = await client.apiKeys.list({ kind: 'user' });
    const listed = items.find(({ id }: any) => id === key.id);
    assert.equal(items.length, totalCount);
    assert.deepEqual([listed.secret, listed.expires_at instanceof Date], [undefined, true]);
    assert.equal((await client.apiKeys.destroy(key.id)).message, 'key deleted');
    await assert.rejects(figures.domains.list(), { status: 401 });
    await assert.rejects(client.apiKeys.destroy(key.id), { status: 404 });
  });

  it('creates one of a domain, which only sends as it', async () => {
    const { key } = await client.apiKeys.create({ kind: 'domain', domain_name: DOMAIN, role: 'sending' });
    const [listed] = (await client.apiKeys.list({ domain_name: DOMAIN })).items;
    assert.deepEqual([listed.id, listed.kind, listed.role, listed.domain_name], [key.id, 'domain', 'sending', DOMAIN]);
    await assert.rejects(clientOf(key.secret).domains.list(), { status: 403 });
    await assert.rejects(client.apiKeys.create({ role: 'emperor' }), { status: 400 });
    await assert.rejects(client.apiKeys.list({ kind: 'wax' }), { status: 400 });
    assert.match((await client.apiKeys.regeneratePublicKey()).key, /^pubkey-/);
  });
});

describe('mailgun.js with logins', () => {
  it('creates, lists, changes and deletes them', async () => {
    const { domainCredentials: logins } = client.domains;
    const made = await logins.create(DOMAIN, { login: 'ann', password: 'correct horse' });
    assert.deepEqual(made, { status: 200, message: 'Created 1 credentials pair(s)' });
    await logins.create(DOMAIN, { login: 'bob', password: 'correct horse', system: 'true' });
    const { items, totalCount } = await logins.list(DOMAIN, { limit: 1, skip: 0 });
    assert.deepEqual([items.map(({ login }: any) => login), totalCount], [[`ann@${DOMAIN}`], 2]);
    assert.equal((await logins.update(DOMAIN, 'ann', { password: 'another horse' })).message, 'Password changed');
    await assert.rejects(logins.update(DOMAIN, 'cyd', { password: 'another horse' }), { status: 404 });
    await assert.rejects(
      logins.list(DOMAIN, { limit: 1001 }),
      isRefused(400, /^Limit parameter can't be larger than 1000$/),
    );
    await assert.rejects(
      logins.create(DOMAIN, { password: 'correct horse' }),
      isRefused(400, /^Parameter 'login' is missing$/),
    );
    await assert.rejects(logins.destroy(DOMAIN, 'bob'), isRefused(400, /^Cannot delete system mailbox: bob@/));
    const gone = await logins.destroy(DOMAIN, 'ann');
    assert.deepEqual(gone, { status: 200, message: 'Credentials have been deleted', spec: `ann@${DOMAIN}` });
    const all = await logins.destroyAll(DOMAIN);
    assert.deepEqual(all, { status: 200, message: 'All domain credentials have been deleted', count: 0 });
  });
});

describe('the requests of mailgun.js with users', () => {
  it('lists them, reads one, and the one whose key it is', async () => {
    const id = await people.join('ann@people.example', 'support');
    const { body } = await client.request.get('/v5/users', { role: 'support', limit: 5, skip: 0 });
    assert.deepEqual([body.total, body.users.map((user: any) => user.email)], [1, ['ann@people.example']]);
    const { body: one } = await client.request.get(`/v5/users/${id}`);
    assert.deepEqual([one.id, one.activated, one.role, one.is_disabled], [id, true, 'support', false]);
    const { key } = await client.apiKeys.create({
      role: 'basic',
      user_id: id,
      user_name: 'Ann',
      email: 'ann@people.example',
    });
    assert.deepEqual([key.user_name, key.requestor], ['Ann', 'ann@people.example']);
    assert.equal((await clientOf(key.secret).request.get('/v5/users/me')).body.email, 'ann@people.example');
    await assert.rejects(client.request.get('/v5/users/me'), isRefused(403, /^Incompatible key for this endpoint$/));
    await assert.rejects(client.request.get('/v5/users/nobody'), isRefused(404, /^No such user exists$/));
    await assert.rejects(client.request.get('/v5/users', { role: 'emperor' }), { status: 400 });
    const other = (await client.subaccounts.create('Without users')).subaccount;
    client.setSubaccount(other.id);
    try {
      assert.equal((await client.request.get('/v5/users')).body.total, 0);
      await assert.rejects(client.request.get(`/v5/users/${id}`), { status: 404 });
    } finally {
      client.resetSubaccount();
    }
  });
});
