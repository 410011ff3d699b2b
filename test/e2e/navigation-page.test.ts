// The way around the dashboard: the sidebar, the way down to a page, the first page, other accounts; and what every
// list does with its rows.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, type Tab } from './chromium.ts';

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;

const press = (name: string): Promise<void> => page.locator(by('button', name)).click();
const at = (path: string): Promise<unknown> =>
  page.waitForFunction((wanted) => (globalThis as any).location.pathname === wanted, {}, path);
const labels = (): Promise<string[]> =>
  page.$$eval('nav[aria-label=Main] a', (links) => links.map(({ textContent }) => textContent ?? ''));
const crumbs = (): Promise<string[]> =>
  page.$$eval('nav[aria-label=Breadcrumbs] a', (links) => links.map(({ textContent }) => textContent ?? ''));
const names = async (): Promise<string[]> =>
  (await app.call('GET /v1/emails?sort=name')).body.items.map(({ name }: { name: string }) => name);
const rows = (count: number): Promise<unknown> =>
  page.waitForFunction((wanted) => document.querySelectorAll('li[data-row]').length === wanted, {}, count);
declare const document: any;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  tab = await openTab(browser, { width: 1440, height: 1000 });
  ({ page } = tab);
  await signIn(page, app);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the first page', () => {
  it('is where somebody arrives who signs in; it says what was looked at where nothing needs anybody, and how to begin', async () => {
    await sees(page, 'Nothing needs you.');
    await sees(page, 'Looked at: held messages, gate runs, open alerts, DNS records of sending domains, blocklists,');
    await sees(page, 'Preview your first email');
    await assertFlawless(page, 'home-empty');
  });

  it('lists what needs somebody, each a link to its page', async () => {
    await app.call('POST /v4/domains', { body: { name: 'garden.example.com' } });
    const { body } = await app.call('POST /v1/inspect/gate', {
      body: { html: '<p>Roses</p>', name: 'Roses', checks: ['code'], policy: { limits: { html_bytes_max: 1 } } },
    });
    await app.idle();
    await page.reload();
    await sees(page, 'Failed gates');
    await sees(page, 'Domains that do not verify');
    await assertFlawless(page, 'home');
    await page.locator('section[aria-label="Failed gates"] li a').click();
    await at(`/gate/${body.items.id}`);
    assert.deepEqual(await crumbs(), ['Gate']);
  });

  it('says what could not be looked at', async () => {
    await page.setRequestInterception(true);
    const refuse = (request: any): void =>
      void (request.url().includes('/v1/galley/alerts')
        ? request.respond({ status: 400, contentType: 'application/json', body: '{"message":"No alerts today."}' })
        : request.continue());
    page.on('request', refuse);
    await page.goto(`${app.url}/`);
    await sees(page, 'Open alerts: No alerts today.');
    page.off('request', refuse);
    await page.setRequestInterception(false);
  });
});

describe('the sidebar', () => {
  it('opens and closes its groups, by keyboard too, and keeps them so', async () => {
    await page.setViewport({ width: 1440, height: 1000 });
    await page.goto(`${app.url}/clients`);
    await sees(page, 'Gmail');
    const first = await labels();
    assert.ok(first.includes('Clients') && first.includes('Queue') && !first.includes('Webhooks'), first.join());
    await press('Send');
    await page.focus(by('button', 'Automate'));
    await page.keyboard.press('Enter');
    await page.waitForSelector('nav[aria-label=Main] a[href="/webhooks"]');
    await page.reload();
    await sees(page, 'Gmail');
    const kept = await labels();
    assert.ok(kept.includes('Webhooks') && !kept.includes('Queue'), kept.join());
    assert.equal(await page.$eval('nav[aria-label=Main] [aria-current=page]', (link) => link.textContent), 'Clients');
    await assertFlawless(page, 'sidebar');
  });

  it('opens the group that somebody comes into', async () => {
    await page.goto(`${app.url}/queue`);
    await page.waitForSelector('nav[aria-label=Main] a[aria-current=page][href="/queue"]');
    await press('Send');
    await page.waitForFunction(() => !document.querySelector('nav[aria-label=Main] a[href="/queue"]'));
  });

  it('is hidden and shown, and stays so', async () => {
    await press('Hide the navigation');
    await page.waitForFunction(() => !document.querySelector('nav[aria-label=Main]'));
    await page.reload();
    await page.waitForSelector(by('button', 'Show the navigation'));
    assert.equal(await page.$('nav[aria-label=Main]'), null);
    await page.keyboard.press('b');
    await page.waitForSelector('nav[aria-label=Main]');
  });

  it('is a drawer at the width of a phone', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await press('Menu');
    await page.locator('[role=dialog] a[href="/emails"]').click();
    await at('/emails');
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
    await page.setViewport({ width: 1440, height: 1000 });
  });
});

describe('the way down to a page', () => {
  it('leads back up, by the names that the pages declare', async () => {
    await page.goto(`${app.url}/domains/garden.example.com/tracking`);
    await page.waitForSelector('nav[aria-label=Breadcrumbs]');
    assert.deepEqual(await crumbs(), ['Sending domains', 'garden.example.com']);
    await page.locator('nav[aria-label=Breadcrumbs] li:last-child a').click();
    await at('/domains/garden.example.com');
    assert.deepEqual(await crumbs(), ['Sending domains']);
  });
});

