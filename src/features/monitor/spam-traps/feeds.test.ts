// A provider's feed of hits by HTTPS: read, read again, and refused.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer, type WebRequest, type WebServer } from '../../../../test/harness/web-server.ts';

const FEEDS = '/v1/spamtraps/feeds';
const DAY = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

let app: App;
let server: WebServer;
let stranger: Record<string, string>;
let asked: WebRequest[] = [];
let answer: { status: number; body: string; headers?: Record<string, string> } = { status: 200, body: '[]' };

before(async () => {
  server = await startWebServer((request, response) => {
    asked.push(request);
    response.writeHead(answer.status, { 'content-type': 'text/plain', ...answer.headers }).end(answer.body);
  });
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: server.host });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  stranger = { 'x-service-account-id': id };
});
after(async () => {
  await app.close();
  await server.close();
});

const add = (given: object) =>
  app.call(`POST ${FEEDS}`, { body: { name: 'Trap network', url: `${server.url}/hits?key=secret-1`, ...given } });
const feedOf = async (id: string): Promise<any> =>
  (await app.call(`GET ${FEEDS}`)).body.items.find((one: any) => one.id === id);
/** Reads it again, and says how it stands. */
async function readAgain(id: string, next: typeof answer): Promise<any> {
  answer = next;
  assert.equal((await app.call(`POST ${FEEDS}/${id}/read`)).status, 202);
  await app.idle();
  return feedOf(id);
}
const hits = async (): Promise<any[]> => (await app.call('GET /v1/spamtraps/hits')).body.items;
const alerts = async (): Promise<any[]> =>
  (await app.call('GET /v1/galley/alerts?event_type=postmaster_access_expired')).body.items;

const CSV = `date,type,hits,domain,ip\n${DAY},pristine,2,news.example.com,192.0.2.1\n${DAY},typo,1,shop.example.com,\n`;

