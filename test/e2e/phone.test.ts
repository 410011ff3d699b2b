// Every page at the width of a phone: nothing is covered, nothing is cut off without a hint.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { buildDashboard, by, faults, fill, openBrowser, openTab, setScheme, visit } from './chromium.ts';
import { fillAccount, type FilledAccount } from './filled-account.ts';

/** Whatever can be pressed is brought into view as a keyboard does, and must then be what lies there. */
const COVERED = `(() => {
  const own = (element) => [...document.querySelectorAll('main a, main button, main input, main select, main summary')].includes(element);
  const told = [];
  for (const element of [...document.querySelectorAll('main a, main button, main select, main summary')]) {
    if (!own(element) || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const { left, top, width, height } = element.getBoundingClientRect();
    if (width === 0 || height === 0) continue;
    const lies = document.elementFromPoint(Math.min(innerWidth - 1, Math.max(0, left + width / 2)), top + height / 2);
    if (lies && (element.contains(lies) || lies.contains(element) || lies.closest('label')?.contains(element))) continue;
    told.push((element.getAttribute('aria-label') || element.textContent || element.outerHTML).trim().slice(0, 60) + ' lies under ' + (lies?.outerHTML.slice(0, 60) ?? 'nothing'));
  }
  return told;
})()`;

/** What is wider than its place says so: it fades, or the whole of it is told in words. */
const UNTOLD = `[...document.querySelectorAll('main *')].filter((element) => {
  if (element.scrollWidth <= element.clientWidth + 2 || element.clientWidth === 0) return false;
  const { overflowX } = getComputedStyle(element);
  return (overflowX === 'auto' || overflowX === 'scroll') && element.querySelector('table, [role=radiogroup], a') && !element.hasAttribute('data-beyond') && element.closest('[data-scale]') === null;
}).map((element) => element.outerHTML.slice(0, 100))`;

let account: FilledAccount;
let browser: Browser;
let page: Page;

function paths(): string[] {
  const { test, gate, result, list, spam, domain, message, sandboxMessage, schedule, email } = account.ids;
  const ofTest = [
    '',
    '/findings',
    '/inbox',
    '/links',
    '/images',
    '/accessibility',
    '/code',
    '/client/ol2021',
    '/client/ol2021/evidence',
    '/captures/new?client=ol2021',
    '/compare?mode=difference',
  ].map((path) => `/previews/${test}${path}`);
  const ofGate = ['', '?part=screenshots', '/client/gmail_chrome'].map((path) => `/gate/${gate}${path}`);
  const ofSpam = ['', '?part=filters', '?part=authentication', '?part=checklist'].map((path) => `/spam/${spam}${path}`);
  const ofPlacement = [
    '/placement',
    '/placement/new',
    `/placement/${result}`,
    '/placement/lists',
    `/placement/lists/${encodeURIComponent(list)}`,
  ];
  return [
    '/',
    '/previews',
    '/new',
    '/clients',
    '/captures',
    '/capture-agents',
    '/keys',
    '/account',
    '/subaccounts',
    '/users',
    '/your-account',
    '/welcome',
    '/sign-in/sso',
    '/nope',
    ...ofTest,
    '/gate',
    '/gate/new',
    '/gate/baselines',
    ...ofGate,
    '/spam',
    '/spam/new',
    ...ofSpam,
    ...ofPlacement,
    '/schedules',
    `/schedules/${schedule}`,
    '/emails',
    '/emails/new',
    ...['', '?tab=findings', '?tab=placement', '?tab=review'].map((tab) => `/emails/${email}${tab}`),
    '/messages',
    '/messages/new',
    `/messages/${domain}/${message}`,
    '/queue',
    '/held',
    '/sending-rules',
    '/sending-rules?show=limits',
    '/sending-rules?show=breaker',
    '/statistics',
    '/bounces',
    '/templates',
    '/templates/welcome',
    '/templates/welcome/compare',
    '/lists',
    `/lists/readers@${domain}`,
    '/sandbox',
    '/sandbox/shop-tests',
    `/sandbox/shop-tests?message=${sandboxMessage}`,
    '/ips',
    '/suppressions',
    '/routes',
    '/address-validation',
    '/dynamic-pools',
    '/reputation',
    '/traps',
    '/postmaster',
    '/monitor',
    '/dmarc',
    `/dmarc/${domain}/unknown`,
    '/alerts',
    '/alerts/slack',
    '/blocklists',
    '/thresholds',
    '/ip-warmups',
    '/audit',
    '/ip-allowlist',
    '/mailboxes',
    '/domains',
    `/domains/${domain}`,
    `/domains/${domain}/tracking`,
  ];
}

before(async () => {
  const [filled, opened] = await Promise.all([fillAccount(), openBrowser(), buildDashboard()]);
  account = filled;
  browser = opened;
  page = (await openTab(browser, { width: 390, height: 844 })).page;
  await visit(page, `${account.app.url}/sign-in`);
  await fill(page, 'input[name=key]', account.app.key);
  await page.locator(by('button', 'Sign in')).click();
  await page.waitForFunction('location.pathname === "/"');
});

after(async () => {
  await browser?.close();
  await account?.close();
});

describe('every page at the width of a phone', () => {
  it('scrolls only downwards, covers nothing, and says where something goes on beyond the edge', async () => {
    const found: Record<string, unknown> = {};
    for (const path of paths()) {
      await visit(page, account.app.url + path);
      const wider = (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      const covered = (await page.evaluate(COVERED)) as string[];
      // The hint follows the size of what is wider; what lacks it after ten seconds has none.
      await page.waitForFunction(`${UNTOLD}.length === 0`, { timeout: 10_000 }).catch(() => undefined);
      const untold = (await page.evaluate(UNTOLD)) as string[];
      if (wider > 0 || covered.length > 0 || untold.length > 0) found[path] = { wider, covered, untold };
    }
    assert.deepEqual(found, {});
  });

  // Each part has the time of a test: a busy machine needs minutes for all pages.
  for (const part of [0, 1, 2, 3])
    it(`has no accessibility faults in either theme, part ${part + 1} of 4`, async () => {
      const found: Record<string, string[]> = {};
      for (const path of paths().filter((_path, place) => place % 4 === part)) {
        await visit(page, account.app.url + path);
        const light = await faults(page);
        await setScheme(page, 'dark');
        const dark = await faults(page, 'color-contrast');
        await setScheme(page, 'light');
        if (light.length + dark.length > 0) found[path] = [...light, ...dark.map((fault) => `dark: ${fault}`)];
      }
      assert.deepEqual(found, {});
    });

  it('leaves “Repair” free of the bar that opens the message', async () => {
    await visit(page, `${account.app.url}/previews/${account.ids.test}/accessibility`);
    const free = await page.$eval(by('button', 'Repair'), (button) => {
      button.scrollIntoView({ block: 'end' });
      const { left, top, width, height } = button.getBoundingClientRect();
      return [0.05, 0.5, 0.95].every((share) =>
        button.contains(button.ownerDocument.elementFromPoint(left + width * share, top + height / 2)),
      );
    });
    assert.equal(free, true);
    assert.equal(await page.$$eval(by('button', 'Message'), (buttons) => buttons.length), 1);
  });
});
