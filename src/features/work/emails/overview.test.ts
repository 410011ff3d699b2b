// What the tests of two versions of an email come to: ready or not, what to repair first, what changed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer, type WebServer } from '../../../../test/harness/web-server.ts';

let app: App;
let site: WebServer;
let path: string;

const pageOf = (link: string, color: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Roses</title></head><body>
<h1 style="color:${color}">The roses are in flower</h1><p>Come and see them: <a href="${link}">the garden</a>,
<a href="${link}">open daily</a>. <a href="http://${site.host}/unsubscribe">Unsubscribe</a></p></body></html>`;

async function test(number: number, tests: string[]): Promise<any> {
  const body = { tests, clients: ['gmail_chrome', 'gmail_android_dm'], policy: { fail: 'error' } };
  const answer = await app.call(`POST ${path}/versions/${number}/tests`, {
    body: tests.includes('previews') ? body : { tests },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  assert.deepEqual(answer.body.refused, []);
  await app.idle();
  return answer.body.items;
}

const overview = async (number: number): Promise<any> =>
  (await app.call(`GET ${path}/versions/${number}/overview`)).body;
const itemOf = ({ checklist }: any, name: string): any => checklist.find(({ item }: any) => item === name);
const findings = async (number: number, query = ''): Promise<any> =>
  (await app.call(`GET ${path}/versions/${number}/findings${query}`)).body;

before(async () => {
  site = await startWebServer((request, response) => {
    response.statusCode = request.path === '/gone' ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Garden</title><p>Open</p>');
  });
  app = await startApp({
    GALLEY_ROLES: 'api,work,mail',
    GALLEY_ALLOW_HOSTS: site.host,
    GALLEY_SMTP_DOMAIN: 'galley.test',
  });
  const html = pageOf(`http://${site.host}/gone`, '#222222');
  const { body } = await app.call('POST /v1/emails', { body: { html, subject: 'Roses in flower', name: 'Roses' } });
  path = `/v1/emails/${body.id}`;
});
after(async () => {
  await app?.close();
  await site?.close();
});

describe('the overview of a version', () => {
  it('knows nothing without tests, and says so: not known is not ready', async () => {
    const { verdict, checklist, repairs, counts, summary } = await overview(1);
    assert.equal(verdict, 'unknown');
    assert.deepEqual([...new Set(checklist.map((item: any) => item.verdict))], ['unknown']);
    assert.equal(checklist.length, 10);
    assert.equal(itemOf({ checklist }, 'links').reason, 'No link test of this version was started.');
    assert.match(summary, /^Not ready; not known: subject and preheader, /);
    assert.deepEqual([repairs, counts], [[], { errors: 0, warnings: 0, new: null, ignored: 0 }]);
  });

  it('judges each item by its tests, and names the repairs that gain the most readers', async () => {
    const items = await test(1, ['previews', 'links', 'code']);
    const preview = items.find(({ kind }: any) => kind === 'previews');
    const links = items.find(({ kind }: any) => kind === 'links');
    assert.equal(links.links.page, `/previews/${preview.id}/links`);
    const seen = await overview(1);
    assert.equal(seen.verdict, 'not_ready');
    const item = itemOf(seen, 'links');
    assert.deepEqual([item.verdict, item.measured_on], ['not_ready', [{ kind: 'links', id: links.id }]]);
    assert.equal(itemOf(seen, 'rendering').verdict, 'ready');
    assert.equal(itemOf(seen, 'spam').reason, 'No spam test of this version was started.');
    assert.equal(itemOf(seen, 'authentication').verdict, 'unknown');
    const [first] = seen.repairs;
    assert.deepEqual(
      [first.kind, first.severity, first.share, first.gravity, first.gain, first.count, first.places.length],
      ['links', 'error', 1, 0.4, 40, 2, 2],
    );
    assert.match(first.message, /404/);
    assert.equal(first.is_new, null);
    assert.deepEqual(first.actions, {
      show: `/previews/${preview.id}/links`,
      repair: null,
      ignore: { method: 'PUT', address: `${path}/ignores/${first.id}` },
    });
    assert.ok(seen.repairs.length <= 5);
    const gains = seen.repairs.map(({ gain }: any) => gain);
    assert.deepEqual(
      gains,
      gains.toSorted((a: number, b: number) => b - a),
    );
  });

  it('says of a spam test that a test sender sent that it knows nothing of the domain', async () => {
    await test(1, ['spam']);
    let seen = await overview(1);
    // Receivers that put a message off take it later.
    while (/is still running/.test(itemOf(seen, 'spam').reason)) {
      await pause(200);
      await app.idle();
      seen = await overview(1);
    }
    assert.match(itemOf(seen, 'authentication').reason, /^A test sender sent it/);
    assert.equal(itemOf(seen, 'authentication').verdict, 'unknown');
    assert.notEqual(itemOf(seen, 'spam').verdict, 'unknown');
    assert.notEqual(itemOf(seen, 'unsubscribe').verdict, 'unknown');
  });

  it('takes out what is ignored with a reason, until the day has passed', async () => {
    const { items } = await findings(1, '?kind=links&severity=error');
    const [{ id, rule }] = items;
    const put = (body: object) => app.call(`PUT ${path}/ignores/${id}`, { body: { rule, ...body } });
    const day = (days: number): string =>
      new Date(app.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10);
    for (const [body, field] of [
      [{}, /reason/],
      [{ reason: ' ' }, /reason/],
      [{ reason: 'x', until: '2026-02-30' }, /until/],
      [{ reason: 'x', until: '2020-01-01' }, /until/],
    ] as const) {
      const { status, body: refused } = await put(body);
      assert.equal(status, 400);
      assert.match(refused.message, field);
    }
    assert.equal((await app.call(`PUT ${path}/ignores/links`, { body: { rule, reason: 'x' } })).status, 404);
    const { status, body } = await put({ reason: 'It opens on Monday.', until: day(1) });
    assert.deepEqual([status, body.reason, body.is_over], [200, 'It opens on Monday.', false]);
    const seen = await overview(1);
    assert.deepEqual([itemOf(seen, 'links').verdict, seen.counts.ignored], ['ready', 1]);
    assert.deepEqual(
      (await findings(1, '?ignored=true')).items.map((one: any) => one.id),
      [id],
    );
    app.clock.advance(2 * 86_400_000);
    assert.equal(itemOf(await overview(1), 'links').verdict, 'not_ready');
    assert.equal((await app.call(`GET ${path}/ignores`)).body.items[0].is_over, true);
    assert.equal((await app.call(`DELETE ${path}/ignores/${id}`)).status, 200);
    assert.equal((await app.call(`DELETE ${path}/ignores/${id}`)).status, 404);
  });
});

