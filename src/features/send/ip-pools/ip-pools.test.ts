// IP pools, and what domains and subaccounts send from, over HTTP; literal answers, another account, wrong values.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const IPS =
  [2, 3, 4, 5].map((last) => `127.0.0.${last}=mail${last}.example.com`).join(',') +
  ',127.0.0.9=shared.example.com;shared';
const DOMAIN = 'news.example.com';

let app: App;
let other: { 'x-service-account-id': string };
let subaccountId: string;
/** What the log says of changes. */
const logged: { referenceId?: string }[] = [];
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: IPS, GALLEY_QUOTAS: 'pools=6' });
  app.galley.outside.log.info = (about: unknown) => void logged.push(about as { referenceId?: string });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await app.call('POST /v4/domains', { body: { name: 'shop.example.com' } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  subaccountId = body.subaccount.id;
  other = { 'x-service-account-id': subaccountId };
  await app.call('POST /v4/domains', { body: { name: 'sub.example.com' }, headers: other });
});
after(() => app.close());

const ok = async (operation: string, body?: unknown, headers = {}): Promise<any> => {
  const answer = await app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, 200, `${operation}: ${JSON.stringify(answer.body)}`);
  return answer.body;
};
const refused = async (operation: string, body: unknown, { status = 400, words = /./, headers = {} } = {}) => {
  const answer = await app.call(operation, { ...(body !== undefined && { body }), headers });
  assert.equal(answer.status, status, `${operation}: ${JSON.stringify(answer.body)}`);
  assert.deepEqual(Object.keys(answer.body), ['message']);
  assert.match(answer.body.message, words);
};
function formOf(fields: Record<string, string | string[]>): FormData {
  const form = new FormData();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form;
}
const isStarted = ({ message, reference_id: id }: any): void => {
  assert.equal(message, 'started');
  assert.match(id, /^[0-9a-f]{24}$/);
  assert.equal(logged.filter(({ referenceId }) => referenceId === id).length, 1, 'the log names the change');
};
const ipsOf = async (id: string): Promise<string[]> => (await ok(`GET /v3/ip_pools/${id}`)).details.ips;

let pool: string;

