// What routes would do with a message, and another try of what they did.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { DOMAIN, routeBed } from './bed.fixture.ts';

const bed = routeBed();
const PLAIN = ['From: ann@sender.example', 'Subject: Hello', '', 'Hello there'];
const TRY = 'POST /v1/galley/routes/test';
const otherAccount = async (name: string): Promise<Record<string, string>> => {
  const { subaccount } = (await bed.app.call(`POST /v5/accounts/subaccounts?name=${name}`)).body;
  return { 'x-service-account-id': subaccount.id };
};

describe('trying routes', () => {
  it('answers those that a message has, in their order, with what groups found, and does nothing', async () => {
    const first = await bed.route('match_header("subject", "Late")', [`store(notify="${bed.url}/late")`, 'store()'], {
      priority: -2,
    });
    const second = await bed.route('match_recipient("orders\\+(?P<no>.*)@")', [
      `forward("${bed.url}/orders/\\g<no>")`,
      'forward("\\g<no>@elsewhere.example")',
      'stop()',
    ]);
    await bed.route('catch_all()', 'store()', { priority: 9 });
    const asked = { recipient: `orders+a/b@${DOMAIN}`, message: 'Subject: Late again\nX-Other: one' };
    const { status, body } = await bed.app.call(TRY, { body: asked });
    assert.deepEqual(
      [status, body.domain, body.is_taken, body.routes.map(({ route, actions }: any) => [route.id, actions])],
      [
        200,
        DOMAIN,
        true,
        [
          [first, [{ does: 'notify', target: `${bed.url}/late` }, { does: 'store' }]],
          [
            second,
            [
              { does: 'forward_url', target: `${bed.url}/orders/a%2Fb` },
              { does: 'forward_address', target: 'a/b@elsewhere.example' },
              { does: 'stop' },
            ],
          ],
        ],
      ],
    );
    const bare = (await bed.app.call(TRY, { body: { recipient: asked.recipient } })).body;
    assert.deepEqual(
      bare.routes.map(({ route }: any) => route.id),
      [second],
    );
    assert.deepEqual((await bed.app.call('GET /v1/galley/routes/deliveries')).body, { total_count: 0, items: [] });
  });

  it('knows no routes and no domains of others', async () => {
    const headers = await otherAccount('Trying');
    const { status, body } = await bed.app.call(TRY, { body: { recipient: `bob@${DOMAIN}` }, headers });
    assert.deepEqual([status, body], [200, { domain: null, is_taken: false, routes: [] }]);
    const own = (await bed.app.call(TRY, { body: { recipient: 'bob@nowhere.example' } })).body;
    assert.deepEqual([own.domain, own.is_taken], [null, true]);
  });

  for (const [wrong, message] of [
    [{}, /recipient/],
    [{ recipient: 'bob' }, /^recipient must be one address such as ann@example\.com\./],
    [{ recipient: 'bob@in.example.com', message: 'x'.repeat(100_001) }, /message/],
    [{ recipient: 'bob@in.example.com', message: 7 }, /message/],
  ] as const)
    it(`is refused: ${JSON.stringify(wrong).slice(0, 60)}`, async () => {
      const { status, body } = await bed.app.call(TRY, { body: wrong });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
    });
});

describe('what a route did', () => {
  const retry = (id: string, headers = {}) =>
    bed.app.call(`POST /v1/galley/routes/deliveries/${id}/retry`, { headers });
  const of = (items: any[], path: string) => items.find(({ target }) => target === bed.url + path);

  it('is tried again at once while it waits, and when it was rejected; not when it is done', async () => {
    bed.answer('/shut', 500);
    bed.answer('/closed', 406);
    await bed.route('match_recipient("again@")', [`forward("${bed.url}/shut")`, `forward("${bed.url}/closed")`], {
      priority: -1,
    });
    await bed.send(`again@${DOMAIN}`, PLAIN);
    const begun = await bed.deliveries(
      (items) => of(items, '/shut')?.attempts.length === 1 && of(items, '/closed')?.state === 'rejected',
    );
    const [shut, closed] = [of(begun, '/shut'), of(begun, '/closed')];
    const headers = await otherAccount('Retrying');
    assert.deepEqual((await retry(shut.id, headers)).status, 404);
    for (const path of ['/shut', '/closed']) bed.answer(path, 200);
    for (const { id } of [shut, closed]) {
      const { status, body } = await retry(id);
      assert.deepEqual([status, body.id, body.state, body.attempts.length], [200, id, 'waiting', 1]);
    }
    const done = await bed.deliveries((items) =>
      ['/shut', '/closed'].every((path) => of(items, path).state === 'delivered'),
    );
    assert.deepEqual(
      ['/shut', '/closed'].map((path) => of(done, path).attempts.map(({ code }: any) => code)),
      [
        [500, 200],
        [406, 200],
      ],
    );
    const { status, body } = await retry(shut.id);
    assert.deepEqual([status, body.message], [409, 'The delivery is done: it is not repeated.']);
    const delivered = (await bed.app.call('GET /v1/galley/routes/deliveries?state=delivered&limit=1000')).body.items;
    assert.ok(of(delivered, '/shut') && delivered.every((one: any) => one.state === 'delivered'));
    assert.equal((await bed.app.call('GET /v1/galley/routes/deliveries?state=lost')).status, 400);
  });

  it('is not tried by two at once, nor when it goes in a circle', async () => {
    bed.answer('/busy', 500);
    await bed.route('match_recipient("busy@")', `forward("${bed.url}/busy")`, { priority: -1 });
    await bed.send(`busy@${DOMAIN}`, PLAIN);
    const { id } = of(await bed.deliveries((items) => of(items, '/busy')?.attempts.length === 1), '/busy');
    await bed.app.galley.outside.db.text(
      `update route_deliveries set due_at = due_at - interval '6 minutes' where id = ${id}`,
    );
    const { status, body } = await retry(id);
    assert.deepEqual([status, body.message], [409, 'The delivery is being tried, or will be within five minutes.']);
    for (const unknown of ['0', 'x', '99999999999999999999'])
      assert.deepEqual((await retry(unknown)).body, { message: 'Route delivery not found' });
    await bed.route('match_recipient("ring@")', 'forward("else@where.example")', { priority: -1 });
    await bed.send(`ring@${DOMAIN}`, PLAIN);
    const ring = (items: any[]) => items.filter(({ recipient }) => recipient === `ring@${DOMAIN}`);
    await bed.deliveries((items) => ring(items).some(({ state }) => state === 'delivered'));
    const mark = createHash('sha256').update(`ring@${DOMAIN}`).digest('hex').slice(0, 32);
    await bed.send(`ring@${DOMAIN}`, [`X-Galley-Forwarded: ${mark}`, ...PLAIN]);
    const circle = ring(await bed.deliveries((all) => ring(all).some(({ state }) => state === 'failed')))[0];
    const again = await retry(circle.id);
    assert.deepEqual([again.status, /goes in a circle/.test(again.body.message)], [409, true]);
  });
});
