// Emails in the dashboard: made, tested, read by tab, compared, filed, deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { startWebServer, type WebServer } from '../harness/web-server.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, paste, sees, signIn } from './chromium.ts';

let app: App;
let site: WebServer;
let browser: Browser;
let page: Page;

const press = (name: string): Promise<void> => page.locator(by('button', name)).click();
const open = (name: string): Promise<void> => page.locator(by('link', name)).click();
const only = async (): Promise<any> => (await app.call('GET /v1/emails')).body.items[0];

const pageOf = (link: string): string =>
  `<!doctype html><html lang="en"><head><title>Roses</title></head><body><h1>The roses are in flower</h1>` +
  `<p><a href="${link}">Come and see them</a></p></body></html>`;

before(async () => {
  site = await startWebServer((request, response) => {
    response.statusCode = request.path === '/gone' ? 404 : 200;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Garden</title><p>Open</p>');
  });
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: site.host }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser, { width: 1440, height: 1000 }));
  await signIn(page, app, '/emails');
});
after(async () => {
  await browser?.close();
  await app?.close();
  await site?.close();
});

describe('emails in the dashboard', () => {
  it('are added by pasting, and know nothing before tests run', async () => {
    await sees(page, 'No emails yet');
    await assertFlawless(page, 'emails-empty');
    await page.goto(`${app.url}/emails/new`);
    await paste(page, by('textbox', 'HTML of the message'), pageOf(`${site.url}/gone`));
    await fill(page, 'input[name=subject]', 'Roses in flower');
    await fill(page, 'input[name=folder]', 'Garden');
    await assertFlawless(page, 'emails-new');
    await press('Add the email');
    await sees(page, 'No link test of this version was started.');
    const { name, folder, version } = await only();
    assert.deepEqual([name, folder, version], ['Roses in flower', 'Garden', 1]);
    await assertFlawless(page, 'email-untested');
  });

  it('say what to repair first, show it, and leave out what is ignored with a reason', async () => {
    const { id } = await only();
    const path = `/v1/emails/${id}/versions/1/tests`;
    await app.call(`POST ${path}`, { body: { tests: ['previews', 'links', 'code'], clients: ['gmail_chrome'] } });
    await app.idle();
    await page.reload();
    await sees(page, 'Any reader may meet it.');
    await assertFlawless(page, 'email-overview');
    await open('Previews');
    await sees(page, 'Open its page');
    await assertFlawless(page, 'email-previews');
    await page.locator('nav[aria-label="Email"] a[href*="tab=links"]').click();
    await sees(page, 'Link test');
    await assertFlawless(page, 'email-links');
    await press('Ignore…');
    await fill(page, '[role=dialog] textarea[name=reason]', 'It opens on Monday.');
    await page.locator('[role=dialog] button[type=submit]').click();
    await page.waitForFunction('document.querySelector("[role=dialog]") === null');
    const { items } = (await app.call(`GET /v1/emails/${id}/ignores`)).body;
    assert.deepEqual(
      items.map(({ reason, until }: any) => [reason, until]),
      [['It opens on Monday.', null]],
    );
    await app.call(`DELETE /v1/emails/${id}/ignores/${items[0].cause}`);
  });

  it('are compared, version with version', async () => {
    const { id } = await only();
    const html = pageOf(`${site.url}/`).replace('in flower</h1>', 'in full flower</h1>');
    await app.call(`POST /v1/emails/${id}/versions`, { body: { html, subject: 'Roses' } });
    await app.call(`POST /v1/emails/${id}/versions/2/tests`, {
      body: { tests: ['previews', 'links', 'code'], clients: ['gmail_chrome'] },
    });
    await app.idle();
    await page.goto(`${app.url}/emails/${id}?tab=compare`);
    await sees(page, 'Version 1 → 2:');
    await sees(page, '1 picture changed');
    await page.waitForSelector('main ul[aria-label="Pictures that changed"] li img + img, main li a + a img');
    await assertFlawless(page, 'email-compare');
  });

  it('are reviewed, by whoever signed in and by a reviewer with a link and a password', async () => {
    const { id } = await only();
    await page.goto(`${app.url}/emails/${id}?tab=review`);
    await sees(page, 'not reviewed');
    await page.locator('main img[data-pins="true"]').click();
    await fill(page, 'main form textarea', 'A larger headline, please.');
    await press('Comment');
    await sees(page, 'Comments on this picture: 1');
    // The head of the page stays above what scrolls below it.
    await page.evaluate('scrollTo(0, 0)');
    await press('Request changes');
    await sees(page, 'requests changes');
    await press('Invite a reviewer');
    await fill(page, '[role=dialog] input[name=name]', 'Ann of the agency');
    await fill(page, '[role=dialog] input[name=password]', 'correct horse');
    await press('Make a link');
    await sees(page, 'Copy this link now');
    const url = String(await page.evaluate('document.querySelector("[role=dialog] input[readonly]").value'));
    await press('Done');
    await sees(page, 'Reviewers by link: 1');
    await assertFlawless(page, 'email-review');
    const { page: hers } = await openTab(browser, { width: 1440, height: 1000 });
    await hers.goto(url);
    await sees(hers, 'This review has a password');
    await assertFlawless(hers, 'review-password');
    await fill(hers, 'input[type=password]', 'correct horse');
    await hers.locator(by('button', 'Open the review')).click();
    await sees(hers, 'You review as Ann of the agency');
    await sees(hers, 'A larger headline, please.');
    await hers.locator(by('button', 'Approve')).click();
    await sees(hers, 'Ann of the agency approves');
    await assertFlawless(hers, 'review');
    await hers.close();
    const { review } = await only();
    assert.deepEqual(review, { state: 'changes_requested', approvals: 1, change_requests: 1, open_threads: 1 });
  });

  it('are found by words and folder, and deleted', async () => {
    await page.goto(`${app.url}/emails?q=nothing`);
    await sees(page, 'No email fits');
    await press('Clear the search');
    await sees(page, 'in Garden');
    await assertFlawless(page, 'emails');
    await page.locator('main ul[aria-label="Emails"] a').click();
    await press('Delete');
    await page.locator(`[role=dialog] ${by('button', 'Delete')}`).click();
    await sees(page, 'No emails yet');
    assert.equal(await only(), undefined);
  });
});
