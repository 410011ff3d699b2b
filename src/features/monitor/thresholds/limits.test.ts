// Limits as they are kept: the endpoints of both generations.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { App } from '../../../../test/harness/start-app.ts';
import {
  addLimit,
  limit,
  LIMITS,
  limitsBed,
  newSubaccount as newSubaccountOf,
  PREVIEWS,
  PRIMARY,
} from './limits.fixture.ts';

const METRICS = '/v2/thresholds/limits';
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let app: App;
let at: Date;
let accountId: string;
limitsBed({ GALLEY_ROLES: 'api' }, (bed) => ({ app, at, accountId } = bed));

const add = (fields: object = {}, as = {}) => addLimit(app, fields, as);
const newSubaccount = (name: string) => newSubaccountOf(app, name);

describe('limits', () => {
  it('are added, listed, replaced, renamed and deleted', async () => {
    const made = await add({ description: 'Not more.', alert_channels: ['email'] });
    const { id, created_at, updated_at, ...rest } = made;
    assert.match(id, UUID);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      parent_account_id: '',
      subaccount_id: '',
      account_group: '',
      name: 'previews a day',
      last_checked: '',
      description: 'Not more.',
      alert_channels: ['email'],
      filters: [],
      metric: PREVIEWS,
      comparator: '>=',
      limit: '2',
      dimension: 'subaccount',
      period: '1d',
    });
    await add({ name: 'a month', period: '' });
    const list = await app.call(`GET ${LIMITS}?limit=1&skip=1`);
    assert.deepEqual([list.status, list.body], [200, { items: [made], total: 2 }]);
    assert.deepEqual((await app.call(`GET ${LIMITS}/previews%20a%20day`)).body, made);
    const put = await app.call(`PUT ${LIMITS}/previews%20a%20day`, { body: limit({ name: 'b', limit: '7' }) });
    assert.deepEqual([put.status, put.body], [200, { message: 'Limit threshold has been updated' }]);
    const { body: changed } = await app.call(`GET ${LIMITS}/b`);
    assert.deepEqual([changed.id, changed.limit, changed.description, changed.created_at], [id, '7', '', created_at]);
    const gone = await app.call(`DELETE ${LIMITS}/b`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Limit threshold has been deleted' }]);
    for (const method of ['GET', 'DELETE', 'PUT'] as const) {
      const { status, body } = await app.call(`${method} ${LIMITS}/b`, { ...(method === 'PUT' && { body: limit() }) });
      assert.deepEqual([status, body], [404, { message: 'No limit is named "b".' }]);
    }
  });

  it('have names of their own, in each account', async () => {
    await add();
    const message = 'A limit of this account is named "previews a day" already; names are unique.';
    const again = await app.call(`POST ${LIMITS}`, { body: limit() });
    assert.deepEqual([again.status, again.body], [409, { message }]);
    await add({ name: 'other' });
    const renamed = await app.call(`PUT ${LIMITS}/other`, { body: limit() });
    assert.deepEqual([renamed.status, renamed.body], [409, { message }]);
    const other = await newSubaccount('Names');
    assert.deepEqual((await app.call(`GET ${LIMITS}`, other.as)).body, { items: [], total: 0 });
    assert.equal((await app.call(`GET ${LIMITS}/other`, other.as)).status, 404);
    assert.equal((await app.call(`DELETE ${LIMITS}/other`, other.as)).status, 404);
    const own = await add({}, other.as);
    assert.deepEqual([own.parent_account_id, own.subaccount_id], [accountId, other.id]);
  });

  const wrong: [string, object, RegExp][] = [
    ['an unknown metric', { metric: 'bounces' }, /^metric/],
    ['a comparator that would stop the first use', { comparator: '<' }, /^comparator/],
    ['a limit that is no number', { limit: 'many' }, /^limit must be a whole number from 0 to 1000000000, as text\.$/],
    ['a part of a use', { limit: '1.5' }, /^limit must be a whole number/],
    ['a limit below zero', { limit: '-1' }, /^limit must be a whole number/],
    ['a limit beyond the largest', { limit: '1000000001' }, /^limit must be a whole number/],
    ['an unknown period', { period: '2w' }, /^period must be 1h, 1d, or left out for a month\.$/],
    ['a period of everything', { period: 'toString' }, /^period must be 1h/],
    ['an unknown dimension', { dimension: 'planet' }, /^dimension/],
    ['no name', { name: ' ' }, /^name must not be empty\.$/],
    ['an unknown channel', { alert_channels: ['pigeon'] }, /^alert_channels/],
    [
      'a filter of another dimension than subaccount',
      { dimension: 'domain', filters: [{ dimension: 'subaccount', comparator: '=', values: ['x'] }] },
      /^filters can be given with the dimension subaccount only\.$/,
    ],
    [
      'a filter by a subaccount of nobody',
      { filters: [{ dimension: 'subaccount', comparator: '=', values: ['0123'] }] },
      /^filters names "0123", which is the id of no subaccount of this account\.$/,
    ],
  ];
  for (const [what, fields, message] of wrong)
    it(`refuse ${what}`, async () => {
      const { status, body } = await app.call(`POST ${LIMITS}`, { body: limit(fields) });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
      assert.equal((await app.call(`GET ${LIMITS}`)).body.total, 0);
    });

  it('are bounded in number', async () => {
    const rows = Array.from({ length: 1000 }, (_, n) => ({
      id: `many-${n}`,
      name: `many ${n}`,
      description: '',
      metric: 'seed_test_count' as const,
      comparator: '>=' as const,
      maxUses: 1000,
      period: 'day' as const,
      dimension: 'subaccount' as const,
      filters: [],
      excludes: [],
      createdAt: at,
      updatedAt: at,
    }));
    const { id, as } = await newSubaccount('Many');
    await app.galley.outside.db.of(id).insert('limits', rows).execute();
    const { status, body } = await app.call(`POST ${LIMITS}`, { body: limit(), ...as });
    assert.deepEqual(
      [status, body.message],
      [429, 'This account has 1000 limits and alerts on sending, which is as many as it may have; delete some first.'],
    );
  });
});

