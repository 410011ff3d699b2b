// Members of a list are validated in the background: counted, told, read as files, and gone with the list.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'lists.example.com';
let app: App;
let other: Record<string, string>;
before(async () => {
  app = await startApp(
    { GALLEY_ROLES: 'api,work' },
    { zone: { 'example.net': { MX: ['10 mx.example.net'] }, 'null.example': { MX: ['0 .'] } } },
  );
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  other = { 'x-service-account-id': (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id };
});
after(() => app.close());

async function make(name: string, members: unknown[]): Promise<string> {
  const path = `/v3/lists/${name}@${DOMAIN}`;
  assert.equal((await app.call('POST /v3/lists', { body: { address: `${name}@${DOMAIN}` } })).status, 201);
  if (members.length > 0)
    assert.equal((await app.call(`POST ${path}/members.json`, { body: { members } })).status, 200);
  await app.idle();
  return `${path}/validate`;
}

const counted = async (): Promise<number> => {
  const path = 'GET /v4/address/validate/bulk';
  return (await app.call(path)).body.total;
};

describe('the members of a list', () => {
  it('are validated, each once, as a list of its address', async () => {
    const path = await make('spring', ['ann@example.net', { address: 'bob@null.example', subscribed: false }]);
    const made = await app.call(`POST ${path}`);
    assert.deepEqual(
      [made.status, made.body],
      [202, { id: `spring@${DOMAIN}`, message: 'The validation job was submitted.' }],
    );
    await app.idle();
    const { status, body } = await app.call(`GET ${path}`);
    const { created_at: at, download_url: url, ...job } = body;
    assert.equal(status, 200);
    assert.ok(Number.isInteger(at));
    assert.deepEqual(job, {
      id: `spring@${DOMAIN}`,
      quantity: 2,
      records_processed: 2,
      status: 'uploaded',
      summary: {
        result: { catch_all: 0, deliverable: 0, do_not_send: 0, undeliverable: 1, unknown: 1 },
        risk: { high: 1, low: 0, medium: 0, unknown: 1 },
      },
    });
    const found = (await app.call(`GET ${url.json}`, { key: null })).body;
    assert.deepEqual(
      found.map(({ address, result }: any) => [address, result]),
      [
        ['ann@example.net', 'unknown'],
        ['bob@null.example', 'undeliverable'],
      ],
    );
    const again = await app.call(`POST ${path}`);
    assert.deepEqual(
      [again.status, again.body.message],
      [409, `Mailing list spring@${DOMAIN} is being validated, or was; delete that to validate it again.`],
    );
    assert.equal(await counted(), 1);
    assert.deepEqual((await app.call(`DELETE ${path}`)).body, { message: 'Validation job canceled.' });
    assert.equal((await app.call(`GET ${url.json}`, { key: null })).status, 404);
    for (const method of ['GET', 'DELETE'])
      assert.deepEqual((await app.call(`${method} ${path}`)).body, {
        message: `Mailing list spring@${DOMAIN} is not being validated, and was not in the last days.`,
      });
    assert.equal((await app.call(`POST ${path}`)).status, 202);
    await app.idle();
  });

  it('are counted and told as events, and stopped by the limit on validations', async () => {
    const as = { headers: { ...other } };
    await app.call('POST /v4/domains', { body: { name: 'theirs.example.com' }, ...as });
    const address = 'limited@theirs.example.com';
    await app.call('POST /v3/lists', { body: { address }, ...as });
    const members = ['a@example.net', 'b@example.net', 'c@example.net'];
    await app.call(`POST /v3/lists/${address}/members.json`, { body: { members }, ...as });
    await app.idle();
    const limit = { name: 'checks', metric: 'email_validation_count', comparator: '>=', limit: '5', period: '' };
    const limited = await app.call('POST /v1/thresholds/limits', {
      body: { ...limit, dimension: 'subaccount' },
      ...as,
    });
    assert.ok(limited.status < 300, JSON.stringify(limited.body));
    const path = `/v3/lists/${address}/validate`;
    assert.equal((await app.call(`POST ${path}`, as)).status, 202);
    await app.idle();
    assert.equal((await app.call(`DELETE ${path}`, as)).status, 200);
    const refused = await app.call(`POST ${path}`, as);
    assert.equal(refused.status, 403, JSON.stringify(refused.body));
    assert.match(refused.body.message, /^The limit "checks" on email validations is used up: 5 a month/);
    assert.equal((await app.call(`GET ${path}`, as)).status, 404);
    const metrics = ['email_validation_count', 'email_validation_bulk_count'];
    const used = await app.call('POST /v1/analytics/usage/metrics', { body: { duration: '1d', metrics }, ...as });
    assert.deepEqual(used.body.items[0].metrics, { email_validation_count: 3, email_validation_bulk_count: 3 });
    app.clock.advance(3000);
    const query = { events: ['email_validation'], duration: '1d' };
    const { items } = (await app.call('POST /v1/analytics/logs', { body: query, ...as })).body;
    assert.deepEqual(
      items.map((item: any) => [item.recipient, item['email-validation']['list-id']]).toSorted(),
      members.map((member) => [member, address]),
    );
  });

  it('are of one account, and there have to be some', async () => {
    const path = await make('empty', []);
    const empty = await app.call(`POST ${path}`);
    assert.deepEqual(
      [empty.status, empty.body.message],
      [400, 'list_address names a mailing list without members: there is nothing to validate.'],
    );
    for (const method of ['GET', 'POST', 'DELETE']) {
      assert.equal((await app.call(`${method} ${path}`, { headers: other })).status, 404, method);
      assert.deepEqual(
        (await app.call(`${method} /v3/lists/none@${DOMAIN}/validate`)).body,
        { message: `Mailing list none@${DOMAIN} not found` },
        method,
      );
    }
  });

  it('take what was found of them along when the list is deleted', async () => {
    const before = await counted();
    assert.equal((await app.call(`DELETE /v3/lists/spring@${DOMAIN}`)).status, 200);
    assert.equal(await counted(), before - 1);
  });
});
