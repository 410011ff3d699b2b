import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App, type Answer, type Call } from '../../../../test/harness/start-app.ts';

/** A proxy that the tests are: the caller's address is what they say. */
const HOME = '203.0.113.7';
const AWAY = '198.51.100.9';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_TRUSTED_PROXIES: '127.0.0.1,::1' });
});
after(() => app.close());

const from = (address: string, headers: Record<string, string> = {}) => ({ 'x-forwarded-for': address, ...headers });

async function callFrom(address: string, operation: string, call: Call = {}): Promise<Answer> {
  return app.call(operation, { ...call, headers: from(address, call.headers) });
}

function form(fields: Record<string, string>): FormData {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return body;
}

/** An account of its own, with a key: lists of other tests do not bind it. */
async function newAccount(name: string): Promise<{ id: string; key: string }> {
  const { id } = (await app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body.subaccount;
  const made = await app.call('POST /v1/keys', { body: { role: 'admin' }, headers: { 'x-service-account-id': id } });
  return { id, key: made.body.key.secret };
}

const LIST = '/v2/ip_whitelist';
const refusal = (address: string) => ({ message: `The IP allowlist of this account does not contain ${address}.` });

describe('the IP allowlist', () => {
  it('is added to, described, listed and deleted from', async () => {
    const { key } = await newAccount('Listed');
    const send = async (operation: string, body?: FormData) => {
      const { status, body: reply } = await callFrom(HOME, operation, { key, ...(body && { body }) });
      return [status, reply];
    };
    const office = { ip_address: '203.0.113.0/24', description: 'Office' };
    const v6 = { ip_address: '2001:db8::/32', description: '' };
    assert.deepEqual(await send(`GET ${LIST}`), [200, { addresses: [] }]);
    assert.deepEqual(await send(`POST ${LIST}`, form({ address: '203.0.113.0/24', description: 'Office' })), [
      200,
      { addresses: [office] },
    ]);
    assert.deepEqual(await send(`POST ${LIST}`, form({ address: '2001:DB8:0::/32' })), [
      200,
      { addresses: [office, v6] },
    ]);
    assert.deepEqual(await send(`PUT ${LIST}`, form({ address: '2001:db8::/32', description: 'Home' })), [
      200,
      { addresses: [office, { ...v6, description: 'Home' }] },
    ]);
    assert.deepEqual(await send(`DELETE ${LIST}?address=2001:db8::/32`), [200, { addresses: [office] }]);
    assert.deepEqual(await send(`DELETE ${LIST}?address=203.0.113.0/24`), [200, { addresses: [] }]);
  });

  it('refuses what is no address, and what is not in it, in words', async () => {
    const { key } = await newAccount('Wrong');
    const say = async (operation: string, body?: FormData) => {
      const { status, body: reply } = await callFrom(HOME, operation, { key, ...(body && { body }) });
      assert.equal(status, 400, operation);
      return reply.message as string;
    };
    for (const address of ['shop.example', '203.0.113.7/33', '203.0.113.7/24', '127.1', 'fe80::1%eth0', '1.2.3.4/'])
      assert.match(await say(`POST ${LIST}`, form({ address })), /^Invalid IP Address or CIDR: "/, address);
    assert.equal(await say(`POST ${LIST}`, form({ description: 'x' })), 'IP address can not be blank');
    assert.equal(await say(`DELETE ${LIST}`), 'IP address can not be blank');
    assert.equal(await say(`PUT ${LIST}`, form({ address: '192.0.2.1', description: 'x' })), 'IP not found');
    assert.equal(await say(`DELETE ${LIST}?address=192.0.2.1`), 'IP not found');
    assert.match(await say(`DELETE ${LIST}?adress=192.0.2.1`), /adress is not known here/);
  });

  it('locks nobody out by mistake', async () => {
    const { key } = await newAccount('Guarded');
    const send = (address: string, operation: string, body?: FormData) =>
      callFrom(address, operation, { key, ...(body && { body }) });
    const refused = await send(HOME, `POST ${LIST}`, form({ address: AWAY }));
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /^You call from 203\.0\.113\.7, which the list would not contain: /);
    assert.equal((await send(HOME, `POST ${LIST}`, form({ address: HOME }))).status, 200);
    assert.equal((await send(HOME, `POST ${LIST}`, form({ address: AWAY }))).status, 200);
    assert.equal((await send(HOME, `DELETE ${LIST}?address=${HOME}`)).status, 400);
    assert.equal((await send(HOME, `DELETE ${LIST}?address=${AWAY}`)).status, 200);
    assert.equal((await send(HOME, `DELETE ${LIST}?address=${HOME}`)).status, 200);
    assert.equal((await send(AWAY, `GET ${LIST}`)).status, 200);
  });

  it('binds the keys of its account at once, and nobody else', async () => {
    const [one, other] = [await newAccount('One'), await newAccount('Another')];
    const status = async (address: string, key: string) => (await callFrom(address, 'GET /v3/domains', { key })).status;
    assert.equal(await status(AWAY, one.key), 200);
    await callFrom(HOME, `POST ${LIST}`, { key: one.key, body: form({ address: '203.0.113.0/25' }) });
    assert.deepEqual([await status(HOME, one.key), await status(AWAY, one.key)], [200, 403]);
    assert.deepEqual((await callFrom(AWAY, `GET ${LIST}`, { key: one.key })).body, refusal(AWAY));
    assert.equal(await status('203.0.113.200', one.key), 403, 'beyond the network');
    assert.equal(await status('::ffff:203.0.113.7', one.key), 200, 'mapped into IPv6');
    assert.equal(await status(AWAY, other.key), 200);
    // A key of the parent acts for it from where the parent may be.
    const headers = { 'x-service-account-id': one.id };
    assert.equal((await callFrom(AWAY, 'GET /v3/domains', { headers })).status, 200);
    assert.equal((await callFrom(AWAY, `GET ${LIST}`, { key: one.key, headers: from('nonsense') })).status, 403);
  });

  it('binds dashboard sessions: those that begin, and those that there are', async () => {
    const { key } = await newAccount('Session');
    const signIn = (address: string) => callFrom(address, 'POST /v1/session', { key: null, body: { key } });
    const { headers } = await signIn(AWAY);
    const cookie = (headers.get('set-cookie') ?? '').split(';', 1)[0] as string;
    const read = async (address: string) =>
      (await callFrom(address, 'GET /v1/session', { key: null, headers: { cookie } })).status;
    assert.deepEqual([await read(AWAY), await read(HOME)], [200, 200]);
    await callFrom(HOME, `POST ${LIST}`, { key, body: form({ address: HOME }) });
    assert.deepEqual([await read(AWAY), await read(HOME)], [403, 200]);
    const refused = await signIn(AWAY);
    assert.deepEqual([refused.status, refused.body, refused.headers.has('set-cookie')], [403, refusal(AWAY), false]);
    assert.equal((await signIn(HOME)).status, 200);
    const { items } = (await callFrom(HOME, 'GET /v1/audit?kind=sign_in', { key })).body;
    assert.deepEqual(
      items.map(({ operation, result, status, address }: any) => [operation, result, status, address]),
      [
        ['createSession', 'success', 200, HOME],
        ['createSession', 'failure', 403, AWAY],
        ['createSession', 'success', 200, AWAY],
      ],
    );
  });

  it('of an account binds its subaccounts, too', async () => {
    const { key } = await newAccount('Child');
    const status = async (address: string) => (await callFrom(address, 'GET /v3/domains', { key })).status;
    await callFrom(HOME, `POST ${LIST}`, { body: form({ address: HOME }) });
    try {
      assert.deepEqual([await status(HOME), await status(AWAY)], [200, 403]);
      assert.equal((await callFrom(AWAY, 'GET /v3/domains')).status, 403);
    } finally {
      assert.equal((await callFrom(HOME, `DELETE ${LIST}?address=${HOME}`)).status, 200);
    }
    assert.equal(await status(AWAY), 200);
  });

  it('is in the audit log, with the address', async () => {
    const { key } = await newAccount('Noted');
    await callFrom(HOME, `POST ${LIST}`, { key, body: form({ address: HOME, description: 'x' }) });
    const [{ operation, resource, fields, address }] = (await callFrom(HOME, 'GET /v1/audit', { key })).body.items;
    assert.deepEqual(
      { operation, resource, fields, address },
      {
        operation: 'addIpAllowlistEntry',
        resource: { address: HOME },
        fields: ['address', 'description'],
        address: HOME,
      },
    );
  });
});
