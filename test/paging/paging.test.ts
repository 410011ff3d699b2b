// Lists page by page, over HTTP: every list of Galley holds its bounds, and the dialects that only later lists speak
// hold their places while rows come and go.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { FEATURES } from '../../src/app/features.ts';
import { assemble } from '../../src/platform/feature/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import toyLists from './domains.ts';

let app: App;
let accountId: string;
/** Another account, and the headers that act for it. */
let strangerId: string;
let stranger: Record<string, string>;
const START = Date.parse('2026-11-22T00:00:00Z');

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' }, { features: [toyLists] });
  strangerId = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } })).body.subaccount.id;
  stranger = { 'x-mailgun-on-behalf-of': strangerId };
  const { db } = app.galley.outside;
  const first = db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accountId = (await first.executeTakeFirstOrThrow()).id;
});
after(() => app.close());
beforeEach(() => app.galley.outside.db.ofAnyone.deleteFrom('sendingDomains').execute());

/** Adds domains, a second apart from each other unless they are told to be of one time. */
async function add(names: readonly string[], { owner = accountId, at }: { owner?: string; at?: number } = {}) {
  const rows = names.map((name, place) => {
    const time = new Date(at ?? START + place * 1000);
    return {
      id: `${owner}-${String(place).padStart(4, '0')}-${name}`,
      name,
      type: 'custom' as const,
      state: 'unverified' as const,
      settings: {} as never,
      checks: {},
      createdAt: time,
      updatedAt: time,
    };
  });
  await app.galley.outside.db.of(owner).insert('sendingDomains', rows).execute();
}

const remove = (name: string) =>
  app.galley.outside.db.of(accountId).deleteFrom('sendingDomains').where('name', '=', name).execute();

