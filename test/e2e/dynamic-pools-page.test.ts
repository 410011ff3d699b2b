// Dynamic pools in the dashboard: they are set up, a domain is enrolled, put into a pool by hand, released and removed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { addDomain, addIps, firstAccount } from '../../src/features/send/dynamic-pools/bed.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, choose, openBrowser, openTab, sees, signIn } from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }), openBrowser(), buildDashboard()]);
  await addIps(app, await firstAccount(app));
  await addDomain(app, 'letters.example.com');
  ({ page } = await openTab(browser));
  await signIn(page, app, '/dynamic-pools');
  await sees(page, 'The pools are not set up yet.');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('dynamic pools in the dashboard', () => {
  it('begin with none', async () => {
    await sees(page, 'No domain is in a dynamic pool.');
    await assertFlawless(page, 'dynamic-pools-empty');
  });

  it('get their addresses', async () => {
    await page.locator(by('button', 'Set up pools')).click();
    for (const [label, ip] of [
      ['Good reputation', '127.0.0.2'],
      ['New senders', '127.0.0.4'],
      ['Poor reputation', '127.0.0.3'],
    ] as const) {
      await choose(page, label, ip);
      await page.keyboard.press('Tab');
    }
    await assertFlawless(page, 'dynamic-pools-addresses');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Edit addresses');
    const { pools: _, ...lists } = (await app.call('GET /v3/dynamic_pools')).body;
    assert.deepEqual(lists, {
      good_reputation: ['127.0.0.2'],
      poor_reputation: ['127.0.0.3'],
      new_senders: ['127.0.0.4'],
    });
  });

  it('take a domain, which somebody puts into another pool, and takes out again', async () => {
    await page.locator(by('button', 'Enroll domains')).click();
    await choose(page, 'Domain', 'letters.example.com');
    await choose(page, 'Fallback', 'A shared address');
    await assertFlawless(page, 'dynamic-pools-enroll');
    await page.locator(by('button', 'Enroll')).click();
    await sees(page, 'Small sample: 0 messages were sent in 7 days');
    await page.locator(by('button', 'Override: letters.example.com')).click();
    await choose(page, 'Pool', 'Poor');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Put into dynamic_poor by hand.');
    await assertFlawless(page, 'dynamic-pools');
    await page.locator(by('button', 'End override: letters.example.com')).click();
    await sees(page, 'The override was removed.');
    await page.locator(by('button', 'Remove: letters.example.com')).click();
    await choose(page, 'Then sends from', '127.0.0.5');
    await page.locator(`[role=dialog] >>> ${by('button', 'Remove')}`).click();
    await sees(page, 'No domain is in a dynamic pool.');
    await sees(page, 'Taken out of the dynamic pools; it sends from 127.0.0.5.');
  });
});
