// The audit log and the IP allowlist in the dashboard.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  fill,
  openBrowser,
  openTab,
  savedFile,
  sees,
  signIn,
  visit,
} from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: 'mail.shop.example' } });
  await app.call('POST /v1/keys', {
    body: { role: 'support', description: 'Ann' },
    headers: { 'user-agent': 'curl/8.1', 'x-service-requestor': 'bob@shop.example' },
  });
  ({ page } = await openTab(browser));
  await signIn(page, app, '/ip-allowlist');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the IP allowlist in the dashboard', () => {
  it('refuses to lock out who adds to it, and takes their own address', async () => {
    await sees(page, 'No entries: the account can be used from every address.');
    await assertFlawless(page, 'ip-allowlist-empty');
    await fill(page, by('textbox', 'Address or network'), '203.0.113.0/24');
    await page.locator(by('button', 'Add address')).click();
    await sees(page, 'You call from 127.0.0.1, which the list would not contain');
    await fill(page, by('textbox', 'Address or network'), '127.0.0.0/8');
    await fill(page, by('textbox', 'Description'), 'This machine');
    await page.locator(by('button', 'Add address')).click();
    await sees(page, 'This machine');
    await assertFlawless(page, 'ip-allowlist');
    await page.locator(by('button', 'Delete 127.0.0.0/8')).click();
    await sees(page, 'Delete this address?');
    await page.locator(`::-p-xpath(//button[normalize-space()='Delete' and not(@aria-label)])`).click();
    await sees(page, 'No entries: the account can be used from every address.');
  });
});

describe('the audit log in the dashboard', () => {
  it('shows who changed what, and more of each', async () => {
    await visit(page, `${app.url}/audit`);
    await sees(page, 'Delete IP allowlist entry');
    await sees(page, 'Create domain');
    await page.locator(by('button', 'Details of Create key')).click();
    await sees(page, 'bob@shop.example (as the caller says)');
    await assertFlawless(page, 'audit-log');
  });

  it('is searched, and exported as it is searched', async () => {
    await fill(page, by('textbox', 'Search'), 'mail.shop');
    await page.waitForFunction("!document.body.innerText.includes('Create key')", { timeout: 90_000 });
    await sees(page, 'Create domain');
    const address = await page.$eval('a[href*="separator=semicolon"]', (link) => link.getAttribute('href'));
    assert.match(String(address), /^\/v1\/audit\/export\?text=mail\.shop&start=.*&format=csv&separator=semicolon$/);
    await fill(page, by('textbox', 'Search'), 'nothing like it');
    await sees(page, 'No entries match');
  });

  it('of a subaccount is exported where somebody of its parent looks at it', async () => {
    await app.call('POST /v5/accounts/subaccounts?name=Branch');
    await visit(page, `${app.url}/subaccounts`);
    await page.locator(by('button', 'Act as Branch')).click();
    await sees(page, 'Back to the main account');
    await app.call('POST /v4/domains', {
      body: { name: 'branch.example' },
      headers: {
        'x-service-account-id': (await page.evaluate('sessionStorage.getItem("galley.acting-for")')) as string,
      },
    });
    await visit(page, `${app.url}/audit`);
    await sees(page, 'Create domain');
    const file = await savedFile(page, 'CSV');
    assert.match(file, /branch\.example/);
    assert.doesNotMatch(file, /mail\.shop\.example/);
  });
});
