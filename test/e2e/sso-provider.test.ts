// Single sign-on at `oidc-provider`, a certified provider that others wrote, in a real browser.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage, testPackageFile } from '../harness/test-packages.ts';
import { buildDashboard, by, fill, openBrowser, openTab, sees, visit } from './chromium.ts';

const CLIENT = { id: 'galley', secret: 'the secret of the client' };

let server: Server;
let answer: RequestListener | undefined;
let app: App;
let browser: Browser;
let page: Page;

/** Whoever gives a login is that person, with an address that is verified. */
function providerFor(issuer: string, redirectUri: string): RequestListener {
  const { Provider } = requireTestPackage('oidc-provider');
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: async () => ({ sub: id, email: `${id}@shop.example`, email_verified: true, name: 'Ann Marsh' }),
    }),
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true } },
  });
  return provider.callback();
}

const isInstalled = existsSync(testPackageFile('oidc-provider/package.json'));
const skip = isInstalled ? false : 'the packages of test/package.json are not installed: npm test does that';

describe('a person of a provider that others wrote', { skip }, () => {
  before(async () => {
    server = createServer((request, response) => answer?.(request, response));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    const settings = {
      GALLEY_ROLES: 'api,work',
      GALLEY_ALLOW_HOSTS: host,
      GALLEY_OIDC_ISSUER: `http://${host}`,
      GALLEY_OIDC_CLIENT_ID: CLIENT.id,
      GALLEY_OIDC_CLIENT_SECRET: CLIENT.secret,
    };
    [app, browser] = await Promise.all([startApp(settings), openBrowser(), buildDashboard()]);
    answer = providerFor(`http://${host}`, `${app.url}/sign-in/sso`);
    ({ page } = await openTab(browser));
  });
  after(async () => {
    await browser?.close();
    await app?.close();
    server?.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it('signs in by the button, and the audit log shows it', async () => {
    await app.call('POST /v5/users', { body: { email: 'ann@shop.example', name: 'Ann Marsh', role: 'admin' } });
    await visit(page, `${app.url}/clients`);
    await page.locator(by('button', 'Sign in with single sign-on')).click();
    await fill(page, 'input[name=login]', 'ann');
    await fill(page, 'input[name=password]', 'anything');
    await page.locator('button[type=submit]').click();
    await page.waitForSelector('form input[name=prompt][value=consent]');
    await page.locator('button[type=submit]').click();
    await page.waitForFunction('location.pathname === "/clients"');
    await app.idle();
    await visit(page, `${app.url}/audit`);
    await sees(page, 'User single sign-on linked');
    const { body } = await app.call('GET /v1/audit?kind=sign_in&operation=user.signed_in');
    assert.deepEqual(
      body.items.map(({ actor, resource }: any) => [actor.name, resource.by]),
      [['ann@shop.example', 'sso']],
    );
  });

  it('comes back with the words of the provider when they cancel', async () => {
    const other = await openTab(browser);
    await visit(other.page, `${app.url}/sign-in`);
    await other.page.locator(by('button', 'Sign in with single sign-on')).click();
    await other.page.waitForSelector('input[name=login]');
    await other.page.locator('a[href$="/abort"]').click();
    await sees(other.page, 'did not let you in: access_denied');
    await other.close();
  });
});
