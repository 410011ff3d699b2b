import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import {
  ARIAL_LINES,
  BLUE,
  css,
  ending,
  GREEN,
  hostileDocument,
  inkWidths,
  isNear,
  never,
  openCanary,
  pictureSource,
  pixelsOf,
  quietLog,
  RED,
  renderRequest,
  solidPng,
} from '../../../../test/harness/engine-bed.ts';
import { checkFirstScreens, checkParts, checkShrunkFirstScreen } from '../first-screen.fixture.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { SHADOWING_HTML } from '../property-names.fixture.ts';
import { RUNTIME_DIR } from '../../../../test/harness/browsers.ts';
import { effortBounds } from '../guard/render-bounds.ts';
import { withParts } from '../part.ts';
import type { AssetSource, Rendering, RenderRequest } from '../types.ts';
import { createWebkit, probeWebkit, type WebkitInstall, type WebkitRenderer } from './webkit.ts';

const install = await probeWebkit({ log: quietLog });
const skip = install === undefined && 'WebKitGTK, gjs, Xvfb or a font with bitmap emoji is not installed';

const PICTURE = '<img src="https://img.example/a.png" width="200" height="80" alt="a picture">';
const DOCUMENT = `<!doctype html><html><head><style>body { margin: 0; background: #fff; color: #111 }
  @media (prefers-color-scheme: dark) { body { background: #000; color: #eee } }
  @media (min-resolution: 2dppx) { h1 { background: ${css(GREEN)} } }</style></head>
  <body><h1>Autumn sale</h1>${PICTURE}<p>Text</p></body></html>`;

function stripes(rows: number): string {
  return Array.from(
    { length: rows },
    (_, index) =>
      `<div style="height:100px;background:${css(index === rows - 1 ? BLUE : index % 2 ? RED : GREEN)}"></div>`,
  ).join('');
}

describe('probeWebkit', () => {
  it('finds nothing where there is no WebKit', async () => {
    assert.equal(await probeWebkit({ path: '/nowhere/gjs', log: quietLog }), undefined);
    assert.equal(await probeWebkit({ path: '/bin/true', log: quietLog }), undefined);
  });
});

