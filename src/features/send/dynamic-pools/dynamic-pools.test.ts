// Dynamic pools over HTTP: pools and their addresses, the rules of enrolling and removing, overrides, history.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { addDomain, addIps, ALL, firstAccount, FREE, GOOD, NEW, POOLED, POOR, SHARED, succeed } from './bed.fixture.ts';

const POOLS = '/v3/dynamic_pools';
const SUCCESS = { message: 'success' };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

let app: App;
let accountId: string;
let partId: string;
/** The parent acts for its subaccount. */
let part: Record<string, string>;
/** A key of the subaccount itself. */
let partKey: string;
let poolId: string;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  accountId = await firstAccount(app);
  await addIps(app, accountId);
  partId = (await succeed(app, 'POST /v5/accounts/subaccounts', { body: { name: 'Shop' } })).subaccount.id;
  part = { 'X-Service-Account-Id': partId };
  partKey = (await succeed(app, 'POST /v1/keys', { body: { role: 'admin' }, headers: part })).key.secret;
  poolId = await dedicatedPool();
});
after(() => app.close());

async function dedicatedPool(): Promise<string> {
  const form = new FormData();
  for (const [name, value] of [
    ['name', 'Letters'],
    ['description', 'Of letters.'],
    ['ip', POOLED],
  ])
    form.append(name!, value!);
  return (await succeed(app, 'POST /v3/ip_pools', { body: form })).pool_id;
}

const enrollment = (name: string, query = ''): string => `/v3/domains/${name}/dynamic_pools${query}`;
const enroll = (name: string, headers = {}) =>
  succeed(app, `POST ${enrollment(name, `?replacement_ip=${FREE}`)}`, { headers });
const historyOf = async (name: string, headers = {}) =>
  succeed(app, `GET /v1/dynamic_pools/domains/${name}/history`, { headers });
const refused = async (operation: string, call = {}): Promise<[number, string]> => {
  const { status, body } = await app.call(operation, call);
  return [status, body.message];
};

