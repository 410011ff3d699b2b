// Makes docs/images/grid.webp: the dashboard while the grid of an ordinary message in all default clients fills, as fast
// as this machine is. The pictures begin when the page is open.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CDPSession, Protocol } from 'puppeteer-core';
import sharp from 'sharp';
import { imageServer, marketingEmail } from '../bench/marketing-email.ts';
import { defaultClientIds } from '../src/engines/client-emulation/index.ts';
import { buildDashboard, openBrowser, openTab, sees, signIn, visit } from '../test/e2e/chromium.ts';
import { holdPictures } from '../test/harness/held-pictures.ts';
import { startApp } from '../test/harness/start-app.ts';

const PLACE = join(import.meta.dirname, '../docs/images/grid.webp');
const WINDOW = { width: 1280, height: 860 };
const WIDTH = 900;
const BYTES_MAX = 600 * 1024;
/** What changes within this time is one picture. */
const STEP_MS = 120;
const LAST_MS = 3_000;
/** The dashboard shows the last picture by then. */
const SHOWN_MS = 2_000;
const QUALITIES = [80, 65, 50, 35];

interface Frame {
  png: Buffer;
  /** Milliseconds. */
  at: number;
}

/** What the page shows from now on, whenever it changes. */
async function film(session: CDPSession): Promise<{ frames: Frame[]; end: () => Promise<void> }> {
  const frames: Frame[] = [];
  session.on('Page.screencastFrame', ({ data, sessionId }: Protocol.Page.ScreencastFrameEvent) => {
    frames.push({ png: Buffer.from(data, 'base64'), at: performance.now() });
    session.send('Page.screencastFrameAck', { sessionId }).catch(() => undefined); // the tab was closed
  });
  await session.send('Page.startScreencast', { format: 'png', maxWidth: WINDOW.width, maxHeight: WINDOW.height });
  return { frames, end: () => session.send('Page.stopScreencast') };
}

/** Of frames that follow each other closely the last. */
function steps(frames: readonly Frame[]): Frame[] {
  return frames.filter(({ at }, n) => n === 0 || n === frames.length - 1 || (frames[n + 1]?.at ?? 0) - at >= STEP_MS);
}

async function moving(frames: readonly Frame[]): Promise<Buffer> {
  const small = await Promise.all(frames.map(({ png }) => sharp(png).resize(WIDTH).png().toBuffer()));
  const delay = frames.map(({ at }, n) => Math.round((frames[n + 1]?.at ?? at + LAST_MS) - at));
  for (const quality of QUALITIES) {
    const made = await sharp(small, { join: { animated: true } })
      .webp({ quality, delay, loop: 0, effort: 6, minSize: true, mixed: true })
      .toBuffer();
    if (made.length <= BYTES_MAX) return made;
  }
  throw new Error(`The moving picture of ${frames.length} frames is larger than ${BYTES_MAX} bytes.`);
}

const [app, browser, images] = await Promise.all([
  startApp({ GALLEY_ALLOW_HOSTS: '127.0.0.1' }),
  openBrowser(),
  imageServer(),
  buildDashboard(),
]);
try {
  await app.galley.outside.browser.warm();
  const { page } = await openTab(browser, WINDOW);
  await signIn(page, app);
  const letGo = holdPictures(app);
  const html = marketingEmail(images.url, { products: 4, questions: 4 });
  const body = { subject: 'The spring list', html, clients: defaultClientIds() };
  const { id } = (await app.call('POST /v2/preview/tests', { body })).body;
  await visit(page, `${app.url}/previews/${id}`);
  await sees(page, `0 of ${body.clients.length} clients`);
  const { frames, end } = await film(await page.createCDPSession());
  letGo();
  const start = performance.now();
  while ((await app.call(`GET /v2/preview/tests/${id}`)).body.processing.length > 0) await wait(250);
  const seconds = (performance.now() - start) / 1000;
  await wait(SHOWN_MS);
  await end();
  const shown = steps(frames);
  await writeFile(PLACE, await moving(shown));
  const { size } = await stat(PLACE);
  console.log(`${shown.length} frames, ${seconds.toFixed(1)} s, ${Math.round(size / 1024)} KB: docs/images/grid.webp`);
} finally {
  await browser.close();
  await app.close();
  images.close();
}
