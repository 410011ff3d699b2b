// Routes over HTTP: made, listed, changed, deleted, and asked which one an address has.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let other: Record<string, string>;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_QUOTAS: 'routes=30' });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  other = { 'x-service-account-id': id };
});
after(() => app.close());

const create = (body: object, headers = {}) => app.call('POST /v3/routes', { body, headers });

describe('routes', () => {
  it('are made, read, changed and deleted by their account alone', async () => {
    const { status, body } = await create({
      priority: 3,
      description: 'Orders',
      expression: 'match_recipient("orders\\+(?P<order>[0-9]+)@.*")',
      action: ['forward("https://shop.example.com/mail/\\g<order>")', 'stop()'],
    });
    assert.equal(status, 200);
    const { id, created_at: createdAt, ...rest } = body.route;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.match(createdAt, /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/);
    assert.deepEqual(
      [body.message, rest],
      [
        'Route has been created',
        {
          priority: 3,
          description: 'Orders',
          expression: 'match_recipient("orders\\+(?P<order>[0-9]+)@.*")',
          actions: ['forward("https://shop.example.com/mail/\\g<order>")', 'stop()'],
        },
      ],
    );
    assert.deepEqual((await app.call(`GET /v3/routes/${id}`)).body, { route: body.route });
    for (const [method, form] of [['GET'], ['PUT', { priority: 1 }], ['DELETE']] as const) {
      const theirs = await app.call(`${method} /v3/routes/${id}`, { headers: other, ...(form && { body: form }) });
      assert.deepEqual([theirs.status, theirs.body], [404, { message: 'Route not found' }]);
    }
    const changed = await app.call(`PUT /v3/routes/${id}`, { body: { id, priority: 4, action: 'store()' } });
    assert.deepEqual(changed.body, {
      message: 'Route has been updated',
      ...body.route,
      priority: 4,
      actions: ['store()'],
      route: { ...body.route, priority: 4, actions: ['store()'] },
    });
    assert.deepEqual((await app.call(`DELETE /v3/routes/${id}`)).body, { message: 'Route has been deleted', id });
    assert.equal((await app.call(`GET /v3/routes/${id}`)).status, 404);
  });

  it('are listed in the order in which they are looked at, page by page', async () => {
    const made: string[] = [];
    for (const priority of [5, 1, 5])
      made.push(
        (await create({ priority, expression: 'match_recipient("listed@.*")', action: 'store()' })).body.route.id,
      );
    const { body } = await app.call('GET /v3/routes');
    assert.deepEqual([body.total_count, body.items.map(({ id }: any) => id)], [3, [made[1], made[0], made[2]]]);
    const page = await app.call('GET /v3/routes?limit=1&skip=1');
    assert.deepEqual([page.body.total_count, page.body.items[0].id], [3, made[0]]);
    assert.deepEqual((await app.call('GET /v3/routes', { headers: other })).body, { total_count: 0, items: [] });
    const many = await app.call('GET /v3/routes?limit=1001');
    assert.deepEqual([many.status, many.body.message], [400, "The 'limit' parameter can't be larger than 1000"]);
    assert.equal((await app.call('GET /v3/routes?limit=1e2')).status, 400);
  });

  it('are found by an address, the first of them', async () => {
    const id = (await create({ priority: 9, expression: 'match_recipient("Bob@.*")' })).body.route.id;
    await create({ priority: 8, expression: 'match_header("subject", ".*")', action: 'stop()' });
    const found = await app.call('GET /v3/routes/match?address=bob@in.example.com');
    assert.deepEqual([found.status, found.body.route.id], [200, id]);
    const none = await app.call('GET /v3/routes/match?address=eve@in.example.com');
    assert.deepEqual([none.status, none.body], [404, { message: 'Route not found' }]);
    assert.equal((await app.call('GET /v3/routes/match?address=bob@in.example.com', { headers: other })).status, 404);
    assert.equal((await app.call('GET /v3/routes/match')).status, 400);
    assert.equal((await app.call('GET /v3/routes/match?address=bob')).status, 400);
  });

  for (const [wrong, message] of [
    [{ action: 'store()' }, /expression/],
    [
      { expression: 'match_sender("a")' },
      /^expression is not understood: "match_sender" is not known; valid is match_re/,
    ],
    [{ expression: 'match_recipient("(?=a)")' }, /no regular expression of RE2/],
    [{ expression: 'catch_all()', action: 'bounce()' }, /^action is not understood: "bounce" is not known/],
    [
      { expression: 'catch_all()', action: 'forward("nobody")' },
      /action has "nobody", which is neither a URL nor an add/,
    ],
    [{ expression: 'catch_all()', action: 'forward("http://127.0.0.1/x")' }, /^action: .* is not a valid url/],
    [{ expression: 'catch_all()', action: 'store(notify="ftp://a.example/")' }, /invalid URL scheme/],
    [{ expression: 'catch_all()', action: Array.from({ length: 21 }, () => 'stop()') }, /at most 20 actions/],
    [{ expression: 'catch_all()', priority: 'first' }, /priority/],
  ] as const)
    it(`are refused: ${JSON.stringify(wrong).slice(0, 70)}`, async () => {
      const { status, body } = await create(wrong);
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
    });

  it('are as many as an account may have, and no costlier together than a message may take', async () => {
    const costly = {
      expression: ['a', 'b', 'c', 'd', 'e', 'f'].map((of) => `match_recipient("(${of}|x){199}")`).join(' or '),
    };
    let made = 0;
    let answer = await create(costly, other);
    for (; answer.status === 200; made += 1) answer = await create(costly, other);
    assert.equal(answer.status, 400);
    assert.match(answer.body.message, /^expression makes the routes of this account too costly together: \d+ steps of/);
    for (; made < 30; made += 1) assert.equal((await create({ expression: 'catch_all()' }, other)).status, 200);
    const beyond = await create({ expression: 'catch_all()' }, other);
    assert.deepEqual([beyond.status, /30 routes/.test(beyond.body.message)], [429, true]);
  });
});
