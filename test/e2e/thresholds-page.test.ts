// Thresholds in the dashboard: a limit and an alert on sending are made, changed and deleted; what is used and what was
// crossed is shown.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { countUse } from '../../src/features/account/limits/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

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
  await sees(page, 'No limits: accounts use as much as they ask for.');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('thresholds in the dashboard', () => {
  it('begin with none', async () => {
    await sees(page, 'No alerts on sending: no rate is watched.');
    await assertFlawless(page, 'thresholds-empty');
  });

  it('have limits, which are made, used up and changed', async () => {
    await page.locator(by('button', 'New limit')).click();
    await page.locator(by('textbox', 'Name')).fill('validations a day');
    await page.locator(by('textbox', 'At most')).fill('many');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'limit must be a whole number from 0 to 1000000000');
    await assertFlawless(page, 'thresholds-limit-dialog');
    await page.locator(by('textbox', 'At most')).fill('2');
    await page.locator(by('button', 'Save')).click();
    await sees(page, '2 preview tests a day');
    await sees(page, 'Nothing in this window');
    const { outside } = app.galley;
    const use = { accountId, metric: 'email_preview_success_count' } as const;
    await outside.db.tx((tx) => countUse(outside, tx, use));
    await visit(page, `${app.url}/thresholds`);
    await sees(page, 'Galley: 1 of 2');
    await page.locator('button[aria-label="Edit validations a day"]').click();
    await page.locator(by('textbox', 'At most')).fill('1');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Galley: 1 of 1');
    assert.equal((await app.call('GET /v1/thresholds/limits/validations%20a%20day')).body.limit, '1');
  });

  it('have alerts on sending, and show where a rate was crossed', async () => {
    await page.locator(by('button', 'New alert')).click();
    await page.locator(by('textbox', 'Name')).fill('bounces');
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
    await sees(page, 'Hard bounces: 50 % (watched: > 2.5 %)');
    await assertFlawless(page, 'thresholds');
  });

  it('are deleted after a question', async () => {
    for (const [name, none] of [
      ['validations a day', 'No limits: accounts use as much as they ask for.'],
      ['bounces', 'No alerts on sending: no rate is watched.'],
    ] as const) {
      await page.locator(`button[aria-label="Delete ${name}"]`).click();
      await page.locator(`[role=dialog] >>> ${by('button', 'Delete')}`).click();
      await sees(page, none);
    }
    await sees(page, 'No hits: no watched rate was crossed in its period.');
  });
});
