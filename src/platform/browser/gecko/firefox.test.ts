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
import { createFirefox, probeFirefox, type FirefoxInstall, type FirefoxRenderer } from './firefox.ts';
import { checkFirstScreens, checkShrunkFirstScreen } from '../first-screen.fixture.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { SHADOWING_HTML } from '../property-names.fixture.ts';
import { RUNTIME_DIR } from '../../../../test/harness/browsers.ts';
import { effortBounds } from '../guard/render-bounds.ts';
import type { AssetSource, Rendering, RenderRequest } from '../types.ts';

const install = await probeFirefox();
const skip = install === undefined && 'Firefox is not installed';

const PICTURE = '<img src="https://img.example/a.png" width="200" height="80" alt="a picture">';
const DOCUMENT = `<!doctype html><html><head><style>body { margin: 0; background: #fff; color: #111 }
  @media (prefers-color-scheme: dark) { body { background: #000; color: #eee } }
  @media (min-resolution: 2dppx) { h1 { background: ${css(GREEN)} } }</style></head>
  <body><h1>Autumn sale</h1>${PICTURE}<p>Text</p></body></html>`;

describe('probeFirefox', () => {
  it('finds nothing where there is no Firefox', async () => {
    assert.equal(await probeFirefox({ path: '/nowhere/firefox' }), undefined);
    assert.equal(await probeFirefox({ path: '/bin/true' }), undefined);
  });
});

describe('Firefox', { skip, timeout: 900_000 }, () => {
  let firefox: FirefoxRenderer;
  let red: AssetSource;
  const render = (changes: Partial<RenderRequest>): Promise<Rendering> => firefox.render(renderRequest(changes), never);

  before(async () => {
    firefox = createFirefox({ ...(install as FirefoxInstall), log: quietLog });
    red = pictureSource(await solidPng(RED));
  });
  after(() => firefox.close());

  it('draws a document at exactly the width that was asked for, and names itself', async () => {
    for (const width of [320, 375, 801]) {
      const rendering = await render({ html: DOCUMENT, width, assets: red });
      const pixels = await pixelsOf(rendering);
      assert.deepEqual([rendering.width, pixels.width, rendering.height, pixels.height], [width, width, 400, 400]);
      assert.ok(pixels.colors > 10, 'the text is drawn');
      assert.equal(pixels.count(RED), 200 * 80);
      assert.match(rendering.engine.version, /^Firefox \d+\./);
      assert.equal(rendering.engine.name, 'firefox');
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
    const prepared = createFirefox({ ...(install as FirefoxInstall), fontconfigFile, log: quietLog });
    try {
      assert.deepEqual(
        inkWidths(await pixelsOf(await prepared.render(renderRequest({ html: ARIAL_LINES }), never))),
        [89, 333],
      );
    } finally {
      await prepared.close();
    }
  });

  it('takes addresses as the document means them', async () => {
    const asked: string[] = [];
    const html =
      '<img src="a/b.png"><img src="/c.png"><img src="//cdn.example/d.png"><img src="http://plain.example/e.png">';
    await render({
      html,
      documentUrl: 'https://news.example/2026/index.html#top',
      assets: pictureSource(await solidPng(RED), asked),
    });
    assert.deepEqual(asked.toSorted(), [
      'http://plain.example/e.png',
      'https://cdn.example/d.png',
      'https://news.example/2026/a/b.png',
      'https://news.example/c.png',
    ]);
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
    assert.ok(isNear(light.at(630, 390), [255, 255, 255]), String(light.at(630, 390)));
    assert.ok(isNear(dark.at(630, 390), [0, 0, 0]), String(dark.at(630, 390)));
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
    const rows = Array.from(
      { length: 300 },
      (_, index) =>
        `<div style="height:100px;background:${css(index === 299 ? BLUE : index % 2 ? RED : GREEN)}"></div>`,
    );
    for (const doctype of ['<!doctype html>', '']) {
      const whole = await render({
        html: `${doctype}<body style="margin:0">${rows.join('')}</body>`,
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
    const cut = await render({ html: `<body style="margin:0">${rows.join('')}</body>`, heightMax: 1_000 });
    assert.deepEqual([cut.height, cut.contentHeight, cut.isCut], [1_000, 30_000, true]);
  });

  it('draws the first screen of a long document, and a short one whole at once', async () => {
    await checkFirstScreens(render, (html) => ({ html }));
    await checkShrunkFirstScreen(render, false);
  });

  it('runs no script, and shows what stands in for one', async () => {
    const html = `<body style="margin:0"><script>document.body.style.background = '${css(BLUE)}'</script>
      <noscript><div style="height:50px;background:${css(GREEN)}"></div></noscript><img src="data:," onerror="document.body.style.background = '${css(BLUE)}'"></body>`;
    const pixels = await pixelsOf(await render({ html }));
    assert.deepEqual([pixels.count(BLUE), pixels.count(GREEN)], [0, 640 * 50]);
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
    const bare = createFirefox({ ...(install as FirefoxInstall), log: quietLog, isolation });
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
    const hasty = createFirefox({
      ...(install as FirefoxInstall),
      log: quietLog,
      limits: { bounds: { ...effortBounds().patient, processBytes: 1.5 * 2 ** 30, idleMs: 1_000 } },
    });
    try {
      await hasty.warm();
      const pid = hasty.pid!;
      process.kill(pid, 'SIGSTOP');
      await assert.rejects(hasty.render(renderRequest({ html: DOCUMENT }), never), { reason: 'stalled' });
      await ending([pid]);
      assert.equal(hasty.pid, undefined);
      await hasty.warm();
      assert.notEqual(hasty.pid, pid);
    } finally {
      await hasty.close();
    }
  });
});
