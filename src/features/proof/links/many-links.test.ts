import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSite, type Site } from '../../../../test/harness/link-playground.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let site: Site;
before(async () => {
  site = await startSite({
    handle: (request, response) =>
      void response
        .writeHead(request.url?.endsWith('/9999') ? 404 : 200, { 'content-type': 'text/html' })
        .end('<title>x</title>'),
  });
  app = await startApp({ GALLEY_ALLOW_HOSTS: `127.0.0.1:${site.port}` });
});
after(async () => {
  await app?.close();
  await site?.close();
});

async function checked(kind: string, body: object): Promise<any> {
  const { status, body: started } = await app.call(`POST /v1/inspect/${kind}/html-validate`, { body });
  assert.equal(status, 200, JSON.stringify(started));
  await app.idle();
  return (await app.call(`GET /v1/inspect/${kind}/${started.items.id}`)).body;
}

const linksTo = (count: number, urlOf: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => `<a href="${urlOf(number)}">Link ${number}</a>`).join('\n');

describe('a message with very many links or images', () => {
  it('has all of 10,000 links followed', async () => {
    const { meta, items } = await checked('links', {
      html: linksTo(10_000, (number) => `${site.origin}/page/${number}`),
    });
    assert.deepEqual(
      [meta.status, meta.count, meta.notice, items.results.length],
      ['Complete', 10_000, undefined, 10_000],
    );
    assert.deepEqual(
      [items.results[9_999].status, items.results[9_999].status_code, items.results[5_000].status_code],
      ['Error', 404, 200],
    );
    assert.equal(
      new Set(site.requests.map((request) => request.split(' ')[1]).filter((path) => path?.startsWith('/page/'))).size,
      10_000,
    );
    const alone = await checked('links', { html: linksTo(1, (number) => `${site.origin}/page/${number}`) });
    assert.deepEqual(
      [meta, items, items.results[0]].map(Object.keys),
      [alone.meta, alone.items, alone.items.results[0]].map(Object.keys),
    );
  });

  it('has all of 2,300 images listed and judged', async () => {
    const { meta, items } = await checked('images', {
      html: Array.from({ length: 2_300 }, (_, number) => `<img src="${site.origin}/image/${number}" alt="">`).join(''),
    });
    assert.deepEqual([meta.status, items.images.length], ['Complete', 2_300]);
    assert.equal(items.images.filter(({ status }: any) => status === 'Skipped').length, 0);
  });

  it('says in every view how many links are looked at, where there are more', async () => {
    const html = linksTo(25_010, () => '#');
    const { meta, items } = await checked('links', { html });
    const notice = 'The message has more than 25,000 links; those after them were not looked at.';
    assert.deepEqual([meta.count, items.results.length, meta.notice], [25_000, 25_000, notice]);
    const { body: inspection } = await app.call(`GET /v1/inspections/${items.id}`);
    assert.deepEqual(
      inspection.findings.filter(({ rule }: any) => rule === 'links/not-checked').map(({ message }: any) => message),
      [notice],
    );
    const { body: list } = await app.call('GET /v1/inspect/links?limit=1');
    assert.deepEqual([list.items[0].link_count, list.items[0].notice], [25_000, notice]);
    const { body: gate } = await app.call('POST /v1/inspect/gate', { body: { html, checks: ['links'] } });
    await app.idle();
    const { body: judged } = await app.call(`GET /v1/inspect/gate/${gate.items?.id ?? gate.id}`);
    assert.match(JSON.stringify(judged), /more than 25,000 links/);
    for (const format of ['pretty', 'sarif', 'junit', 'json', 'github']) {
      const { body } = await app.call(`GET /v1/inspections/${items.id}/report?format=${format}`);
      assert.match(
        Buffer.isBuffer(body) ? body.toString() : typeof body === 'string' ? body : JSON.stringify(body),
        /more than 25,000 links/,
        format,
      );
    }
  });

  it('says in every view how many images are looked at, where there are more', async () => {
    const { items } = await checked('images', { html: '<img src="cid:x" alt="">'.repeat(25_010) });
    const notice = 'The message has more than 25,000 images; those after them were not looked at.';
    assert.deepEqual(
      [items.images.length, items.failures.map(({ description }: any) => description)],
      [25_000, [notice]],
    );
    const { body: inspection } = await app.call(`GET /v1/inspections/${items.id}`);
    assert.ok(
      inspection.findings.some(({ rule, message }: any) => rule === 'images/not-checked' && message === notice),
    );
  });
});
