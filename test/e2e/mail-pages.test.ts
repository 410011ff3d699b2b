import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  faults,
  fill,
  holds,
  openBrowser,
  openTab,
  paste,
  sees,
  signIn,
  visit,
  type Tab,
} from './chromium.ts';

const HTML = `<!doctype html><html lang="en"><head><title>A spring letter</title></head>
<body><h1>Spring letter</h1><p>Dear friend, act now: limited time offer.</p><p>We met in the garden on Sunday and talked about seeds until it was dark.</p><p><a href="https://example.com/letter">Read it</a></p></body></html>`;

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;

async function go(path: string): Promise<void> {
  await visit(page, app.url + path);
}

before(async () => {
  const [started, opened] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  app = started;
  browser = opened;
  tab = await openTab(browser);
  page = tab.page;
  await signIn(page, app, '/spam');
  await sees(page, 'Test your first email for spam');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('spam tests in the dashboard', () => {
  it('go from the form to every receiver, and say where each filed the message', async () => {
    await page.locator(by('link', 'New spam test')).click();
    await paste(page, by('textbox', 'HTML of the message'), HTML);
    await holds(page, 'input[name=subject]', 'A spring letter');
    await assertFlawless(page);
    await page.locator(by('button', 'Start test')).click();
    await page.waitForFunction('/^\\/spam\\/[0-9a-f]+$/.test(location.pathname)');
    await sees(page, 'of 8 in the inbox');
    await sees(page, 'No unsubscribe header');
    const { body } = await app.call(`GET /v1/inspect/spam/${new URL(page.url()).pathname.split('/')[2]}`);
    assert.equal(body.item.status, 'completed');
    await sees(page, `${body.item.results.b2c.passed + body.item.results.b2b.passed} of 8 in the inbox`);
    for (const { display_name: name } of body.item.results.b2b.results) await sees(page, name);
    await assertFlawless(page);
  });

  it('are renamed, here and in the list', async () => {
    const id = new URL(page.url()).pathname.split('/')[2];
    await page.locator(by('button', 'Rename')).click();
    await holds(page, 'input[name=name]', 'A spring letter');
    await fill(page, 'input[name=name]', 'Spring, the second try');
    await assertFlawless(page);
    await page.keyboard.press('Enter');
    await page.waitForFunction('document.querySelector("h1")?.textContent === "Spring, the second try"');
    await go('/spam');
    await sees(page, 'Spring, the second try');
    const { name, subject } = (await app.call(`GET /v1/inspect/spam/${id}`)).body.item;
    assert.deepEqual([name, subject], ['Spring, the second try', 'A spring letter']);
    await app.call(`PATCH /v1/inspections/${id}`, { body: { name: 'A spring letter' } });
    await go(`/spam/${id}`);
    await sees(page, 'A spring letter');
  });

  it('mark the words that a rule is about in the message beside it', async () => {
    await page.locator('nav[aria-label="Test results"] ::-p-text(Filters)').click();
    await page.locator('button ::-p-text(“Dear friend”)').click();
    await page.waitForFunction(
      `document.querySelector('iframe[title="The message"]')?.contentDocument?.querySelector('[data-galley-on]')?.te` +
        "xtContent === 'Dear friend'",
    );
    await page.locator('label ::-p-text(Source)').click();
    await page.waitForFunction(
      `[...(CSS.highlights.get('galley-place') ?? [])].map(String).join('') === 'Dear friend'`,
    );
    await assertFlawless(page);
  });

  it('give the reasons of authentication and of the checklist, with what is asked for since when', async () => {
    await page.locator('nav[aria-label="Test results"] ::-p-text(Authentication)').click();
    await sees(page, 'The connection that the filters saw');
    await assertFlawless(page);
    await page.locator('nav[aria-label="Test results"] ::-p-text(Bulk sender rules)').click();
    await sees(page, 'Bulk sender requirements');
    await sees(page, 'since February 2024');
    await assertFlawless(page);
  });

  it('stand in the list, newest first, and are filtered by status', async () => {
    await go('/spam');
    await sees(page, 'A spring letter');
    await go('/spam?status=failed');
    await sees(page, 'No tests match');
  });
});

describe('a whole message in the dashboard', () => {
  it('is dropped as a file, and judged as if it came from a given address', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'galley-e2e-'));
    const file = join(directory, 'letter.eml');
    await writeFile(
      file,
      'From: Ada <ada@example.com>\r\nTo: you@example.net\r\nSubject: Only words\r\nMIME-Version: 1.0\r\n' +
        'Content-Type: text/plain; charset=utf-8\r\n\r\nDear friend, we met in the garden.\r\n',
    );
    await go('/spam/new');
    await page.locator(by('tab', 'File')).click();
    const input = await page.waitForSelector('input[type=file]');
    await (input as ElementHandle<never> & { uploadFile(path: string): Promise<void> }).uploadFile(file);
    await sees(page, 'Galley sends a whole message unchanged');
    await page.locator('button ::-p-text(Simulate sender)').click();
    await fill(page, 'input[name=ip]', 'nonsense');
    await page.locator(by('button', 'Start test')).click();
    await page.waitForFunction('document.querySelector("input[name=ip]")?.getAttribute("aria-invalid") === "true"');
    await fill(page, 'input[name=ip]', '198.51.100.7');
    await page.locator(by('button', 'Start test')).click();
    await sees(page, 'simulated sender 198.51.100.7');
    await sees(page, ' met');
    await page.locator('nav[aria-label="Test results"] ::-p-text(Filters)').click();
    await page.locator('button ::-p-text(“Dear friend”)').click();
    await page.waitForFunction('document.querySelector("mark[data-on]")?.textContent === "Dear friend"');
    await assertFlawless(page);
    await rm(directory, { recursive: true, force: true });
  });
});

