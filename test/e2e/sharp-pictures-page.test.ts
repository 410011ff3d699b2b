// The picture of a phone at full size: sharp where somebody looks, and on the screen of its device.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, setScheme, signIn } from './chromium.ts';

const PHONE = 'iphone16_18';
const HTML = `<!doctype html><html lang="en"><body style="margin:0;font:16px/1.5 Arial"><div style="padding:20px">
<h1 style="font-size:26px">The roses are in flower</h1>${'<p>Come and see the garden on Saturday, from ten in the morning.</p>'.repeat(60)}
</div></body></html>`;
const OTHER_LAYOUT = `<style>@media (min-resolution: 2dppx) { .more { display: none } }</style><p>Roses</p>${'<p class="more">More'.repeat(60)}`;

let app: App;
let browser: Browser;
let page: Page;
let complaints: string[];

async function create(html: string): Promise<string> {
  const body = { subject: 'Roses', html, clients: [PHONE, 'gmail_chrome'] };
  const { body: made } = await app.call('POST /v2/preview/tests', { body });
  await app.idle();
  return `/previews/${made.id}/client`;
}

const sharp = (): Promise<number[]> =>
  page.evaluate(
    '[...document.querySelectorAll("img[data-sharp]")].filter((image) => image.naturalWidth === 393 * 3).map((image) => Number(image.dataset.sharp))',
  ) as Promise<number[]>;
const isSharp = (part: number) =>
  page.waitForFunction(`document.querySelector('img[data-sharp="${part}"]')?.naturalWidth === 393 * 3`, {
    timeout: 240_000,
  });

before(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  ({ page, complaints } = await openTab(browser));
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the picture of a phone at full size', () => {
  it('is sharp where it is looked at, once it is shown larger', async () => {
    await signIn(page, app, `${await create(HTML)}/${PHONE}`);
    await page.waitForSelector('img[alt^="The message in"]');
    assert.deepEqual(await sharp(), [], 'the picture has enough pixels for this screen');
    await page.locator(by('button', '200 %')).click();
    await isSharp(1);
    await sees(page, '3 × pixels');
    assert.equal((await sharp()).includes(4), false, 'what is out of sight is not drawn');
    await assertFlawless(page, 'sharp-picture');
    await page.evaluate('document.querySelector("[role=region][data-scale]").scrollTop = 2 * 3 * 852');
    await isSharp(4);
  });

  it('can be scrolled on the screen of its device, in both themes', async () => {
    await page.locator(by('button', 'Fit')).click();
    await page.locator(by('button', 'Device frame')).click();
    const frame = await page.waitForSelector(`[role=region][aria-label^="iPhone"]`);
    const size = (await frame!.evaluate((element: any) => [element.clientWidth, element.clientHeight])) as number[];
    assert.ok(Math.abs(size[0]! / size[1]! - 393 / 852) < 0.01, `${size}`);
    await frame!.focus();
    await page.keyboard.press('PageDown');
    await page.waitForFunction('document.querySelector("[role=region][aria-label^=iPhone]").scrollTop > 100');
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      await assertFlawless(page, `device-frame-${scheme}`);
    }
    await page.setViewport({ width: 390, height: 844 });
    await assertFlawless(page, 'device-frame-phone');
    await page.setViewport({ width: 1280, height: 800 });
    const other = page.url().replace(PHONE, 'gmail_chrome');
    await page.goto(other);
    await page.waitForSelector('img[alt^="The message in"]');
    assert.equal(await page.evaluate(`document.querySelector('[aria-label="Device frame"]') === null`), true);
  });

  it('says so where the message is another one with these pixels', async () => {
    await page.goto(`${app.url}${await create(OTHER_LAYOUT)}/${PHONE}`);
    await page.locator(by('button', '200 %')).click();
    await sees(page, 'With the pixels of this screen the message is');
    assert.deepEqual(await sharp(), []);
    await assertFlawless(page, 'sharp-differs');
    assert.deepEqual(complaints, []);
  });
});
