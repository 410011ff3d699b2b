// Thresholds in the dashboard: a limit and an alert on sending are made, changed and deleted; what is used and what was
// crossed is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { countUse } from '../../src/features/account/limits/index.ts';
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

let app: App;
let browser: Browser;
let page: Page;
let accountId = '';

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  const { db, events } = app.galley.outside;
  accountId = (await db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow()).id;
  const about = { 'delivery-status': { code: 550, 'enhanced-code': '5.1.1', 'bounce-type': 'hard' } };
  const shared = { at: new Date(app.clock.now().getTime() - 60_000), accountId, recipient: 'r@example.net' };
  const domain = 'letters.example.com';
  await db.tx((tx) =>
    events.append(tx, [
      { ...shared, domain, event: 'delivered', code: 250 },
      { ...shared, domain, event: 'failed', severity: 'permanent', reason: 'bounce', code: 550, about },
    ]),
  );
  ({ page } = await openTab(browser));
  await signIn(page, app, '/thresholds');
  await sees(page, 'This account has no limits yet.');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('thresholds in the dashboard', () => {
  it('begin with none', async () => {
    await sees(page, 'No alerts on sending yet. No rate is watched.');
    await assertFlawless(page, 'thresholds-empty');
  });

  it('have limits, which are made, used up and changed', async () => {
    await page.locator(by('button', 'New limit')).click();
    await fill(page, by('textbox', 'Name'), 'previews a day');
    await page.locator(by('textbox', 'At most')).fill('many');
    await sees(page, 'A whole number from 0 to 1,000,000,000.');
    await assertFlawless(page, 'thresholds-limit-dialog');
    await fill(page, by('textbox', 'At most'), '2');
    await page.locator(by('button', 'Save')).click();
    await sees(page, '2 preview tests per day');
    await sees(page, 'Nothing yet');
    const { outside } = app.galley;
    const use = { accountId, metric: 'email_preview_success_count' } as const;
    await outside.db.tx((tx) => countUse(outside, tx, use));
    await visit(page, `${app.url}/thresholds`);
    await sees(page, 'Galley: 1 of 2');
    await page.locator('button[aria-label="Edit previews a day"]').click();
    await fill(page, by('textbox', 'At most'), '1');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Galley: 1 of 1');
    assert.equal((await app.call('GET /v1/thresholds/limits/previews%20a%20day')).body.limit, '1');
    await page.locator(by('button', 'New limit')).click();
    await fill(page, by('textbox', 'Name'), 'previews a day');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'The limit was not saved');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('apply to selected accounts by their names, which stand at what these used', async () => {
    const subaccounts: string[] = [];
    for (const name of ['Shop of the north', 'News', 'Letters', 'Receipts'])
      subaccounts.push((await app.call('POST /v5/accounts/subaccounts', { body: { name } })).body.subaccount.id);
    await visit(page, `${app.url}/thresholds`);
    await page.locator(by('button', 'New limit')).click();
    await fill(page, by('textbox', 'Name'), 'seeds of shops');
    await choose(page, 'What is limited', 'Seed tests');
    await choose(page, 'Per', 'month');
    await choose(page, 'Applies to', 'Selected accounts, each separately');
    await choose(page, 'Accounts', 'Shop of the north');
    await page.locator(by('option', 'News')).click();
    await page.keyboard.press('Tab');
    await assertFlawless(page, 'thresholds-limit-accounts');
    await page.locator(by('button', 'Save')).click();
    await sees(page, '100 seed tests per month');
    await sees(page, 'Each of Shop of the north, News');
    const { filters } = (await app.call('GET /v1/thresholds/limits/seeds%20of%20shops')).body;
    assert.deepEqual(filters, [{ dimension: 'subaccount', comparator: '=', values: subaccounts.slice(0, 2) }]);
    const { outside } = app.galley;
    await outside.db.tx(async (tx) => {
      const use = (id: string, metric: 'email_preview_success_count' | 'seed_test_count') =>
        countUse(outside, tx, { accountId: id, metric });
      for (const id of subaccounts.slice(1)) await use(id, 'email_preview_success_count');
      for (let n = 0; n < 42; n += 1) await use(subaccounts[0]!, 'seed_test_count');
    });
    await visit(page, `${app.url}/thresholds`);
    await sees(page, 'Shop of the north: 42 of 100');
    await sees(page, '1 more account.');
  });

  it('have alerts on sending, and show where a rate was crossed', async () => {
    await page.locator(by('button', 'New alert')).click();
    await fill(page, by('textbox', 'Name'), 'bounces');
    await page.locator(by('textbox', 'Percent')).fill('200');
    await sees(page, 'From 0 to 100, such as 2.5.');
    await page.locator(by('textbox', 'Percent')).fill('2.5');
    await assertFlawless(page, 'thresholds-alert-dialog');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Hard bounces > 2.5 % in 1h');
    assert.equal((await app.call('GET /v1/thresholds/alerts/send/bounces')).body.limit, '0.025');
    while ((await app.call('GET /v1/thresholds/hits')).body.total === 0)
      await new Promise((resolve) => setTimeout(resolve, 100));
    await visit(page, `${app.url}/thresholds`);
    await sees(page, '1 crossed');
    await sees(page, 'Hard bounces: 50 % (threshold: > 2.5 %)');
    await assertFlawless(page, 'thresholds');
  });

  it('are deleted after a question', async () => {
    for (const [name, none] of [
      ['seeds of shops', '1 preview test per day'],
      ['previews a day', 'This account has no limits yet.'],
      ['bounces', 'No alerts on sending yet. No rate is watched.'],
    ] as const) {
      await page.locator(`button[aria-label="Delete ${name}"]`).click();
      await page.locator(`[role=dialog] >>> ${by('button', 'Delete')}`).click();
      await sees(page, none);
    }
    await sees(page, 'No hits in the periods that are watched.');
  });
});