describe('limits by metric', () => {
  it('are those of months, one for each metric and account', async () => {
    const made = await app.call(`POST ${METRICS}`, { body: { metric: 'seed_test_count', limit: '2500' } });
    assert.equal(made.status, 200);
    const { id: _id, created_at: _created, updated_at: _updated, ...rest } = made.body;
    assert.deepEqual(rest, {
      parent_account_id: '',
      subaccount_id: '',
      account_group: '',
      name: 'seed_test_count',
      last_checked: '',
      description: '',
      filters: [{ dimension: 'subaccount', comparator: '=', values: [accountId] }],
      metric: 'seed_test_count',
      comparator: '>=',
      limit: '2500',
      dimension: 'subaccount',
      period: '',
    });
    const { id } = await newSubaccount('Metrics');
    const whose = { metric: 'seed_test_count', limit: '7', subaccount_id: id };
    const { body: part } = await app.call(`POST ${METRICS}`, { body: whose });
    assert.deepEqual(
      [part.name, part.subaccount_id, part.parent_account_id],
      [`seed_test_count of ${id}`, id, accountId],
    );
    assert.equal((await app.call(`POST ${METRICS}`, { body: whose })).status, 409);
    assert.deepEqual((await app.call(`GET ${METRICS}`)).body, { items: [made.body, part], total: 2 });
    assert.deepEqual((await app.call(`GET ${LIMITS}`)).body.total, 2);
    const put = await app.call(`PUT ${METRICS}/seed_test_count`, { body: { limit: '8', subaccount_id: id } });
    assert.deepEqual([put.status, put.body.limit, put.body.id], [200, '8', part.id]);
    assert.deepEqual((await app.call(`GET ${METRICS}/seed_test_count?subaccount_id=${id}`)).body, put.body);
    assert.deepEqual((await app.call(`GET ${METRICS}/seed_test_count`)).body, made.body);
    const gone = await app.call(`DELETE ${METRICS}/seed_test_count?subaccount_id=${id}`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Limit threshold has been deleted' }]);
    assert.equal((await app.call(`GET ${METRICS}/seed_test_count?subaccount_id=${id}`)).status, 404);
  });

  it('refuse unknown metrics, and subaccounts of somebody else', async () => {
    assert.equal((await app.call(`GET ${METRICS}/bounces`)).status, 400);
    const { as } = await newSubaccount('Nobody');
    const { id } = await newSubaccount('Somebody');
    const body = { metric: PREVIEWS, limit: '1', subaccount_id: id };
    const refused = await app.call(`POST ${METRICS}`, { body, ...as });
    assert.deepEqual(
      [refused.status, refused.body],
      [404, { message: `No subaccount of this account has the id "${id}".` }],
    );
  });

  it('share channels and warnings', async () => {
    assert.equal((await app.call(`GET ${PRIMARY}`)).status, 404);
    const made = await app.call(`POST ${PRIMARY}`, { body: { alert_channels: ['email', 'email'] } });
    const { created_at, updated_at, ...rest } = made.body;
    assert.deepEqual(
      [made.status, rest, created_at],
      [200, { alert_channels: ['email'], warning_perc_one: 50, warning_perc_two: 75 }, updated_at],
    );
    const put = await app.call(`PUT ${PRIMARY}`, { body: { alert_channels: ['slack'], warning_perc_two: 90 } });
    assert.deepEqual([put.body.warning_perc_two, put.body.created_at], [90, created_at]);
    assert.deepEqual((await app.call(`GET ${PRIMARY}`)).body, put.body);
    const refused = await app.call(`PUT ${PRIMARY}`, { body: { alert_channels: [], warning_perc_one: 100 } });
    assert.equal(refused.status, 400);
    assert.match(refused.body.message, /^warning_perc_one/);
  });
});
