// The grid as it fills: told by events, and polled where no events come.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { buildDashboard, by, fill, openBrowser, openTab, sees, visit, type Tab } from './chromium.ts';

const CLIENTS = ['gmail_chrome', 'ol2021', 'fastmail_chrome'];
const LONG = '<p>A line of a long message</p>'.repeat(300);

let app: App;
let browser: Browser;
before(async () => {
  [app, browser] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

/** A tab that is signed in, and what it asks the service for. */
async function signedIn(isBlocked: (path: string) => boolean): Promise<Tab & { asked: string[] }> {
  const tab = await openTab(browser);
  const asked: string[] = [];
  await tab.page.setRequestInterception(true);
  tab.page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    asked.push(pathname);
    void (isBlocked(pathname) ? request.abort() : request.continue());
  });
  await visit(tab.page, `${app.url}/`);
  await fill(tab.page, 'input[name=key]', app.key);
  await tab.page.locator(by('button', 'Sign in')).click();
  await tab.page.waitForFunction('!document.querySelector("input[name=key]")');
  return { ...tab, asked };
}

/** Whole pictures of long messages wait until they are let go. */
function holdWhole(): () => void {
  const { browser: own } = app.galley.outside;
  const { pick } = own;
  const gate = Promise.withResolvers<void>();
  own.pick = (engine, scheme) => ({
    ...pick(engine, scheme),
    render: async (request, signal) => {
      if (request.extent === 'whole') await gate.promise;
      return pick(engine, scheme).render(request, signal);
    },
  });
  return () => {
    own.pick = pick;
    gate.resolve();
  };
}

describe('the grid of a test under way', () => {
  for (const [way, isBlocked] of [
    ['events', () => false],
    ['polling, where no events come', (path: string) => path.endsWith('/events')],
  ] as const) {
    it(`shows first screens and then the pictures, by ${way}`, async () => {
      const letGo = holdWhole();
      const { page, asked, close } = await signedIn(isBlocked);
      const body = { subject: `Long by ${way}`, html: LONG, clients: CLIENTS };
      const { id } = (await app.call('POST /v2/preview/tests', { body })).body;
      await visit(page, `${app.url}/previews/${id}`);
      await sees(page, 'First screen · the rest is in progress');
      await sees(page, `0 of ${CLIENTS.length} clients · first screens of ${CLIENTS.length} more`);
      const polls = (): number => asked.filter((path) => path === `/v2/preview/tests/${id}`).length;
      const before = polls();
      await new Promise((resolve) => setTimeout(resolve, 3_000));
      if (way === 'events') assert.equal(polls(), before, 'nothing is asked while events come');
      else assert.ok(polls() > before, 'it is asked again and again');
      letGo();
      await page.waitForFunction(`!document.body.innerText.includes('the rest is in progress')`);
      await page.waitForFunction(
        `document.querySelectorAll('img[src*="full-thumbnail"]').length === ${CLIENTS.length}`,
      );
      await close();
    });
  }
});
