// Tags of messages of the sandbox: those that they bring, those that somebody gives them, and what asks for them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const PATH = '/v1/sandbox/shop/messages';
let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  for (const name of ['shop', 'other'])
    assert.equal((await app.call('POST /v1/sandbox', { body: { name } })).status, 201);
});
after(() => app.close());

async function put(fields: Record<string, unknown>): Promise<string> {
  const letter = { from: 'ann@shop.example', to: 'bob@example.net', subject: 'Your order', text: 'It is on its way.' };
  const { status, body } = await app.call(`POST ${PATH}`, { body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.sandbox_message_id;
}

const subjects = async (query: string): Promise<string[]> => {
  const { status, body } = await app.call(`GET ${PATH}?${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ subject }: { subject: string }) => subject);
};
const tagsOf = async (id: string): Promise<string[]> => (await app.call(`GET ${PATH}/${id}`)).body.tags;
const give = (id: string, tags: unknown, headers: Record<string, string> = {}) =>
  app.call(`PUT ${PATH}/${id}/tags`, { body: { tags }, headers });

describe('tags of messages of the sandbox', () => {
  let spring = '';
  let plain = '';

  it('come with a message: in its header, its addresses and o:tag, each once', async () => {
    spring = await put({
      subject: 'Spring',
      to: 'bob+orders+Sale@example.net, cy+new@example.net',
      'o:tag': ['Newsletter', 'spring'],
      'h:X-Tags': 'newsletter, weekly, bad<tag>,, Spring Sale',
    });
    const named = ['Newsletter', 'spring', 'weekly', 'bad tag', 'Spring Sale'];
    assert.deepEqual(await tagsOf(spring), [...named, 'orders', 'Sale', 'new']);
    plain = await put({ subject: 'Plain' });
    assert.deepEqual(await tagsOf(plain), []);
    const many = await put({ subject: 'Many', 'h:X-Tags': Array.from({ length: 30 }, (_, n) => `t${n}`).join(',') });
    assert.equal((await tagsOf(many)).length, 20);
    const long = await put({ subject: 'Long', 'h:X-Tags': `${'x'.repeat(101)}, y` });
    assert.deepEqual(await tagsOf(long), ['y']);
  });

  it('are given by hand, in place of those that were there', async () => {
    const { revision } = (await app.call('GET /v1/sandbox/shop')).body;
    const answer = await give(plain, ['Größe 12', 'a.b-c_d', 'größe 12']);
    assert.deepEqual([answer.status, answer.body], [200, { tags: ['Größe 12', 'a.b-c_d'] }]);
    assert.deepEqual(await tagsOf(plain), ['Größe 12', 'a.b-c_d']);
    assert.equal((await app.call('GET /v1/sandbox/shop')).body.revision, revision + 1);
    assert.deepEqual((await give(plain, [])).body, { tags: [] });
    assert.deepEqual((await give(plain, ['Größe 12'])).status, 200);
  });

  const WRONG: [string, unknown, RegExp][] = [
    ['one that is empty', [''], /^tags has ""; a tag has 1 to 100 letters, digits, spaces, points, hyphens and under/],
    ['one with a comma', ['a,b'], /^tags has "a,b"; a tag has/],
    ['one with marks', ['<b>'], /^tags has "<b>"; a tag has/],
    ['one that is too long', ['x'.repeat(101)], /^tags has "x{100}"; a tag has/],
    ['too many', Array.from({ length: 21 }, (_, n) => `t${n}`), /^tags has 21 tags; a message has at most 20\.$/],
    ['no list', 'spring', /tags/],
    ['nothing', undefined, /tags/],
  ];
  for (const [what, tags, message] of WRONG)
    it(`are not ${what}`, async () => {
      const { status, body } = await give(plain, tags);
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.deepEqual(await tagsOf(plain), ['Größe 12']);
    });

  it('are asked for alone, together, and beside words', async () => {
    assert.deepEqual(await subjects('tag=SPRING'), ['Spring']);
    assert.deepEqual(await subjects('tag=sprin'), []);
    assert.deepEqual(await subjects(`search=${encodeURIComponent('tag:"spring sale" tag:weekly')}`), ['Spring']);
    assert.deepEqual(await subjects(`search=${encodeURIComponent('tag:weekly tag:t1')}`), []);
    assert.deepEqual(await subjects(`search=${encodeURIComponent('TAG:weekly on its way')}`), ['Spring']);
    assert.deepEqual(await subjects(`search=${encodeURIComponent('on its way tag:weekly nowhere')}`), []);
    assert.deepEqual(await subjects(`search=${encodeURIComponent('tag:größe')}`), []);
    assert.deepEqual(await subjects(`tag=${encodeURIComponent('größe 12')}`), ['Plain']);
    assert.deepEqual(await subjects('tag=t3&subject=many'), ['Many']);
    const { body } = await app.call(`GET ${PATH}/latest?tag=t19`);
    assert.equal(body.subject, 'Many');
    const none = await app.call(`GET ${PATH}/latest?tag=t20`);
    assert.deepEqual(none.body, { message: 'The sandbox inbox "shop" has no message that matches tag=t20.' });
  });

  it('are waited for', async () => {
    const waiting = app.call(`GET ${PATH}/latest?tag=waited&wait=60`);
    await put({ subject: 'Another' });
    await put({ subject: 'Waited', to: 'bob+waited@example.net' });
    assert.equal((await waiting).body.subject, 'Waited');
  });

  it('are counted, those of the most messages first', async () => {
    await put({ subject: 'Again', 'o:tag': 'WEEKLY' });
    const { status, body } = await app.call('GET /v1/sandbox/shop/tags');
    assert.equal(status, 200);
    assert.deepEqual([body.tags[0].tag.toLowerCase(), body.tags[0].message_count], ['weekly', 2]);
    assert.ok(body.tags.slice(1).every((one: any) => one.message_count === 1));
    assert.deepEqual((await app.call('GET /v1/sandbox/other/tags')).body, { tags: [] });
  });

  it('belong to the account and the inbox of their message', async () => {
    const strange = await give(spring, ['mine'], stranger);
    assert.deepEqual(
      [strange.status, strange.body],
      [404, { message: 'No sandbox inbox has the id or the name "shop".' }],
    );
    assert.equal((await app.call('GET /v1/sandbox/shop/tags', { headers: stranger })).status, 404);
    const elsewhere = await app.call(`PUT /v1/sandbox/other/messages/${spring}/tags`, { body: { tags: ['mine'] } });
    assert.equal(elsewhere.status, 404);
    assert.equal((await tagsOf(spring)).includes('mine'), false);
  });
});
