// Single sign-on in the dashboard: by the button, at a provider on this machine, and back; the audit log shows it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { startOidcServer, type OidcServer } from '../harness/oidc.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, signIn, visit, type Tab } from './chromium.ts';

let provider: OidcServer;
let app: App;
let browser: Browser;
let person: Tab;

before(async () => {
  provider = await startOidcServer();
  const settings = { GALLEY_ROLES: 'api,work', ...provider.settings };
  [app, browser] = await Promise.all([startApp(settings), openBrowser(), buildDashboard()]);
  person = await openTab(browser);
});
after(async () => {
  await browser?.close();
  await app?.close();
  await provider?.close();
});

const BUTTON = by('button', 'Sign in with Harbor ID');

describe('a person of the provider', () => {
  it('is told why there is no way in', async () => {
    const { page } = person;
    provider.person = { sub: 'p-ann', email: 'ann@shop.example', email_verified: true };
    await visit(page, `${app.url}/sign-in`);
    await page.waitForSelector(BUTTON);
    await assertFlawless(page, 'sign-in-sso');
    await page.locator(BUTTON).click();
    await sees(page, 'You cannot sign in: there is no user with the address ann@shop.example.');
    assert.equal(await page.evaluate('location.pathname + location.search'), '/sign-in/sso', 'the code is gone');
    await assertFlawless(page, 'sign-in-sso-refused');
    await page.locator(by('link', 'Go to the sign-in page')).click();
    provider.refusal = 'error=access_denied&error_description=Not+today';
    await page.locator(BUTTON).click();
    await sees(page, 'The provider of Harbor ID did not let you in: access_denied (Not today).');
    provider.refusal = '';
    await visit(page, `${app.url}/sign-in/sso`);
    await sees(page, 'This page finishes a sign-in, and none was begun.');
    await visit(page, `${app.url}/sign-in/sso?error=x&error_description=Call+5551234&state=made-up`);
    await sees(page, 'This sign-in was not begun in this browser');
    assert.ok(!((await page.evaluate('document.body.innerText')) as string).includes('5551234'));
  });

  it('comes in by the button when invited, at the page that was asked for', async () => {
    const { page } = person;
    await app.call('POST /v5/users', { body: { email: 'ann@shop.example', name: 'Ann Marsh', role: 'admin' } });
    await visit(page, `${app.url}/clients`);
    await page.locator(BUTTON).click();
    await page.waitForFunction('location.pathname === "/clients"');
    await page.locator('button[aria-label^="Account "]').click();
    await sees(page, 'Ann Marsh');
    await app.idle();
    await visit(page, `${app.url}/audit`);
    await sees(page, 'User single sign-on linked');
    await sees(page, 'User signed in');
    await visit(page, `${app.url}/users`);
    await sees(page, 'by single sign-on');
    assert.deepEqual(person.complaints, []);
  });
});

describe('a service without a provider', () => {
  it('has no such button', async () => {
    const other = await startApp({ GALLEY_ROLES: 'api' });
    const tab = await openTab(browser);
    await signIn(tab.page, other, '/clients');
    await visit(tab.page, `${other.url}/sign-in`);
    await tab.page.waitForSelector('input[name=key]');
    await tab.page.waitForNetworkIdle();
    assert.ok(!((await tab.page.evaluate('document.body.innerText')) as string).includes('Sign in with'));
    await tab.close();
    await other.close();
  });
});