describe('/v3/ip_pools', () => {
  it('creates one, shows it, and changes it', async () => {
    const made = await ok('POST /v3/ip_pools', formOf({ name: 'letters', description: 'Monthly', ip: ['127.0.0.2'] }));
    assert.equal(made.message, 'success');
    pool = made.pool_id;
    assert.match(pool, /^[0-9a-f]{24}$/);
    const shown = { pool_id: pool, name: 'letters', description: 'Monthly', ips: ['127.0.0.2'], is_linked: false };
    assert.deepEqual(await ok('GET /v3/ip_pools'), {
      ip_pools: [{ ...shown, is_inherited: false }],
      message: 'success',
    });
    isStarted(
      await ok(`PATCH /v3/ip_pools/${pool}`, formOf({ name: 'all', add_ip: '127.0.0.3', link_domain: DOMAIN })),
    );
    const { details } = await ok(`GET /v3/ip_pools/${pool}`);
    assert.deepEqual(
      [details.name, details.description, details.ips, details.is_linked],
      ['all', 'Monthly', ['127.0.0.2', '127.0.0.3'], true],
    );
    assert.deepEqual(
      details.linked_domains.map(({ name }: any) => name),
      [DOMAIN],
    );
    assert.deepEqual((await ok('GET /v3/ips')).assignable_to_pools, ['127.0.0.4', '127.0.0.5']);
  });

  it('adds addresses and takes them out', async () => {
    isStarted(await ok(`PUT /v3/ip_pools/${pool}/ips/127.0.0.4`));
    assert.deepEqual(await ipsOf(pool), ['127.0.0.2', '127.0.0.3', '127.0.0.4']);
    isStarted(await ok(`DELETE /v3/ip_pools/${pool}/ips/127.0.0.4`));
    isStarted(await ok(`POST /v3/ip_pools/${pool}/ips.json`, { ips: ['127.0.0.4', '127.0.0.5'] }));
    assert.deepEqual(await ipsOf(pool), ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']);
    isStarted(await ok(`PATCH /v3/ip_pools/${pool}`, formOf({ remove_ip: ['127.0.0.3', '127.0.0.4', '127.0.0.5'] })));
    await refused(`DELETE /v3/ip_pools/${pool}/ips/127.0.0.2`, undefined, {
      words: /^ip cannot be taken out: it is the last/,
    });
  });

  it('lists the domains that send from it, page by page', async () => {
    await ok(`PATCH /v3/ip_pools/${pool}`, { link_domain: 'shop.example.com' });
    const first = await ok(`GET /v3/ip_pools/${pool}/domains?limit=1`);
    assert.deepEqual(
      first.domains.map(({ name }: any) => name),
      [DOMAIN],
    );
    const second = await ok(`GET ${first.paging.next}`);
    assert.deepEqual(
      second.domains.map(({ name }: any) => name),
      ['shop.example.com'],
    );
    assert.deepEqual((await ok(`GET ${second.paging.next}`)).domains, []);
    isStarted(await ok(`PATCH /v3/ip_pools/${pool}`, { unlink_domain: 'shop.example.com' }));
  });

  it('refuses what is not there, naming the field', async () => {
    const wrong: [string, unknown, RegExp][] = [
      ['POST /v3/ip_pools', { description: 'x' }, /^name/],
      ['POST /v3/ip_pools', { name: 'x', ip: '192.0.2.1' }, /^ip "192\.0\.2\.1" is not an address of this account/],
      ['POST /v3/ip_pools', { name: 'x', ip: '127.0.0.2' }, /^ip "127\.0\.0\.2" is in another pool already/],
      ['POST /v3/ip_pools', { name: 'x', ip: '127.0.0.9' }, /^ip "127\.0\.0\.9" is shared with other accounts/],
      [`PATCH /v3/ip_pools/${pool}`, { link_domain: 'sub.example.com' }, /is not a domain of this account/],
      [`PATCH /v3/ip_pools/${pool}`, { unlink_domain: 'shop.example.com' }, /is not linked to this pool/],
      [`PATCH /v3/ip_pools/${pool}`, { remove_ip: '127.0.0.5' }, /^remove_ip "127\.0\.0\.5" is not in this pool/],
      [`POST /v3/ip_pools/${pool}/ips.json`, { ips: [] }, /^ips/],
    ];
    for (const [operation, body, words] of wrong) await refused(operation, body, { words });
  });

  it('is nothing of another account', async () => {
    for (const [operation, body] of [
      [`GET /v3/ip_pools/${pool}`, undefined],
      [`PATCH /v3/ip_pools/${pool}`, { name: 'theirs' }],
      [`DELETE /v3/ip_pools/${pool}`, undefined],
      [`GET /v3/ip_pools/${pool}/domains`, undefined],
      [`PUT /v3/ip_pools/${pool}/ips/127.0.0.4`, undefined],
      [`DELETE /v3/ip_pools/${pool}/ips/127.0.0.2`, undefined],
      [`POST /v3/ip_pools/${pool}/ips.json`, { ips: ['127.0.0.4'] }],
      [`PUT /v3/ip_pools/${pool}/delegate`, { subaccount_id: subaccountId }],
      [`DELETE /v3/ip_pools/${pool}/delegate`, { subaccount_id: subaccountId }],
    ] as const)
      await refused(operation, body, { status: 404, headers: other });
    assert.deepEqual((await ok('GET /v3/ip_pools', undefined, other)).ip_pools, []);
    await refused(
      'POST /v3/ip_pools',
      { name: 'x', ip: '127.0.0.4' },
      { headers: other, words: /is not an address of/ },
    );
  });
});

describe('delegation', () => {
  const ALL = '/v5/accounts/subaccounts/ip_pools/all';
  const OWN = () => `/v5/accounts/subaccounts/${subaccountId}/ip_pool`;

  it('gives a pool to a subaccount, which links its domains, and takes it back', async () => {
    assert.deepEqual(await ok(`GET ${ALL}`), {
      items: [{ subaccount_id: subaccountId, pool_id: null }],
      total_count: 1,
    });
    isStarted(await ok(`PUT /v3/ip_pools/${pool}/delegate`, formOf({ subaccount_id: subaccountId })));
    assert.deepEqual((await ok(`GET ${ALL}`)).items, [{ subaccount_id: subaccountId, pool_id: pool }]);
    const [inherited] = (await ok('GET /v3/ip_pools', undefined, other)).ip_pools;
    assert.deepEqual([inherited.pool_id, inherited.is_inherited, inherited.ips], [pool, true, ['127.0.0.2']]);
    assert.deepEqual(await ok('POST /v3/domains/sub.example.com/ips', { pool_id: pool }, other), {
      message: 'success',
    });
    isStarted(await ok(`DELETE /v3/ip_pools/${pool}/delegate`, formOf({ subaccount_id: subaccountId })));
    assert.deepEqual((await ok('GET /v3/domains/sub.example.com/ips', undefined, other)).pool_id, null);
    await refused(
      `DELETE /v3/ip_pools/${pool}/delegate`,
      { subaccount_id: subaccountId },
      { words: /^pool_id names no pool/ },
    );
  });

  it('the same by the paths of subaccounts', async () => {
    isStarted(await ok(`PUT ${OWN()}?pool_id=${pool}`));
    isStarted(await ok(`DELETE ${OWN()}?pool_id=${pool}`));
    isStarted(await ok(`PUT ${OWN()}`, { pool_id: pool }));
    isStarted(await ok(`DELETE ${OWN()}?pool_id=${pool}`));
    await refused(`PUT ${OWN()}`, undefined, { words: /^pool_id is required/ });
    await refused(`PUT ${OWN()}?pool_id=none`, undefined, {
      words: /^pool_id "none" is not an IP pool of this account/,
    });
    const stranger = '/v5/accounts/subaccounts/64b0c0f1a2b3c4d5e6f70819/ip_pool';
    await refused(`PUT ${stranger}?pool_id=${pool}`, undefined, { status: 404 });
    await refused(`DELETE ${stranger}?pool_id=${pool}`, undefined, { status: 404 });
    assert.deepEqual(await ok(`GET ${ALL}`, undefined, other), { items: [], total_count: 0 });
  });
});

describe('/v3/domains/{name}/ips', () => {
  const PATH = `/v3/domains/${DOMAIN}/ips`;

  it('shows the addresses of its pool, and takes none while there is one', async () => {
    assert.deepEqual(await ok(`GET ${PATH}`), { items: ['127.0.0.2'], total_count: 1, pool_id: pool });
    await refused(`POST ${PATH}`, { ip: '127.0.0.4' }, { words: /is linked to an IP pool; unlink it first/ });
    await refused(`DELETE ${PATH}/127.0.0.2`, undefined, { words: /is linked to an IP pool; ip_pool unlinks it/ });
    assert.deepEqual(await ok(`DELETE ${PATH}/ip_pool?ip=127.0.0.4`), { message: 'success' });
    assert.deepEqual(await ok(`GET ${PATH}`), { items: ['127.0.0.4'], total_count: 1, pool_id: null });
    await refused(`DELETE ${PATH}/ip_pool`, undefined, { words: /is linked to none/ });
  });

  it('adds and takes addresses', async () => {
    assert.deepEqual(await ok(`POST ${PATH}`, formOf({ ip: '127.0.0.5' })), { message: 'success' });
    assert.deepEqual((await ok(`GET ${PATH}`)).items, ['127.0.0.4', '127.0.0.5']);
    await ok(`DELETE ${PATH}/127.0.0.4`);
    await ok(`DELETE /v3/domains/${DOMAIN}/pool/127.0.0.5?ip=shared`);
    assert.deepEqual((await ok(`GET ${PATH}`)).items, ['127.0.0.9']);
    await ok(`DELETE /v3/domains/${DOMAIN}/pool/all`);
    assert.deepEqual((await ok(`GET ${PATH}`)).items, []);
    await ok(`DELETE /v3/domains/${DOMAIN}/pool/all?pool_id=${pool}`);
    assert.equal((await ok(`GET ${PATH}`)).pool_id, pool);
    await ok(`DELETE /v3/domains/${DOMAIN}/pool/ip_pool`);
  });

  it('refuses what is not there', async () => {
    await refused(`POST ${PATH}`, {}, { words: /^ip or pool_id is required/ });
    await refused(`POST ${PATH}`, { ip: '127.0.0.2' }, { words: /is in an IP pool; link the domain to the pool/ });
    await refused(`POST ${PATH}`, { ip: '192.0.2.1' }, { words: /is not an address that this account sends from/ });
    await refused(`POST ${PATH}`, { ip: '127.0.0.4', pool_id: pool }, { words: /together/ });
    await refused(`DELETE ${PATH}/127.0.0.4`, undefined, { status: 404 });
    for (const operation of [`GET ${PATH}`, `DELETE ${PATH}/all`, `DELETE /v3/domains/${DOMAIN}/pool/all`])
      await refused(operation, undefined, { status: 404, headers: other });
    await refused(`POST ${PATH}`, { ip: '127.0.0.9' }, { status: 404, headers: other });
    await refused('POST /v3/domains/sub.example.com/ips', { ip: '127.0.0.4' }, { headers: other });
  });
});

describe('/v3/ips/{ip}/domains', () => {
  const PATH = '/v3/ips/127.0.0.4/domains';

  it('gives an address to all domains, lists them, and takes it again', async () => {
    isStarted(await ok(`POST ${PATH}`));
    const { items, total_count: total } = await ok(`GET ${PATH}?limit=10&search=EXAMPLE.com`);
    assert.deepEqual(items, [
      { domain: DOMAIN, ips: ['127.0.0.4'] },
      { domain: 'shop.example.com', ips: ['127.0.0.4'] },
    ]);
    assert.equal(total, 2);
    assert.equal((await ok(`GET ${PATH}?limit=1&skip=1&search=shop`)).items.length, 0);
    isStarted(await ok(`DELETE ${PATH}?alternative=127.0.0.5`));
    assert.deepEqual((await ok(`GET /v3/domains/${DOMAIN}/ips`)).items, ['127.0.0.5']);
    isStarted(await ok('DELETE /v3/ips/127.0.0.5/domains'));
    for (const operation of [`GET ${PATH}`, `POST ${PATH}`, `DELETE ${PATH}`])
      await refused(operation, undefined, { status: 404, headers: other });
    await refused('DELETE /v3/ips/127.0.0.4/domains?alternative=none', undefined, { words: /^alternative "none"/ });
    await refused('POST /v3/ips/127.0.0.2/domains', undefined, { words: /is in an IP pool/ });
  });
});

describe('POST /v3/ips/{addr}/ip_band', () => {
  it('puts an address into the dynamic pool of a band', async () => {
    assert.deepEqual(await ok('POST /v3/ips/127.0.0.5/ip_band', formOf({ ip_band: 'good' })), { message: 'success' });
    assert.deepEqual((await ok('GET /v3/ips')).assignable_to_pools, ['127.0.0.3', '127.0.0.4']);
    await ok('POST /v3/ips/127.0.0.5/ip_band', { ip_band: 'dynamic_poor' });
    await refused(
      'POST /v3/ips/127.0.0.5/ip_band',
      { ip_band: 'gold' },
      { words: /^ip_band must be one of good, poor, new/ },
    );
    await refused(
      'POST /v3/ips/127.0.0.2/ip_band',
      { ip_band: 'good' },
      { words: /names an address of the IP pool "all"/ },
    );
    await refused('POST /v3/ips/127.0.0.5/ip_band', { ip_band: 'good' }, { status: 404, headers: other });
    await refused('POST /v3/ips/127.0.0.9/ip_band', { ip_band: 'good' }, { status: 404, headers: other });
    assert.equal((await ok('GET /v3/ip_pools')).ip_pools.length, 1);
  });
});

describe('DELETE /v3/ip_pools/{pool_id}', () => {
  it('asks what its domains and subaccounts send from instead', async () => {
    await ok(`PATCH /v3/ip_pools/${pool}`, { link_domain: DOMAIN });
    await ok(`PUT /v3/ip_pools/${pool}/delegate`, { subaccount_id: subaccountId });
    await refused(`DELETE /v3/ip_pools/${pool}`, undefined, {
      words: /^ip or pool_id is required: 1 domains and 1 subaccounts send from this pool/,
    });
    await refused(`DELETE /v3/ip_pools/${pool}?pool_id=${pool}`, undefined, { words: /names the pool that is to be/ });
    const { pool_id: next } = await ok('POST /v3/ip_pools', { name: 'next', ip: '127.0.0.3' });
    isStarted(await ok(`DELETE /v3/ip_pools/${pool}?pool_id=${next}`));
    await refused(`GET /v3/ip_pools/${pool}`, undefined, { status: 404 });
    assert.equal((await ok(`GET /v3/domains/${DOMAIN}/ips`)).pool_id, next);
    assert.equal((await ok('GET /v3/ip_pools', undefined, other)).ip_pools[0].pool_id, next);
    isStarted(await ok(`DELETE /v3/ip_pools/${next}?ip=127.0.0.4`));
    assert.deepEqual((await ok(`GET /v3/domains/${DOMAIN}/ips`)).items, ['127.0.0.4']);
    assert.deepEqual((await ok('GET /v3/ip_pools')).ip_pools, []);
  });

  it('stays within the quota', async () => {
    // Two dynamic ones were made by bands.
    for (const name of ['a', 'b', 'c', 'd']) await ok('POST /v3/ip_pools', { name });
    await refused(
      'POST /v3/ip_pools',
      { name: 'e' },
      { status: 429, words: /6 IP pools, which is as many as it may have/ },
    );
  });
});
