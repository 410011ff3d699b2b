// Pictures with the pixels of a phone's screen: drawn a screenful at a time, when somebody first looks.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { startApp, type Answer, type App } from '../../../../test/harness/start-app.ts';

const WAIT_MS = 240_000;
const STYLE =
  '<style>.box { height: 60px; background: #dc1e1e } @media (min-resolution: 2dppx) { .box { background: #143cc8 } }</style>';
const html = `${STYLE}<body style="margin:0"><div class="box"></div>${'<p>A line of a long message</p>'.repeat(60)}`;

let app: App;
before(async () => {
  app = await startApp();
});
after(() => app.close());

async function create(clients: string[], source = html): Promise<string> {
  const { status, body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'Phone', html: source, clients },
  });
  assert.equal(status, 200);
  await app.idle();
  return body.id;
}

const resultsOf = async (id: string): Promise<any> => (await app.call(`GET /v1/preview/tests/${id}/results`)).body;
const ask = (url: string): Promise<Answer<any>> => app.call(`GET ${url}`, { key: null });

async function drawn(url: string): Promise<Answer<any>> {
  for (const end = Date.now() + WAIT_MS; ;) {
    const answer = await ask(url);
    if (answer.status !== 425 || Date.now() > end) return answer;
    assert.equal(answer.headers.get('retry-after'), '1');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** The color of a pixel. */
async function at(png: Buffer, [left, top]: [number, number]): Promise<number[]> {
  const { data } = await sharp(png)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return [...data];
}

describe('a picture of a phone', () => {
  it('can be had with the pixels of its screen, and stays as it is', async () => {
    const id = await create(['iphone16_18', 'gmail_chrome']);
    const { iphone16_18: phone, gmail_chrome: web } = await resultsOf(id);
    const { sharp: parts, height, content_height: contentHeight } = phone.pictures.default;
    assert.deepEqual(parts, {
      pixel_ratio: 3,
      parts: Math.ceil(height / 852),
      part_height: 852,
      url: phone.screenshots.default.replace('default.png', 'default.sharp-{part}.png'),
    });
    assert.equal(web.pictures.default.sharp, undefined);
    const whole = await ask(phone.screenshots.default);
    const url = (part: number | string): string => parts.url.replace('{part}', String(part));
    const first = await drawn(url(1));
    assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'image/png']);
    assert.deepEqual(
      [first.headers.get('galley-pixel-ratio'), first.headers.get('galley-content-height')],
      ['3', String(contentHeight)],
    );
    const size = await sharp(first.body).metadata();
    assert.deepEqual([size.width, size.height], [393 * 3, 852 * 3]);
    const middle: [number, number] = [20, 20];
    assert.deepEqual(await at(whole.body, middle), [220, 30, 30], 'as screens with one pixel show it');
    assert.deepEqual(await at(first.body, [60, 60]), [20, 60, 200], 'as the phone shows it');
    const last = await drawn(url(parts.parts));
    assert.equal((await sharp(last.body).metadata()).height, (height - (parts.parts - 1) * 852) * 3);
    const etag = first.headers.get('etag') as string;
    assert.equal((await app.call(`GET ${url(1)}`, { key: null, headers: { 'if-none-match': etag } })).status, 304);
    const again = await ask(phone.screenshots.default);
    assert.ok(again.body.equals(whole.body) && again.headers.get('etag') === whole.headers.get('etag'));
    const notThere = [url(0), url(parts.parts + 1), url('x'), url(1).replace('-1', ''), url(1).replace('png', 'webp')];
    for (const other of [...notThere, web.screenshots.default.replace('.png', '.sharp-1.png')])
      assert.equal((await ask(other)).status, 404, other);
  });

  it('is drawn once, however many ask', async () => {
    const id = await create(['gmail_android'], `${html}<p>Once`);
    const { gmail_android: phone } = await resultsOf(id);
    const { browser } = app.galley.outside;
    const { pick } = browser;
    let count = 0;
    browser.pick = (...which) => ({
      ...pick(...which),
      render: (request, signal) => {
        count += 1;
        assert.deepEqual(request.part, { top: 915, height: 915 });
        assert.equal(request.pixelRatio, 2.625);
        return pick(...which).render(request, signal);
      },
    });
    const url = phone.pictures.default.sharp.url.replace('{part}', '2');
    const answers = await Promise.all(Array.from({ length: 8 }, () => drawn(url)));
    browser.pick = pick;
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
    assert.equal(count, 1);
    assert.ok(answers.every(({ body }) => body.equals(answers[0]?.body)));
  });

  it('says why a part could not be drawn', async () => {
    const id = await create(['gmail_android'], `${html}<p>Not drawn`);
    const { gmail_android: phone } = await resultsOf(id);
    const { browser } = app.galley.outside;
    const { pick } = browser;
    browser.pick = (...which) => ({
      ...pick(...which),
      // Such a document shrinks where it has more pixels.
      render: (request, signal) => pick(...which).render({ ...request, html: '<p>Short' }, signal),
    });
    const answer = await drawn(phone.pictures.default.sharp.url.replace('{part}', '3'));
    browser.pick = pick;
    assert.equal(answer.status, 409);
    assert.equal(
      answer.body.message,
      'This part could not be drawn with the pixels of the screen: At this pixel ratio the document ends above this part.',
    );
    assert.equal((await ask(phone.screenshots.default)).status, 200);
  });

  it('is drawn again where the kept one is damaged, and goes with its test', async () => {
    const id = await create(['gmail_android'], `${html}<p>Damaged`);
    const { gmail_android: phone } = await resultsOf(id);
    const { blobs } = app.galley.outside;
    const url = phone.pictures.default.sharp.url.replace('{part}', '1');
    const made = await drawn(url);
    const key = `previews/${id}/pictures/${phone.pictures.default.id}.at-2.625.1.png`;
    await blobs.put(key, Buffer.from('no picture'), 'image/png');
    const again = await drawn(url);
    assert.ok(again.status === 200 && again.body.equals(made.body));
    assert.equal((await app.call(`DELETE /v2/preview/tests/${id}`)).status, 200);
    assert.equal((await ask(url)).status, 404);
    await app.idle();
    assert.equal(await blobs.count(`previews/${id}`), 0);
  });
});
