import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { assetServer, type AssetServer } from '../../../../test/harness/asset-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let assets: AssetServer;
let stranger: string;
before(async () => {
  assets = await assetServer();
  app = await startApp({
    GALLEY_ALLOW_HOSTS: '127.0.0.1',
    GALLEY_ROLES: 'api,work,mail',
    GALLEY_SMTP_DOMAIN: 'galley.test',
  });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
  stranger = (
    await app.call('POST /v1/keys', {
      headers: { 'x-service-account-id': body.subaccount.id },
      body: { role: 'admin' },
    })
  ).body.key.secret;
});
after(async () => {
  await app.close();
  await assets.close();
});

const HTML = '<title>May &amp; June</title><p>The roses have begun to flower.</p><a href="#nowhere">x</a>';

async function create(body: object): Promise<string> {
  const { status, body: made } = await app.call('POST /v2/preview/tests', {
    body: { subject: '', html: HTML, clients: ['gmail_chrome'], ...body },
  });
  assert.equal(status, 200, JSON.stringify(made));
  return made.id;
}

async function finished(id: string): Promise<void> {
  for (;;) {
    const { body } = await app.call(`GET /v2/preview/tests/${id}`);
    const states = [body.spam, ...Object.values<any>(body.content_checking)].map((part) =>
      part?.meta?.status.toLowerCase(),
    );
    if (body.processing.length === 0 && !states.includes('processing')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const rowsOf = async (query = ''): Promise<any> => (await app.call(`GET /v1/previews/summary${query}`)).body;

describe('GET /v1/previews/summary', () => {
  it('says all that a row shows', async () => {
    const id = await create({
      subject: 'Spring',
      clients: ['ol2021', 'gmail_chrome'],
      reference_id: 'r-1',
      content_checking: { link_validation: true, accessibility: false },
      spam: {},
    });
    await finished(id);
    const { body: share } = await app.call('POST /v1/preview/sharing', { body: { test_id: id } });
    const { meta, items } = await rowsOf('?reference_id=r-1');
    assert.deepEqual(meta, { count: 1, limit: 30, page: 1 });
    const [{ date, expires_at, thumbnails, spam, ...row }] = items;
    assert.equal(expires_at - date, 90 * 86_400);
    assert.deepEqual(row, {
      id,
      name: 'Spring',
      subject: 'Spring',
      source: 'html',
      reference_id: 'r-1',
      clients: { total: 2, completed: 2, processing: 0, bounced: 0 },
      checks: { link_validation: { status: 'Complete', errors: 1, warnings: 0 } },
      findings: { errors: 1, warnings: 0 },
      sharing: {
        enabled: true,
        url: share.url,
        expires_at: share.expires_at.replace('Z', row.sharing.expires_at.slice(19)),
      },
    });
    assert.equal(spam.status, 'completed');
    assert.deepEqual(
      thumbnails.map(({ client_id: client }: { client_id: string }) => client),
      ['gmail_chrome', 'ol2021'],
    );
    const picture = await app.call(`GET ${thumbnails[0].url}?width=160`, { key: null });
    assert.deepEqual([picture.status, picture.headers.get('content-type')], [200, 'image/webp']);
    assert.equal((await sharp(picture.body).metadata()).width, 160);
  });

  it('pages, searches, and shows nobody the tests of another account', async () => {
    const ids = [await create({ subject: 'Needle 1' }), await create({ subject: 'Needle 2' })];
    const first = await rowsOf('?subject=needle&limit=1');
    assert.deepEqual([first.meta, first.items[0].id], [{ count: 2, limit: 1, page: 1 }, ids[1]]);
    assert.equal((await rowsOf('?subject=needle&limit=1&page=2')).items[0].id, ids[0]);
    assert.deepEqual((await app.call('GET /v1/previews/summary', { key: stranger })).body, {
      meta: { count: 0, limit: 30, page: 1 },
      items: [],
    });
    for (const query of ['limit=101', 'limit=0', 'limit=1.5', 'page=0', 'from=never'])
      assert.equal((await app.call(`GET /v1/previews/summary?${query}`)).status, 400, query);
  });
});

describe('the name of a test', () => {
  const nameOf = async (id: string): Promise<string> => (await app.call(`GET /v2/preview/tests/${id}`)).body.name;

  it('is its subject, its title, the name of its file, host and path, or none', async () => {
    assert.equal(await nameOf(await create({ subject: ' Spring ' })), 'Spring');
    assert.equal(await nameOf(await create({})), 'May & June');
    assert.equal(await nameOf(await create({ html: '<p>Hello', name: 'may.html' })), 'may.html');
    assert.equal(await nameOf(await create({ html: '<p>Hello' })), 'Untitled email');
    assert.equal(
      await nameOf(
        await create({
          html: undefined,
          mime: 'From: a@b.example\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHello',
        }),
      ),
      'Grüße',
    );
    assets.set('/mail/may.html?token=secret', 'text/html', '<p>Hello');
    assert.equal(
      await nameOf(await create({ html: undefined, url: `${assets.url}/mail/may.html?token=secret` })),
      `${new URL(assets.url).host}/mail/may.html`,
    );
  });

  it('can be changed, by its owner', async () => {
    const id = await create({});
    const { status, body } = await app.call(`PATCH /v2/preview/tests/${id}`, { body: { name: '  The May\nletter ' } });
    assert.deepEqual([status, body], [200, { id, name: 'The May letter' }]);
    assert.equal(await nameOf(id), 'The May letter');
    for (const name of ['', '  ', 'x'.repeat(201), 7])
      assert.equal((await app.call(`PATCH /v2/preview/tests/${id}`, { body: { name } })).status, 400);
    assert.equal(
      (await app.call(`PATCH /v2/preview/tests/${id}`, { key: stranger, body: { name: 'Mine' } })).status,
      404,
    );
    assert.equal(await nameOf(id), 'The May letter');
  });
});

describe('small pictures', () => {
  it('are made once in WebP, in the sizes that there are, at both kinds of addresses', async () => {
    const id = await create({ html: `<p style="height:3000px;background:#c00">x` });
    await finished(id);
    const { gmail_chrome: result } = (await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`)).body;
    const { body: share } = await app.call('POST /v1/preview/sharing', { body: { test_id: id } });
    const get = (url: string, headers = {}): Promise<any> => app.call(`GET ${url}`, { key: null, headers });
    const top = result.thumbnail.replace('.jpg', '.webp');
    const whole = result.full_thumbnail.replace('.jpg', '.webp');
    const answers = await Promise.all([
      get(top),
      get(top),
      get(`${top}?width=480`),
      get(whole),
      get(`${app.url}/files/shares/${share.uuid}/gmail_chrome/default.thumbnail.webp`),
    ]);
    const sizes = await Promise.all(
      answers.map(async ({ body }) => {
        const { width, height, format } = await sharp(body).metadata();
        return [format, width, (height ?? 0) > 700];
      }),
    );
    assert.deepEqual(sizes, [
      ['webp', 240, false],
      ['webp', 240, false],
      ['webp', 480, false],
      ['webp', 320, true],
      ['webp', 240, false],
    ]);
    const { body: jpeg } = await get(result.full_thumbnail);
    assert.ok(answers[3].body.length < jpeg.length, `${answers[3].body.length} of ${jpeg.length} bytes`);
    const etag = answers[0].headers.get('etag');
    assert.equal((await get(top, { 'if-none-match': etag })).status, 304);
    assert.notEqual(answers[2].headers.get('etag'), etag);
    const { blobs } = app.galley.outside;
    const { get: read } = blobs;
    const asked: string[] = [];
    blobs.get = (key) => (asked.push(key), read(key));
    await get(top).finally(() => (blobs.get = read));
    assert.ok(
      asked.every((key) => key.endsWith('.webp')),
      asked.join(),
    );
    for (const url of [`${top}?width=241`, `${top}?width=99999`, `${result.thumbnail}?width=240`])
      assert.equal((await get(url)).status, 400, url);
    assert.equal((await get(result.screenshots.default.replace('.png', '.webp'))).status, 404);
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.equal(await blobs.count(`previews/${id}`), 0);
  });
});
