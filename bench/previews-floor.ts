// One picture: what the renderer and the thumbnails cost above a bare load and capture in the same browser.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { CDPSession } from 'puppeteer-core';
import { createChromium } from '../src/platform/browser/chromium/chromium.ts';
import { startChromium } from '../src/platform/browser/chromium/process.ts';
import { createChromiumStarter, type ChromiumStarter } from '../src/platform/browser/chromium/start.ts';
import { findFontsConf } from '../src/platform/browser/fonts/fonts.ts';
import { findChromium } from '../src/platform/browser/chromium/install.ts';
import { thumbnailsOf } from '../src/platform/browser/thumbnails.ts';
import type { Asset, AssetSource, RenderRequest } from '../src/platform/browser/types.ts';
import { imageServer, marketingEmail } from './marketing-email.ts';
import { measure, median, type Measured } from './measure.ts';

const ROUNDS = 3;
const RENDERS_PER_ROUND = 4;
const RUNTIME_DIR = join(import.meta.dirname, '../.runtime');
const LOG = {
  info() {},
  warn(fields: object, message: string) {
    console.log(message, fields);
  },
};

/** Everything the email asks for, fetched once. */
async function assetsOf(html: string): Promise<AssetSource> {
  const urls = [...new Set(html.match(/https?:\/\/127\.0\.0\.1:\d+\/[\w.-]+/g))];
  const assets = new Map<string, Asset>();
  for (const url of urls) {
    const response = await fetch(url);
    if (response.ok)
      assets.set(url, {
        status: 200,
        contentType: response.headers.get('content-type')!,
        body: Buffer.from(await response.arrayBuffer()),
      });
  }
  return async (url) => assets.get(url);
}

interface Bare {
  shoot(): Promise<unknown>;
  end(): Promise<void>;
}

/** Load and capture with nothing around them: the least that this browser can do for a full-page picture. */
async function openBare(starter: ChromiumStarter, request: RenderRequest, fontsConf: string): Promise<Bare> {
  const started = await startChromium({ install: starter.install, plan: starter.plan, fontsConf });
  const page = await started.browser.newPage();
  const session: CDPSession = await page.createCDPSession();
  await session.send('Page.enable');
  await session.send('Emulation.setDeviceMetricsOverride', {
    width: request.width,
    height: request.height,
    deviceScaleFactor: 1,
    mobile: false,
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] });
  session.on('Fetch.requestPaused', ({ requestId, request: { url } }) => {
    const fulfill = async (): Promise<void> => {
      const asset: Asset | undefined = url.startsWith('https://mail.test/')
        ? { status: 200, contentType: 'text/html; charset=utf-8', body: Buffer.from(request.html) }
        : await request.assets(url);
      if (asset)
        await session.send('Fetch.fulfillRequest', {
          requestId,
          responseCode: 200,
          responseHeaders: [{ name: 'content-type', value: asset.contentType }],
          body: asset.body.toString('base64'),
        });
      else await session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
    };
    fulfill().catch(() => {}); // the page went on to its next document
  });
  let count = 0;
  const shoot = async (): Promise<unknown> => {
    const loaded = new Promise((resolve) => {
      session.once('Page.loadEventFired', resolve);
    });
    count += 1;
    await session.send('Page.navigate', { url: `https://mail.test/${count}` });
    await loaded;
    const {
      cssContentSize: { height },
    } = await session.send('Page.getLayoutMetrics');
    return session.send('Page.captureScreenshot', {
      format: 'png',
      optimizeForSpeed: true,
      captureBeyondViewport: true,
      clip: { x: 0, y: 0, width: request.width, height, scale: 1 },
    });
  };
  return { shoot, end: () => started.end() };
}

function line(name: string, runs: readonly Measured<unknown>[], floor?: readonly Measured<unknown>[]): string {
  const of = (figures: readonly Measured<unknown>[], key: 'wallSeconds' | 'cpuSeconds'): number =>
    (median(figures.map((run) => run[key])) * 1000) / RENDERS_PER_ROUND;
  const ratio = floor
    ? `  wall × ${(of(runs, 'wallSeconds') / of(floor, 'wallSeconds')).toFixed(2)}, CPU × ` +
      `${(of(runs, 'cpuSeconds') / of(floor, 'cpuSeconds')).toFixed(2)}`
    : '';
  return (
    `  ${name.padEnd(34)} ${of(runs, 'wallSeconds').toFixed(0).padStart(5)} ms, CPU ` +
    `${of(runs, 'cpuSeconds').toFixed(0).padStart(5)} ms${ratio}`
  );
}

async function repeat(work: () => Promise<unknown>): Promise<void> {
  for (let index = 0; index < RENDERS_PER_ROUND; index += 1) await work();
}

async function compare(starter: ChromiumStarter, fontsConf: string, request: RenderRequest): Promise<void> {
  const signal = new AbortController().signal;
  const bare = await openBare(starter, request, fontsConf);
  const chromium = createChromium(starter);
  const first = await chromium.render(request, signal);
  console.log(
    `${starter.install.version}, ${starter.plan.description}: ${first.width}×${first.height}, ` +
      `${Math.round(first.png.length / 1024)} KiB of PNG`,
  );
  const ways: Record<string, () => Promise<unknown>> = {
    'bare load and capture': () => bare.shoot(),
    renderer: () => chromium.render(request, signal),
    'renderer, assets kept': () => chromium.render({ ...request, assetsKey: 'all' }, signal),
    'renderer, assets kept, thumbnails': async () =>
      thumbnailsOf((await chromium.render({ ...request, assetsKey: 'all' }, signal)).png),
    'thumbnails alone': () => thumbnailsOf(first.png),
  };
  const runs = new Map<string, Measured<unknown>[]>(Object.keys(ways).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, work] of Object.entries(ways)) {
      const run = await measure(() => repeat(work));
      if (round > 0) runs.get(name)!.push(run); // the first round warms
    }
  }
  const floor = runs.get('bare load and capture')!;
  for (const [name, measured] of runs) console.log(line(name, measured, measured === floor ? undefined : floor));
  await Promise.all([bare.end(), chromium.close()]);
}

export async function run(): Promise<void> {
  const images = await imageServer();
  const html = marketingEmail(images.url);
  const fontsConf = await findFontsConf(RUNTIME_DIR);
  const unpacked = join(RUNTIME_DIR, 'chromium-153.0.0/chromium');
  const installs = [await findChromium({ runtimeDir: RUNTIME_DIR })];
  if (installs[0]!.origin !== 'unpacked' && existsSync(unpacked))
    installs.push(await findChromium({ configuredPath: unpacked, runtimeDir: RUNTIME_DIR }));
  const assets = await assetsOf(html);
  for (const install of installs) {
    const since = performance.now();
    const starter = await createChromiumStarter({ install, fontsConf, log: LOG });
    const started = await starter.start();
    console.log(
      `${install.version} (${install.origin}): probed and started in ${Math.round(performance.now() - since)} ms`,
    );
    await started.end();
    for (const width of [800, 375]) {
      await compare(starter, fontsConf, {
        html,
        scope: 'bench',
        width,
        height: 800,
        pixelRatio: 1,
        colorScheme: 'light',
        forceDark: false,
        heightMax: 32_000,
        assets,
      });
    }
  }
  images.close();
}
