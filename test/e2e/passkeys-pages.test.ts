// Passkeys in the dashboard, with the virtual authenticator of a real Chromium: made on the page of one's own account,
// signed in with, seen in the audit log, deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, CDPSession, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, visit, type Tab } from './chromium.ts';

const PASSWORD = 'plum orchard lantern';
const ANN = 'ann@shop.example';
const BOB = 'bob@shop.example';

let app: App;
let browser: Browser;
/** Browsers have passkeys at names alone. */
let url: string;
const ids: Record<string, string> = {};

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  url = `http://localhost:${new URL(app.url).port}`;
  for (const [email, name] of [
    [ANN, 'Ann'],
    [BOB, 'Bob'],
  ] as const) {
    const { body } = await app.call('POST /v5/users', { body: { email, name, role: 'admin' } });
    const token = body.invitation.url.split('#')[1];
    await app.call('POST /v5/users/links/use', { key: null, body: { token, password: PASSWORD } });
    ids[email] = body.user.id;
  }
});
after(async () => {
  await browser?.close();
  await app?.close();
});

/** A device beside the tab, which says yes to whatever it is asked. */
interface Device {
  cdp: CDPSession;
  authenticatorId: string;
}

async function addDevice(page: Page): Promise<Device> {
  const cdp = await page.createCDPSession();
  await cdp.send('WebAuthn.enable');
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { cdp, authenticatorId };
}

