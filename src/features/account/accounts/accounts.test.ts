import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
});
after(() => app.close());

async function newSubaccount(name: string): Promise<string> {
  const { status, body } = await app.call(`POST /v5/accounts/subaccounts?name=${encodeURIComponent(name)}`);
  assert.equal(status, 200);
  return body.subaccount.id;
}

describe('subaccounts', () => {
  it('creates by query or body, gets, lists, filters and pages', async () => {
    const first = await newSubaccount('Zoë & Co');
    const { body: created } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Acme' } });
    const { created_at, updated_at, id, ...rest } = created.subaccount;
    assert.deepEqual(rest, { name: 'Acme', status: 'open', features: {} });
    assert.match(created_at, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.equal(updated_at, created_at);
    assert.deepEqual((await app.call(`GET /v5/accounts/subaccounts/${id}`)).body, created);
    const list = await app.call('GET /v5/accounts/subaccounts?sort=desc&limit=1');
    assert.equal(list.body.total, 2);
    assert.deepEqual(
      list.body.subaccounts.map((account: { id: string }) => account.id),
      [first],
    );
    assert.equal((await app.call('GET /v5/accounts/subaccounts?filter=acm')).body.total, 1);
  });

  it('takes the name as a form, urlencoded or multipart', async () => {
    const form = new FormData();
    form.set('name', 'By form');
    for (const body of [new URLSearchParams({ name: 'By form' }), form]) {
      const response = await fetch(`${app.url}/v5/accounts/subaccounts`, {
        method: 'POST',
        body,
        headers: { authorization: `Basic ${btoa(`api:${app.key}`)}` },
      });
      assert.equal(((await response.json()) as { subaccount: { name: string } }).subaccount.name, 'By form');
    }
  });

  it('answers 400 without a name, 404 to an unknown id', async () => {
    assert.deepEqual((await app.call('POST /v5/accounts/subaccounts')).body, { message: 'name is required.' });
    assert.equal((await app.call('GET /v5/accounts/subaccounts/0123456789abcdef01234567')).status, 404);
    assert.deepEqual((await app.call('GET /v5/accounts/subaccounts?limit=0')).body, { message: 'limit must be >= 1.' });
  });

  for (const header of ['X-Service-Account-Id', 'X-Mailgun-Account-Id', 'X-Mailgun-On-Behalf-Of']) {
    it(`acts for a subaccount with ${header}, and only sees what is its own`, async () => {
      const id = await newSubaccount(`of ${header}`);
      const address = await app.call('POST /v1/preview/address', { headers: { [header]: id } });
      const own = await app.call('POST /v1/preview/address');
      assert.equal(address.status, 200);
      assert.notEqual(address.body.preview_address, own.body.preview_address);
    });
  }

  it('answers 403 for an account that is not its own', async () => {
    const { status, body } = await app.call('GET /v2/preview/tests', {
      headers: { 'X-Service-Account-Id': '0123456789abcdef01234567' },
    });
    assert.equal(status, 403);
    const message = 'This key may not act for that account.';
    assert.deepEqual(body, { error: { name: 'PermissionError', message }, message });
  });

  it('lists only enabled, disabled or closed ones where that is asked for', async () => {
    const [open, disabled] = [await newSubaccount('Wide awake'), await newSubaccount('Asleep')];
    await app.call(`POST /v5/accounts/subaccounts/${disabled}/disable`);
    const listed = async (query: string): Promise<[string[], number]> => {
      const { body } = await app.call(`GET /v5/accounts/subaccounts?filter=a&limit=1000&${query}`);
      const ids: string[] = body.subaccounts.map(({ id }: { id: string }) => id);
      return [[open, disabled].filter((id) => ids.includes(id)), body.total - ids.length];
    };
    assert.deepEqual(await listed('enabled=true'), [[open], 0]);
    assert.deepEqual(await listed('enabled=false'), [[disabled], 0]);
    assert.deepEqual(await listed('closed=false'), [[open, disabled], 0]);
    assert.deepEqual(await listed('closed=true'), [[], 0]);
    assert.equal((await app.call('GET /v5/accounts/subaccounts?enabled=perhaps')).status, 400);
  });

  it('refuses a disabled subaccount and takes an enabled one', async () => {
    const id = await newSubaccount('Sleepy');
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${id}/disable`)).body.subaccount.status, 'disabled');
    assert.deepEqual((await app.call(`POST /v5/accounts/subaccounts/${id}/disable`)).body, {
      message: 'subaccount_id names a subaccount that is already disabled.',
    });
    assert.equal((await app.call('GET /v2/preview/tests', { headers: { 'X-Service-Account-Id': id } })).status, 403);
    assert.equal((await app.call(`POST /v5/accounts/subaccounts/${id}/enable`)).body.subaccount.status, 'open');
    assert.equal((await app.call('GET /v2/preview/tests', { headers: { 'X-Service-Account-Id': id } })).status, 200);
  });
});
