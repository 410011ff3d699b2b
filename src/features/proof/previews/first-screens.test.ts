// Long pictures: their first screens come before the rest of any, and are said to be no more than that.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'gmail_android', 'iphonese_16', 'fastmail_chrome', 'gmail_android_dm'];
// A machine that does much else draws a long picture in seven seconds; here are twelve of them.
const LONG_WAIT_MS = 180_000;
const LONG = '<p>A line of a long message</p>'.repeat(300);

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

interface Rendered {
  extent: string;
  isWhole: boolean;
  width: number;
}

/** What the browser is asked for, in this order; whole pictures wait until they are let go. */
function watchBrowser() {
  const { browser } = app.galley.outside;
  const { pick } = browser;
  const asked: Rendered[] = [];
  const gate = Promise.withResolvers<void>();
  browser.pick = (engine, scheme) => ({
    ...pick(engine, scheme),
    async render(request, signal) {
      if (request.extent === 'whole') await gate.promise;
      const made = await pick(engine, scheme).render(request, signal);
      asked.push({ extent: request.extent ?? 'whole', isWhole: made.isWhole, width: request.width });
      return made;
    },
  });
  return { asked, letGo: gate.resolve, end: () => (browser.pick = pick) };
}

async function create(html: string, clients = CLIENTS): Promise<string> {
  const { status, body } = await app.call('POST /v2/preview/tests', { body: { subject: 'Long', html, clients } });
  assert.equal(status, 200);
  return body.id;
}

const resultsOf = async (id: string): Promise<any> => (await app.call(`GET /v1/preview/tests/${id}/results`)).body;
const infoOf = async (id: string): Promise<any> => (await app.call(`GET /v2/preview/tests/${id}`)).body;

async function until<Value>(look: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  for (const end = Date.now() + LONG_WAIT_MS; ;) {
    const value = await look();
    if (isSo(value)) return value;
    if (Date.now() > end)
      assert.fail(`not so after ${LONG_WAIT_MS / 60_000} minutes: ${JSON.stringify(value).slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a long message', () => {
  it('shows the first screen of every client before any whole picture, and replaces it', async () => {
    const browser = watchBrowser();
    const { blobs } = app.galley.outside;
    const id = await create(LONG);
    const ask = (url: string): Promise<any> => app.call(`GET ${url}`, { key: null });
    const results = await until(
      () => resultsOf(id),
      (found) => Object.values<any>(found).every((result) => result.first_screens?.default),
    );
    const { gmail_chrome: early } = results;
    const { url, preview_at, ...size } = early.first_screens.default;
    assert.deepEqual(size, { width: 800, height: 900, content_height: early.first_screens.default.content_height });
    assert.ok(size.content_height > 9000 && Math.abs(preview_at - Date.now() / 1000) < 60);
    assert.deepEqual([early.status, early.pictures], ['Processing', {}]);
    assert.deepEqual((await infoOf(id)).processing, [...CLIENTS].sort(), 'completed is said of whole pictures only');
    const top = await ask(url);
    assert.equal((await sharp(top.body).metadata()).height, 900);
    const small = await ask(`${url.replace('.png', '.webp')}?width=320`);
    const { format, width, height } = await sharp(small.body).metadata();
    assert.deepEqual([format, width, height], ['webp', 320, 360]);
    for (const other of [early.screenshots.default, early.thumbnail, early.full_thumbnail])
      assert.equal((await ask(other)).status, 425, other);
    assert.equal((await ask(url.replace('.png', '.jpg'))).status, 404);
    browser.letGo();
    await until(
      () => infoOf(id),
      ({ completed }) => completed.length === CLIENTS.length,
    );
    await app.idle();
    browser.end();
    const distinct = (await picturesOf(id)).size;
    const extents = browser.asked.map(({ extent }) => extent);
    assert.deepEqual(extents, [
      ...Array.from({ length: distinct }, () => 'first_screen'),
      ...Array.from({ length: distinct }, () => 'whole'),
    ]);
    const { gmail_chrome: late } = await resultsOf(id);
    assert.equal(late.first_screens, undefined);
    assert.equal(late.pictures.default.preview_at, preview_at, 'when there was something to see');
    const whole = await ask(url);
    assert.ok(whole.body.equals((await ask(late.screenshots.default)).body), 'its address has the whole picture then');
    assert.notEqual(whole.headers.get('etag'), top.headers.get('etag'));
    assert.equal(await blobs.count(`previews/${id}/pictures`), distinct + (await samples(id)), 'no first screen stays');
  });

  it('is drawn once where it is short', async () => {
    const browser = watchBrowser();
    const id = await create('<p>Short', ['gmail_chrome', 'ol2021']);
    await app.idle();
    browser.end();
    assert.deepEqual(
      browser.asked.map(({ extent, isWhole }) => [extent, isWhole]),
      [
        ['first_screen', true],
        ['first_screen', true],
      ],
    );
    const { gmail_chrome: result } = await resultsOf(id);
    assert.ok(result.pictures.default.preview_at > 0);
    assert.equal(result.first_screens, undefined);
  });

  it('leaves nothing behind when it is deleted between the first screens and the rest', async () => {
    const browser = watchBrowser();
    const id = await create(LONG);
    await until(
      () => resultsOf(id),
      (found) => Object.values<any>(found).every((result) => result.first_screens?.default),
    );
    const { first_screens: screens } = (await resultsOf(id)).ol2021;
    assert.equal((await app.call(`DELETE /v2/preview/tests/${id}`)).status, 200);
    browser.letGo();
    await app.idle();
    browser.end();
    assert.equal(await app.galley.outside.blobs.count(`previews/${id}`), 0);
    assert.equal((await app.call(`GET ${screens.default.url}`, { key: null })).status, 404);
  });

  it('is not prepared again while one of its first screens takes long', async () => {
    const { browser } = app.galley.outside;
    const { pick } = browser;
    const gate = Promise.withResolvers<void>();
    let slow: string | undefined;
    let drawn = 0;
    browser.pick = (engine, scheme) => ({
      ...pick(engine, scheme),
      async render(request, signal) {
        drawn += 1;
        slow ??= request.html;
        if (request.html === slow) await gate.promise;
        return pick(engine, scheme).render(request, signal);
      },
    });
    const id = await create(LONG);
    await until(
      () => resultsOf(id),
      (found) => Object.values<any>(found).filter((result) => result.first_screens?.default).length >= 3,
    );
    // What is lost is looked for every five seconds among what is older than eight.
    app.clock.advance(20_000);
    await new Promise((resolve) => setTimeout(resolve, 6_500));
    gate.resolve();
    await until(
      () => infoOf(id),
      ({ completed }) => completed.length === CLIENTS.length,
    );
    await app.idle();
    browser.pick = pick;
    assert.equal(drawn, 2 * (await picturesOf(id)).size);
  });
});

/** The ids of the distinct pictures of a test. */
async function picturesOf(id: string): Promise<Set<string>> {
  const results = Object.values<any>(await resultsOf(id));
  return new Set(results.flatMap(({ pictures }) => Object.values<any>(pictures).map((picture) => picture.id)));
}

/** Pictures of a test whose colors are kept to compare others with. */
async function samples(id: string): Promise<number> {
  const { blobs } = app.galley.outside;
  const keys = await picturesOf(id);
  const found = await Promise.all([...keys].map((key) => blobs.get(`previews/${id}/pictures/${key}.sample`)));
  return found.filter((sample) => sample !== undefined).length;
}
