// SMTP credentials on the page of a sending domain: created, changed and deleted, in both themes and on a phone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DOMAIN = 'mail.example.com';

let app: App;
let browser: Browser;
let page: Page;
before(async () => {
  const [started, opened] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api', GALLEY_SUBMISSION_PORT: '2587', GALLEY_SUBMISSION_TLS_PORT: '2465' }),
    openBrowser(),
    buildDashboard(),
  ]);
  app = started;
  browser = opened;
  page = (await openTab(browser)).page;
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  await signIn(page, app, `/domains/${DOMAIN}`);
  await sees(page, 'No credentials yet');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('SMTP credentials in the dashboard', () => {
  it('say at the field what is wrong, and are created with a password of the user’s', async () => {
    await page.locator(by('button', 'New credentials')).click();
    await fill(page, 'input[name=login]', 'newsletter');
    await fill(page, 'input[name=password]', 'four');
    await page.locator(by('button', 'Create credentials')).click();
    await sees(page, 'Password is too short. It must be between 5 and 32 characters.');
    await assertFlawless(page, 'credentials-dialog');
    await fill(page, 'input[name=password]', 'correct horse');
    await page.locator(by('button', 'Create credentials')).click();
    await sees(page, `newsletter@${DOMAIN}`);
  });

  it('show a password that Galley made, once', async () => {
    await page.locator(by('button', 'New credentials')).click();
    await fill(page, 'input[name=login]', 'shop');
    await page.locator(by('button', 'Create credentials')).click();
    await sees(page, 'Copy this password now');
    await page.locator(by('button', 'Done')).click();
    await sees(page, `shop@${DOMAIN}`);
    await assertFlawless(page, 'credentials-list');
  });

  it('change their password, and are deleted', async () => {
    await page.locator(by('button', `Change the password of shop@${DOMAIN}`)).click();
    await sees(page, `New password for shop@${DOMAIN}`);
    await fill(page, 'input[name=password]', 'another horse');
    await page.locator(by('button', 'Change password')).click();
    await page.waitForFunction('document.querySelector("[role=dialog]") === null');
    await page.locator(by('button', `Delete shop@${DOMAIN}`)).click();
    await sees(page, `shop@${DOMAIN} can no longer log in.`);
    await page.locator(`[role=dialog] >>> ${by('button', 'Delete')}`).click();
    await sees(page, 'The credentials are deleted.');
    const { body } = await app.call(`GET /v3/domains/${DOMAIN}/credentials`);
    assert.deepEqual(
      body.items.map(({ login }: { login: string }) => login),
      [`newsletter@${DOMAIN}`],
    );
  });
});

const DELIVERY = 'section[aria-labelledby=domain-delivery] input[role=switch]';

describe('delivery of a domain in the dashboard', () => {
  it('shows where programs log in, and is switched between delivering and capturing', async () => {
    await visit(page, `${app.url}/domains/${DOMAIN}`);
    await sees(page, 'This installation captures every message');
    await page.locator(DELIVERY).click();
    await sees(page, 'Once it delivers, this domain still captures.');
    const { body } = await app.call(`GET /v1/galley/domains/${DOMAIN}/delivery`);
    assert.deepEqual(body, { delivery: 'capture', effective: 'capture', service: 'capture' });
    await sees(page, 'Port, STARTTLS');
    const values = await page.$$eval('input[readonly]', (inputs) => inputs.map((input) => (input as any).value));
    assert.ok(values.includes('2587') && values.includes('2465') && values.includes('127.0.0.1'), values.join(' '));
    await assertFlawless(page, 'credentials-delivery');
    await page.locator(DELIVERY).click();
    await sees(page, 'Once it delivers, so does this domain.');
  });

  it('of the sandbox asks recipients, says what is wrong at the field, and deletes them', async () => {
    const [{ name }] = (await app.call('GET /v4/domains?search=sandbox')).body.items;
    await visit(page, `${app.url}/domains/${name}`);
    await sees(page, 'Authorized recipients');
    await fill(page, 'input[name=email]', 'nobody');
    await page.locator(by('button', 'Ask by mail')).click();
    await sees(page, 'Invalid email address.');
    await assertFlawless(page, 'credentials-sandbox-wrong');
    await fill(page, 'input[name=email]', 'ann@example.com');
    await page.locator(by('button', 'Ask by mail')).click();
    await page.locator(by('button', 'Delete ann@example.com')).wait();
    await assertFlawless(page, 'credentials-sandbox');
    await page.locator(by('button', 'Delete ann@example.com')).click();
    await sees(page, 'ann@example.com gets no more messages of the sandbox domain');
    await page.locator(`[role=dialog] >>> ${by('button', 'Delete')}`).click();
    await sees(page, 'The recipient is deleted.');
    assert.deepEqual((await app.call('GET /v5/sandbox/auth_recipients')).body.recipients, []);
  });
});