describe('dynamic pools', () => {
  it('are not there before they are set', async () => {
    assert.deepEqual(await succeed(app, `GET ${POOLS}`), {
      good_reputation: [],
      poor_reputation: [],
      new_senders: [],
      pools: [],
    });
    await addDomain(app, 'early.example.com');
    const message = 'The dynamic pools are not set up yet: POST /v3/dynamic_pools/all with their addresses first.';
    const query = `?replacement_ip=${FREE}`;
    assert.deepEqual(await refused(`POST ${enrollment('early.example.com', query)}`), [400, message]);
    assert.deepEqual(await refused('POST /v3/domains/all/dynamic_pools/enroll'), [400, message]);
    assert.deepEqual(await refused(`POST ${POOLS}/dynamic_good/${GOOD}`), [404, message]);
  });

  it('are set by a form, all three at once', async () => {
    const form = new FormData();
    for (const [name, value] of Object.entries(ALL)) form.append(name, value);
    assert.deepEqual(await succeed(app, `POST ${POOLS}/all`, { body: form }), SUCCESS);
    const { pools, ...lists } = await succeed(app, `GET ${POOLS}`);
    assert.deepEqual(lists, { good_reputation: [GOOD], poor_reputation: [POOR], new_senders: [NEW] });
    assert.deepEqual(
      pools.map(({ id, ...pool }: { id: string }) => [typeof id, pool]),
      [
        ['string', { account_id: accountId, name: 'dynamic_good', enabled: true, ips: [GOOD] }],
        ['string', { account_id: accountId, name: 'dynamic_poor', enabled: true, ips: [POOR] }],
        ['string', { account_id: accountId, name: 'dynamic_new', enabled: true, ips: [NEW] }],
      ],
    );
    assert.deepEqual((await succeed(app, 'GET /v3/ip_pools')).ip_pools.length, 1, 'dedicated pools stay apart');
  });

  const wrong: [what: string, body: object, message: RegExp][] = [
    ['without a pool', { good_reputation: GOOD, poor_reputation: POOR }, /^new_senders is required/],
    ['with an empty pool', { ...ALL, new_senders: '' }, /^new_senders must name an address\.$/],
    ['with an address twice', { ...ALL, poor_reputation: GOOD }, /^poor_reputation "127\.0\.0\.2" is in another pool/],
    ['with a shared address', { ...ALL, poor_reputation: SHARED }, /^poor_reputation "127\.0\.0\.6" is shared/],
    [
      'with an address of a dedicated pool',
      { ...ALL, good_reputation: [GOOD, POOLED] },
      /^good_reputation "127\.0\.0\.7" is in another/,
    ],
    [
      'with what is none',
      { ...ALL, good_reputation: 'mail.example.com' },
      /^good_reputation "mail\.example\.com" is not/,
    ],
    ['with an address of nobody', { ...ALL, good_reputation: '192.0.2.9' }, /^good_reputation "192\.0\.2\.9" is not/],
  ];
  for (const [what, body, message] of wrong)
    it(`are not set ${what}`, async () => {
      const [status, said] = await refused(`POST ${POOLS}/all`, { body });
      assert.equal(status, 400);
      assert.match(said, message);
      const { good_reputation: good } = await succeed(app, `GET ${POOLS}`);
      assert.deepEqual(good, [GOOD], 'all stays as it was');
    });

  it('take addresses and give them back, and keep one', async () => {
    assert.deepEqual(await succeed(app, `POST ${POOLS}/dynamic_good/${FREE}`), SUCCESS);
    const form = new FormData();
    form.append('remove_ip', GOOD);
    assert.deepEqual(await succeed(app, `PATCH ${POOLS}/dynamic_good`, { body: form }), SUCCESS);
    assert.deepEqual((await succeed(app, `GET ${POOLS}`)).good_reputation, [FREE]);
    const body = { add_ip: GOOD, remove_ip: FREE };
    assert.deepEqual(await succeed(app, `PATCH ${POOLS}/dynamic_good`, { body }), SUCCESS);
    assert.deepEqual((await succeed(app, `GET ${POOLS}`)).good_reputation, [GOOD]);
    const patch = (body: object) => refused(`PATCH ${POOLS}/dynamic_good`, { body });
    assert.deepEqual(await patch({ remove_ip: GOOD }), [
      400,
      'remove_ip must leave the pool an address that is not being warmed up.',
    ]);
    assert.deepEqual(await patch({ remove_ip: POOR }), [400, 'remove_ip "127.0.0.3" is not in the pool dynamic_good.']);
    assert.deepEqual(await patch({}), [400, 'add_ip, remove_ip: give one of them at least.']);
    assert.match((await patch({ add_ip: NEW }))[1], /^add_ip "127\.0\.0\.4" is in another pool already/);
    assert.deepEqual(await refused(`POST ${POOLS}/dynamic_bad/${FREE}`), [
      404,
      'No dynamic pool is named "dynamic_bad"; there are dynamic_good, dynamic_poor, dynamic_new.',
    ]);
    assert.match((await refused(`POST ${POOLS}/dynamic_good/${SHARED}`))[1], /^ip "127\.0\.0\.6" is shared/);
  });

  it('belong to the parent account', async () => {
    const none = 'A subaccount has no dynamic pools of its own; its domains are in those of its parent.';
    assert.deepEqual(await refused(`POST ${POOLS}/all`, { body: ALL, headers: part }), [403, none]);
    assert.deepEqual(await refused(`DELETE ${POOLS}/all`, { headers: part }), [403, none]);
    const foreign = 'The dynamic pools belong to the parent account; this needs one of its keys.';
    assert.deepEqual(await refused(`DELETE ${POOLS}/all`, { key: partKey }), [403, foreign]);
    assert.deepEqual((await succeed(app, `GET ${POOLS}`, { key: partKey })).pools, []);
  });
});

