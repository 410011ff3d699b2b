// Addresses and pools in the dashboard: what reverse DNS says of each address, and a pool that is made by its dialog.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { addDomain } from '../../src/features/send/dynamic-pools/bed.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  choose,
  fill,
  openBrowser,
  openTab,
  sees,
  signIn,
  visit,
} from './chromium.ts';

const settings = {
  GALLEY_ROLES: 'api,send',
  GALLEY_SENDING_IPS: '127.0.0.2=mail2.example.com,127.0.0.3=mail3.example.com,127.0.0.4=mail4.example.com;shared',
};
const zone = {
  '2.0.0.127.in-addr.arpa': { PTR: ['mail2.example.com'] },
  'mail2.example.com': { A: ['127.0.0.2'] },
  '3.0.0.127.in-addr.arpa': { PTR: ['host3.provider.example'] },
};

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp(settings, { zone }), openBrowser(), buildDashboard()]);
  await addDomain(app, 'letters.example.com');
  ({ page } = await openTab(browser));
  await signIn(page, app, '/ips');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('addresses and pools in the dashboard', () => {
  it('lists the addresses with what reverse DNS says of them', async () => {
    await sees(page, 'Reverse DNS of 127.0.0.3 names host3.provider.example, not mail3.example.com.');
    await sees(page, '127.0.0.4 has no reverse DNS; it has to name mail4.example.com.');
    await sees(page, 'Shared by all accounts');
    await sees(page, 'verified');
    await sees(page, 'No pools yet.');
    await assertFlawless(page);
  });

  it('makes a pool from which a domain sends', async () => {
    await page.locator(by('button', 'New pool')).click();
    await fill(page, by('textbox', 'Name'), 'Receipts');
    await fill(page, by('textbox', 'Description'), 'Receipts and invoices');
    await choose(page, 'Addresses', '127.0.0.2');
    await page.keyboard.press('Tab');
    await choose(page, 'Domains', 'letters.example.com');
    await page.keyboard.press('Tab');
    await assertFlawless(page, 'ips-new-pool');
    await page.locator(by('button', 'Save')).click();
    await page.waitForSelector(by('button', 'Edit Receipts'));
    await sees(page, 'letters.example.com');
    const { ip_pools: pools } = (await app.call('GET /v3/ip_pools')).body;
    const [{ name, description, ips, is_linked }] = pools;
    assert.deepEqual(
      [pools.length, name, description, ips, is_linked],
      [1, 'Receipts', 'Receipts and invoices', ['127.0.0.2'], true],
    );
    await assertFlawless(page, 'ips-with-pool');
  });

  it('gives an address to a subaccount, which sees whose it is', async () => {
    const { subaccount } = (await app.call('POST /v5/accounts/subaccounts?name=Branch')).body;
    await visit(page, `${app.url}/ips`);
    await page.locator(by('button', 'Subaccounts of 127.0.0.3')).click();
    await choose(page, 'Subaccounts', 'Branch');
    await page.keyboard.press('Tab');
    await assertFlawless(page, 'ips-give');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Also sends for Branch');
    assert.deepEqual((await app.call('GET /v3/ips/subaccounts')).body.items, [
      { ip: '127.0.0.3', subaccount_id: subaccount.id },
    ]);
    await assertFlawless(page, 'ips-given');
    await visit(page, `${app.url}/subaccounts`);
    await page.locator(by('button', 'Act as Branch')).click();
    await sees(page, 'Back to');
    await visit(page, `${app.url}/ips`);
    await sees(page, 'Given by the parent account');
    assert.equal(await page.$(by('button', 'Subaccounts of 127.0.0.3')), null);
  });
});
