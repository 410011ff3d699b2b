// What an inbox is set to refuse on purpose, over HTTP. What programs see of it: submission/sandbox-chaos.test.ts.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(() => app.close());

const set = (chaos: unknown, headers: Record<string, string> = {}) =>
  app.call('PATCH /v1/sandbox/shop', { body: { chaos }, headers });

describe('the chaos setting of an inbox', () => {
  it('is off at first, is set with the inbox or later, and is replaced as one', async () => {
    const first = await app.call('POST /v1/sandbox', { body: { name: 'shop' } });
    assert.equal(first.body.chaos, null);
    const all = {
      sender: { error_code: 400, probability: 0 },
      recipient: { error_code: 599, probability: 100 },
      authentication: { error_code: 535, probability: 20 },
    };
    const second = await app.call('POST /v1/sandbox', { body: { name: 'wild', chaos: all } });
    assert.deepEqual([second.status, second.body.chaos], [201, all]);
    const { status, body } = await set({ sender: { error_code: 451, probability: 30 } });
    assert.deepEqual([status, body.chaos], [200, { sender: { error_code: 451, probability: 30 } }]);
    const other = await app.call('PATCH /v1/sandbox/shop', { body: { retention_days: 3 } });
    assert.deepEqual(other.body.chaos, { sender: { error_code: 451, probability: 30 } });
    const replaced = await set({ recipient: { error_code: 550, probability: 1 } });
    assert.deepEqual(replaced.body.chaos, { recipient: { error_code: 550, probability: 1 } });
    assert.deepEqual((await app.call('GET /v1/sandbox/shop')).body, replaced.body);
    assert.equal((await set({})).body.chaos, null);
    await set({ recipient: { error_code: 550, probability: 1 } });
    assert.equal((await set(null)).body.chaos, null);
    const { body: list } = await app.call('GET /v1/sandbox');
    assert.deepEqual(
      list.items.map(({ name, chaos }: any) => [name, chaos]),
      [
        ['wild', all],
        ['shop', null],
      ],
    );
  });

  it('refuses nothing over HTTP', async () => {
    const letter = { from: 'ann@shop.example', to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
    assert.equal((await app.call('POST /v1/sandbox/wild/messages', { body: letter })).status, 200);
  });

  const right = { error_code: 451, probability: 30 };
  const WRONG: [string, unknown, RegExp][] = [
    ['a code below 400', { sender: { ...right, error_code: 399 } }, /^chaos\.sender\.error_code must be >= 400/],
    ['a code beyond 599', { recipient: { ...right, error_code: 600 } }, /^chaos\.recipient\.error_code must be <= 599/],
    ['no code', { sender: { probability: 3 } }, /^chaos\.sender\.error_code is required/],
    ['no probability', { sender: { error_code: 451 } }, /^chaos\.sender\.probability is required/],
    ['a probability below 0', { sender: { ...right, probability: -1 } }, /^chaos\.sender\.probability must be >= 0/],
    [
      'a probability beyond 100',
      { authentication: { ...right, probability: 101 } },
      /^chaos\.authentication\.probability must be <= 100/,
    ],
    ['half a percent', { sender: { ...right, probability: 0.5 } }, /^chaos\.sender\.probability must be integer/],
    ['an unknown trigger', { data: right }, /^chaos\.data is not known here/],
    ['an unknown field', { sender: { ...right, often: true } }, /^chaos\.sender\.often is not known here/],
    ['no trigger', { sender: 451 }, /^chaos\.sender must be object/],
    ['a word', 'all', /^chaos must be object/],
  ];
  for (const [what, chaos, message] of WRONG)
    it(`is not ${what}`, async () => {
      const { status, body } = await set(chaos);
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.equal((await app.call('GET /v1/sandbox/shop')).body.chaos, null);
    });

  it('belongs to one inbox of one account', async () => {
    assert.equal((await set({ sender: right }, stranger)).status, 404);
    const theirs = { name: 'shop', chaos: { sender: right } };
    const { body } = await app.call('POST /v1/sandbox', { body: theirs, headers: stranger });
    assert.deepEqual(body.chaos, { sender: right });
    assert.equal((await app.call('GET /v1/sandbox/shop')).body.chaos, null);
  });
});
