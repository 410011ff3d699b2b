// The account and its subaccounts in the dashboard: settings, the monthly limit, features, disabled and enabled again.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }), openBrowser(), buildDashboard()]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/account');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the page of the account', () => {
  it('saves the name and how long people stay signed in', async () => {
    await sees(page, 'No limit is set.');
    await fill(page, by('textbox', 'Name'), 'Garden letters');
    await fill(page, by('textbox', 'Minutes without a request until people are signed out'), '30');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'The account is saved.');
    const { name, inactive_session_timeout: seconds } = (await app.call('GET /v1/galley/account')).body;
    assert.deepEqual([name, seconds], ['Garden letters', 1800]);
  });

  it('sets the monthly limit, and takes it away', async () => {
    await fill(page, by('textbox', 'Messages a month'), '5,000');
    await page.locator(by('button', 'Set limit')).click();
    await sees(page, '0 of 5,000 messages accepted this month');
    await assertFlawless(page);
    await page.locator(by('button', 'Remove limit')).click();
    await sees(page, 'No limit is set.');
    assert.equal((await app.call('GET /v5/accounts/limit/custom/monthly')).status, 404);
  });
});

describe('the page of subaccounts', () => {
  const found = async (): Promise<any> => (await app.call('GET /v5/accounts/subaccounts')).body.subaccounts[0];

  it('creates one', async () => {
    await visit(page, `${app.url}/subaccounts`);
    await sees(page, 'There are no subaccounts yet.');
    await fill(page, by('textbox', 'New subaccount'), 'Acme newsletters');
    await page.locator(by('button', 'Create')).click();
    await page.waitForSelector(by('button', 'Manage Acme newsletters'));
    await assertFlawless(page);
  });

  it('switches a feature off, disables it with a reason, and enables it again', async () => {
    await page.locator(by('button', 'Manage Acme newsletters')).click();
    await page.locator(by('switch', 'Placement tests')).click();
    await sees(page, 'Without inbox placement');
    assert.equal((await found()).features.inbox_placement.enabled, false);
    await assertFlawless(page, 'subaccounts-dialog');
    await fill(page, by('textbox', 'Reason'), 'The invoice is open');
    await page.locator(by('button', 'Disable')).click();
    await page.waitForSelector(by('button', 'Enable'));
    assert.equal((await found()).status, 'disabled');
    await page.locator(by('button', 'Enable')).click();
    await page.waitForSelector(by('button', 'Disable'));
    assert.equal((await found()).status, 'open');
  });
});