describe('a list', () => {
  before(async () => {
    for (const name of ['Asters', 'Begonias', 'Crocuses', 'Dahlias'])
      await app.call('POST /v1/emails', { body: { name, folder: 'Garden', html: `<h1>${name}</h1>` } });
    await page.goto(`${app.url}/emails?sort=name`);
    await rows(4);
  });

  it('is gone through and chosen from by keyboard, and says how many there are', async () => {
    await sees(page, '4 emails');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('x');
    await sees(page, '1 of 4 emails on this page selected');
    await page.keyboard.press('k');
    await page.keyboard.press('x');
    await sees(page, '2 of 4 emails on this page selected');
    await assertFlawless(page, 'list-selected');
    await page.setViewport({ width: 1440, height: 1000 });
    await page.keyboard.press('?');
    await sees(page, 'Swap clients, or select the row');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !document.querySelector('[role=dialog]'));
    await page.keyboard.press('/');
    assert.equal(await page.evaluate(() => document.activeElement.getAttribute('aria-label')), 'Search emails');
  });

  it('gives back what was deleted, all of it, and the service never lost it', async () => {
    await press('Delete selected');
    await rows(2);
    await sees(page, '2 emails will be deleted in 8 seconds.');
    await press('Undo');
    await rows(4);
    assert.deepEqual(await names(), ['Asters', 'Begonias', 'Crocuses', 'Dahlias']);
  });

  it('deletes what nobody wanted back', async () => {
    await page.locator('input[aria-label="Select Crocuses"]').click();
    await page.locator('input[aria-label="Select Dahlias"]').click();
    await press('Delete selected');
    await sees(page, '2 emails will be deleted in 8 seconds.');
    while ((await names()).length > 2) await new Promise((resolve) => setTimeout(resolve, 200));
    assert.deepEqual(await names(), ['Asters', 'Begonias']);
    await sees(page, '2 emails');
    await rows(2);
  });

  it('opens the row with Enter', async () => {
    await page.evaluate(() => document.activeElement.blur());
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.querySelector('h1')?.innerText === 'Asters');
    assert.deepEqual(await crumbs(), ['Emails']);
  });

  it('has views with a name, which the service keeps', async () => {
    await page.goto(`${app.url}/emails?folder=Garden&sort=name`);
    await press('Save this view');
    await fill(page, 'input[name=view]', 'The garden');
    await page.locator('form:has(input[name=view]) button[type=submit]').click();
    await page.waitForSelector(by('button', 'Remove the view The garden'));
    await assertFlawless(page, 'list-views');
    await page.goto(`${app.url}/emails`);
    await page.locator(by('link', 'The garden')).click();
    await page.waitForFunction(() => document.location.search === '?folder=Garden&sort=name');
    await press('Remove the view The garden');
    await page.waitForSelector(by('button', 'Save this view'));
    assert.deepEqual((await app.call('GET /v1/saved-views')).body.items, []);
  });
});

describe('other accounts', () => {
  const openAccounts = async (): Promise<void> => {
    await page.locator('button[aria-label^="Account "]').click();
    await page.locator(by('menuitem', 'Switch account')).click();
    await page.waitForSelector('ul[aria-label=Accounts] button');
  };

  it('are chosen from the menu of the account, and left there again', async () => {
    await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Acme newsletters' } });
    await page.setViewport({ width: 1440, height: 1000 });
    await openAccounts();
    await assertFlawless(page, 'account-switch');
    await page.setViewport({ width: 1440, height: 1000 });
    await fill(page, 'input[aria-label="Search subaccounts"]', 'acme');
    await page.locator('ul[aria-label=Accounts] button ::-p-text(Acme newsletters)').click();
    await sees(page, 'You are acting on behalf of the subaccount Acme newsletters.');
    await sees(page, 'Nothing needs you.');
    await openAccounts();
    await page.locator('ul[aria-label=Accounts] li:first-child button').click();
    await page.waitForFunction(() => !document.body.innerText.includes('acting on behalf'));
    await sees(page, 'Failed gates');
  });

  it('never meet a deletion that waited in the account before', async () => {
    await page.goto(`${app.url}/emails?sort=name`);
    await rows(2);
    // The eight seconds do not pass during the test; who clears them is noted.
    await page.evaluate(() => {
      const own = globalThis as any;
      own.waiting = new Set();
      const { setTimeout, clearTimeout } = own;
      own.setTimeout = (work: () => void, ms?: number, ...rest: unknown[]) => {
        const timer = setTimeout(work, ms === 8000 ? 600_000 : ms, ...rest);
        if (ms === 8000) own.waiting.add(timer);
        return timer;
      };
      own.clearTimeout = (timer: number) => {
        own.waiting.delete(timer);
        clearTimeout(timer);
      };
    });
    await page.locator('input[aria-label="Select Asters"]').click();
    await press('Delete selected');
    await rows(1);
    await sees(page, '1 email will be deleted in 8 seconds.');
    const wait = (): Promise<number> => page.evaluate(() => (globalThis as any).waiting.size);
    assert.ok((await wait()) > 0);
    await openAccounts();
    await page.locator('ul[aria-label=Accounts] button ::-p-text(Acme newsletters)').click();
    await sees(page, 'You are acting on behalf of the subaccount Acme newsletters.');
    await page.waitForFunction(() => !document.body.innerText.includes('will be deleted'));
    assert.equal(await wait(), 0);
    assert.deepEqual(await names(), ['Asters', 'Begonias']);
  });

  it('throws and logs no errors on the way', () => assert.deepEqual(tab.complaints, []));
});
