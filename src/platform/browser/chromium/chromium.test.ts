import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { createChromium, type ChromiumRenderer } from './chromium.ts';
import { RenderError } from '../errors.ts';
import { createChromiumStarter, type ChromiumStarter } from './start.ts';
import { checkFirstScreens, checkParts, checkShrunkFirstScreen } from '../first-screen.fixture.ts';
import { findFontsConf } from '../fonts/fonts.ts';
import { processTree } from '../guard/process-tree.ts';
import { SHADOWING_HTML } from '../property-names.fixture.ts';
import { effortBounds } from '../guard/render-bounds.ts';
import {
  chromiumsHere,
  imageAsset,
  isRunning,
  NEVER,
  pixelOf,
  requestOf,
  RUNTIME_DIR,
  SILENT,
  starterFor,
} from '../../../../test/harness/browsers.ts';
import { assertSamePicture } from '../../../../test/harness/same-picture.ts';
import type { Asset, RenderRequest } from '../types.ts';

const failsWith =
  (reason: string) =>
  (error: unknown): boolean =>
    error instanceof RenderError && error.reason === reason;

for (const install of await chromiumsHere()) {
  describe(`${install.version} (${install.origin})`, () => {
    let starter: ChromiumStarter;
    let chromium: ChromiumRenderer;
    before(async () => {
      // As in production: behind the strongest isolation that this machine has.
      starter = await createChromiumStarter({ install, fontsConf: await findFontsConf(RUNTIME_DIR), log: SILENT });
      chromium = createChromium(starter);
    });
    after(() => chromium.close());
    const render = (html: string, changes = {}) => chromium.render(requestOf(html, changes), NEVER);

    it('makes a picture of exactly the width asked for, at every pixel ratio, and as long as the document', async () => {
      for (const [width, pixelRatio] of [
        [600, 1],
        [375, 2],
        [412, 2.625],
        [430, 3],
        [361, 1.5],
      ] as const) {
        const made = await render('<body style="margin:0"><div style="height:1000px;background:#ff0000">', {
          width,
          pixelRatio,
        });
        assert.equal(made.width, Math.round(width * pixelRatio));
        assert.equal(made.height, Math.round(1000 * pixelRatio));
        assert.deepEqual(
          { contentHeight: made.contentHeight, isCut: made.isCut },
          { contentHeight: 1000, isCut: false },
        );
        assert.deepEqual(made.engine, { name: 'chromium', version: install.version });
        assert.equal(await pixelOf(made.png, made.width - 1, made.height - 1), '#ff0000');
      }
    });

    it('cuts what is wider than the viewport, or shrinks it when asked to', async () => {
      const html =
        '<body style="margin:0"><div style="width:1200px;height:500px;background:linear-gradient(90deg,#ff0000 50%,#0000ff 50%)">';
      const cut = await render(html, { width: 600, height: 100 });
      assert.deepEqual([cut.width, cut.height], [600, 500]);
      assert.equal(await pixelOf(cut.png, 590, 250), '#ff0000');
      const shrunk = await render(html, { width: 600, height: 100, pixelRatio: 2, fitWidth: true });
      assert.deepEqual([shrunk.width, shrunk.height], [1200, 500]);
      assert.equal(await pixelOf(shrunk.png, 1190, 250), '#0000ff');
    });

    it('cuts a long page where it is told to, and one too long for any bitmap before that, and says so', async () => {
      const made = await render('<body style="margin:0"><div style="height:30000px;background:#008000">', {
        heightMax: 18_000,
      });
      assert.deepEqual([made.width, made.height, made.contentHeight, made.isCut], [600, 18_000, 30_000, true]);
      assert.equal(await pixelOf(made.png, 300, 17_999), '#008000');
      // The largest picture there is takes a busy machine longer than a quick render may; then it is tried patiently.
      const patient = createChromium(starter, { bounds: effortBounds().patient });
      const html = '<body style="margin:0"><div style="height:900000px;background:#008000">';
      const endless = await patient
        .render(requestOf(html, { pixelRatio: 3, heightMax: 1_000_000, width: 400 }), NEVER)
        .finally(() => patient.close());
      assert.ok(endless.isCut && endless.height <= 32_000);
      assert.equal(await pixelOf(endless.png, 1199, endless.height - 1), '#008000');
    });

    it('draws the first screen of a long document, and a short one whole at once', async () => {
      const draw = (request: RenderRequest) => chromium.render(request, NEVER);
      await checkFirstScreens(draw, (html) => ({ html }));
      await checkShrunkFirstScreen(draw, false);
    });

    it('draws parts of a picture with more pixels than the whole has, darkened too', async () => {
      await checkParts((request) => chromium.render(request, NEVER));
      const html = `<!doctype html><body style="margin:0"><div style="height:3000px">${'<p>Text</p>'.repeat(20)}`;
      const part = { top: 800, height: 400 };
      const dark = await render(html, { forceDark: true, pixelRatio: 2, part });
      assert.deepEqual([dark.width, dark.height], [1_200, 800]);
      assert.notEqual(await pixelOf(dark.png, 1_100, 700), '#ffffff');
    });

    it('draws in its first screen what the whole picture has there, darkened and shrunk too', async () => {
      const html = `<!doctype html><body><p style="font-family:Arial">Text</p><div style="width:900px;height:9000px">`;
      for (const looked of [{}, { forceDark: true }, { fitWidth: true }, { forceDark: true, fitWidth: true }]) {
        const [first, whole, after] = [
          await render(html, { ...looked, extent: 'first_screen' }),
          await render(html, looked),
          await render(html, { ...looked, extent: 'first_screen' }),
        ];
        assert.deepEqual([first.width, first.height, first.isWhole], [600, 400, false]);
        const top = (png: Buffer) => sharp(png).extract({ left: 0, top: 0, width: 600, height: 400 }).raw().toBuffer();
        assert.ok((await top(first.png)).equals(await top(whole.png)), JSON.stringify(looked));
        await assertSamePicture(after.png, first.png, 'after it');
        const isDark = (await pixelOf(first.png, 599, 399)) < '#404040';
        assert.equal(isDark, 'forceDark' in looked);
      }
    });

    it('runs no script', async () => {
      const made =
        await render(`<body bgcolor="#ffffff" onload="document.body.bgColor='red'"><script>document.body.bgColor='red'</script>
        <img src="data:image/png;base64,broken" onerror="document.body.bgColor='red'"><noscript><div style="position:absolute;inset:0;background:#00ff00"></div></noscript>`);
      assert.equal(await pixelOf(made.png, 500, 300), '#00ff00');
    });

    it('makes the same bytes again, on a used page, in another scope and in a new process', async () => {
      const html = `<style>@keyframes slide { from { margin-left: 0 } to { margin-left: 300px } }
          .once { animation: slide 3s forwards } .ever { animation: slide 1s infinite } .move { transition: all 2s }</style>
        <p style="font-family:Arial">Text with a <b>bold</b> word, ещё, 日本語, 😀</p><p class="once">once</p><p class="ever">ever</p><marquee>runs</marquee>
        <svg width="100" height="40"><rect width="20" height="20" fill="green"><animate attributeName="x" from="0" to="80" dur="1s" repeatCount="indefinite"/></rect></svg>
        <img src="https://a.test/anim.gif" width="40"><input autofocus><progress></progress>
        <img src="https://a.test/anim.svg" width="100">`;
      const frames = await Promise.all(
        ['#ff0000', '#0000ff'].map((background) =>
          sharp({ create: { width: 10, height: 10, channels: 3, background } })
            .png()
            .toBuffer(),
        ),
      );
      const body = await sharp(frames, { join: { animated: true } })
        .gif({ delay: [20, 20], loop: 0 })
        .toBuffer();
      const svg =
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="40"><style>@keyframes go { to { transform: translateX(80px) } } circle { animation: go 1s infinite }</style>
        <circle r="9" cy="20"/><rect width="20" height="20"><animate attributeName="x" from="0" to="80" dur="1s" repeatCount="indefinite"/></rect></svg>`);
      const assets = async (url: string): Promise<Asset> =>
        url.endsWith('.svg')
          ? { status: 200, contentType: 'image/svg+xml', body: svg }
          : { status: 200, contentType: 'image/gif', body };
      const first = await render(html, { assets });
      await render('<body style="background:black;color-scheme:dark">other', { colorScheme: 'dark', width: 300 });
      const used = await render(html, { assets });
      const elsewhere = await render(html, { assets, scope: 'another' });
      const other = createChromium(await starterFor(install));
      const fresh = await other.render(requestOf(html, { assets }), NEVER);
      await other.close();
      for (const [name, made] of Object.entries({ used, elsewhere, fresh }))
        await assertSamePicture(made.png, first.png, name);
    });

    it('shows the end of an animation that ends', async () => {
      const made = await render(
        '<style>@keyframes in { from { opacity: 0 } to { opacity: 1 } }</style><body style="margin:0"><div style="height:100px;background:#ff0000;opacity:0;animation:in 60s 5s forwards">',
      );
      assert.equal(await pixelOf(made.png, 50, 50), '#ff0000');
    });

    it('answers prefers-color-scheme as asked, and back', async () => {
      const html =
        '<style>body{background:#ffffff}@media (prefers-color-scheme:dark){body{background:#111111}}</style><body>';
      assert.equal(await pixelOf((await render(html, { colorScheme: 'dark' })).png, 9, 9), '#111111');
      assert.equal(await pixelOf((await render(html)).png, 9, 9), '#ffffff');
    });

    it('darkens a light page when forced, and not the next one', async () => {
      const html = '<body style="background:#ffffff;color:#000000">text';
      const dark = await pixelOf((await render(html, { forceDark: true })).png, 300, 300);
      assert.ok(Number.parseInt(dark.slice(1, 3), 16) < 0x40, dark);
      assert.equal(await pixelOf((await render(html)).png, 300, 300), '#ffffff');
    });

    it('shows assets over http and https, styles and fonts too, and nothing that is not given', async () => {
      const red = await imageAsset('#ff0000');
      const assets = async (url: string): Promise<Asset | undefined> => {
        if (url.endsWith('.css'))
          return { status: 200, contentType: 'text/css', body: Buffer.from('#c{background:#0000ff}') };
        return url === 'http://a.test/1.png' || url === 'https://b.test/2.png?x=%20y' ? red : undefined;
      };
      const { png } = await render(
        `<link rel="stylesheet" href="https://c.test/x.css"><body style="margin:0"><img src="http://a.test/1.png" style="position:absolute;left:0;top:0">
        <img src="https://b.test/2.png?x=%20y" style="position:absolute;left:100px;top:0"><img src="https://b.test/3.png" style="position:absolute;left:200px;top:0" width="20" height="20">
        <div id="c" style="position:absolute;left:300px;top:0;width:20px;height:20px"></div>`,
        { assets },
      );
      assert.deepEqual(await Promise.all([5, 105, 305].map((left) => pixelOf(png, left, 5))), [
        '#ff0000',
        '#ff0000',
        '#0000ff',
      ]);
      assert.notEqual(await pixelOf(png, 205, 5), '#ff0000');
    });

    it('makes the picture without a refused asset, and none when the source fails', async () => {
      const html = '<body style="margin:0;background:#00ff00"><img src="https://a.test/refused.png">';
      assert.equal(await pixelOf((await render(html)).png, 300, 300), '#00ff00');
      await assert.rejects(
        render(html, {
          assets: async () => {
            throw new TypeError('no disk');
          },
        }),
        failsWith('load_failed'),
      );
      assert.equal(await pixelOf((await render(html)).png, 300, 300), '#00ff00');
    });

    it("resolves relative addresses against the document's own, fragment or not, again and again", async () => {
      const red = await imageAsset('#ff0000');
      const asked: string[] = [];
      const assets = async (url: string): Promise<Asset> => {
        asked.push(url);
        return red;
      };
      for (const documentUrl of [
        'https://news.example/2026/index.html#top',
        'https://news.example/2026/index.html#top',
        'http://news.example/2026/',
      ]) {
        const made = await render('<body style="margin:0"><img src="../a.png" style="display:block">', {
          documentUrl,
          assets,
        });
        assert.equal(await pixelOf(made.png, 10, 10), '#ff0000', documentUrl);
      }
      assert.deepEqual(
        asked.filter((url) => url.endsWith('.png')),
        ['https://news.example/a.png', 'https://news.example/a.png', 'http://news.example/a.png'],
      );
    });

    it('never shows one set of assets to another, be it in one scope or in two', async () => {
      const html =
        '<body style="margin:0;background:#ffffff"><img src="https://a.test/same.png" style="display:block;position:absolute;left:0;top:0" width="20" height="20">';
      const [red, blue] = [await imageAsset('#ff0000'), await imageAsset('#0000ff')];
      const pixel = async (asset: Asset | undefined, changes = {}): Promise<string> =>
        pixelOf((await render(html, { assets: async () => asset, ...changes })).png, 10, 10);
      assert.equal(await pixel(red), '#ff0000');
      assert.equal(await pixel(blue), '#0000ff');
      assert.notEqual(await pixel(undefined), '#0000ff');
      assert.equal(await pixel(red, { assetsKey: 'on' }), '#ff0000');
      assert.equal(await pixel(red, { assetsKey: 'on' }), '#ff0000');
      assert.equal(await pixel(blue, { assetsKey: 'off' }), '#0000ff');
      assert.equal(await pixel(blue, { assetsKey: 'on', scope: 'another' }), '#0000ff');
    });

    it('shows a document whatever its elements are named', async () => {
      const made = await render(
        '<body style="margin:0;background:#00ff00"><img name="fonts"><form name="getAnimations"></form><img name="querySelectorAll"><a id="Document"></a><a id="Promise"></a><svg id="Object"></svg>',
      );
      assert.equal(await pixelOf(made.png, 300, 300), '#00ff00');
    });

    it('shows a document whose elements take every name that it has', async () => {
      const moving =
        '<style>@keyframes grow{to{width:100px}}</style><b style="display:block;width:10px;height:20px;background:#00f;animation:grow 60s forwards"></b>';
      const made = await render(
        `<body style="margin:0">${moving}<div style="height:0;overflow:hidden">${SHADOWING_HTML}</div>`,
      );
      assert.equal(await pixelOf(made.png, 90, 5), '#0000ff');
    });

    it('ends a render that waits without end, and makes the next one', async () => {
      const hasty = createChromium(await starterFor(install), { bounds: { ...effortBounds().quick, idleMs: 500 } });
      await hasty.warm();
      const never = requestOf('<img src="https://a.test/slow.png">', {
        assets: () => new Promise<undefined>(() => {}),
      });
      await assert.rejects(hasty.render(never, NEVER), failsWith('stalled'));
      assert.equal((await hasty.render(requestOf('next'), NEVER)).width, 600);
      await hasty.close();
    });

    it('fails the render whose browser is killed, and makes the next one with a new browser', async () => {
      const pid = chromium.pid!;
      const killed = render('<img src="https://a.test/x.png">', {
        assets: async () => {
          process.kill(pid, 'SIGKILL');
          return undefined;
        },
      });
      await assert.rejects(killed, failsWith('crashed'));
      assert.equal((await render('next')).width, 600);
      assert.notEqual(chromium.pid, pid);
    });

    it('fails the render whose page crashes, and keeps the browser', async () => {
      const { pid } = chromium;
      const killed = render('<img src="https://a.test/x.png">', {
        assets: async () => {
          const renderers = (await processTree(pid!)).filter((member) => isRenderer(member));
          for (const renderer of renderers) process.kill(renderer, 'SIGKILL');
          return undefined;
        },
      });
      await assert.rejects(killed, failsWith('crashed'));
      assert.equal((await render('next')).width, 600);
    });

    it('stops at once when the caller calls it off', async () => {
      const controller = new AbortController();
      const called = chromium.render(
        requestOf('<img src="https://a.test/x.png">', {
          assets: async () => {
            controller.abort();
            return new Promise<undefined>(() => {});
          },
        }),
        controller.signal,
      );
      await assert.rejects(called, failsWith('aborted'));
      assert.equal((await render('next')).width, 600);
    });

    it('has a context ready for the next test when it is warm, and makes the same picture in it', async () => {
      const idle = createChromium(starter);
      await idle.warm();
      const [first, second] = [
        await idle.render(requestOf('same', { scope: 'one' }), NEVER),
        await idle.render(requestOf('same', { scope: 'two' }), NEVER),
      ];
      await idle.close();
      await assertSamePicture(second.png, first.png, 'the second');
    });

    it('replaces the browser after its share of renders', async () => {
      const short = createChromium(await starterFor(install), { rendersMax: 2 });
      await short.render(requestOf('1'), NEVER);
      const { pid } = short;
      await short.render(requestOf('2'), NEVER);
      assert.equal((await short.render(requestOf('3'), NEVER)).width, 600);
      assert.notEqual(short.pid, pid);
      await short.close();
    });

    it('leaves no process and no file behind', async () => {
      const brief = createChromium(starter);
      await brief.render(requestOf('x'), NEVER);
      const tree = await processTree(brief.pid!);
      assert.ok(tree.length > 1);
      await brief.close();
      assert.deepEqual(tree.filter(isRunning), []);
      const mine = chromium.pid === undefined ? 0 : 1;
      assert.equal(
        readdirSync(tmpdir()).filter((name) => name.startsWith(`galley-chromium-${process.pid}-`)).length,
        mine,
      );
      await assert.rejects(brief.render(requestOf('x'), NEVER), failsWith('closed'));
    });
  });
}

function isRenderer(pid: number): boolean {
  return process.platform === 'linux' && readCommand(pid).includes('--type=renderer');
}

function readCommand(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