async function page(address: string, headers = {}): Promise<any> {
  const { status, body } = await app.call(`GET ${address}`, { headers });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** The items of all pages from an address on, by the addresses that each answer names; ends at a page without items. */
async function walk(address: string, direction: 'next' | 'previous'): Promise<string[][]> {
  const pages: string[][] = [];
  for (let at = address; pages.length < 50;) {
    const { items, paging } = await page(at);
    for (const one of Object.values(paging as Record<string, string>)) assert.equal(new URL(one).origin, app.url);
    if (items.length === 0) return pages;
    pages.push(items);
    at = paging[direction];
  }
  throw new Error('The list does not end.');
}

const NAMES = ['a.test', 'b.test', 'c.test', 'd.test', 'e.test'];

/** The published queries have a bound, and no pages. */
const UNPAGED = ['/v3/stats/total/domains', '/v1/bounce-classification/stats'];

/** An existing client sends its fields empty. */
const EMPTY_IS_FIRST = '/v1/dkim/keys';

describe('every list', () => {
  const lists = assemble([...FEATURES])
    .flatMap(({ endpoints = [] }) => endpoints)
    .map(({ contract }) => contract)
    .filter(({ method, path, query }) => method === 'GET' && !path.includes('{') && query && 'properties' in query)
    .map(({ path, query }) => ({ path, fields: (query as { properties: Record<string, object> }).properties }))
    .filter(({ fields }) => 'limit' in fields || 'results' in fields)
    .filter(({ path }) => !UNPAGED.includes(path));

  it('is known to this test', () => {
    assert.deepEqual(lists.map(({ path }) => path).toSorted(), [
      '/v1/alerts/slack/channels',
      '/v1/audit',
      '/v1/blocklist-monitoring/events',
      '/v1/bounce-classification/domains',
      '/v1/dkim/keys',
      '/v1/dmarc/reports',
      '/v1/dynamic_pools/domains',
      '/v1/dynamic_pools/history',
      '/v1/emails',
      '/v1/galley/alerts',
      '/v1/galley/archive_copies',
      '/v1/galley/batches',
      '/v1/galley/blocklists/assets',
      '/v1/galley/gate/messages',
      '/v1/galley/ip_warmups',
      '/v1/galley/postmaster/records',
      '/v1/galley/queue/deliveries',
      '/v1/galley/routes/deliveries',
      '/v1/galley/sending_limits',
      '/v1/galley/thresholds/uses',
      '/v1/galley/webhooks/deliveries',
      '/v1/health-score/grouped',
      '/v1/inspect/accessibility',
      '/v1/inspect/analyze',
      '/v1/inspect/baselines',
      '/v1/inspect/gate',
      '/v1/inspect/images',
      '/v1/inspect/links',
      '/v1/inspect/spam',
      '/v1/monitoring/domains/events',
      '/v1/monitoring/hbls',
      '/v1/monitoring/hbls/events',
      '/v1/optimize/domains',
      '/v1/optimize/ip_addresses',
      '/v1/preview/tests',
      '/v1/previews/summary',
      '/v1/reputationanalytics/gpt/addresses',
      '/v1/reputationanalytics/gpt/addresses_list',
      '/v1/reputationanalytics/gpt/domains',
      '/v1/reputationanalytics/gpt/domains_list',
      '/v1/reputationanalytics/gpt/domainsfbl',
      '/v1/reputationanalytics/gpt/summary',
      '/v1/reputationanalytics/gpt/summary/addresses',
      '/v1/reputationanalytics/gpt/summary/domains',
      '/v1/reputationanalytics/gpt/summary/errors',
      '/v1/reputationanalytics/snds',
      '/v1/sandbox',
      '/v1/schedules',
      '/v1/spamtraps',
      '/v1/spamtraps/hits',
      '/v1/spamtraps/traps',
      '/v1/thresholds/alerts/send',
      '/v1/thresholds/hits',
      '/v1/thresholds/limits',
      '/v2/preview/capture_agents',
      '/v2/preview/capture_requests',
      '/v2/preview/captures',
      '/v2/preview/tests',
      '/v2/spamtraps',
      '/v2/thresholds/limits',
      '/v3/domains',
      '/v3/ip_warmups',
      '/v3/ips',
      '/v3/ips/subaccounts',
      '/v3/lists',
      '/v3/lists/pages',
      '/v3/routes',
      '/v4/address/validate/bulk',
      '/v4/domains',
      '/v4/inbox/results',
      '/v4/inbox/seedlists',
      '/v4/templates',
      '/v5/accounts/subaccounts',
      '/v5/accounts/subaccounts/ip_pools/all',
      '/v5/users',
    ]);
  });

  for (const { path, fields } of lists)
    it(`${path} refuses what is no page, and names the field`, async () => {
      const length = 'results' in fields ? 'results' : 'limit';
      const wrong = [`${length}=0`, `${length}=-1`, `${length}=1.5`, `${length}=1e9`, `${length}=1000000000`];
      for (const name of ['skip', 'offset']) if (name in fields) wrong.push(`${name}=-1`, `${name}=x`, `${name}=1e3`);
      if ('skip' in fields) wrong.push('skip=9007199254740993');
      if ('page' in fields) wrong.push('page=0', 'page=1000001', ...(path === EMPTY_IS_FIRST ? [] : ['page=']));
      for (const query of [...wrong, `${length}=5&${length}=6`]) {
        const { status, body } = await app.call(`GET ${path}?${query}`);
        assert.equal(status, 400, query);
        // Some published sentences begin with `The 'limit' parameter`.
        assert.match(JSON.stringify(body), new RegExp(`"(?:The ')?${query.split('=')[0]}'? `), query);
      }
    });

  // Lists that are read from a place on name no number: "pages beside a pivot" walks to their end.
  for (const { path, fields } of lists.filter(({ fields: { page: places } }) => !(places && 'enum' in places)))
    it(`${path} is empty far behind its end`, async () => {
      const far =
        'skip' in fields ? `skip=${Number.MAX_SAFE_INTEGER}` : 'page' in fields ? 'page=1000000' : 'offset=1000000000';
      const { status, body } = await app.call(`GET ${path}?${far}`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(
        Array.isArray(body) ? body : (body.items ?? body.subaccounts ?? body.users ?? body.data ?? body.summary),
        [],
      );
    });
});

describe('pages beside a pivot', () => {
  const PATH = '/v3/toy/names';

  it('walk through the list in both directions', async () => {
    await add(NAMES);
    await add(['c2.test'], { owner: strangerId });
    const pages = [['a.test', 'b.test'], ['c.test', 'd.test'], ['e.test']];
    assert.deepEqual(await walk(`${PATH}?limit=2`, 'next'), pages);
    assert.deepEqual(await walk(`${PATH}?limit=2&page=last`, 'previous'), [
      ['d.test', 'e.test'],
      ['b.test', 'c.test'],
      ['a.test'],
    ]);
  });

  it('have four absolute addresses, with the conditions', async () => {
    await add(NAMES);
    const { paging } = await page(`${PATH}?limit=2&page=next&address=b.test&term=.test`);
    const at = (query: string): string => `${app.url}${PATH}?${query}&limit=2&term=.test`;
    assert.deepEqual(paging, {
      first: at('page=first'),
      last: at('page=last'),
      next: at('page=next&address=d.test'),
      previous: at('page=previous&address=c.test'),
    });
  });

  it('stay where they are while rows come and go, and past the end until something comes', async () => {
    await add(NAMES);
    const first = await page(`${PATH}?limit=2`);
    await remove('b.test');
    await remove('a.test');
    const second = await page(first.paging.next);
    assert.deepEqual(second.items, ['c.test', 'd.test']);
    const end = await page((await page(second.paging.next)).paging.next);
    assert.deepEqual(end.items, []);
    assert.equal(end.paging.next, `${app.url}${PATH}?page=next&address=e.test&limit=2`);
    assert.deepEqual((await page(end.paging.previous)).items, ['d.test', 'e.test']);
    await add(['f.test'], { at: START });
    assert.deepEqual((await page(end.paging.next)).items, ['f.test']);
    const before = await page(`${PATH}?page=previous&address=a.test`);
    assert.deepEqual([before.items, (await page(before.paging.next)).items.length], [[], 4]);
  });

  it('of an empty list lead to its ends', async () => {
    const { items, paging } = await page(PATH);
    assert.deepEqual(items, []);
    assert.equal(paging.next, paging.first);
    assert.equal(paging.previous, paging.last);
    for (const address of Object.values(paging)) assert.deepEqual((await page(address as string)).items, []);
  });

  it('take any pivot, whatever it holds', async () => {
    const odd = `100%'"&=+#é\\';--.test`;
    await add([odd, 'zz.test']);
    const first = await page(`${PATH}?limit=1`);
    assert.deepEqual(first.items, [odd]);
    assert.deepEqual((await page(first.paging.next)).items, ['zz.test']);
    assert.equal(new URL(first.paging.next).searchParams.get('address'), odd);
  });

  for (const [query, message] of [
    ['page=next', 'address is required where page is next or previous.'],
    ['page=previous&address=', 'address is required where page is next or previous.'],
    ['page=third', 'page must be one of first, last, next, previous.'],
    ['limit=1001', 'limit must be <= 1000.'],
    ['limit=1e9', 'limit must be integer.'],
    [`page=next&address=${'a'.repeat(1001)}`, 'address must not have more than 1000 characters.'],
    ['page=next&address=%00', 'address must not hold the character U+0000.'],
  ])
    it(`refuse ${query!.slice(0, 40)}`, async () => {
      assert.deepEqual([(await app.call(`GET ${PATH}?${query}`)).body], [{ message }]);
    });
});

describe('pages by tokens', () => {
  const PATH = '/v3/toy/times';

  it('walk through the list in both directions, newest first or oldest first', async () => {
    await add(NAMES);
    await add(['z.test'], { owner: strangerId });
    const [a, b, c, d, e] = NAMES;
    assert.deepEqual(await walk(`${PATH}?limit=2`, 'next'), [[e, d], [c, b], [a]]);
    assert.deepEqual(await walk(`${PATH}?limit=2&ascending=true`, 'next'), [[a, b], [c, d], [e]]);
    const { paging } = await page(`${PATH}?limit=2`);
    assert.deepEqual(await walk(paging.last, 'previous'), [[b, a], [d, c], [e]]);
  });

  it('hold every row once where all are of one time, though some come meanwhile', async () => {
    await add(NAMES, { at: START });
    const first = await page(`${PATH}?limit=2`);
    await add(['new.test'], { at: START + 60_000 });
    await remove('d.test');
    assert.deepEqual([first.items, ...(await walk(first.paging.next, 'next'))].flat(), NAMES.toReversed());
    assert.deepEqual((await page((await page(first.paging.next)).paging.first)).items, ['new.test', 'e.test']);
  });

  it('go on with the conditions of their list', async () => {
    await add([...NAMES, 'b2.test', 'b3.test']);
    const found = await walk(`${PATH}?limit=1&search=b`, 'next');
    assert.deepEqual(found, [['b3.test'], ['b2.test'], ['b.test']]);
  });

  it('past the end answer with the same page until something comes', async () => {
    await add(NAMES);
    const last = await page(`${PATH}?ascending=true`);
    const end = await page(last.paging.next);
    assert.deepEqual([end.items, end.paging.next], [[], last.paging.next]);
    await add(['new.test'], { at: START + 60_000 });
    assert.deepEqual((await page(end.paging.next)).items, ['new.test']);
  });

  it('stand in a body, too, and belong to its conditions', async () => {
    await add(NAMES);
    const ask = async (body: object) => (await app.call(`POST ${PATH}`, { body })).body;
    const first = await ask({ pagination: { limit: 2 } });
    const second = await ask({ pagination: { limit: 2, token: first.pagination.next } });
    assert.deepEqual([first.items, second.items], [NAMES.slice(3).toReversed(), NAMES.slice(1, 3).toReversed()]);
    assert.deepEqual((await ask({ pagination: { token: second.pagination.previous } })).items, first.items);
    assert.deepEqual(await ask({ search: 'a', pagination: { token: first.pagination.next } }), {
      message: 'pagination.token is not a page of this list; take it from the answer with the page before.',
    });
  });

  it('are refused where they were not written for the list and the account', async () => {
    await add(NAMES);
    const { paging } = await page(`${PATH}?limit=2`);
    const token = (paging.next as string).split('/').at(-1)!;
    const body = Buffer.from(token, 'base64url');
    const later = Buffer.from(body);
    later[later.length - 4]! ^= 1;
    const inBody = (await app.call(`POST ${PATH}`, { body: { pagination: { limit: 2 } } })).body.pagination.next;
    const forged = [
      'x',
      'null',
      `${token}A`,
      `${token}%3D`,
      token.slice(0, -3),
      later.toString('base64url'),
      body.subarray(16).toString('base64url'),
      inBody,
      '%27%20or%201=1',
      'a'.repeat(5000),
    ];
    const message = 'page_token is not a page of this list; take it from the answer with the page before.';
    for (const one of forged)
      assert.deepEqual((await app.call(`GET ${PATH}/${one}`)).body, { message }, one.slice(0, 40));
    assert.deepEqual((await app.call(`GET ${PATH}/${token}`, { headers: stranger })).body, { message });
  });

  it('say that conditions are too long for them', async () => {
    assert.deepEqual((await app.call(`GET ${PATH}?search=${'a'.repeat(4000)}`)).body, {
      message: 'The conditions are too long to page through: 4,058 bytes; at most 4,000 are accepted.',
    });
    assert.equal((await app.call(`GET ${PATH}?search=${'a'.repeat(3900)}`)).status, 200);
  });
});

describe('a part of a path', () => {
  it('is at most 300 characters long, unless its endpoint takes a token', async () => {
    const of = async (path: string, length: number): Promise<unknown> => {
      const { status, body } = await app.call(`GET ${path}/${'a'.repeat(length)}`);
      return [status, body.message.replaceAll(/a{9,}/g, 'a…')];
    };
    const tooLong = (name: string, length: number, max: number) =>
      `${name}, a part of the path, has ${length} characters; at most ${max} are accepted.`;
    assert.deepEqual(await of('/v1/inspect/links', 300), [404, 'No link test has the id "a…".']);
    assert.deepEqual(await of('/v1/inspect/links', 301), [414, tooLong('id', 301, 300)]);
    assert.deepEqual(await of('/v3/toy/times', 6000), [414, tooLong('page_token', 6000, 5355)]);
    assert.deepEqual(await of('/v1/inspect/links', 9000), [414, 'A part of the path has more than 8192 characters.']);
    const broken = await app.call('GET /v1/inspect/links/%zz');
    assert.deepEqual(broken.body, { message: 'The path cannot be read: after each % it needs two digits of UTF-8.' });
    assert.deepEqual([broken.status, broken.headers.get('x-content-type-options')], [400, 'nosniff']);
  });
});
