// Tags over HTTP, in their new and their old form: what is said of them, their figures, their end, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gatheredFigures } from '../../../../test/harness/gathered-figures.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const TAGS = '/v1/analytics/tags';

let app: App;
let accountId = '';
let subaccount = '';
let headers = {};

async function send(fields: Record<string, unknown>, domain = DOMAIN): Promise<void> {
  const letter = { from: 'Ann <ann@news.example.com>', to: 'bob@example.net', subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${domain}/messages`, { body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
}

/** Every message is delivered and counted. */
async function counted(): Promise<void> {
  const { db } = app.galley.outside;
  for (let waiting = 1; waiting > 0;) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { rows } = await db.text('select count(*)::int as count from deliveries');
    waiting = (rows[0] as { count: number }).count;
  }
  await gatheredFigures(app);
}

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,send' });
  for (const name of [DOMAIN, 'shop.example.com']) await app.call('POST /v4/domains', { body: { name } });
  subaccount = (await app.call('POST /v5/accounts/subaccounts?name=Second')).body.subaccount.id;
  headers = { 'X-Mailgun-On-Behalf-Of': subaccount };
  const { events, db } = app.galley.outside;
  accountId = ((await db.text('select id from accounts where parent_id is null')).rows[0] as { id: string }).id;
  await send({ 'o:tag': ['Spring', 'news'] });
  await send({ 'o:tag': 'spring' });
  await send({ 'o:tag': 'news' }, 'shop.example.com');
  await counted();
  const { rows } = await db.text(`select id::text from sent_messages where 'Spring' = any(tags)`);
  const opened = {
    at: app.galley.outside.clock.now(),
    accountId,
    event: 'opened' as const,
    domain: DOMAIN,
    recipient: 'bob@example.net',
    messageId: (rows[0] as { id: string }).id,
    about: { geolocation: { country: 'DE' }, 'client-info': { 'device-type': 'desktop' } },
  };
  await db.tx((tx) => events.append(tx, [opened, { ...opened, event: 'clicked' }]));
  await gatheredFigures(app);
});
after(() => app.close());

describe('tags', () => {
  it('are listed as the contract has it, of all domains, with their metrics', async () => {
    const query = { include_metrics: true, pagination: { sort: 'tag:asc', skip: 0, limit: 10 } };
    const { status, body } = await app.call(`POST ${TAGS}`, { body: query });
    assert.equal(status, 200, JSON.stringify(body));
    assert.deepEqual(body.pagination, { sort: 'tag:asc', skip: 0, limit: 10, total: 2, include_total: true });
    const [news, { metrics, first_seen: first, last_seen: last, ...spring }] = body.items;
    assert.deepEqual([news.tag, news.metrics.accepted_count], ['news', 2]);
    assert.deepEqual(spring, {
      account_id: accountId,
      parent_account_id: '',
      account_name: spring.account_name,
      tag: 'Spring',
      description: '',
    });
    assert.ok(Date.parse(first) <= Date.parse(last));
    assert.deepEqual(
      [metrics.accepted_count, metrics.delivered_count, metrics.opened_count, metrics.unique_clicked_rate],
      [2, 2, 1, '0.5000'],
    );
    const part = await app.call(`POST ${TAGS}`, { body: { tag: 'PRI', pagination: { sort: 'last_seen:desc' } } });
    assert.deepEqual(
      part.body.items.map(({ tag }: any) => tag),
      ['Spring'],
    );
    const page = await app.call(`POST ${TAGS}`, { body: { pagination: { skip: 1, limit: 1, include_total: false } } });
    assert.deepEqual(page.body.pagination, { sort: 'tag:asc', skip: 1, limit: 1, include_total: false });
  });

  it('are listed by domain, page by page', async () => {
    const { body, headers: said } = await app.call(`GET /v3/${DOMAIN}/tags?limit=1`);
    assert.equal(said.get('link'), '</v1/analytics/tags>; rel="successor-version"');
    const [{ 'first-seen': first, 'last-seen': last, ...item }] = body.items;
    assert.deepEqual(item, { tag: 'news', description: '' });
    assert.match(first + last, /^(\d{4}-\d\d-\d\dT[\d:.]+Z){2}$/);
    const next = await app.call(`GET ${body.paging.next.slice(app.url.length)}`);
    assert.deepEqual(
      next.body.items.map(({ tag }: any) => tag),
      ['Spring'],
    );
    const begun = await app.call(`GET /v3/${DOMAIN}/tags?prefix=Sp`);
    assert.equal(begun.body.items.length, 1);
    for (const path of [`/v3/${DOMAIN}/tag?tag=SPRING`, `/v3/${DOMAIN}/tags/spring`])
      assert.equal((await app.call(`GET ${path}`)).body.tag, 'Spring');
  });

  it('are described, everywhere or in a domain', async () => {
    const said = { status: 200, message: 'Tag updated' };
    for (const [operation, body, description] of [
      [`PUT ${TAGS}`, { tag: 'spring', description: 'Flowers' }, 'Flowers'],
      [`PUT /v3/${DOMAIN}/tag?tag=spring&description=Roses`, undefined, 'Roses'],
      [`PUT /v3/${DOMAIN}/tags/spring`, { description: 'Tulips' }, 'Tulips'],
    ] as const) {
      const answer = await app.call(operation, { body });
      assert.deepEqual({ status: answer.status, ...answer.body }, said, operation);
      assert.equal((await app.call(`GET /v3/${DOMAIN}/tag?tag=spring`)).body.description, description);
    }
  });

  it('have stats and aggregates, by the tag in the query or in the path', async () => {
    for (const path of [`/v3/${DOMAIN}/tag/stats?tag=spring&`, `/v3/${DOMAIN}/tags/spring/stats?`]) {
      const { status, body } = await app.call(`GET ${path}event=accepted&event=opened&duration=1d`);
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual([body.tag, body.description, body.resolution], ['Spring', 'Tulips', 'day']);
      const { accepted, opened } = body.stats.at(-1);
      assert.deepEqual([accepted.total, opened], [2, { total: 1, unique: 1 }]);
      const none = await app.call(`GET ${path}event=opened&country=FR&duration=1d`);
      assert.equal(none.body.stats.at(-1).opened.total, 0);
    }
    const read = { clicked: 1, complained: 0, opened: 1, unique_clicked: 1, unique_opened: 1, unsubscribed: 0 };
    for (const path of ['tag/stats/aggregates?tag=spring&type=country', 'tags/spring/stats/aggregates/countries'])
      assert.deepEqual((await app.call(`GET /v3/${DOMAIN}/${path}`)).body, { tag: 'Spring', country: { DE: read } });
    const devices = await app.call(`GET /v3/${DOMAIN}/tags/spring/stats/aggregates/devices`);
    assert.deepEqual(devices.body, { tag: 'Spring', device: { desktop: read } });
    for (const [name, items] of [
      ['countries', ['DE']],
      ['devices', ['desktop']],
      ['providers', []],
    ] as const)
      assert.deepEqual((await app.call(`GET /v3/domains/${DOMAIN}/tag/${name}`)).body, { items });
  });

  it('have a limit', async () => {
    const { body } = await app.call(`GET ${TAGS}/limits`);
    assert.deepEqual(body, { limit: 5000, count: 3, limit_reached: false });
    const { id, ...own } = (await app.call(`GET /v3/domains/${DOMAIN}/limits/tag`)).body;
    assert.match(id, /^\w+$/);
    assert.deepEqual(own, { limit: 5000, count: 2 });
  });

  it('are of the account alone', async () => {
    const none = await app.call(`POST ${TAGS}`, { headers });
    assert.deepEqual(none.body.items, []);
    for (const operation of [
      `GET /v3/${DOMAIN}/tags`,
      `GET /v3/${DOMAIN}/tag?tag=spring`,
      `GET /v3/${DOMAIN}/tags/spring`,
      `PUT /v3/${DOMAIN}/tag?tag=spring`,
      `PUT /v3/${DOMAIN}/tags/spring`,
      `DELETE /v3/${DOMAIN}/tag?tag=spring`,
      `DELETE /v3/${DOMAIN}/tags/spring`,
      `GET /v3/${DOMAIN}/tag/stats?tag=spring&event=opened`,
      `GET /v3/${DOMAIN}/tags/spring/stats?event=opened`,
      `GET /v3/${DOMAIN}/tag/stats/aggregates?tag=spring&type=device`,
      `GET /v3/${DOMAIN}/tags/spring/stats/aggregates/devices`,
      `GET /v3/domains/${DOMAIN}/tag/devices`,
      `GET /v3/domains/${DOMAIN}/tag/providers`,
      `GET /v3/domains/${DOMAIN}/tag/countries`,
      `GET /v3/domains/${DOMAIN}/limits/tag`,
    ])
      assert.equal((await app.call(operation, { headers })).status, 404, operation);
    for (const method of ['PUT', 'DELETE'])
      assert.deepEqual(
        [(await app.call(`${method} ${TAGS}`, { headers, body: { tag: 'spring' } })).status],
        [404],
        method,
      );
    assert.equal((await app.call(`GET ${TAGS}/limits`, { headers })).body.count, 0);
  });

  it('refuse what they do not know', async () => {
    for (const [operation, body, message] of [
      [`PUT ${TAGS}`, {}, /^tag is required/],
      [`DELETE ${TAGS}`, {}, /^tag is required/],
      [`POST ${TAGS}`, { pagination: { sort: 'weather' } }, /^pagination\.sort must be tag, first_seen/],
      [`GET /v3/${DOMAIN}/tag`, undefined, /^tag is required/],
      [`GET /v3/${DOMAIN}/tag/stats?tag=spring&event=sneezed`, undefined, /^event must be one of/],
      [`GET /v3/${DOMAIN}/tag/stats/aggregates?tag=spring&type=weather`, undefined, /^type must be one of provider/],
    ] as const) {
      const answer = await app.call(operation, { body });
      assert.equal(answer.status, 400, operation);
      assert.match(answer.body.message, message);
    }
  });

  it('go with their figures, of one domain or of all, and come again with the next message', async () => {
    assert.deepEqual((await app.call(`DELETE /v3/${DOMAIN}/tag?tag=NEWS`)).body, { message: 'Tag deleted' });
    const of = async () => {
      const query = { dimensions: ['tag'], metrics: ['accepted_count'] };
      const { body } = await app.call('POST /v1/analytics/metrics', { body: query });
      return body.items.map(({ dimensions, metrics }: any) => [dimensions[0].value, metrics.accepted_count]);
    };
    assert.deepEqual(await of(), [
      ['spring', 2],
      ['news', 1],
    ]);
    const shop = await app.call('DELETE /v3/shop.example.com/tags/news');
    assert.deepEqual(shop.body, { message: 'Tag deleted' });
    assert.deepEqual(await of(), [['spring', 2]]);
    // As a client sends it: JSON, said to be a form.
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = JSON.stringify({ tag: 'spring' });
    const answer = await app.call(`DELETE ${TAGS}`, { headers: form, body });
    assert.deepEqual([answer.status, answer.body], [200, { message: 'Tag deleted' }]);
    assert.deepEqual(await of(), []);
    assert.equal((await app.call(`DELETE ${TAGS}`, { body: { tag: 'spring' } })).status, 404);
    await send({ 'o:tag': 'SPRING' });
    await counted();
    assert.deepEqual(await of(), [['spring', 1]]);
  });
});
