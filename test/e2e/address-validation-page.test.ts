// Address validation in the dashboard: one address with what was checked, and lists in the background.
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
  fill,
  holds,
  openBrowser,
  openTab,
  savedFile,
  sees,
  signIn,
} from './chromium.ts';

const ZONE = {
  'example.net': { MX: ['10 mx.example.net'] },
  'null.example': { MX: ['0 .'] },
  'mailinator.com': { MX: ['10 mx.example.net'] },
  'gamil.com': { MX: ['10 mx.example.net'] },
  'gmail.com': { MX: ['10 mx.example.net'] },
};

let app: App;
let browser: Browser;
let page: Page;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'galley-addresses-'));
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work' }, { zone: ZONE }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/address-validation');
});

after(async () => {
  await browser?.close();
  await app?.close();
  await rm(folder, { recursive: true, force: true });
});

async function upload(name: string, text: string): Promise<void> {
  const file = join(folder, `${name}.csv`);
  await writeFile(file, text);
  await page.locator('main ::-p-aria([name="Validate a list"][role="button"])').click();
  const input = await page.waitForSelector('input[type=file]');
  await (input as ElementHandle<never> & { uploadFile(path: string): Promise<void> }).uploadFile(file);
  await holds(page, 'input[name=list-name]', name);
}

const validate = async (address: string): Promise<void> => {
  await fill(page, 'input[name=address]', address);
  await page.locator(by('button', 'Validate')).click();
};

describe('address validation in the dashboard', () => {
  it('says of one address what is known, what was checked, and what is not known', async () => {
    await sees(page, 'No lists yet');
    await assertFlawless(page, 'validation-empty');
    await validate('info@example.net');
    await sees(page, 'Nothing shows whether the mailbox exists.');
    const rows = await page.$$eval('main tbody tr', (all) =>
      all.map((row) => [...row.children].slice(0, 2).map((cell) => cell.textContent)),
    );
    assert.deepEqual(rows, [
      ['Syntax', 'passed'],
      ['Domain', 'passed'],
      ['Disposable', 'passed'],
      ['Role', 'noted'],
      ['Typing error', 'passed'],
      ['Your own mail', 'unknown'],
      ['Its server', 'not checked'],
    ]);
    await sees(page, 'Medium risk');
    await page.locator('main ::-p-text(What results mean)').click();
    await sees(page, 'Accepts everything');
    await assertFlawless(page, 'validation-one');
  });

  it('offers the address that was meant, and says what is none', async () => {
    await validate('ann@gamil.com');
    await sees(page, 'Did you mean');
    await page.locator(by('button', 'Validate that one')).click();
    await holds(page, 'input[name=address]', 'ann@gmail.com');
    await page.waitForFunction('document.querySelector("main h3")?.textContent === "ann@gmail.com"');
    await validate('no address');
    await sees(page, 'It is not written as an address.');
    await sees(page, 'Undeliverable');
  });

  it('validates a list, says what it left out, and counts by result and risk', async () => {
    await upload('spring', 'email\nann@example.net\nbob@null.example\ndan@mailinator.com\n');
    await assertFlawless(page, 'validation-dialog');
    await page.locator(by('button', 'Validate list')).click();
    await sees(page, '3 addresses taken');
    await page.locator(by('button', 'Done')).click();
    await page.waitForSelector('a[aria-label="Results as CSV of spring"]');
    const countsOf = (label: string): Promise<string[]> =>
      page.$$eval(`table[aria-label="spring, by ${label}"] tr`, (rows) => rows.map((row) => row.textContent ?? ''));
    assert.deepEqual(await countsOf('result'), [
      'Deliverable00.0 %',
      'Undeliverable133.3 %',
      'Do not send133.3 %',
      'Accepts everything00.0 %',
      'Unknown133.3 %',
    ]);
    assert.deepEqual(await countsOf('risk'), [
      'Low risk00.0 %',
      'Medium risk00.0 %',
      'High risk266.7 %',
      'Unknown risk133.3 %',
    ]);
    const path = await page.$eval('a[aria-label="Results as CSV of spring"]', (link) => link.getAttribute('href'));
    const { status, body } = await app.call(`GET ${path}`, { key: null });
    assert.equal(status, 200);
    assert.match(String(body), /bob@null\.example,undeliverable,high/);
    assert.match(await savedFile(page, 'CSV of lists'), /spring,/);
    await assertFlawless(page, 'validation');
  });

  it('says what is wrong with a file and with a name', async () => {
    await upload('summer', 'name\nAnn\n');
    await page.locator(by('button', 'Validate list')).click();
    await sees(page, 'file ');
    await fill(page, 'input[name=list-name]', 'spring');
    await writeFile(join(folder, 'other.csv'), 'email\nann@example.net\n');
    const input = await page.waitForSelector('input[type=file]');
    await (input as ElementHandle<never> & { uploadFile(path: string): Promise<void> }).uploadFile(
      join(folder, 'other.csv'),
    );
    await page.locator(by('button', 'Validate list')).click();
    await sees(page, 'This account has a list named spring');
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('deletes a list with its results', async () => {
    await page.locator(by('button', 'Delete spring')).click();
    await page.locator(by('button', 'Delete')).click();
    await sees(page, 'No lists yet');
    assert.equal((await app.call('GET /v4/address/validate/bulk')).body.total, 0);
  });
});
