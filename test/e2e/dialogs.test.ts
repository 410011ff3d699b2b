// Every dialog, drawer and menu gives the focus back to what opened it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { buildDashboard, by, fill, openBrowser, openTab, visit, type Tab } from './chromium.ts';
import { DIALOGS, MENUS, type Opening } from './dialog-openings.ts';
import { fillAccount, type FilledAccount } from './filled-account.ts';

const OPEN = '[role=dialog], [role=menu]';

let account: FilledAccount;
let app: FilledAccount['app'];
let browser: Browser;
let tab: Tab;
let page: Page;
let ownPage: Page;
let ids: FilledAccount['ids'];
/** Where somebody looks at the own account: browsers have passkeys at names alone. */
let ownUrl: string;

before(async () => {
  const [filled, opened] = await Promise.all([fillAccount(), openBrowser(), buildDashboard()]);
  account = filled;
  ({ app, ids } = account);
  browser = opened;
  tab = await openTab(browser);
  page = tab.page;
  await visit(page, `${app.url}/sign-in`);
  await fill(page, 'input[name=key]', app.key);
  await page.locator(by('button', 'Sign in')).click();
  await page.waitForFunction('location.pathname === "/"');
  ownPage = (await openTab(browser)).page;
  ownUrl = `http://localhost:${new URL(app.url).port}`;
  await visit(ownPage, `${ownUrl}/sign-in`);
  await ownPage.locator('::-p-text(Email and password)').click();
  await fill(ownPage, 'input[name=email]', account.person.email);
  await fill(ownPage, 'input[name=password]', account.person.password);
  await ownPage.locator(by('button', 'Sign in')).click();
  await ownPage.waitForFunction('location.pathname === "/"');
});

after(async () => {
  await browser?.close();
  await account?.close();
});

/**
 * Opens it as a person does, with the mouse or with Enter, marks what opened it, closes it with Escape, and says what
 * has the focus then.
 */
async function focusAfter(
  { path, press, width = 1280, isOwn = false }: Pick<Opening, 'path' | 'press' | 'width' | 'isOwn'>,
  how: 'mouse' | 'keyboard',
): Promise<string> {
  const tabPage = isOwn ? ownPage : page;
  await tabPage.setViewport({ width, height: 900 });
  await visit(tabPage, (isOwn ? ownUrl : app.url) + path(ids));
  for (const [place, selector] of press.entries()) {
    const element = await tabPage.waitForSelector(selector, { visible: true });
    assert.ok(element);
    if (place === 0) await element.evaluate((opener) => opener.setAttribute('data-opener', ''));
    if (how === 'mouse') await tabPage.locator(selector).click();
    else {
      await element.focus();
      await tabPage.keyboard.press('Enter');
    }
    const within =
      place < press.length - 1 || press[0] === MENUS.find((menu) => menu.press === press)?.press[0]
        ? OPEN
        : '[role=dialog]';
    await tabPage.waitForFunction(
      `document.querySelector(${JSON.stringify(within)})?.contains(document.activeElement)`,
    );
  }
  await tabPage.keyboard.press('Escape');
  await tabPage.waitForFunction(`!document.querySelector(${JSON.stringify(OPEN)})`);
  await tabPage.waitForFunction('document.activeElement?.hasAttribute("data-opener")').catch(() => undefined);
  return tabPage.evaluate(
    'document.activeElement.hasAttribute("data-opener") ? "opener" : document.activeElement.outerHTML.slice(0, 80)',
  ) as Promise<string>;
}

describe('the focus', () => {
  for (const how of ['mouse', 'keyboard'] as const) {
    it(`returns from every dialog to what opened it with the ${how}`, async () => {
      const lost: Record<string, string> = {};
      for (const opening of DIALOGS) {
        const focused = await focusAfter(opening, how);
        if (focused !== 'opener') lost[`${opening.file}: ${opening.press.at(-1)}`] = focused;
      }
      assert.deepEqual(lost, {});
    });
  }

  it('returns from every menu to what opened it', async () => {
    const lost: Record<string, string> = {};
    for (const opening of MENUS) {
      const focused = await focusAfter(opening, 'keyboard');
      if (focused !== 'opener') lost[opening.press.join()] = focused;
    }
    assert.deepEqual(lost, {});
  });

  it('finds a name and a state at what opens a menu', async () => {
    for (const { path, press } of MENUS) {
      await visit(page, app.url + path(ids));
      const states = await page.$eval(press[0] ?? '', (opener) => [
        opener.getAttribute('aria-haspopup') !== null,
        opener.getAttribute('aria-expanded'),
        opener.id !== '',
      ]);
      assert.deepEqual(states, [true, 'false', true], press[0]);
    }
  });

  it('goes to the page where what opened a dialog is gone', async () => {
    await page.setViewport({ width: 1280, height: 800 });
    await visit(page, `${app.url}/keys`);
    const { body } = await app.call('POST /v1/keys', { body: { role: 'support', description: 'Short lived' } });
    assert.ok(body.key.id);
    await page.reload();
    await page.locator(by('button', 'Revoke Short lived')).click();
    await page.locator(by('button', 'Revoke')).click();
    await page.waitForFunction(
      '!document.body.innerText.includes("Short lived") && document.activeElement !== document.body',
    );
  });

  it('goes into the message that opens over a page on a phone, and back', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await visit(page, `${app.url}/previews/${ids.test}/findings`);
    await page.locator(by('button', 'Message')).click();
    await page.waitForFunction(
      'document.querySelector("iframe[title=\'The message\']") && document.activeElement !== document.body',
    );
    await page.locator(by('button', 'Close message')).click();
    await page.waitForFunction('document.activeElement?.textContent === "Message"');
  });

  it('throws and logs no errors on the way', () => assert.deepEqual(tab.complaints, []));
});
