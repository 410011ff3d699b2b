// The page of whoever is signed in: name, password, second factor, sessions.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { shownAt } from '../harness/authenticator.ts';
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

const FIRST = 'plum orchard lantern';
const PASSWORD = 'nine quiet harbors';
const EMAIL = 'ann@shop.example';

let app: App;
let browser: Browser;
let person: Tab;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }), openBrowser(), buildDashboard()]);
  const { body } = await app.call('POST /v5/users', { body: { email: EMAIL, name: 'Ann', role: 'developer' } });
  const token = body.invitation.url.split('#')[1];
  await app.call('POST /v5/users/links/use', { key: null, body: { token, password: FIRST } });
  person = await openTab(browser);
  ({ page } = person);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

const press = (tab: Page, name: string): Promise<void> => tab.locator(by('button', name)).click();

async function givePassword(tab: Page, password: string): Promise<void> {
  await visit(tab, `${app.url}/sign-in?from=/your-account`);
  if (!(await tab.$('input[name=email]'))) await tab.locator('::-p-text(Email and password)').click();
  await fill(tab, 'input[name=email]', EMAIL);
  await fill(tab, 'input[name=password]', password);
  await press(tab, 'Sign in');
}

/** A code that was not used: a minute later than the one before. */
function nextCode(secret: string): string {
  app.clock.advance(60_000);
  return shownAt(secret, app.clock.now());
}

describe('the own account', () => {
  let secret: string;

  it('has a name, which the others see', async () => {
    await givePassword(page, FIRST);
    await page.waitForFunction('location.pathname === "/your-account"');
    await sees(page, 'The browsers in which you are signed in now.');
    await page.waitForSelector('ul li');
    await assertFlawless(page, 'your-account');
    await fill(page, 'input[name=name]', 'Ann Marsh');
    await press(page, 'Save name');
    await sees(page, 'Your name is saved.');
    assert.equal((await app.call('GET /v5/users')).body.users[0].name, 'Ann Marsh');
  });

  it('has a password, which the one before changes; sessions elsewhere end', async () => {
    const other = await openTab(browser);
    await givePassword(other.page, FIRST);
    await other.page.waitForFunction('location.pathname === "/your-account"');
    await page.bringToFront();
    await fill(page, 'input[name=current-password]', 'not the password');
    await fill(page, 'input[name=new-password]', PASSWORD);
    await press(page, 'Change password');
    await sees(page, 'is not your password.');
    await fill(page, 'input[name=current-password]', FIRST);
    await press(page, 'Change password');
    await sees(page, 'Your password is changed.');
    await other.page.reload();
    await other.page.waitForFunction('location.pathname === "/sign-in"');
    await other.close();
  });

  it('shows the own sessions, and ends others', async () => {
    const other = await openTab(browser);
    await givePassword(other.page, PASSWORD);
    await other.page.waitForFunction('location.pathname === "/your-account"');
    await page.bringToFront();
    await page.reload();
    await page.locator('button[aria-label^="End the session from "]').click();
    await sees(page, 'The session is ended.');
    await other.page.reload();
    await other.page.waitForFunction('location.pathname === "/sign-in"');
    await other.close();
  });

  it('turns a second factor on: the password, a QR code, a code, recovery codes', async () => {
    await press(page, 'Turn on a second factor');
    await fill(page, '[role=dialog] input[name=current-password]', 'no');
    await press(page, 'Go on');
    await sees(page, 'is not your password.');
    await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
    await press(page, 'Go on');
    await page.waitForSelector('[role=dialog] svg[role=img]');
    secret = await page.$eval(by('textbox', 'Key'), (field) => (field as unknown as { value: string }).value);
    await assertFlawless(page, 'your-account-qr');
    await fill(page, 'input[name=code]', '000000');
    await press(page, 'Turn on');
    await sees(page, 'is wrong, or was used before.');
    await fill(page, 'input[name=code]', nextCode(secret));
    await press(page, 'Turn on');
    await sees(page, 'Keep these recovery codes');
    assert.equal((await page.$$('[aria-label="Recovery codes"] li')).length, 10);
    await assertFlawless(page, 'your-account-recovery-codes');
    await press(page, 'I have kept them');
    await sees(page, '10 recovery codes are left.');
    await assertFlawless(page, 'your-account-second-factor');
  });

  it('is signed in to with a code after the password', async () => {
    await page.locator('button[aria-label^="Account "]').click();
    await page.locator(by('menuitem', 'Sign out')).click();
    await page.waitForFunction('location.pathname === "/sign-in"');
    await givePassword(page, PASSWORD);
    await page.waitForSelector('input[name=code]');
    await assertFlawless(page, 'sign-in-code');
    await fill(page, 'input[name=code]', '000000');
    await press(page, 'Sign in');
    await sees(page, 'The code is wrong, or was used before.');
    await fill(page, 'input[name=code]', nextCode(secret));
    await press(page, 'Sign in');
    await page.waitForFunction('location.pathname === "/your-account"');
    await page.locator('button[aria-label^="Account "]').click();
    await page.locator(by('menuitem', 'Your account')).click();
    await sees(page, '10 recovery codes are left.');
  });

  it('gets new recovery codes, and turns the second factor off', async () => {
    await press(page, 'Make new recovery codes');
    await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
    await fill(page, 'input[name=code]', nextCode(secret));
    await press(page, 'Make new codes');
    await sees(page, 'Keep these recovery codes');
    const [code] = await page.$$eval('[aria-label="Recovery codes"] li', (lines) =>
      lines.map((line) => line.innerText),
    );
    await press(page, 'I have kept them');
    await press(page, 'Turn off');
    await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
    await fill(page, 'input[name=code]', code as string);
    await assertFlawless(page, 'your-account-turn-off');
    await page.locator(`[role=dialog] ${by('button', 'Turn off')}`).click();
    await page.waitForSelector(by('button', 'Turn on a second factor'));
    assert.deepEqual(person.complaints, []);
  });
});

describe('a second factor', () => {
  it('is reset by an admin in the list of users', async () => {
    const path = '/v5/users/me/second-factor';
    const { headers } = await app.call('POST /v1/session/password', {
      key: null,
      body: { email: EMAIL, password: PASSWORD },
    });
    const own = { key: null, headers: { cookie: headers.get('set-cookie') as string, origin: app.url } };
    const { body } = await app.call(`POST ${path}`, { ...own, body: { current_password: PASSWORD } });
    await app.call(`POST ${path}/confirmation`, { ...own, body: { code: nextCode(body.secret) } });
    const admin = await openTab(browser);
    await signIn(admin.page, app, '/users');
    await sees(admin.page, 'with a second factor');
    await assertFlawless(admin.page, 'users-second-factor');
    await press(admin.page, 'Reset second factor: Ann Marsh');
    await press(admin.page, 'Reset second factor');
    await admin.page.waitForFunction('!document.body.innerText.includes("with a second factor")');
    await visit(admin.page, `${app.url}/your-account`);
    await sees(admin.page, 'You signed in with an API key');
    await assertFlawless(admin.page, 'your-account-of-a-key');
    assert.deepEqual(admin.complaints, []);
    await admin.close();
  });
});