describe('WebKit', { skip, timeout: 900_000 }, () => {
  let webkit: WebkitRenderer;
  let red: AssetSource;
  const render = (changes: Partial<RenderRequest>): Promise<Rendering> => webkit.render(renderRequest(changes), never);

  before(async () => {
    webkit = createWebkit({ ...(install as WebkitInstall), log: quietLog });
    red = pictureSource(await solidPng(RED));
  });
  after(() => webkit.close());

  it('draws a document at exactly the width that was asked for, and names itself', async () => {
    for (const width of [320, 375, 801]) {
      const rendering = await render({ html: DOCUMENT, width, assets: red });
      const pixels = await pixelsOf(rendering);
      assert.deepEqual([rendering.width, pixels.width, rendering.height, pixels.height], [width, width, 400, 400]);
      assert.ok(pixels.colors > 10, 'the text is drawn');
      assert.equal(pixels.count(RED), 200 * 80);
      assert.match(rendering.engine.version, /^WebKitGTK \d+\.\d+\.\d+$/);
      assert.equal(rendering.engine.name, 'webkit');
    }
  });

  it('shows only the images that it is given', async () => {
    const asked: string[] = [];
    const withImages = await pixelsOf(
      await render({ html: DOCUMENT, assets: pictureSource(await solidPng(GREEN), asked) }),
    );
    const without = await pixelsOf(await render({ html: DOCUMENT, assets: async () => undefined }));
    assert.deepEqual([withImages.count(GREEN), without.count(GREEN), without.count(RED)], [200 * 80, 0, 0]);
    assert.deepEqual(asked, ['https://img.example/a.png']);
  });

  it('draws with the prepared fonts, whose widths are those of the fonts they stand for', async () => {
    const fontconfigFile = await findFontsConf(RUNTIME_DIR);
    const found = await probeWebkit({ fontconfigFile, log: quietLog });
    const prepared = createWebkit({ ...found!, fontconfigFile, log: quietLog });
    try {
      assert.deepEqual(
        inkWidths(await pixelsOf(await prepared.render(renderRequest({ html: ARIAL_LINES }), never))),
        [89, 333],
      );
    } finally {
      await prepared.close();
    }
  });

  it('fails when the source of the assets fails', async () => {
    const broken: AssetSource = () => Promise.reject(new Error('the source is broken'));
    await assert.rejects(render({ html: DOCUMENT, assets: broken }), {
      reason: 'load_failed',
      message: /img\.example/,
    });
  });

  it('takes addresses as the document means them', async () => {
    const asked: string[] = [];
    const html = '<img src="a/b.png"><img src="/c.png"><img src="//cdn.example/d.png">';
    await render({
      html,
      documentUrl: 'https://news.example/2026/index.html#top',
      assets: pictureSource(await solidPng(RED), asked),
    });
    assert.deepEqual(asked.toSorted(), [
      'https://cdn.example/d.png',
      'https://news.example/2026/a/b.png',
      'https://news.example/c.png',
    ]);
  });

  it('finds images at plain http', async () => {
    const assets: AssetSource = async (url) =>
      url === 'http://plain.example/a.png'
        ? { status: 200, contentType: 'image/png', body: await solidPng(RED) }
        : undefined;
    const pixels = await pixelsOf(
      await render({ html: PICTURE.replace('https://img.example', 'http://plain.example'), assets }),
    );
    assert.equal(pixels.count(RED), 200 * 80);
  });

  it('cuts a document that is too wide, or shrinks it', async () => {
    const html =
      '<!doctype html><body style="margin:0"><div style="width:1280px;height:900px;background:linear-gradient(to ' +
      `right, ${css(RED)} 50%, ${css(GREEN)} 50%)"></div></body>`;
    const cut = await pixelsOf(await render({ html, width: 640 }));
    assert.deepEqual([cut.width, cut.height, cut.count(RED)], [640, 900, 640 * 900]);
    const rendering = await render({ html, width: 640, fitWidth: true });
    const shrunk = await pixelsOf(rendering);
    assert.deepEqual([shrunk.width, shrunk.height, rendering.contentHeight], [640, 450, 900]);
    assert.ok(isNear(shrunk.at(300, 400), RED) && isNear(shrunk.at(340, 400), GREEN));
  });

  it('gives the document its color scheme and its screen', async () => {
    const light = await pixelsOf(await render({ html: DOCUMENT, colorScheme: 'light' }));
    const dark = await pixelsOf(await render({ html: DOCUMENT, colorScheme: 'dark' }));
    const again = await pixelsOf(await render({ html: DOCUMENT, colorScheme: 'light' }));
    assert.ok(isNear(light.at(630, 390), [255, 255, 255]), String(light.at(630, 390)));
    assert.ok(isNear(dark.at(630, 390), [0, 0, 0]), String(dark.at(630, 390)));
    assert.ok(isNear(again.at(630, 390), [255, 255, 255]), String(again.at(630, 390)));
    assert.equal(light.count(GREEN), 0);
    const sharp = await render({ html: DOCUMENT, assets: red, pixelRatio: 2 });
    const pixels = await pixelsOf(sharp);
    assert.deepEqual([sharp.width, sharp.height, sharp.contentHeight], [1280, 800, 400]);
    assert.equal(pixels.count(RED), 400 * 160);
    assert.ok(pixels.count(GREEN) > 1000, 'the media query for sharp screens applies');
  });

  it('says so when it is asked to force dark mode, which it cannot', async () => {
    await assert.rejects(render({ html: DOCUMENT, forceDark: true }), { reason: 'load_failed' });
  });

  it('draws tall documents whole, in standards and in quirks mode, and cuts them at the height that was given', async () => {
    for (const doctype of ['<!doctype html>', '']) {
      const whole = await render({
        html: `${doctype}<body style="margin:0">${stripes(300)}</body>`,
        heightMax: 31_000,
      });
      assert.deepEqual([whole.height, whole.contentHeight, whole.isCut], [30_000, 30_000, false]);
      const pixels = await pixelsOf(whole);
      for (let index = 0; index < 300; index += 1) {
        assert.ok(
          isNear(pixels.at(320, index * 100 + 2), index === 299 ? BLUE : index % 2 ? RED : GREEN),
          `row ${index}`,
        );
      }
    }
    const cut = await render({ html: `<body style="margin:0">${stripes(300)}</body>`, heightMax: 1_000 });
    assert.deepEqual([cut.height, cut.contentHeight, cut.isCut], [1_000, 30_000, true]);
  });

  it('draws the first screen of a long document, and a short one whole at once', async () => {
    await checkFirstScreens(render, (html) => ({ html }));
    await checkShrunkFirstScreen(render, true);
  });

  it('draws parts of a picture with more pixels than the whole has', async () => {
    const inParts = withParts(webkit);
    await checkParts((request) => inParts.render(request, never));
  });

  it('cuts a document that is larger than any picture, and says how large it is', async () => {
    const rendering = await render({
      html: `<!doctype html><body style="margin:0">${stripes(1_000)}</body>`,
      heightMax: 5_000,
    });
    const pixels = await pixelsOf(rendering);
    assert.deepEqual(
      [rendering.width, rendering.height, rendering.contentHeight, rendering.isCut],
      [640, 5_000, 100_000, true],
    );
    assert.ok(isNear(pixels.at(320, 4_950), RED));
  });

  it('runs no script, and shows what stands in for one', async () => {
    const html = `<body style="margin:0"><script>document.body.style.background = '${css(BLUE)}'</script>
      <noscript><div style="height:50px;background:${css(GREEN)}"></div></noscript><img src="data:," onerror="document.body.style.background = '${css(BLUE)}'"></body>`;
    const pixels = await pixelsOf(await render({ html }));
    assert.equal(pixels.count(BLUE), 0);
    assert.ok(pixels.count(GREEN) > 640 * 49, 'the broken image may lie over its edge');
  });

  it('is not fooled by elements that are named like the properties it reads', async () => {
    const names = ['documentElement', 'scrollingElement', 'fonts', 'body', 'getAnimations', 'querySelectorAll'];
    const html = `<body style="margin:0">${names.map((name) => `<img name="${name}"><form name="${name}"></form>`).join('')}${stripes(20)}</body>`;
    const { contentHeight } = await render({ html });
    assert.ok(contentHeight >= 2_000, String(contentHeight));
  });

  it('is not fooled by elements that take every name that a document has', async () => {
    const html = `<body style="margin:0"><div style="height:2000px;overflow:hidden">${SHADOWING_HTML}</div><div style="height:100px;background:${css(GREEN)}"></div>`;
    const made = await render({ html });
    assert.equal(made.contentHeight, 2_100);
    assert.ok(isNear((await pixelsOf(made)).at(320, 2_050), GREEN));
  });

  it('keeps nothing of a document for the next one', async () => {
    const green = pictureSource(await solidPng(GREEN));
    const [first, second] = await Promise.all([
      render({ html: DOCUMENT, assets: red }),
      render({ html: DOCUMENT, assets: green }),
    ]);
    assert.equal((await pixelsOf(first)).count(RED), 200 * 80);
    const pixels = await pixelsOf(second);
    assert.deepEqual([pixels.count(RED), pixels.count(GREEN)], [0, 200 * 80]);
  });

  it('never opens a connection of its own, by its settings alone', async () => {
    const canary = await openCanary();
    const isolation = { namespace: [], leash: [], identity: undefined, dir: tmpdir(), description: 'none' };
    const bare = createWebkit({ ...(install as WebkitInstall), log: quietLog, isolation });
    const asked: string[] = [];
    try {
      for (const scheme of ['http', 'https']) {
        const html = hostileDocument(`${scheme}://127.0.0.1:${canary.port}`);
        await bare.render(renderRequest({ html, assets: pictureSource(Buffer.alloc(0), asked) }), never);
      }
      assert.equal(canary.connections(), 0);
      assert.ok(
        asked.some((url) => url.endsWith('/img')),
        'the images were asked for where assets come from',
      );
      assert.ok(!asked.some((url) => /frame|refresh|script|inline|js$/.test(url)), String(asked));
    } finally {
      await bare.close();
      await canary.close();
    }
  });

  it('is killed when it hangs, and the next document gets a new one', async () => {
    const hasty = createWebkit({
      ...(install as WebkitInstall),
      log: quietLog,
      limits: { bounds: { ...effortBounds().patient, processBytes: 1.5 * 2 ** 30, idleMs: 1_000 } },
    });
    try {
      await hasty.warm();
      const pids = hasty.pids;
      for (const pid of pids) process.kill(pid, 'SIGSTOP');
      await assert.rejects(hasty.render(renderRequest({ html: DOCUMENT }), never), { reason: 'stalled' });
      await ending(pids);
      assert.deepEqual(hasty.pids, []);
      await hasty.warm();
      assert.equal(hasty.pids.length, 1);
    } finally {
      await hasty.close();
    }
  });
});