describe('a feed of spam trap hits', () => {
  let id = '';

  it('is read at once, with its credentials, and shows none of them', async () => {
    asked = [];
    answer = { status: 200, body: CSV };
    const { status, body } = await add({ user: 'ann', password: 'pass-2' });
    assert.equal(status, 201);
    ({ id } = body);
    assert.deepEqual(
      { ...body, id: '', created_at: '', next_at: '' },
      {
        id: '',
        name: 'Trap network',
        asks: `${server.url}/hits`,
        format: 'csv',
        state: 'waiting',
        problem: null,
        checked_at: null,
        succeeded_at: null,
        next_at: '',
        created_at: '',
      },
    );
    await app.idle();
    assert.deepEqual(
      asked.map(({ method, path, headers }) => [method, path, headers.authorization]),
      [['GET', '/hits?key=secret-1', `Basic ${Buffer.from('ann:pass-2').toString('base64')}`]],
    );
    const read = await feedOf(id);
    assert.deepEqual([read.state, read.problem, typeof read.succeeded_at], ['connected', null, 'string']);
    assert.ok(!JSON.stringify(read).includes('secret-1'));
    const { rows } = await app.galley.outside.db.text('select sealed_access as access from spam_trap_feeds');
    assert.ok(!/secret-1|pass-2|YW5uOnBhc3MtMg/.test(JSON.stringify(rows)));
    assert.deepEqual(
      (await hits())
        .map(({ type, source, source_name: name, hits: count, domain }) => [type, source, name, count, domain])
        .sort(),
      [
        ['pristine', 'feed', 'Trap network', 2, 'news.example.com'],
        ['typo', 'feed', 'Trap network', 1, 'shop.example.com'],
      ],
    );
  });

  it('counts a row once, however often it is read, and takes the newest count', async () => {
    const read = await readAgain(id, { status: 200, body: CSV.replace(',2,', ',5,') });
    assert.equal(read.state, 'connected');
    const { items } = (await app.call('GET /v1/spamtraps')).body;
    assert.deepEqual(
      items.filter(({ total }: any) => total > 0),
      [{ date: DAY, pristine: 5, recycled: 0, typo: 1, harvested: 0, total: 6 }],
    );
  });

  it('may have nothing to tell, and says which rows are wrong', async () => {
    assert.deepEqual((await readAgain(id, { status: 200, body: 'date,type\n' })).problem, null);
    assert.deepEqual((await readAgain(id, { status: 204, body: '' })).problem, null);
    const { state, problem } = await readAgain(id, { status: 200, body: `${CSV}${DAY},ghost,1,,\n` });
    assert.equal(state, 'connected');
    assert.match(problem, /^1 rows? could not be read; row 4: type must be one of pristine/);
  });

  for (const [name, next, state, problem] of [
    ['429', { status: 429, body: '', headers: { 'retry-after': '120' } }, 'limited', /asked too often \(429\)/],
    ['500', { status: 500, body: '' }, 'failing', /^The feed Trap network answered 500\.$/],
    ['404', { status: 404, body: '' }, 'failing', /answered 404/],
    ['another page', { status: 302, body: '', headers: { location: '/login' } }, 'expired', /another page/],
    ['wrong columns', { status: 200, body: 'day,what\n1,2\n' }, 'failing', /must name the columns date and type/],
    ['too much', { status: 200, body: 'x'.repeat(11 * 1024 * 1024) }, 'failing', /more than 10 MB/],
  ] as const)
    it(`says so for ${name}`, async () => {
      const read = await readAgain(id, next as typeof answer);
      assert.equal(read.state, state);
      assert.match(read.problem, problem);
    });

  it('is told of once when its access ends, and once when it is back', async () => {
    await readAgain(id, { status: 200, body: CSV });
    const gone = await readAgain(id, { status: 401, body: '' });
    assert.deepEqual([gone.state, gone.problem], ['expired', 'The feed Trap network no longer grants access (401).']);
    await readAgain(id, { status: 401, body: '' });
    const [alert, ...others] = await alerts();
    assert.deepEqual([alert.message, alert.page, alert.over_at], [gone.problem, '/traps', null]);
    assert.equal(others.length, 0);
    await readAgain(id, { status: 200, body: CSV });
    assert.ok((await alerts()).every(({ over_at: over }) => over !== null));
  });

  it('reads JSON, by its names', async () => {
    const list = [{ date: DAY, type: 'recycled', count: 7, domain_name: 'json.example.com' }];
    answer = { status: 200, body: JSON.stringify({ items: list }) };
    const { body } = await add({ name: 'In JSON', format: 'json', token: 'abc' });
    await app.idle();
    assert.equal((await feedOf(body.id)).state, 'connected');
    assert.equal(asked.at(-1)?.headers.authorization, 'Bearer abc');
    const found = (await hits()).find(({ domain }) => domain === 'json.example.com');
    assert.deepEqual([found.hits, found.type, found.source_name], [7, 'recycled', 'In JSON']);
    for (const [text, problem] of [
      ['{', /is no JSON/],
      ['{"a":1}', /must be a list of objects/],
      ['[1]', /must be a list of objects/],
    ] as const)
      assert.match((await readAgain(body.id, { status: 200, body: text })).problem, problem);
    assert.equal((await readAgain(body.id, { status: 200, body: '[]' })).problem, null);
  });

  it('is read each day', async () => {
    asked = [];
    answer = { status: 200, body: CSV };
    app.clock.advance(86_400_000);
    for (const end = Date.now() + 90_000; asked.length < 2 && Date.now() < end;)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await app.idle();
    assert.ok(asked.length >= 2);
  });

  it('is of one account', async () => {
    assert.deepEqual((await app.call(`GET ${FEEDS}`, { headers: stranger })).body, { items: [] });
    for (const operation of [`POST ${FEEDS}/${id}/read`, `DELETE ${FEEDS}/${id}`])
      assert.equal((await app.call(operation, { headers: stranger })).status, 404);
  });

  for (const [given, message] of [
    [{ url: 'ftp://feeds.example.com' }, 'url must be an https address without user name and password.'],
    [{ url: 'http://10.0.0.1/' }, 'url is not open to requests from here.'],
    [{ user: 'ann' }, 'user, password: give both, or neither.'],
    [{ user: 'a:b', password: 'c' }, 'user must not contain a colon.'],
    [{ token: 'a', user: 'b', password: 'c' }, 'token must not stand beside user and password.'],
    [{ token: 'a b' }, 'token must be of ASCII characters without spaces.'],
    [{ format: 'xml' }, 'format must be one of csv, json.'],
  ] as const)
    it(`refuses ${JSON.stringify(given)}`, async () => {
      const { status, body } = await add(given);
      assert.deepEqual([status, body.message], [400, message]);
    });

  it('is removed, and its hits stay', async () => {
    const { status, body } = await app.call(`DELETE ${FEEDS}/${id}`);
    assert.deepEqual([status, body], [200, { message: 'The feed has been removed.' }]);
    assert.equal(await feedOf(id), undefined);
    assert.ok((await hits()).some(({ source_name: name }) => name === 'Trap network'));
    assert.equal((await app.call(`DELETE ${FEEDS}/${id}`)).status, 404);
  });

  it('is one of twenty at most', async () => {
    const count = (await app.call(`GET ${FEEDS}`)).body.items.length;
    for (let more = count; more < 20; more++) assert.equal((await add({ name: `Feed ${more}` })).status, 201);
    assert.equal((await add({})).status, 409);
    await app.idle();
  });
});