describe('enrolling a domain', () => {
  before(() => addDomain(app, 'rules.example.com'));

  const both = 'Give exactly one of replacement_ip and replacement_pool_id;';
  const rules: [what: string, query: () => string, message: string][] = [
    ['neither parameter', () => '', `${both} neither was given.`],
    ['empty parameters', () => '?replacement_ip=&replacement_pool_id=', `${both} neither was given.`],
    ['both parameters', () => `?replacement_ip=${FREE}&replacement_pool_id=${poolId}`, `${both} both was given.`],
    ['both, shared', () => `?replacement_ip=shared&replacement_pool_id=${poolId}`, `${both} both was given.`],
    [
      'an address of a dedicated pool',
      () => `?replacement_ip=${POOLED}`,
      'replacement_ip "127.0.0.7" is in an IP pool; give addresses that are in no dedicated or dynamic pool.',
    ],
    [
      'an address of a dynamic pool, among others',
      () => `?replacement_ip=${FREE}&replacement_ip=${GOOD}`,
      'replacement_ip "127.0.0.2" is in an IP pool; give addresses that are in no dedicated or dynamic pool.',
    ],
    [
      'an address of nobody',
      () => '?replacement_ip=192.0.2.77',
      'replacement_ip "192.0.2.77" is not an address of this account; give those of GET /v3/ips, or "shared".',
    ],
    [
      'what is no address',
      () => '?replacement_ip=mail.example.com',
      'replacement_ip "mail.example.com" is not an address of this account; give those of GET /v3/ips, or "shared".',
    ],
    [
      'shared and an address',
      () => `?replacement_ip=shared,${FREE}`,
      'replacement_ip is either "shared" or addresses, not both.',
    ],
    [
      'a pool of nobody',
      () => '?replacement_pool_id=0123456789abcdef01234567',
      'replacement_pool_id "0123456789abcdef01234567" is not a dedicated IP pool of this account.',
    ],
    ['a dynamic pool', () => `?replacement_pool_id=${dynamicId}`, ''],
  ];
  let dynamicId = '';
  before(async () => {
    dynamicId = (await succeed(app, `GET ${POOLS}`)).pools[0].id;
  });
  for (const method of ['POST', 'DELETE'])
    for (const [what, query, message] of rules)
      it(`${method} refuses ${what}`, async () => {
        const name = method === 'POST' ? 'rules.example.com' : 'removed.example.com';
        if (method === 'DELETE' && what === rules[0]![0]) {
          await addDomain(app, name);
          await enroll(name);
        }
        const wanted = message || `replacement_pool_id "${dynamicId}" is not a dedicated IP pool of this account.`;
        assert.deepEqual(await refused(`${method} ${enrollment(name, query())}`), [400, wanted]);
      });

  it('is done once, with addresses, which the domain has from then on', async () => {
    await addDomain(app, 'once.example.com');
    assert.deepEqual(await enroll('once.example.com'), SUCCESS);
    assert.deepEqual(await refused(`POST ${enrollment('once.example.com', '?replacement_ip=shared')}`), [
      409,
      'The domain once.example.com is in a dynamic pool already.',
    ]);
    const found = await succeed(app, `DELETE ${enrollment('once.example.com', '?replacement_ip=shared')}`);
    assert.deepEqual(found, SUCCESS);
    assert.deepEqual(await refused(`DELETE ${enrollment('once.example.com', '?replacement_ip=shared')}`), [
      404,
      'The domain once.example.com is in no dynamic pool.',
    ]);
    const { rows } = await app.galley.outside.db.text(
      "select ip from domain_ips join sending_domains on id = domain_id where name = 'once.example.com' order by ip",
    );
    assert.deepEqual(rows, [{ ip: FREE }, { ip: SHARED }]);
  });

  it('takes a form, and gives a dedicated pool back', async () => {
    await addDomain(app, 'form.example.com');
    const form = new FormData();
    form.append('replacement_ip', 'shared');
    assert.deepEqual(await succeed(app, `POST ${enrollment('form.example.com')}`, { body: form }), SUCCESS);
    const query = `?replacement_pool_id=${poolId}`;
    assert.deepEqual(await succeed(app, `DELETE ${enrollment('form.example.com', query)}`), SUCCESS);
    const { items } = await historyOf('form.example.com');
    assert.deepEqual(
      items.map((move: any) => [move.prev_band, move.new_band, move.reason.replace(poolId, 'P')]),
      [
        ['dynamic_new', '', 'Taken out of the dynamic pools; it sends from the dedicated pool P.'],
        [
          '',
          'dynamic_new',
          'Enrolled. Small sample: 0 messages were sent in 7 days, and a band is changed from 500 on: the domain stays in new.',
        ],
      ],
    );
  });

  it('needs a domain of the account', async () => {
    const query = `?replacement_ip=${FREE}`;
    assert.deepEqual(await refused(`POST ${enrollment('none.example.com', query)}`), [404, 'Domain not found']);
    assert.deepEqual(await refused(`POST ${enrollment('rules.example.com', query)}`, { headers: part }), [
      404,
      'Domain not found',
    ]);
  });

  it('is the parent’s to do for a subaccount, which sees its own domains', async () => {
    await addDomain(app, 'part.example.com', part);
    const [status] = await refused(`POST ${enrollment('part.example.com', '?replacement_ip=shared')}`, {
      key: partKey,
    });
    assert.equal(status, 403);
    await enroll('part.example.com', part);
    const namesOf = async (call = {}, query = ''): Promise<string[]> =>
      (await succeed(app, `GET /v1/dynamic_pools/domains?limit=100${query}`, call)).items.map((one: any) => one.name);
    assert.deepEqual(await namesOf({ key: partKey }), ['part.example.com']);
    assert.deepEqual(await namesOf({}, `&account=${partId}`), ['part.example.com']);
    assert.ok((await namesOf()).includes('part.example.com'));
    const move = await historyOf('part.example.com', part);
    assert.deepEqual([move.owning_account_id, move.account_id, move.account_name], [accountId, partId, 'Shop']);
    const put = await refused('PUT /v1/dynamic_pools/domains/part.example.com/override', {
      body: { pool: 'dynamic_good' },
      key: partKey,
    });
    assert.equal(put[0], 403);
  });
});

