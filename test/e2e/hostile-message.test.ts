import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { SHADOWING_HTML } from '../../src/platform/browser/property-names.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { buildDashboard, faults, openBrowser, openTab, sees, setScheme, signIn, visit, type Tab } from './chromium.ts';

const HTML = `<!doctype html><html lang="en"><head><title>A form</title></head><body>
<p id="boxes" style="display:flex">Words in boxes.</p>
${SHADOWING_HTML}
</body></html>`;
const FRAME = 'document.querySelector("iframe[title=\'The message\']")?.contentDocument';
const all = (selector: string): string =>
  `Document.prototype.querySelectorAll.call(${FRAME}, ${JSON.stringify(selector)})`;

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let testId: string;

async function createTest(): Promise<string> {
  const body = { subject: 'A form', html: HTML, clients: ['gmail_chrome'], content_checking: { code_analysis: true } };
  const { body: test } = await app.call('POST /v2/preview/tests', { body });
  await app.idle();
  return test.id;
}

before(async () => {
  const [started, opened] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  app = started;
  browser = opened;
  testId = await createTest();
  tab = await openTab(browser, { width: 1440, height: 900 });
  page = tab.page;
  await signIn(page, app, '/previews');
  await sees(page, 'A form');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('a message whose elements take the names of what the page reads', () => {
  it('is drawn on its report page, and its findings are shown in it', async () => {
    await visit(page, `${app.url}/previews/${testId}/findings`);
    await sees(page, 'display:flex');
    // The document may still be read when its first elements are there.
    const isWhole = `${all('#boxes[data-galley-at]')}.length === 1 && ${all('form input')}.length > 300`;
    await page.waitForFunction(`${FRAME} && ${isWhole}`);
    const left = await page.evaluate(
      `[${all('form[action], input[autofocus]')}.length, ` +
        `${all('head > meta[http-equiv=Content-Security-Policy]')}.length]`,
    );
    assert.deepEqual(left, [0, 1]);
    await page.locator('article button[id^=finding]').click();
    await page.waitForFunction(`${all('form[data-galley-on]')}.length > 0`);
    await page.evaluate(`HTMLElement.prototype.click.call(${all('#boxes')}[0])`);
    await page.waitForFunction(`${all('#boxes')}[0].hasAttribute('data-galley-on')`);
  });

  it('sends nothing and leads nowhere when it is clicked', async () => {
    const before = page.url();
    await page.evaluate(`HTMLElement.prototype.click.call(${all('#shadowed input')}[0])`);
    assert.equal(
      await page.evaluate(`${FRAME} && Object.getOwnPropertyDescriptor(Document.prototype, 'URL').get.call(${FRAME})`),
      'about:srcdoc',
    );
    assert.equal(page.url().split('?')[0], before.split('?')[0]);
  });

  it('is drawn on the page of a spam test', async () => {
    const { body: test } = await app.call('POST /v1/inspect/spam', { body: { subject: 'A form', html: HTML } });
    await app.idle();
    await visit(page, `${app.url}/spam/${test.item.id}?part=filters`);
    await page.waitForFunction(`${FRAME} && ${all('#boxes')}.length === 1`);
  });

  it('throws and logs no errors on the way', () => {
    assert.deepEqual(tab.complaints, []);
  });
});

describe('a fault of the dashboard', () => {
  /** A page in which parsing a message fails, as a fault of ours would. */
  async function openFaulty(): Promise<Page> {
    const { page: faulty } = await openTab(browser, { width: 1440, height: 900 });
    await faulty.setCookie(...(await page.cookies()));
    await faulty.evaluateOnNewDocument(
      'DOMParser.prototype.parseFromString = () => { throw new TypeError("x is not a function"); };',
    );
    await visit(faulty, `${app.url}/previews/${testId}/findings`);
    return faulty;
  }

  it('is told as one where it happens, and the rest of the page stays', async () => {
    const faulty = await openFaulty();
    await sees(faulty, 'This part of the page failed');
    await sees(faulty, 'x is not a function');
    await sees(faulty, 'display:flex');
    assert.doesNotMatch((await faulty.evaluate('document.body.innerText')) as string, /cannot be reached/);
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(faulty, scheme);
      assert.deepEqual(await faults(faulty), []);
    }
    await faulty.close();
  });

  it('is not what a service that does not answer is called', async () => {
    const { page: lost } = await openTab(browser);
    await lost.setCookie(...(await page.cookies()));
    await visit(lost, `${app.url}/previews/${testId}/findings`);
    await lost.setRequestInterception(true);
    lost.on(
      'request',
      (request) =>
        void (request.url().includes('/v1/') || request.url().includes('/v2/')
          ? request.abort('connectionrefused')
          : request.continue()),
    );
    await lost.evaluate(`document.querySelector('a[href="/emails"]').click()`);
    await sees(lost, 'The service cannot be reached. Is Galley running?');
    await lost.close();
  });
});
