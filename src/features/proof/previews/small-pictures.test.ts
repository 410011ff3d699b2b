// Small pictures and looks: neither is made on the way to a picture.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { pictureKey } from './objects.ts';

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

async function made(html: string, clients: string[]): Promise<{ id: string; results: any }> {
  const { status, body } = await app.call('POST /v2/preview/tests', { body: { subject: 'Small', html, clients } });
  assert.equal(status, 200);
  await app.idle();
  return { id: body.id, results: (await app.call(`GET /v1/preview/tests/${body.id}/results`)).body };
}

const sizeOf = async (picture: Buffer): Promise<unknown[]> => {
  const { format, width, height } = await sharp(picture).metadata();
  return [format, width, height];
};

describe('small pictures', () => {
  it('are stored from their first request on, made once however many ask, and deleted with the test', async () => {
    const { blobs } = app.galley.outside;
    const { id, results } = await made('<p style="height:2000px;background:#c00">x', ['gmail_chrome']);
    const { gmail_chrome: result } = results;
    assert.equal(await blobs.count(`previews/${id}/pictures`), 1, 'the picture, and nothing else');
    const { put } = blobs;
    const stored: string[] = [];
    blobs.put = (key, ...rest) => (stored.push(key), put(key, ...rest));
    const ask = (url: string): Promise<any> => app.call(`GET ${url}`, { key: null });
    const answers = await Promise.all([
      ask(result.thumbnail),
      ask(result.thumbnail),
      ask(result.thumbnail),
      ask(result.full_thumbnail),
    ]).finally(() => (blobs.put = put));
    assert.deepEqual(await sizeOf(answers[0].body), ['jpeg', 240, 320]);
    assert.deepEqual(await sizeOf(answers[3].body), [
      'jpeg',
      320,
      Math.round((result.pictures.default.height * 320) / 800),
    ]);
    assert.deepEqual(stored.map((key) => key.split('.').slice(1).join('.')).sort(), [
      'full-thumbnail.jpg',
      'thumbnail.jpg',
    ]);
    assert.ok(answers[1].body.equals(answers[0].body) && (await ask(result.thumbnail)).body.equals(answers[0].body));
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.equal(await blobs.count(`previews/${id}`), 0);
  });

  it('that were stored before go on being answered', async () => {
    const { blobs } = app.galley.outside;
    const { id, results } = await made('<p>Old', ['gmail_chrome']);
    const { gmail_chrome: result } = results;
    const old = await sharp({ create: { width: 240, height: 99, channels: 3, background: '#0a0' } })
      .jpeg()
      .toBuffer();
    await blobs.put(pictureKey(id, result.pictures.default.id, 'thumbnail'), old, 'image/jpeg');
    const { body } = await app.call(`GET ${result.thumbnail}`, { key: null });
    assert.ok(old.equals(body));
  });

  it('answer `damaged` where the picture is gone', async () => {
    const { blobs } = app.galley.outside;
    const { id, results } = await made('<p>Gone', ['gmail_chrome']);
    await blobs.deleteAll(`previews/${id}/pictures`);
    const { status, body } = await app.call(`GET ${results.gmail_chrome.thumbnail}`, { key: null });
    assert.deepEqual(
      [status, body.message],
      [410, 'The stored picture default.thumbnail.jpg is missing; reprocess the client to make it again.'],
    );
  });
});

describe('the look of a picture', () => {
  const clients = ['iphone14_16', 'iphone15_17', 'gmail_chrome'];
  const looksOf = (results: any): [string, string][] =>
    clients.map((client) => [results[client].pictures.default.id, results[client].pictures.default.look]);

  it('is its own until the pictures of its test are compared, and then that of the first that looks the same', async () => {
    const { id, results } = await made(
      '<body bgcolor="#144a78" style="margin:0;background:#144a78">&nbsp;</body>',
      clients,
    );
    const [[one, lookOfOne], [other, lookOfOther], [wide, lookOfWide]] = looksOf(results) as [
      [string, string],
      [string, string],
      [string, string],
    ];
    assert.notEqual(one, other, 'phones of other widths have other pictures');
    assert.ok(lookOfOne === lookOfOther && [one, other].includes(lookOfOne), `${lookOfOne} ${lookOfOther}`);
    assert.equal(lookOfWide, wide);
    await app.galley.outside.db.text('update preview_renders set look = null');
    const { body } = await app.call(`GET /v1/preview/tests/${id}/results`);
    for (const [key, look] of looksOf(body)) assert.equal(look, key);
  });

  it('is found where a client bounced as the last', async () => {
    const { db } = app.galley.outside;
    const { browser } = app.galley.outside;
    const { pick } = browser;
    const html = '<body bgcolor="#700000" style="margin:0;background:#700000">&nbsp;</body>';
    browser.pick = (engine, scheme) => ({
      ...pick(engine, scheme),
      render: (request, signal) =>
        request.width === 800
          ? new Promise((_, reject) => setTimeout(() => reject(new TypeError('The engine is gone.')), 500))
          : pick(engine, scheme).render(request, signal),
    });
    const { body } = await app.call('POST /v2/preview/tests', { body: { subject: 'Small', html, clients } });
    await db.text(`update jobs set attempts = 9 where part_of = '${body.id}'`);
    for (;;) {
      const info = (await app.call(`GET /v2/preview/tests/${body.id}`)).body;
      if (info.completed.length === 2) break;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await db.text(`update jobs set attempts = 20, run_at = now() where part_of = '${body.id}'`);
    app.galley.outside.jobs.wake();
    for (;;) {
      const info = (await app.call(`GET /v2/preview/tests/${body.id}`)).body;
      if (info.processing.length === 0) break;
      await db.text(`update jobs set attempts = 20, run_at = now() where part_of = '${body.id}'`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    browser.pick = pick;
    await app.idle();
    const results = (await app.call(`GET /v1/preview/tests/${body.id}/results`)).body;
    assert.equal(results.gmail_chrome.status, 'Bounced');
    assert.equal(results.iphone14_16.pictures.default.look, results.iphone15_17.pictures.default.look);
  });
});
