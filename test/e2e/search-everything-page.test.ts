// The search over everything, by keyboard and by mouse: pages, what is begun, and what has a name.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, signIn } from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;

const field = 'input[role=combobox][aria-label="Search everything"]';
const chosen = '[role=option][aria-selected=true]';
const at = (path: string): Promise<unknown> =>
  page.waitForFunction((wanted) => (globalThis as any).location.pathname === wanted, {}, path);
const open = async (): Promise<void> => {
  await page.keyboard.down('Control');
  await page.keyboard.press('k');
  await page.keyboard.up('Control');
  await page.waitForFunction((input) => (globalThis as any).document.activeElement?.matches(input), {}, field);
};
const chosenText = (text: string): Promise<unknown> =>
  page.waitForFunction(
    (selector, wanted) => (globalThis as any).document.querySelector(selector)?.innerText.includes(wanted),
    {},
    chosen,
    text,
  );

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: 'garden.example.com' } });
  const html = '<!doctype html><title>Roses</title><h1>Roses</h1>';
  await app.call('POST /v1/emails', { body: { name: 'Roses in flower', subject: 'They are out', html } });
  await app.call('POST /v2/preview/tests', { body: { subject: 'Roses by post', html, clients: ['gmail_chrome'] } });
  ({ page } = await openTab(browser, { width: 1440, height: 1000 }));
  await signIn(page, app, '/clients');
  await sees(page, 'Gmail');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the search over everything', () => {
  it('opens with Ctrl K, shows what there is, and leads to a page', async () => {
    await open();
    await chosenText('New email');
    await assertFlawless(page, 'search-everything');
    await page.keyboard.type('block');
    await chosenText('Blocklists');
    await page.keyboard.press('Enter');
    await at('/blocklists');
    assert.equal(await page.$('[role=dialog]'), null);
  });

  it('finds an email, a test and a domain by their names', async () => {
    await open();
    await page.keyboard.type('ros');
    await sees(page, 'Roses in flower');
    await sees(page, 'Roses by post');
    await assertFlawless(page, 'search-everything-found');
    await chosenText('Roses by post');
    await page.keyboard.press('ArrowDown');
    await chosenText('Roses in flower');
    await page.keyboard.press('Enter');
    const { id } = (await app.call('GET /v1/emails')).body.items[0];
    await at(`/emails/${id}`);
    await open();
    await page.keyboard.type('garden');
    await sees(page, 'garden.example.com');
    await page.locator(by('option', 'garden.example.com')).click();
    await at('/domains/garden.example.com');
  });

  it('says when nothing has the name, and leaves the page as it is on Escape', async () => {
    await open();
    await page.keyboard.type('no such thing at all');
    await sees(page, 'Nothing has this name.');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await at('/domains/garden.example.com');
  });

  it('finds nothing of another account', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const found = await app.call('GET /v1/emails?search=ros', { headers: { 'x-service-account-id': id } });
    assert.equal(found.body.items.length, 0);
  });
});

describe('what can be begun', () => {
  it('is a menu beside what this page begins', async () => {
    await page.locator(by('button', 'New…')).click();
    await sees(page, 'Gate run');
    await page.locator(by('menuitem', 'Gate run')).click();
    await at('/gate/new');
  });
});