describe('two versions', () => {
  it('are compared by what both were tested by, pictures among it', async () => {
    const html = pageOf(`http://${site.host}/`, '#990000').replace('</h1>', '</h1><img src="cid:lost">');
    await app.call(`POST ${path}/versions`, { body: { html, subject: 'Roses in flower' } });
    const compare = async (query: string): Promise<any> => app.call(`GET ${path}/comparison?${query}`);
    const none = (await compare('from=1')).body;
    assert.deepEqual([none.summary, none.pictures], ['no test of both can be compared', null]);
    assert.ok(none.not_compared.some(({ kind, reason }: any) => kind === 'links' && reason.startsWith('The newer')));
    await test(2, ['previews', 'links', 'code']);
    const { body } = await compare('from=1&to=2');
    assert.ok(body.fixed.some(({ kind, message }: any) => kind === 'links' && /404/.test(message)));
    assert.deepEqual(
      body.pictures.changed.map(({ client }: any) => client),
      ['gmail_android_dm', 'gmail_chrome'],
    );
    assert.equal(body.summary, `${body.fixed_count} fixed, ${body.new_count} new, 2 pictures changed`);
    assert.equal(body.is_same_content, false);
    assert.ok(body.not_compared.some(({ kind }: any) => kind === 'spam'));
    const fresh = await findings(2, '?new=true');
    assert.ok(fresh.total > 0 && fresh.items.every((one: any) => one.is_new));
    const { body: same } = await compare('from=2&to=2');
    assert.equal(same.summary, '0 fixed, 0 new, 0 pictures changed');
    assert.equal((await compare('from=7')).status, 404);
  });

  it('start gates, tests of images and accessibility, and placement tests, each at its own address', async () => {
    const start = (body: object) => app.call(`POST ${path}/versions/2/tests`, { body });
    const tests = ['gate', 'images', 'accessibility', 'placement'];
    const begun = await start({ tests, clients: ['gmail_chrome'], from: 'a@elsewhere.example' });
    assert.equal(begun.status, 201, JSON.stringify(begun.body));
    const [refused] = begun.body.refused;
    assert.equal(refused.kind, 'placement');
    await app.idle();
    const from = `news@${/sandbox\w+\.galley\.test/.exec(refused.message)?.[0]}`;
    const placed = await start({ tests: ['placement'], from });
    assert.equal(placed.status, 201, JSON.stringify(placed.body));
    const { items } = (await app.call(`GET ${path}/versions/2/tests`)).body;
    for (const kind of tests) {
      const one = items.find((item: any) => item.kind === kind);
      if (kind !== 'placement') assert.equal(one.state, 'complete', kind);
      assert.equal((await app.call(`GET ${one.links.self}`)).status, 200, one.links.self);
    }
  });
});
