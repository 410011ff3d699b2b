// Webhooks in the dashboard: a URL is tried and saved, its events are listed with their answers, and sent again.
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;
let server: Server;
let url = '';
let status = 200;
const events: any[] = [];

before(async () => {
  server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += chunk));
    request.on('end', () => {
      events.push(JSON.parse(text)['event-data']);
      response.writeHead(status).end('thank you');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  url = `http://${host}/events`;
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,send', GALLEY_ALLOW_HOSTS: host }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/webhooks');
  await sees(page, 'No webhooks yet');
});

after(async () => {
  await browser?.close();
  await app?.close();
  server?.close();
});

describe('webhooks in the dashboard', () => {
  it('are tried, saved, and say what is wrong with a URL', async () => {
    await assertFlawless(page, 'webhooks-empty');
    await page.locator('main ::-p-aria([name="New webhook"][role="button"])').click();
    await fill(page, 'input[name=url]', 'http://10.0.0.1/events');
    await page.locator(by('checkbox', 'Delivered')).click();
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'is not a valid url');
    await fill(page, 'input[name=url]', url);
    await page.locator(by('button', 'Send test event')).click();
    await sees(page, 'The URL answered the test event with 200');
    assert.equal(events[0].flags['is-system-test'], true);
    await assertFlawless(page, 'webhook-dialog');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'active');
  });

  it('list what was sent, and send it again', async () => {
    status = 406;
    const { body } = await app.call('GET /v4/domains');
    const domain = body.items[0].name;
    const to = `delivered@${domain}`;
    await app.call(`POST /v3/${domain}/messages`, {
      body: { from: `a@${domain}`, to, subject: 'Hello', text: 'Hello' },
    });
    app.clock.advance(3000);
    await sees(page, 'Rejected (406)');
    await assertFlawless(page, 'webhooks');
    status = 200;
    await page.locator('main li ::-p-text(Replay)').click();
    await sees(page, 'The event is sent again.');
    await page.waitForFunction('document.querySelector("main li")?.innerText.includes("replay")');
    for (let count = events.length; count < 3; count = events.length) await new Promise((done) => setTimeout(done, 50));
    assert.equal(events[1].id, events[2].id);
  });

  it('show the signing key, and replace it', async () => {
    await visit(page, `${app.url}/webhooks`);
    await page.locator(by('button', 'Show key')).click();
    const field = await page.waitForSelector(by('textbox', 'Signing key'));
    const key = await field!.evaluate((one) => (one as unknown as { value: string }).value);
    assert.match(key, /^[0-9a-f]{32}$/);
    await page.locator(by('button', 'Replace key')).click();
    await page.locator(by('button', 'Replace')).click();
    await sees(page, 'The signing key is replaced.');
    const { body } = await app.call('GET /v5/accounts/http_signing_key');
    assert.notEqual(body.http_signing_key, key);
  });

  it('say that a URL is disabled, and enable it again', async () => {
    await app.galley.outside.db.text('update webhook_urls set disabled_at = now(), gone = 3');
    await sees(page, 'A URL is disabled');
    await assertFlawless(page, 'webhooks-disabled');
    await page.locator(by('button', 'Enable again')).click();
    await page.waitForFunction('!document.body.innerText.includes("A URL is disabled")');
  });

  it('are deleted', async () => {
    await visit(page, `${app.url}/webhooks`);
    await page.locator(by('button', `Delete ${url}`)).click();
    await page.locator(by('button', 'Delete')).click();
    await sees(page, 'No webhooks yet');
    assert.deepEqual((await app.call('GET /v1/webhooks')).body.webhooks, []);
  });
});
