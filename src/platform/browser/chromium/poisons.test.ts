import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import {
  chromiumsHere,
  imageAsset,
  NEVER,
  requestOf,
  RUNTIME_DIR,
  starterFor,
} from '../../../../test/harness/browsers.ts';
import { assertSamePicture } from '../../../../test/harness/same-picture.ts';
import type { Asset, Rendering } from '../types.ts';
import { createChromium, type ChromiumRenderer } from './chromium.ts';
import { findChromium } from './install.ts';
import { POISONS, PROBES, TITLED } from './poisons.fixture.ts';

const SHELL = '/usr/bin/chromium-headless-shell';
const installs = await chromiumsHere();
if (existsSync(SHELL) && installs.every(({ executablePath }) => executablePath !== SHELL))
  installs.push(await findChromium({ configuredPath: SHELL, runtimeDir: RUNTIME_DIR }));

const DOCUMENT_URL = 'https://news.test/today/index.html';

/** What the messages ask for: noise as a photograph, style sheets, a picture for everything else that is there. */
async function assetsHere(asked: string[]): Promise<(url: string) => Promise<Asset | undefined>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const photograph = await sharp({ create: { width: 1280, height: 640, channels: 3, background: '#888', noise } })
    .jpeg()
    .toBuffer();
  const picture = await imageAsset('#ff8800');
  return async (url) => {
    asked.push(url);
    if (url.endsWith('.jpg')) return { status: 200, contentType: 'image/jpeg', body: photograph };
    if (url.endsWith('.css'))
      return { status: 200, contentType: 'text/css', body: Buffer.from('@import "loop.css";p{color:red}') };
    return url.endsWith('a.png') || url.startsWith('https://poison.test/') ? picture : undefined;
  };
}

for (const install of installs) {
  describe(`what a document leaves in ${install.version} (${install.executablePath.split('/').at(-1)})`, () => {
    const asked: string[] = [];
    let chromium: ChromiumRenderer;
    let assets: Awaited<ReturnType<typeof assetsHere>>;
    const alone: Record<string, Rendering> = {};
    const draw = (html: string, scope: string, changes = {}): Promise<Rendering> =>
      chromium.render(
        requestOf(html, { scope, assets, assetsKey: 'one', documentUrl: DOCUMENT_URL, ...changes }),
        NEVER,
      );
    before(async () => {
      assets = await assetsHere(asked);
      chromium = createChromium(await starterFor(install), { rendersMax: 1_000 });
      for (const [name, html] of Object.entries(PROBES)) alone[name] = await draw(html, `alone ${name}`);
    });
    after(() => chromium.close());

    it('shows two modes, the same each time', async () => {
      assert.ok(!alone['standards']!.png.equals(alone['quirks']!.png));
      for (const [name, html] of Object.entries(PROBES))
        await assertSamePicture((await draw(html, `again ${name}`)).png, alone[name]!.png, name);
    });

    for (const [poison, html] of Object.entries(POISONS)) {
      it(`is nothing: ${poison}`, async () => {
        await draw(html, 'all', { width: 700 });
        asked.length = 0;
        for (const [name, probe] of Object.entries(PROBES)) {
          const made = await draw(probe, 'all');
          await assertSamePicture(made.png, alone[name]!.png, `the ${name} probe is another after it`);
        }
        const foreign = asked.filter((url) => !url.startsWith('https://news.test/today/'));
        assert.deepEqual(foreign, []);
      });
    }

    it('is nothing for styles that have a title', async () => {
      const fresh = await draw(TITLED, 'alone titled');
      for (const poison of ['a preferred style', 'a preferred link', 'a default style', 'nothing at all']) {
        await draw(POISONS[poison]!, 'titled');
        await assertSamePicture((await draw(TITLED, 'titled')).png, fresh.png, poison);
      }
    });

    it('is nothing, in the dark', async () => {
      const look = { colorScheme: 'dark' as const };
      const fresh = await draw(PROBES['standards']!, 'alone in the dark', look);
      for (const html of Object.values(POISONS).slice(9, 16)) {
        await draw(html, 'dark', look);
        await assertSamePicture((await draw(PROBES['standards']!, 'dark', look)).png, fresh.png, html);
      }
    });

    it('is no prefetch: what the next page of a reader may want is not asked for', async () => {
      asked.length = 0;
      await draw(POISONS['preloads of every kind']!, 'prefetch', { width: 700 });
      for (const html of Object.values(PROBES)) await draw(html, 'prefetch');
      assert.ok(asked.includes('https://poison.test/preload.png'));
      assert.ok(!asked.includes('https://poison.test/prefetch.png'));
    });

    it('are what it has loaded, which is not asked for again', async () => {
      asked.length = 0;
      for (const width of [300, 400, 500])
        await draw('<!doctype html><img src="a.png"><link rel="stylesheet" href="b.css">', 'kept', { width });
      assert.equal(asked.filter((url) => url.endsWith('a.png')).length, 1);
    });

    it('has no photograph drawn from a larger copy than a page of its own has', async () => {
      const ways = (width: number): string[] => [
        `<img src="photo.jpg" width="${width}">`,
        `<div style="width:${width}px;height:${width / 2}px;background:url(photo.jpg) 0 0/cover">`,
        `<style>p::before{content:'';display:block;width:${width}px;height:${width / 2}px;background:url(photo.jpg) 0 0/100%}</style><p>`,
        `<svg width="${width}" height="${width}"><image href="photo.jpg" width="${width}"/></svg>`,
        `<input type="image" src="photo.jpg" width="${width}">`,
        `<ul style="zoom:${width / 1280}"><li style="list-style:url(photo.jpg)">x`,
      ];
      for (const [index, small] of ways(300).entries()) {
        const changes = { width: 1300, height: 400 };
        const fresh = await draw(`<!doctype html>${small}`, `photo ${index}`, changes);
        for (const large of [ways(640)[index]!, ways(1280)[0]!, ways(900)[1]!]) {
          await draw(`<!doctype html>${large}`, 'photos', changes);
          const made = await draw(`<!doctype html>${small}`, 'photos', changes);
          await assertSamePicture(made.png, fresh.png, `${small} after ${large}`);
          await draw(`<!doctype html>${large}`, 'photos', changes);
          const short = await draw(`<!doctype html>${small}`, 'photos', { ...changes, extent: 'first_screen' });
          assert.ok(short.isWhole);
          await assertSamePicture(short.png, fresh.png, `${small} after ${large}, whole at once`);
        }
      }
    });
  });
}
