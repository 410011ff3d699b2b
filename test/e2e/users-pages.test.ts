// Users in the dashboard: invited, welcomed, signing in by password, disabled.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  fill,
  openBrowser,
  openTab,
  sees,
  signIn,
  visit,
  type Tab,
} from './chromium.ts';

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
    await page.waitForFunction('location.pathname === "/"');
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
    await page.waitForFunction('location.pathname === "/"');
    assert.deepEqual(person.complaints, []);
  });
});

describe('users in the dashboard', () => {
  let admin: Page;
  before(async () => {
    ({ page: admin } = await openTab(browser));
    await signIn(admin, app, '/users');
  });

  it('are listed with their role and state, and invited in a dialog that shows the link once', async () => {
    await sees(admin, 'Ann Marsh');
    await admin.locator(by('button', 'Invite')).click();
    await fill(admin, 'input[name=email]', 'not an address');
    await admin.locator(by('button', 'Send invitation')).click();
    await sees(admin, 'is not an email address.');
    await assertFlawless(admin, 'users-invite');
    await fill(admin, 'input[name=email]', 'bob@shop.example');
    await admin.locator(by('button', 'Send invitation')).click();
    await sees(admin, 'The invitation is on its way');
    const url = await admin.$eval(by('textbox', 'Link'), (field) => (field as unknown as { value: string }).value);
    assert.match(url, /\/welcome#[\w-]{43}$/);
    await admin.locator(by('button', 'Done')).click();
    await sees(admin, 'The link works until');
    await assertFlawless(admin, 'users');
    await admin.locator(by('button', 'Invite again: bob@shop.example')).click();
    await admin.locator(by('button', 'Send invitation')).click();
    await sees(admin, 'The invitation is on its way');
    await admin.locator(by('button', 'Done')).click();
    const guest = await openTab(browser);
    await visit(guest.page, app.url + pathOf(url));
    await sees(guest.page, 'This link does not work any more');
    await guest.close();
  });

  it('change their role, and are out as soon as they are disabled', async () => {
    await admin.locator('input[aria-label="Role of Ann Marsh"]').click();
    await admin.locator(by('option', 'Support')).click();
    await admin.waitForFunction(
      'document.querySelector(\'input[aria-label="Role of Ann Marsh"]\').value === "Support"',
    );
    await admin.locator(by('button', 'Disable Ann Marsh')).click();
    await admin.locator(by('button', 'Disable user')).click();
    await admin.waitForSelector(by('button', 'Enable Ann Marsh'));
    await page.goto(`${app.url}/clients`);
    await page.waitForFunction('location.pathname === "/sign-in"');
    await signInByPassword(PASSWORD);
    await sees(page, 'The email address or the password is wrong.');
    await admin.locator(by('button', 'Enable Ann Marsh')).click();
    await admin.waitForSelector(by('button', 'Disable Ann Marsh'));
  });

  it('are deleted', async () => {
    await admin.locator(by('button', 'Delete bob@shop.example')).click();
    await admin.locator(by('button', 'Delete user')).click();
    await admin.waitForFunction('!document.body.innerText.includes("bob@shop.example")');
  });

  it('do not change themselves, and are no business of whoever is no admin', async () => {
    const { body } = await app.call('GET /v5/users');
    assert.deepEqual(
      body.users.map((user: { email: string; role: string }) => [user.email, user.role]),
      [['ann@shop.example', 'support']],
    );
    await signInByPassword(PASSWORD);
    await page.waitForFunction('location.pathname === "/clients"');
    await visit(page, `${app.url}/users`);
    await sees(page, 'Only an admin can do this');
    await app.call(`PUT /v5/users/${body.users[0].id}`, { body: { role: 'admin' } });
    await page.reload();
    await page.waitForFunction('document.querySelector("tbody")?.innerText.includes("you")');
    assert.equal(await page.$(by('button', 'Disable Ann Marsh')), null);
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

  it('offers a link for a new password where the service says that it sends some', async () => {
    const sending = await startApp({ GALLEY_ROLES: 'api', GALLEY_PUBLIC_URL: 'https://galley.example.com' });
    const other = await openTab(browser);
    await visit(other.page, `${sending.url}/sign-in`);
    await other.page.locator('::-p-text(Email and password)').click();
    await other.page.locator(by('button', 'I forgot my password')).click();
    await fill(other.page, 'input[name=email]', 'ann@shop.example');
    await other.page.locator(by('button', 'Send me a link')).click();
    await sees(other.page, 'If this is the address of a user, an email with a link is on its way.');
    await assertFlawless(other.page, 'sign-in-forgotten');
    await other.page.locator(by('button', 'Back to the password')).click();
    await other.page.waitForSelector('input[name=password]');
    await other.close();
    await sending.close();
  });
});