const keysIn = async ({ cdp, authenticatorId }: Device) =>
  (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials;

const press = (page: Page, name: string): Promise<void> => page.locator(by('button', name)).click();

async function signInByPassword(page: Page, email: string, at = url): Promise<void> {
  await visit(page, `${at}/sign-in?from=/your-account`);
  if (!(await page.$('input[name=email]'))) await page.locator('::-p-text(Email and password)').click();
  await fill(page, 'input[name=email]', email);
  await fill(page, 'input[name=password]', PASSWORD);
  await press(page, 'Sign in');
  await page.waitForFunction('location.pathname === "/your-account"');
}

async function signOut(page: Page): Promise<void> {
  await page.locator('button[aria-label^="Account "]').click();
  await page.locator(by('menuitem', 'Sign out')).click();
  await page.waitForFunction('location.pathname === "/sign-in"');
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await press(page, 'Add a passkey');
  await fill(page, '[role=dialog] input[name=passkey-name]', name);
  await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
  await press(page, 'Make the passkey');
  await sees(page, 'The passkey is kept.');
}

/** Presses the button of the sign-in page, which asks the device. */
async function askDevice(page: Page): Promise<void> {
  await visit(page, `${url}/sign-in?from=/your-account`);
  await press(page, 'Sign in with a passkey');
}

const REFUSED = 'This passkey is not known here, or its answer is not valid.';
const emailOf = (page: Page): Promise<string> =>
  page.evaluate(
    'fetch("/v1/session").then((answer) => answer.json()).then(({ user }) => user.email)',
  ) as Promise<string>;

describe('a passkey', () => {
  let ann: Tab;
  let device: Device;
  before(async () => {
    ann = await openTab(browser);
    device = await addDevice(ann.page);
  });

  it('is made on the page of one’s own account, with the password', async () => {
    const { page } = ann;
    await signInByPassword(page, ANN);
    await page.waitForSelector(by('button', 'Add a passkey'));
    await press(page, 'Add a passkey');
    await page.waitForSelector('[role=dialog] input[name=passkey-name]');
    await assertFlawless(page, 'your-account-new-passkey');
    await fill(page, '[role=dialog] input[name=current-password]', 'no');
    await press(page, 'Make the passkey');
    await sees(page, 'is not your password.');
    assert.deepEqual(await keysIn(device), [], 'the device was not asked');
    await page.keyboard.press('Escape');
    await addPasskey(page, 'Work laptop');
    await sees(page, 'never used');
    await assertFlawless(page, 'your-account-passkeys');
    const [key] = await keysIn(device);
    assert.deepEqual([key?.rpId, key?.isResidentCredential], ['localhost', true]);
  });

  it('is renamed', async () => {
    const { page } = ann;
    await press(page, 'Rename the passkey Work laptop');
    await fill(page, '[role=dialog] input[name=name]', 'Desk');
    await assertFlawless(page, 'your-account-rename-passkey');
    await press(page, 'Rename');
    await page.waitForSelector(by('button', 'Rename the passkey Desk'));
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await press(page, 'Rename the passkey Desk');
    await fill(page, '[role=dialog] input[name=name]', 'Work laptop');
    await press(page, 'Rename');
    await page.waitForSelector(by('button', 'Delete the passkey Work laptop'));
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    const { items } = (await app.call('GET /v1/audit?operation=updatePasskey')).body;
    assert.deepEqual(
      items.map(({ actor, resource }: any) => [actor.id, resource.name]),
      [
        [ids[ANN], 'Work laptop'],
        [ids[ANN], 'Desk'],
      ],
    );
  });

  it('is not made twice in one device', async () => {
    const { page } = ann;
    await press(page, 'Add a passkey');
    await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
    await press(page, 'Make the passkey');
    await sees(page, 'This device has a passkey for you here already.');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('signs in without a password, and stands in the audit log', async () => {
    const { page } = ann;
    await signOut(page);
    await page.waitForSelector(by('button', 'Sign in with a passkey'));
    await assertFlawless(page, 'sign-in-passkey');
    await askDevice(page);
    await page.waitForFunction('location.pathname === "/your-account"');
    assert.equal(await emailOf(page), ANN);
    await page.waitForFunction(
      'document.querySelector("[aria-label=\'Your passkeys\']")?.innerText.includes("last used")',
    );
    await app.idle();
    await visit(page, `${url}/users`);
    await sees(page, 'with a passkey');
    await visit(page, `${url}/audit`);
    await sees(page, 'Create passkey');
    const { items } = (await app.call('GET /v1/audit?kind=sign_in&who=ann')).body;
    assert.deepEqual(items[0].resource, { by: 'passkey' });
  });

  it('of one user never signs in as another', async () => {
    const bob = await openTab(browser);
    const bobs = await addDevice(bob.page);
    await signInByPassword(bob.page, BOB);
    await addPasskey(bob.page, 'Phone');
    await signOut(bob.page);
    await askDevice(bob.page);
    await bob.page.waitForFunction('location.pathname === "/your-account"');
    assert.equal(await emailOf(bob.page), BOB);
    await signOut(bob.page);
    const [own] = await keysIn(bobs);
    const [anns] = await keysIn(device);
    assert.ok(own && anns);
    const handle = Buffer.from(ids[ANN] as string).toString('base64');
    for (const forged of [
      // Bob's key, which says that it is of Ann.
      { ...own, userHandle: handle },
      // The id of Ann's key, signed by Bob's.
      { ...own, userHandle: handle, credentialId: anns.credentialId },
      // Ann's id and handle with a count that runs ahead.
      { ...own, userHandle: handle, credentialId: anns.credentialId, signCount: 1000 },
    ]) {
      await bobs.cdp.send('WebAuthn.clearCredentials', { authenticatorId: bobs.authenticatorId });
      await bobs.cdp.send('WebAuthn.addCredential', { authenticatorId: bobs.authenticatorId, credential: forged });
      await askDevice(bob.page);
      await sees(bob.page, REFUSED);
      assert.equal(await bob.page.evaluate('fetch("/v1/session").then(({ status }) => status)'), 401);
    }
    await assertFlawless(bob.page, 'sign-in-passkey-refused');
    await bobs.cdp.send('WebAuthn.clearCredentials', { authenticatorId: bobs.authenticatorId });
    assert.deepEqual(bob.complaints, []);
    await bob.close();
  });

  it('is deleted after a question, and signs nobody in any more', async () => {
    const { page } = ann;
    await visit(page, `${url}/your-account`);
    await press(page, 'Delete the passkey Work laptop');
    await sees(page, 'It signs nobody in from then on.');
    await assertFlawless(page, 'your-account-delete-passkey');
    await press(page, 'Delete passkey');
    await sees(page, 'The passkey is deleted.');
    await page.waitForFunction('!document.querySelector("[aria-label=\'Your passkeys\']")');
    assert.equal((await keysIn(device)).length, 1, 'the device still has it');
    await signOut(page);
    await askDevice(page);
    await sees(page, REFUSED);
    assert.equal(await page.evaluate('location.pathname'), '/sign-in');
    assert.deepEqual(ann.complaints, []);
  });
});

describe('a device that gives none', () => {
  it('is told of in a sentence', async () => {
    const { page, close } = await openTab(browser);
    const { cdp, authenticatorId } = await addDevice(page);
    await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
    await signInByPassword(page, ANN);
    await press(page, 'Add a passkey');
    await fill(page, '[role=dialog] input[name=current-password]', PASSWORD);
    await press(page, 'Make the passkey');
    await sees(page, 'Your device made no passkey: you canceled, or it took too long.');
    await assertFlawless(page, 'your-account-no-passkey');
    await close();
  });
});

describe('where browsers have no passkeys', () => {
  it('the page of the own account says so, and the sign-in page offers none', async () => {
    const { page, close } = await openTab(browser);
    await visit(page, `${app.url}/sign-in`);
    await page.waitForNetworkIdle();
    assert.ok(!((await page.evaluate('document.body.innerText')) as string).includes('passkey'));
    await signInByPassword(page, ANN, app.url);
    await sees(page, `Browsers have passkeys only at addresses with a name; this page is at ${app.url}`);
    await assertFlawless(page, 'your-account-passkeys-nowhere');
    await close();
  });
});

describe('a Galley that is known by another address', () => {
  it('says where passkeys work', async () => {
    const other = await startApp({ GALLEY_ROLES: 'api', GALLEY_PUBLIC_URL: 'https://galley.example.com' });
    const { page, close } = await openTab(browser);
    const here = `http://localhost:${new URL(other.url).port}`;
    await visit(page, `${here}/sign-in`);
    await press(page, 'Sign in with a passkey');
    await sees(page, `Passkeys work at https://galley.example.com alone, and this page is at ${here}.`);
    await assertFlawless(page, 'sign-in-passkey-elsewhere');
    await close();
    await other.close();
  });
});