describe('all domains', () => {
  it('that are in no dynamic pool are listed, by an expression', async () => {
    for (const name of ['a1.example.org', 'a2.example.org', 'b1.example.org']) await addDomain(app, name);
    const namesOf = async (query: string): Promise<string[]> =>
      (await succeed(app, `GET /v3/domains/dynamic_pools/assignable?${query}`)).items.map((one: any) => one.name);
    assert.deepEqual(await namesOf('domain=^a.*org$'), ['a1.example.org', 'a2.example.org']);
    assert.deepEqual(await namesOf(`subaccount_id=${partId}`), []);
    const all = await succeed(app, 'GET /v3/domains/dynamic_pools/assignable?domain=b1');
    assert.deepEqual(Object.keys(all.items[0]), ['account_id', 'id', 'name']);
    const list = (query: string) => refused(`GET /v3/domains/dynamic_pools/assignable?${query}`);
    assert.deepEqual(await list('domain=('), [400, 'domain must be a regular expression such as ^news\\.']);
    assert.deepEqual(await list('subaccount_id=none'), [404, 'No subaccount has the id "none".']);
  });

  it('are not matched for as long as a hostile expression takes', async () => {
    await addDomain(app, `${'a'.repeat(60)}.example.org`);
    const [status, message] = await refused('GET /v3/domains/dynamic_pools/assignable?domain=^(a%2B)%2B!');
    assert.deepEqual([status, message], [400, 'domain takes too long to match; give a simpler regular expression.']);
  });

  it('are enrolled in the background, with those of subaccounts where that is asked for', async () => {
    await addDomain(app, 'p1.example.org', part);
    assert.deepEqual(await succeed(app, 'POST /v3/domains/all/dynamic_pools/enroll'), { message: 'started' });
    await app.idle();
    const assignable = async (query = ''): Promise<string[]> =>
      (await succeed(app, `GET /v3/domains/dynamic_pools/assignable${query}`)).items.map((one: any) => one.name);
    assert.deepEqual(await assignable(), []);
    assert.deepEqual(await assignable(`?subaccount_id=${partId}`), ['p1.example.org']);
    const headers = { 'x-mailgun-requestor': 'ann@example.com', 'x-mailgun-requestor-client': 'panel' };
    await succeed(app, 'POST /v3/domains/all/dynamic_pools/enroll?include_subaccounts=true', { headers });
    await app.idle();
    assert.deepEqual(await assignable(`?subaccount_id=${partId}`), []);
    assert.equal((await historyOf('p1.example.org', part)).initiated_by, 'ann@example.com (panel)');
  });
});

