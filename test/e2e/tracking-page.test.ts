// What is tracked of a domain, in the dashboard: switched, said where it has no effect, and kept.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DOMAIN = 'news.example.com';
let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  const settings = { GALLEY_ROLES: 'api', GALLEY_PUBLIC_URL: 'https://mail.example.com' };
  [app, browser] = await Promise.all([startApp(settings), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  ({ page } = await openTab(browser));
  await signIn(page, app, `/domains/${DOMAIN}`);
});

after(async () => {
  await browser?.close();
  await app?.close();
});

const tracking = async () => (await app.call(`GET /v3/domains/${DOMAIN}/tracking`)).body.tracking;

/** Waits until the service has what was switched. */
async function until(isSo: (now: any) => boolean): Promise<void> {
  const end = Date.now() + 90_000;
  for (;;) {
    const now = await tracking();
    if (isSo(now)) return;
    assert.ok(Date.now() < end, JSON.stringify(now));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Waits until one of the fields has this text. */
async function holdsText(fields: string, text: string): Promise<void> {
  const isHeld = (wanted: string, selector: string) =>
    [...(globalThis as any).document.querySelectorAll(selector)].some(({ value }: any) => value === wanted);
  await page.waitForFunction(isHeld, {}, text, fields);
}

describe('tracking of a domain in the dashboard', () => {
  it('is reached from the domain, and says what has no effect now', async () => {
    await page.locator(by('link', 'Tracking')).click();
    await sees(page, 'What a tracked link looks like');
    await sees(page, 'Messages of this domain stay in this service (capture)');
    await sees(page, 'Links start with https://mail.example.com until this CNAME record is found.');
  });

  it('is switched, part by part', async () => {
    await page.locator(by('radio', 'HTML only')).click();
    await until(({ click }) => click.active === 'htmlonly');
    await page.locator(by('switch', 'Track opens')).click();
    await until(({ open }) => open.active === true);
    await page.locator(by('switch', 'Put the image at the top')).click();
    await until(({ open }) => open.place_at_the_top === true);
    await page.locator(by('switch', 'Add the footer')).click();
    await until(({ unsubscribe }) => unsubscribe.active === true);
    await fill(page, by('textbox', 'Plain-text footer'), '-- Stop: %unsubscribe_url%');
    await page.locator(by('button', 'Save footers')).click();
    await until(({ unsubscribe }) => unsubscribe.text_footer === '-- Stop: %unsubscribe_url%');
    await assertFlawless(page, 'tracking');
    await visit(page, `${app.url}/domains/${DOMAIN}/tracking`);
    await holdsText('textarea', '-- Stop: %unsubscribe_url%');
    await holdsText('textarea', '\n<br>\n<p><a href="%unsubscribe_url%">unsubscribe</a></p>\n');
  });

  it('gives the host of links another name, and says at the field what is wrong', async () => {
    const name = by('textbox', `Name before .${DOMAIN}`);
    await fill(page, name, 'go.to');
    await page.locator(by('button', 'Save host')).click();
    await sees(page, 'web_prefix must be one label of a host name');
    await fill(page, name, 'go');
    await page.locator(by('button', 'Save host')).click();
    await holdsText('input[readonly]', `go.${DOMAIN}`);
    assert.equal((await tracking()).links.host, `go.${DOMAIN}`);
    await assertFlawless(page, 'tracking-host');
  });

  it('says that a domain is gone', async () => {
    await visit(page, `${app.url}/domains/none.example.com/tracking`);
    await sees(page, 'Domain not found');
  });
});
