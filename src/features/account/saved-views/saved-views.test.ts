import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startPeople, type People } from '../../../../test/harness/people.ts';
import type { App } from '../../../../test/harness/start-app.ts';

let people: People;
let app: App;
let annsId: string;
/** The headers of another account. */
let stranger: Record<string, string>;
/** The cookie of a user of the account who may read only. */
let hers: string;

const SPRING = { list: 'emails', name: 'Spring', search: 'folder=Spring&sort=name' };

before(async () => {
  people = await startPeople();
  ({ app } = people);
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  annsId = await people.join('ann@shop.example', 'support');
  hers = await people.signIn('ann@shop.example');
});
after(() => people.close());

const viewsOf = (userId: string) =>
  app.galley.outside.db.ofAnyone.selectFrom('savedViews').selectAll().where('userId', '=', userId).execute();

describe('saved views', () => {
  it('are saved, listed by their list in the order in which they were saved, and deleted', async () => {
    const first = await app.call('POST /v1/saved-views', { body: SPRING });
    assert.equal(first.status, 201);
    const { id, created_at: at, ...rest } = first.body;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.ok(Date.parse(at) > 0, at);
    assert.deepEqual(rest, SPRING);
    app.clock.advance(1000);
    const second = await app.call('POST /v1/saved-views', { body: { ...SPRING, name: ' All ', search: '' } });
    assert.equal(second.body.name, 'All');
    const other = await app.call('POST /v1/saved-views', { body: { ...SPRING, list: 'spam-tests' } });
    assert.equal(other.status, 201);
    assert.deepEqual((await app.call('GET /v1/saved-views?list=emails')).body, { items: [first.body, second.body] });
    assert.equal((await app.call('GET /v1/saved-views')).body.items.length, 3);
    assert.equal((await app.call(`DELETE /v1/saved-views/${id}`)).status, 200);
    assert.equal((await app.call(`DELETE /v1/saved-views/${id}`)).status, 404);
    assert.deepEqual((await app.call('GET /v1/saved-views?list=emails')).body, { items: [second.body] });
  });

  it('have a name each, and are at most twenty of a list', async () => {
    const body = { list: 'gates', search: '' };
    // At once, as from several windows.
    const answers = await Promise.all(
      Array.from({ length: 25 }, (_, place) =>
        app.call('POST /v1/saved-views', { body: { ...body, name: `View ${place}` } }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(20).fill(201), ...Array(5).fill(409)]);
    const more = await app.call('POST /v1/saved-views', { body: { ...body, name: 'One more' } });
    assert.deepEqual([more.status, /20 views/.test(more.body.message)], [409, true]);
    const taken = await app.call('POST /v1/saved-views', { body: { ...SPRING, name: 'All' } });
    assert.deepEqual([taken.status, /“All”/.test(taken.body.message)], [409, true]);
  });

  it('are those of one user: whoever may only read has their own, and nobody those of others', async () => {
    const { body: mine } = await app.call('POST /v1/saved-views', { body: { ...SPRING, name: 'Mine' } });
    const ann = await people.as(hers, 'POST /v1/saved-views', { body: { ...SPRING, name: 'Mine' } });
    assert.equal(ann.status, 201, JSON.stringify(ann.body));
    assert.deepEqual((await people.as(hers, 'GET /v1/saved-views')).body, { items: [ann.body] });
    assert.equal((await people.as(hers, `DELETE /v1/saved-views/${mine.id}`)).status, 404);
    assert.equal((await app.call(`DELETE /v1/saved-views/${ann.body.id}`)).status, 404);
    assert.equal((await app.call(`DELETE /v1/saved-views/${mine.id}`, { headers: stranger })).status, 404);
    assert.deepEqual((await app.call('GET /v1/saved-views', { headers: stranger })).body, { items: [] });
  });

  it('go with their user', async () => {
    assert.equal((await app.call(`DELETE /v5/users/${annsId}`)).status, 200);
    assert.deepEqual(await viewsOf(annsId), []);
  });

  const wrong: [object, string][] = [
    [{ ...SPRING, name: '' }, 'name'],
    [{ ...SPRING, name: ' ' }, 'name'],
    [{ ...SPRING, name: 'a'.repeat(61) }, 'name'],
    [{ ...SPRING, list: 'Emails' }, 'list'],
    [{ ...SPRING, search: 'a'.repeat(2001) }, 'search'],
    [{ list: 'emails', name: 'No search' }, 'search'],
  ];
  for (const [body, field] of wrong)
    it(`refuse ${JSON.stringify(body).slice(0, 60)} and name the field`, async () => {
      const answer = await app.call('POST /v1/saved-views', { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, new RegExp(`^${field}`));
    });
});
