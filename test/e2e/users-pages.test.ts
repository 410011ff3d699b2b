// Users in the dashboard: invited, welcomed, signing in by password, disabled.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, visit, type Tab } from './chromium.ts';

const PASSWORD = 'plum orchard lantern';

let app: App;
let browser: Browser;
let person: Tab;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }), openBrowser(), buildDashboard()]);
  person = await openTab(browser);
  ({ page } = person);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

const pathOf = (url: string): string => url.slice(new URL(url).origin.length);

async function invite(email: string): Promise<string> {
  const { body, status } = await app.call('POST /v5/users', { body: { email, name: 'Ann', role: 'developer' } });
  assert.equal(status, 200);
  return app.url + pathOf(body.invitation.url);
}

async function signInByPassword(password: string): Promise<void> {
  await fill(page, 'input[name=email]', 'ann@shop.example');
  await fill(page, 'input[name=password]', password);
  await page.locator(by('button', 'Sign in')).click();
}

async function signOut(): Promise<void> {
  await page.locator('button[aria-label^="Account "]').click();
  await page.locator(by('menuitem', 'Sign out')).click();
  await page.waitForFunction('location.pathname === "/sign-in"');
}

describe('a person who is invited', () => {
  it('opens the link, chooses a password and is signed in', async () => {
    const url = await invite('ann@shop.example');
    await visit(page, url);
    await page.waitForSelector('input[name=email][value="ann@shop.example"]');
    await assertFlawless(page, 'welcome');
    await fill(page, 'input[name=password]', 'short');
    await page.locator(by('button', 'Set password and sign in')).click();
    await sees(page, 'must have at least 10 characters.');
    await fill(page, 'input[name=name]', 'Ann Marsh');
    await fill(page, 'input[name=password]', PASSWORD);
    await page.locator(by('button', 'Set password and sign in')).click();
    await page.waitForFunction('location.pathname === "/previews"');
    await page.locator('button[aria-label^="Account "]').click();
    await sees(page, 'Ann Marsh');
    await page.keyboard.press('Escape');
    await visit(page, url);
    await sees(page, 'This link does not work any more');
    await assertFlawless(page, 'welcome-used');
    await visit(page, `${app.url}/welcome`);
    await sees(page, 'This link is not complete');
    await assertFlawless(page, 'welcome-incomplete');
  });

  it('signs out, and in again by password', async () => {
    await visit(page, `${app.url}/clients`);
    await signOut();
    await page.waitForSelector('input[name=email]');
    await assertFlawless(page, 'sign-in-password');
    await signInByPassword('not the password');
    await sees(page, 'The email address or the password is wrong.');
    await signInByPassword(PASSWORD);
    await page.waitForFunction('location.pathname === "/previews"');
    assert.deepEqual(person.complaints, []);
  });
});

describe('the sign-in page', () => {
  it('asks a browser that nobody signed in with for a key, and for a password who chooses it', async () => {
    const other = await openTab(browser);
    await visit(other.page, `${app.url}/sign-in`);
    await other.page.waitForSelector('input[name=key]');
    await assertFlawless(other.page, 'sign-in-key');
    await other.page.locator('::-p-text(Email and password)').click();
    await other.page.waitForSelector('input[name=password]');
    await sees(other.page, 'Whoever has no password, or forgot it, asks an admin of the account.');
    assert.equal(await other.page.$('input[name=key]'), null);
    await other.close();
  });
});
