// Schedules in the dashboard: made, run, paused, changed, deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { startWebServer, type WebServer } from '../harness/web-server.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn } from './chromium.ts';

const SUBMIT = '[role=dialog] button[type=submit]';

let app: App;
let site: WebServer;
let text = 'Roses from 5 €';
let browser: Browser;
let page: Page;

const press = (name: string): Promise<void> => page.locator(by('button', name)).click();
const only = async (): Promise<any> => (await app.call('GET /v1/schedules')).body.items[0];

before(async () => {
  site = await startWebServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<p>${text}</p>`);
  });
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: site.host }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser, { width: 1440, height: 1000 }));
  await signIn(page, app, '/schedules');
});
after(async () => {
  await browser?.close();
  await app?.close();
  await site?.close();
});

describe('schedules in the dashboard', () => {
  it('are made for a page, refused with the field that is wrong, and listed', async () => {
    await sees(page, 'No schedules yet');
    await assertFlawless(page, 'schedules-empty');
    await press('New schedule');
    await fill(page, '[role=dialog] input[name=name]', 'Price list');
    await page.locator(by('combobox', 'What it does')).click();
    await page.locator(by('option', 'Watched page')).click();
    await fill(page, '[role=dialog] input[name=url]', 'prices');
    await page.locator(SUBMIT).click();
    await sees(page, 'page.url must be an absolute http or https URL.');
    await fill(page, '[role=dialog] input[name=url]', `${site.url}/prices`);
    await assertFlawless(page, 'schedules-new');
    await page.locator(SUBMIT).click();
    await sees(page, 'has not run yet');
    const { name, task, at, weekdays, on } = await only();
    assert.deepEqual([name, task, at, weekdays.length, on], ['Price list', 'page', '09:00', 7, true]);
    await assertFlawless(page, 'schedules');
  });

  it('run when asked to, and show what changed', async () => {
    await page.locator('main li a').click();
    await sees(page, 'It has not run yet');
    await press('Run now');
    await sees(page, 'was read for the first time.');
    text = 'Roses from 6 €';
    await press('Run now');
    await sees(page, '+ Roses from 6 €');
    await sees(page, '- Roses from 5 €');
    await assertFlawless(page, 'schedule');
  });

  it('are paused, switched on, changed and deleted', async () => {
    await press('Pause');
    await sees(page, 'It is paused.');
    await press('Switch on');
    await page.locator(by('button', 'Pause')).wait();
    await press('Change');
    await fill(page, '[role=dialog] input[name=name]', 'Prices of roses');
    await page.locator(SUBMIT).click();
    await sees(page, 'Prices of roses');
    const { name, on } = await only();
    assert.deepEqual([name, on], ['Prices of roses', true]);
    await press('Delete');
    await page.locator(`[role=dialog] ${by('button', 'Delete')}`).click();
    await sees(page, 'No schedules yet');
    assert.equal(await only(), undefined);
  });
});