describe('overrides and history', () => {
  const OVERRIDE = '/v1/dynamic_pools/domains/over.example.com/override';

  it('put a domain into a pool by hand, in whose name the headers say', async () => {
    await addDomain(app, 'over.example.com');
    await enroll('over.example.com');
    const form = new FormData();
    form.append('pool', 'dynamic_poor');
    const headers = {
      'X-Service-Account-Id': accountId,
      'X-Service-Requestor': 'bob@example.com',
      'X-Service-Requestor-Client': 'control panel',
    };
    assert.deepEqual(await succeed(app, `PUT ${OVERRIDE}`, { body: form, headers }), SUCCESS);
    const { items } = await succeed(app, 'GET /v1/dynamic_pools/domains?pool=dynamic_poor');
    const {
      id,
      account_name: _,
      registered_at: registered,
      checked_at: checked,
      pool_since: since,
      ...rest
    } = items[0];
    for (const time of [registered, checked, since]) assert.match(time, ISO);
    assert.deepEqual(rest, {
      account_id: accountId,
      name: 'over.example.com',
      pool: 'dynamic_poor',
      override: true,
      bounce_rate: null,
      complaint_rate: null,
      processed_count: 0,
      reason: 'Put into dynamic_poor by hand.',
    });
    const { timestamp, id: moveId, account_name, paging, items: all, ...move } = await historyOf('over.example.com');
    assert.match(timestamp, ISO);
    assert.deepEqual(
      [all[0].id, typeof account_name, Object.keys(paging)],
      [moveId, 'string', ['Next', 'Previous', 'First', 'Last']],
    );
    assert.deepEqual(move, {
      owning_account_id: accountId,
      account_id: accountId,
      domain_id: id,
      domain_name: 'over.example.com',
      new_band: 'dynamic_poor',
      prev_band: 'dynamic_new',
      reason: 'Put into dynamic_poor by hand.',
      bounce_rate: null,
      complaint_rate: null,
      processed_count: 0,
      initiated_by: 'bob@example.com (control panel)',
      total_items: 2,
    });
  });

  it('are removed, and checks decide again', async () => {
    assert.deepEqual(await succeed(app, `DELETE ${OVERRIDE}`), SUCCESS);
    assert.deepEqual(await succeed(app, `DELETE ${OVERRIDE}`), SUCCESS);
    const move = await historyOf('over.example.com');
    assert.match(move.reason, /^The override was removed\. Small sample: 0 messages/);
    assert.match(move.initiated_by, /^key \S+$/);
    assert.deepEqual([move.prev_band, move.new_band, move.total_items], ['dynamic_poor', 'dynamic_poor', 3]);
  });

  it('refuse a pool that there is not, and a domain that is in none', async () => {
    const put = (path: string, body: object) => app.call(`PUT ${path}`, { body });
    const { status, body } = await put(OVERRIDE, { pool: 'dynamic_bad' });
    assert.deepEqual(
      [status, body],
      [
        400,
        {
          Field: 'pool',
          Value: 'dynamic_bad',
          message: 'pool must be one of dynamic_good, dynamic_poor, dynamic_new.',
        },
      ],
    );
    assert.deepEqual((await put(OVERRIDE, {})).body.Field, 'pool');
    const none = '/v1/dynamic_pools/domains/none.example.com';
    assert.equal((await put(`${none}/override`, { pool: 'dynamic_good' })).status, 404);
    assert.equal((await app.call(`DELETE ${none}/override`)).status, 404);
    assert.deepEqual(await refused(`GET ${none}/history`), [
      404,
      'The domain none.example.com was never in a dynamic pool.',
    ]);
    assert.equal((await app.call(`GET ${none}/preview`)).status, 404);
  });

  it('are read page by page and by conditions, with capital letters', async () => {
    const list = (query: string, call = {}) => succeed(app, `GET /v1/dynamic_pools/history?${query}`, call);
    const first = await list('Limit=1&domain=over.example.com');
    assert.deepEqual([first.items.length, first.total_items], [1, 3]);
    const second = await succeed(app, `GET ${first.paging.Next}`);
    const last = await succeed(app, `GET ${second.paging.Next}`);
    assert.deepEqual(
      [first, second, last].map(({ items }) => items[0].new_band),
      ['dynamic_poor', 'dynamic_poor', 'dynamic_new'],
    );
    assert.deepEqual((await succeed(app, `GET ${last.paging.Next}`)).items, []);
    assert.deepEqual((await succeed(app, `GET ${last.paging.Previous}`)).items, second.items);
    assert.deepEqual((await succeed(app, `GET ${first.paging.Last}`)).items, last.items);
    assert.equal((await list('domain=over.example.com&moved_to=dynamic_poor&moved_from=dynamic_new')).total_items, 1);
    const now = app.clock.now().toUTCString();
    assert.equal((await list(`domain=over.example.com&after=${encodeURIComponent(now)}`)).total_items <= 3, true);
    assert.equal((await list('before=Mon,%2002%20Jan%202006%2015:04:05%20GMT')).total_items, 0);
    const accounts = async (query: string): Promise<string[]> => [
      ...new Set<string>((await list(query)).items.map((move: any) => move.account_id)),
    ];
    assert.deepEqual(await accounts('limit=1000'), [accountId]);
    assert.equal((await accounts('limit=1000&include_subaccounts=true')).length, 2);
    for (const query of ['moved_to=good', 'before=never', 'Limit=0'])
      assert.equal((await app.call(`GET /v1/dynamic_pools/history?${query}`)).status, 400, query);
    const other = await list('limit=1000', { key: partKey });
    assert.deepEqual([...new Set(other.items.map((move: any) => move.account_id))], [partId]);
  });

  it('lists domains page by page, sorted', async () => {
    const list = (query: string) => succeed(app, `GET /v1/dynamic_pools/domains?${query}`);
    const namesOf = ({ items }: any): string[] => items.map((one: any) => one.name);
    const first = await list('limit=2&sort_order=descending');
    const second = await succeed(app, `GET ${first.paging.Next}`);
    const names = [...namesOf(first), ...namesOf(second)];
    assert.deepEqual(names, names.toSorted().toReversed());
    assert.equal(first.total_items > 4, true);
    for (const query of ['sort_by=age', 'pool=good', 'limit=0'])
      assert.equal((await app.call(`GET /v1/dynamic_pools/domains?${query}`)).status, 400, query);
  });

  it('keep the pools from being deleted while domains are in them', async () => {
    const [status, message] = await refused(`DELETE ${POOLS}/all`);
    assert.equal(status, 409);
    assert.match(message, /^\d+ domains are in the dynamic pools; take them out first\.$/);
    for (const headers of [{}, part]) {
      const { items } = await succeed(app, 'GET /v1/dynamic_pools/domains?limit=1000', { headers });
      for (const { name, account_id: owner } of items)
        await succeed(app, `DELETE ${enrollment(name, '?replacement_ip=shared')}`, {
          headers: { 'X-Service-Account-Id': owner },
        });
    }
    assert.deepEqual(await succeed(app, `DELETE ${POOLS}/all`), SUCCESS);
    assert.deepEqual((await succeed(app, `GET ${POOLS}`)).pools, []);
    assert.deepEqual(
      await succeed(app, `POST ${POOLS}/all`, { body: { ...ALL, good_reputation: [GOOD, FREE] } }),
      SUCCESS,
    );
  });
});
