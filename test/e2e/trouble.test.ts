// What the dashboard says and does where requests fail, at addresses that lead nowhere, and when keys are pressed.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, HTTPRequest, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  buildDashboard,
  by,
  faults,
  fill,
  holds,
  openBrowser,
  openTab,
  paste,
  sees,
  setScheme,
  visit,
  type Tab,
} from './chromium.ts';

const HTML =
  '<!doctype html><html lang="en"><head><title>A spring letter</title></head><body><h1>' +
  'Spring letter</h1></body></html>';

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let testId: string;

async function go(path: string): Promise<void> {
  await visit(page, app.url + path);
}

async function isGone(text: string): Promise<void> {
  await page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`);
}

interface Refusal {
  status: number;
  message: string;
  retryAfter?: string;
}

/** Answers requests for such paths with this until it is ended; says when each came. */
async function refuse(
  path: RegExp,
  { status, message, retryAfter }: Refusal,
): Promise<{ times: number[]; end(): Promise<void> }> {
  const times: number[] = [];
  const answer = (request: HTTPRequest): void => {
    if (!path.test(new URL(request.url()).pathname)) return void request.continue();
    times.push(Date.now());
    void request.respond({
      status,
      contentType: 'application/json',
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
      body: JSON.stringify({ message }),
    });
  };
  await page.setRequestInterception(true);
  page.on('request', answer);
  return {
    times,
    async end() {
      page.off('request', answer);
      await page.setRequestInterception(false);
    },
  };
}

before(async () => {
  const [started, opened] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  app = started;
  browser = opened;
  tab = await openTab(browser);
  page = tab.page;
  const { body } = await app.call('POST /v2/preview/tests', {
    body: { subject: 'A spring letter', html: HTML, clients: ['gmail_chrome'] },
  });
  testId = body.id;
  await app.idle();
  await go('/previews');
  await fill(page, 'input[name=key]', app.key);
  await page.locator(by('button', 'Sign in')).click();
  await sees(page, 'A spring letter');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('without a network', () => {
  it('a page keeps what it had, says so, and is whole again by itself when the network is back', async () => {
    await go('/domains');
    await page.setOfflineMode(true);
    await page.locator(by('link', 'Seed mailboxes')).click();
    await sees(page, 'There is no network connection.');
    await sees(page, 'Trying again in');
    assert.deepEqual(await faults(page), []);
    await page.setOfflineMode(false);
    await sees(page, 'Test in real mailboxes');
    await isGone('There is no network connection.');
  });

  it('a dialog whose part cannot be loaded says so, leaves the page as it is, and opens when the network is back', async () => {
    await go('/clients');
    await page.setOfflineMode(true);
    await page.locator(by('button', 'Keyboard shortcuts')).click();
    await sees(page, 'A part of the dashboard could not be loaded. There is no network connection.');
    await sees(page, 's screenshot is made');
    await page.setOfflineMode(false);
    await page.waitForFunction('document.querySelector("[role=dialog]")?.textContent.includes("Single-key shortcuts")');
    await isGone('There is no network connection.');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('a dialog whose part is gone since the service was updated asks to load the page again', async () => {
    await go('/clients');
    const gone = await refuse(/^\/assets\/palette-/, { status: 404, message: 'There is no such file.' });
    await page.locator(by('button', 'Search everything')).click();
    await sees(page, 'Galley may have been updated: load the page again.');
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      assert.deepEqual(await faults(page), [], scheme);
    }
    await setScheme(page, 'light');
    await gone.end();
    await Promise.all([page.waitForNavigation(), page.locator(by('button', 'Load again')).click()]);
    await sees(page, 's screenshot is made');
    await page.locator(by('button', 'Search everything')).click();
    await page.waitForSelector('[role=dialog] input');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('a form says why it was not sent, and keeps what was typed', async () => {
    await go('/new');
    await paste(page, by('textbox', 'HTML of the message'), HTML);
    await holds(page, 'input[name=subject]', 'A spring letter');
    await fill(page, by('searchbox', 'Search clients'), 'gmail_chrome');
    await page.locator(by('button', 'Select only these')).click();
    await page.setOfflineMode(true);
    await page.locator(by('button', 'Preview in 1 client')).click();
    await sees(page, 'The test was not created');
    await sees(page, 'There is no network connection.');
    await holds(page, 'input[name=subject]', 'A spring letter');
    assert.match(
      await page.$eval('textarea', (field) => (field as unknown as { value: string }).value),
      /Spring letter/,
    );
    await page.setOfflineMode(false);
    await page.locator(by('button', 'Preview in 1 client')).click();
    await page.waitForFunction('/^\\/previews\\/[0-9a-f]+$/.test(location.pathname)');
  });
});

describe('a service that refuses for now', () => {
  it('is quoted, is left alone for as long as it asks, and asked again by itself', async () => {
    const refusal = await refuse(/^\/v1\/keys$/, {
      status: 503,
      message: 'The database is being moved.',
      retryAfter: '3',
    });
    await go('/keys');
    await sees(page, 'The database is being moved. Try again in 3 s.');
    await sees(page, 'The keys could not be loaded');
    assert.equal(refusal.times.length, 1);
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      assert.deepEqual(await faults(page), [], scheme);
    }
    await setScheme(page, 'light');
    if (refusal.times.length < 2) await page.waitForRequest((request) => request.url().endsWith('/v1/keys'));
    const [first = 0, second = 0] = refusal.times;
    assert.ok(second - first >= 3000, `asked again after ${second - first} ms`);
    await refusal.end();
    await sees(page, 'Last used');
    await isGone('The database is being moved.');
  });

  it('is asked again at once by the button', async () => {
    const refusal = await refuse(/^\/v4\/domains$/, { status: 502, message: 'Bad gateway.', retryAfter: '600' });
    await go('/domains');
    await sees(page, 'Trying again in');
    await refusal.end();
    await page.locator(by('button', 'Try now')).click();
    await sees(page, 'sandbox domain');
    await isGone('Bad gateway.');
  });

  it('does not take from a page what was there', async () => {
    await go('/previews');
    await sees(page, 'A spring letter');
    const refusal = await refuse(/^\/v1\/previews\/summary$/, {
      status: 500,
      message: 'Something went wrong on our side.',
      // It is not asked again by itself before the button is found.
      retryAfter: '600',
    });
    // The list is asked for anew when the reader comes back to the tab, once it is older than two seconds.
    await page.waitForFunction(
      `(() => {
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
      return document.body.innerText.includes('Something went wrong on our side.');
    })()`,
      { polling: 500 },
    );
    await sees(page, 'The tests could not be loaded');
    await sees(page, 'A spring letter');
    await refusal.end();
    await page.locator(by('button', 'Try now')).click();
    await isGone('Something went wrong on our side.');
    await sees(page, 'A spring letter');
  });

  it('is no reason to leave the page where not even the session is known', async () => {
    const refusal = await refuse(/^\/v1\/session$/, { status: 503, message: 'Starting.', retryAfter: '1' });
    await visit(page, `${app.url}/clients`);
    await sees(page, 'The page could not be loaded');
    await sees(page, 'Starting.');
    await refusal.end();
    await sees(page, 's screenshot is made');
    assert.equal(new URL(page.url()).pathname, '/clients');
  });
});

describe('an address that leads nowhere', () => {
  it('is a page of the dashboard with a way out, signed in or not', async () => {
    const answer = await page.goto(`${app.url}/nope/deeper`, { waitUntil: 'domcontentloaded' });
    assert.equal(answer?.status(), 404);
    await sees(page, 'Page not found');
    for (const scheme of ['light', 'dark'] as const) {
      await setScheme(page, scheme);
      assert.deepEqual(await faults(page), [], scheme);
    }
    await setScheme(page, 'light');
    await page.locator(by('link', 'All tests')).click();
    await page.waitForFunction('location.pathname === "/previews"');
    const guest = await openTab(browser);
    await guest.page.goto(`${app.url}/nope`, { waitUntil: 'domcontentloaded' });
    await sees(guest.page, 'Page not found');
    assert.deepEqual(guest.complaints, []);
    await guest.close();
  });
});

describe('merge data in a form', () => {
  it('is checked as it is typed, kept, and filled into the message', async () => {
    await go('/new');
    await page.evaluate('sessionStorage.clear()');
    await page.reload();
    await paste(page, by('textbox', 'HTML of the message'), '<h1>Hello {{first_name}}</h1>');
    await fill(page, 'input[name=subject]', 'For {{first_name}}');
    await page.locator('button ::-p-text(Replace merge tags)').click();
    await fill(page, 'textarea[name=data]', '{ "first_name": ');
    await sees(page, 'not valid JSON');
    assert.equal(
      await page.$eval('main button[type=submit]', (button) => (button as unknown as { disabled: boolean }).disabled),
      true,
    );
    await fill(page, 'textarea[name=data]', '{ "first_name": "Ada" }');
    assert.deepEqual(await faults(page), []);
    await page.locator(by('button', 'Preview in 1 client')).click();
    await page.waitForFunction('/^\\/previews\\/[0-9a-f]+$/.test(location.pathname)');
    const id = new URL(page.url()).pathname.split('/')[2];
    const { body } = await app.call(`GET /v2/preview/tests/${id}`);
    assert.equal(body.subject, 'For Ada');
    assert.match((await app.call(`GET /v1/preview/tests/${id}/content`)).body.content, /Hello Ada/);
  });
});

describe('a key', () => {
  it('means the same on every page, and the help says what', async () => {
    await go(`/previews/${testId}`);
    await page.keyboard.press('?');
    await sees(page, 'Keyboard shortcuts');
    const help = await page.$$eval('[role=dialog] tr', (rows) =>
      rows.map((row) =>
        [...(row as unknown as { cells: { innerText: string }[] }).cells].map(({ innerText }) => innerText.trim()),
      ),
    );
    assert.deepEqual(
      help.find(([does]) => does === 'Share'),
      ['Share', 'l'],
    );
    assert.deepEqual(
      help.find(([does]) => does === 'Spam tests'),
      ['Spam tests', 's'],
    );
    const keys = help.flatMap(([, pressed = '']) => pressed.split(/\s+/));
    assert.deepEqual(keys, [...new Set(keys)]);
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await page.keyboard.press('l');
    await sees(page, 'Share this test');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await page.keyboard.press('s');
    await page.waitForFunction('location.pathname === "/spam"');
  });

  it('made no page complain of more than what failed', () => {
    assert.deepEqual(
      tab.complaints.filter((complaint) => !/^(?:GalleyError: Starting\.|NotLoadedError: )/.test(complaint)),
      [],
    );
  });
});
