// Every dialog, drawer and menu gives the focus back to what opened it.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { buildDashboard, by, fill, openBrowser, openTab, visit, type Tab } from './chromium.ts';
import { fillAccount, type FilledAccount } from './filled-account.ts';

const ROOT = join(import.meta.dirname, '../..');
const SOURCES = join(ROOT, 'web/src');
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
  await page.waitForFunction('location.pathname === "/previews"');
  ownPage = (await openTab(browser)).page;
  ownUrl = `http://localhost:${new URL(app.url).port}`;
  await visit(ownPage, `${ownUrl}/sign-in`);
  await ownPage.locator('::-p-text(Email and password)').click();
  await fill(ownPage, 'input[name=email]', account.person.email);
  await fill(ownPage, 'input[name=password]', account.person.password);
  await ownPage.locator(by('button', 'Sign in')).click();
  await ownPage.waitForFunction('location.pathname === "/previews"');
});

after(async () => {
  await browser?.close();
  await account?.close();
});

interface Opening {
  /** The file below `web/src` that draws it. */
  file: string;
  path: () => string;
  /** What is pressed to open it: the focus returns to the last of them that is still there. */
  press: string[];
  width?: number;
  /** It belongs to a person who signed in by password. */
  isOwn?: boolean;
}

const atTest = (): string => `/previews/${ids.test}`;
const DIALOGS: Opening[] = [
  { file: 'ground/shell/shortcuts-help.tsx', path: () => '/clients', press: [by('button', 'Keyboard shortcuts')] },
  { file: 'ground/shell/small-menu.tsx', path: () => '/clients', press: [by('button', 'Menu')], width: 390 },
  {
    file: 'ground/shell/later.tsx',
    path: () => `/placement/lists/${encodeURIComponent(ids.list)}`,
    press: [by('button', 'Delete')],
  },
  {
    file: 'ground/shell/later.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Delete test')],
  },
  {
    file: 'areas/proof/previews/test/details-drawer.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Details')],
  },
  {
    file: 'ground/shell/rename-dialog.tsx',
    path: atTest,
    press: [by('button', 'More actions'), by('menuitem', 'Rename')],
  },
  { file: 'ground/shell/rename-dialog.tsx', path: () => `/spam/${ids.spam}`, press: [by('button', 'Rename')] },
  { file: 'areas/proof/previews/test/share-dialog.tsx', path: atTest, press: [by('button', 'Share')] },
  { file: 'areas/proof/previews/test/export-dialog.tsx', path: atTest, press: [by('button', 'Export')] },
  { file: 'areas/proof/previews/test/source-drawer.tsx', path: atTest, press: [by('button', 'Source')] },
  {
    file: 'shared/client-view/client-details.tsx',
    path: () => `${atTest()}/client/ol2021`,
    press: [by('button', 'Details')],
    width: 390,
  },
  {
    file: 'areas/proof/accessibility/repaired-drawer.tsx',
    path: () => `${atTest()}/accessibility`,
    press: [by('button', 'Repair')],
  },
  {
    file: 'areas/proof/links/sheet-comparison.tsx',
    path: () => `${atTest()}/links`,
    press: [by('button', 'Compare with a spreadsheet')],
  },
  {
    file: 'areas/proof/images/before-after.tsx',
    path: () => `${atTest()}/images`,
    press: ['button[aria-label^="Compare before and after"]'],
  },
  {
    file: 'areas/proof/gate/approve-dialog.tsx',
    path: () => `/gate/${ids.gate}?part=screenshots`,
    press: [by('button', 'Approve screenshot')],
  },
  { file: 'areas/proof/_seeds/mailbox-dialog.tsx', path: () => '/mailboxes', press: [by('button', 'New mailbox')] },
  {
    file: 'areas/send/messages/resend-dialog.tsx',
    path: () => `/messages/${ids.domain}/${ids.message}`,
    press: [by('button', 'Send again')],
  },
  { file: 'areas/send/suppressions/add-dialog.tsx', path: () => '/suppressions', press: [by('button', 'Add')] },
  { file: 'areas/send/suppressions/import-dialog.tsx', path: () => '/suppressions', press: [by('button', 'Import')] },
  {
    file: 'areas/send/sandbox-inboxes/new-inbox-dialog.tsx',
    path: () => '/sandbox',
    press: [by('button', 'New inbox')],
  },
  {
    file: 'areas/send/sandbox-inboxes/checks-dialog.tsx',
    path: () => '/sandbox/shop-tests',
    press: [by('button', 'Checks')],
  },
  {
    file: 'areas/send/sandbox-inboxes/connect-dialog.tsx',
    path: () => '/sandbox/shop-tests',
    press: [by('button', 'Settings for programs')],
  },
  {
    file: 'areas/send/sandbox-inboxes/release-dialog.tsx',
    path: () => `/sandbox/shop-tests?message=${ids.sandboxMessage}`,
    press: [by('button', 'Release…')],
  },
  { file: 'areas/send/webhooks/webhook-dialog.tsx', path: () => '/webhooks', press: [by('button', 'New webhook')] },
  {
    file: 'areas/send/sending-domains/password-dialog.tsx',
    path: () => `/domains/${ids.domain}`,
    press: [by('button', 'New credentials')],
  },
  { file: 'areas/send/sending-domains/domains-page.tsx', path: () => '/domains', press: [by('button', 'New domain')] },
  {
    file: 'areas/placement/inbox-placement/list-dialog.tsx',
    path: () => '/placement/lists',
    press: [by('button', 'New seed list')],
  },
  {
    file: 'areas/placement/inbox-placement/seed-drawer.tsx',
    path: () => `/placement/${ids.result}`,
    press: ['tbody button'],
  },
  {
    file: 'areas/placement/inbox-placement/share-dialog.tsx',
    path: () => `/placement/${ids.result}`,
    press: [by('button', 'Share')],
  },
  {
    file: 'areas/monitor/dmarc-reports/report-mailbox-dialog.tsx',
    path: () => '/dmarc',
    press: [by('button', 'New mailbox')],
  },
  { file: 'areas/monitor/spam-traps/trap-dialog.tsx', path: () => '/traps', press: [by('button', 'New trap')] },
  { file: 'areas/monitor/spam-traps/feed-dialog.tsx', path: () => '/traps', press: [by('button', 'Add a feed')] },
  { file: 'areas/monitor/spam-traps/report-dialog.tsx', path: () => '/traps', press: [by('button', 'Import')] },
  {
    file: 'areas/monitor/postmaster/connect-dialog.tsx',
    path: () => '/postmaster',
    press: [by('button', 'New connection')],
  },
  {
    file: 'areas/monitor/postmaster/upload-dialog.tsx',
    path: () => '/postmaster',
    press: [by('button', 'Upload an export')],
  },
  { file: 'areas/monitor/alerts/setting-dialog.tsx', path: () => '/alerts', press: [by('button', 'New setting')] },
  { file: 'areas/account/users/invite-dialog.tsx', path: () => '/users', press: [by('button', 'Invite')] },
  { file: 'areas/send/ip-pools/pool-dialog.tsx', path: () => '/ips', press: [by('button', 'New pool')] },
  { file: 'areas/monitor/thresholds/limit-dialog.tsx', path: () => '/thresholds', press: [by('button', 'New limit')] },
  {
    file: 'areas/monitor/thresholds/send-alert-dialog.tsx',
    path: () => '/thresholds',
    press: [by('button', 'New alert')],
  },
  {
    file: 'areas/send/dynamic-pools/pools-dialog.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Edit addresses')],
  },
  {
    file: 'areas/send/dynamic-pools/enroll-dialog.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Enroll domains')],
  },
  {
    file: 'areas/send/dynamic-pools/domain-dialogs.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Override: letters.example.com')],
  },
  {
    file: 'areas/send/dynamic-pools/domain-dialogs.tsx',
    path: () => '/dynamic-pools',
    press: [by('button', 'Remove: letters.example.com')],
  },
  {
    file: 'areas/send/ip-warmups/plan-dialog.tsx',
    path: () => '/ip-warmups',
    press: [by('button', 'Start a warm-up')],
  },
  {
    file: 'areas/account/accounts/subaccount-dialog.tsx',
    path: () => '/subaccounts',
    press: [by('button', 'Manage Acme newsletters')],
  },
  {
    file: 'areas/account/users/own/second-factor-dialogs.tsx',
    path: () => '/your-account',
    press: [by('button', 'Turn on a second factor')],
    isOwn: true,
  },
  {
    file: 'areas/account/users/own/new-passkey-dialog.tsx',
    path: () => '/your-account',
    press: [by('button', 'Add a passkey')],
    isOwn: true,
  },
  { file: 'areas/account/keys/new-key-dialog.tsx', path: () => '/keys', press: [by('button', 'New key')] },
];
const MENUS: Pick<Opening, 'path' | 'press'>[] = [
  { path: () => '/clients', press: ['button[aria-label^="Account "]'] },
  { path: atTest, press: [by('button', 'More actions')] },
  { path: () => `${atTest()}/findings`, press: [by('button', 'Report')] },
  { path: atTest, press: [by('button', 'All families')] },
];

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
  await visit(tabPage, (isOwn ? ownUrl : app.url) + path());
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
  it('is tested for every dialog that the dashboard has', async () => {
    const files = (await readdir(SOURCES, { recursive: true })).filter(
      (file) => file.endsWith('.tsx') && file !== 'ground/shell/dialog.tsx',
    );
    const drawing = (
      await Promise.all(
        files.map(async (file) =>
          /<(?:Side)?Dialog\b/.test(await readFile(join(SOURCES, file), 'utf8')) ? [file] : [],
        ),
      )
    ).flat();
    assert.deepEqual([...new Set(DIALOGS.map(({ file }) => file))].sort(), drawing.sort());
  });

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
      await visit(page, app.url + path());
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
    await visit(page, `${app.url}${atTest()}/findings`);
    await page.locator(by('button', 'Message')).click();
    await page.waitForFunction(
      'document.querySelector("iframe[title=\'The message\']") && document.activeElement !== document.body',
    );
    await page.locator(by('button', 'Close message')).click();
    await page.waitForFunction('document.activeElement?.textContent === "Message"');
  });

  it('throws and logs no errors on the way', () => assert.deepEqual(tab.complaints, []));
});