describe('inbox placement in the dashboard', () => {
  it('sends to a new list from a verified domain, and fills in until every seed has an outcome', async () => {
    await go('/placement/new');
    await paste(page, by('textbox', 'HTML of the message'), HTML);
    await page.waitForFunction(
      'document.body.innerText.includes("Verified domain") && !document.body.innerText.includes("No verified domain")',
    );
    await fill(page, 'input[name=seeds]', '2');
    await page.locator(by('button', 'Add a header')).click();
    await fill(page, by('textbox', 'Name of header 1'), 'X-Campaign');
    await fill(page, by('textbox', 'Value of header 1'), 'spring');
    await assertFlawless(page);
    await page.locator(by('button', 'Start test')).click();
    await page.waitForFunction('/^\\/placement\\/[0-9a-f-]{36}$/.test(location.pathname)');
    await sees(page, 'All 16');
    await page.waitForFunction(
      '!document.body.innerText.includes("have an outcome") && document.querySelector("h1 + ' +
        'div")?.innerText.includes("done")',
    );
    const { body } = await app.call(`GET /v4/inbox/results/${new URL(page.url()).pathname.split('/')[2]}`);
    const { all } = body.result.delivery_stats;
    assert.equal(all.total, 16);
    await sees(page, `inbox: ${all.inbox} of ${all.inbox + all.spam + all.missing}`);
    assert.equal(all.inbox_interval, null);
    await sees(page, 'Simulated: no real mailbox took part.');
    await assertFlawless(page);
  });

  it('shows the headers of a seed as it received them', async () => {
    await page.locator('tbody button').click();
    await sees(page, 'Headers as received');
    await page.waitForFunction('document.querySelector("[role=dialog]")?.innerText.includes("X-Campaign")');
    assert.deepEqual(await faults(page), []);
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('is shared by a link that opens without a key', async () => {
    await page.locator(by('button', 'Share')).click();
    await page.locator(by('button', 'Create a link')).click();
    const link = await (await page.waitForSelector(by('textbox', 'Link')))!.evaluate(
      (input) => (input as unknown as { value: string }).value,
    );
    const guest = await openTab(browser);
    await visit(guest.page, app.url + new URL(link).pathname);
    await sees(guest.page, 'Shared placement');
    await sees(guest.page, 'All 16');
    assert.deepEqual(await faults(guest.page), []);
    assert.deepEqual(guest.complaints, []);
    await guest.close();
  });
});

describe('seed lists, mailboxes and domains in the dashboard', () => {
  it('makes a seed list, shows its addresses, and makes them anew', async () => {
    await go('/placement/lists');
    await page.locator(by('button', 'New seed list')).click();
    await fill(page, 'input[name=name]', 'Weekly letter');
    await page.locator(by('button', 'Create list')).click();
    await sees(page, 'Send from your own platform');
    const address = await (await page.waitForSelector(by('textbox', 'Address of the list')))!.evaluate(
      (input) => (input as unknown as { value: string }).value,
    );
    const before = (await app.call(`GET /v4/inbox/seedlists/${address}`)).body.mailing_list;
    await page.locator(by('button', 'Regenerate')).click();
    await page.locator(by('button', 'Regenerate addresses')).click();
    await sees(page, 'The seed list has new addresses.');
    assert.notEqual((await app.call(`GET /v4/inbox/seedlists/${address}`)).body.mailing_list, before);
    await assertFlawless(page);
  });

  it('adds a mailbox, says why its login does not work, and never shows its password', async () => {
    await go('/mailboxes');
    await sees(page, 'Test in real mailboxes');
    await page.locator(by('button', 'New mailbox')).click();
    await fill(page, 'input[name=email]', 'reader@nowhere.example');
    await fill(page, 'input[name=host]', 'imap.nowhere.example');
    await fill(page, 'input[name=secret]', 'an app password');
    await page.locator(by('button', 'Connect')).click();
    await sees(page, 'not connected');
    await page.locator(by('button', 'Edit reader@nowhere.example')).click();
    await holds(page, 'input[name=secret]', '');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await assertFlawless(page);
  });

  it('adds a domain, gives the records to publish, and says which are not found', async () => {
    await go('/domains');
    await page.locator('main li a ::-p-text(sandbox domain)').click();
    await sees(page, 'created with your account');
    assert.doesNotMatch(
      await page.$eval('main', (main) => (main as unknown as { innerText: string }).innerText),
      /looked up/,
    );
    await go('/domains');
    await page.locator(by('button', 'New domain')).click();
    await fill(page, 'input[name=name]', 'mail.example.com');
    await page.locator(by('button', 'Add domain')).click();
    await sees(page, 'Add these records');
    await page.locator(by('button', 'Verify records')).click();
    await sees(page, 'not found');
    const value = await page.$eval(
      by('textbox', 'DKIM value'),
      (input) => (input as unknown as { value: string }).value,
    );
    assert.match(value, /p=[A-Za-z0-9+/]{100}/);
    await assertFlawless(page);
  });

  it('made no page complain', () => assert.deepEqual(tab.complaints, []));
});
