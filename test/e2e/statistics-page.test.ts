// Figures in the dashboard: before any, with two months of them, told apart, compared, and as files.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import type { NewEvent } from '../../src/platform/event-log/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  openBrowser,
  openTab,
  savedFile,
  sees,
  signIn,
  visit,
  type Tab,
} from './chromium.ts';
import { NEWS, RECEIPTS, writeMonthOfMail, type MonthOfMail } from './month-of-mail.ts';

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let mail: MonthOfMail;
let month = '';

const go = (path: string): Promise<void> => visit(page, app.url + path);
const words = (number: number): string => number.toLocaleString('en');
const is = (event: NewEvent['event']) => (one: NewEvent) => one.event === event;
const isPerson = ({ about }: NewEvent): boolean => (about as any)?.['client-info']?.bot === '';
const firstDay = (): string => new Date(Date.parse(mail.lastDay) - 29 * 86_400_000).toISOString().slice(0, 10);

/** The chart of this name: what it says above the line, and how many runs its lines have. */
const chart = (name: string) =>
  page.evaluate(`(() => {
    const figure = [...document.querySelectorAll('main figure')].find((one) => one.querySelector('h3').textContent === ${JSON.stringify(name)});
    return figure && { text: figure.querySelector('figcaption').innerText, lines: figure.querySelectorAll('svg > path').length };
  })()`) as Promise<{ text: string; lines: number } | undefined>;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  tab = await openTab(browser);
  page = tab.page;
  await signIn(page, app, '/statistics');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('statistics in the dashboard', () => {
  it('say what to do before there are any', async () => {
    await sees(page, 'No figures in this period');
    await assertFlawless(page, 'statistics-empty');
    mail = await writeMonthOfMail(app);
    month = `from=${firstDay()}&to=${mail.lastDay}`;
  });

  it('show a month beside the one before, to the unit', async () => {
    await go('/statistics');
    await sees(page, 'Told apart');
    await assertFlawless(page, 'statistics');
    await go(`/statistics?${month}`);
    await sees(page, 'Told apart');
    const [now, earlier] = [mail.count(is('delivered'), 'now'), mail.count(is('delivered'), 'before')];
    const change = (now / earlier - 1) * 100;
    const delivered = await chart('Delivered');
    assert.ok(delivered);
    assert.ok(delivered.text.includes(words(now)), delivered.text);
    assert.ok(
      delivered.text.includes(
        `${change > 0 ? '+' : '−'}${Math.abs(change).toFixed(1)} % against ${words(earlier)} in the period before`,
      ),
      delivered.text,
    );
    assert.equal(delivered.lines, 2);
    const firsts = new Set<string>();
    const opened = mail.count(
      (one) =>
        one.event === 'opened' && isPerson(one) && firsts.size < firsts.add(`${one.messageId} ${one.recipient}`).size,
      'now',
    );
    assert.ok((await chart('Opens'))?.text.includes(words(opened)));
    assert.ok((await chart('Volume'))?.text.includes(words(mail.count(is('accepted'), 'now'))));
    await page.locator(by('switch', 'Compare with the period before')).click();
    await page.waitForFunction('location.search.includes("compare=off")');
    assert.equal((await chart('Delivered'))?.lines, 1);
  });

  it('have a table and a file for every chart', async () => {
    await go(`/statistics?${month}`);
    await sees(page, 'Told apart');
    await page.locator('summary ::-p-text(Delivered by day)').click();
    await page.waitForSelector('[aria-label="Delivered, table"] tbody tr');
    const rows = (await page.$$eval('[aria-label="Delivered, table"] tbody tr', (found) =>
      found.map((row) => [...row.cells].map((cell) => cell.innerText)),
    )) as string[][];
    assert.equal(rows.length, 30);
    assert.equal(rows[0]?.[0], mail.lastDay);
    const csv = await savedFile(page, 'CSV with semicolons of Delivered');
    assert.ok(csv.startsWith('\ufeffday (UTC);Delivered;Share of sent;day before (UTC);Delivered before\r\n'), csv);
    const lines = csv.trimEnd().split('\r\n').slice(1);
    const sum = (place: number): number => lines.reduce((all, line) => all + Number(line.split(';')[place]), 0);
    assert.equal(sum(1), mail.count(is('delivered'), 'now'));
    assert.match(lines[0]!, new RegExp(`^${firstDay()};\\d+;("0,\\d+"|1);`));
    assert.ok((await savedFile(page, 'CSV of Delivered')).includes('day (UTC),Delivered,Share of sent'));
    const shown = await page.$$eval('main figure', (found) => found.map((one) => one.querySelector('h3')?.textContent));
    for (const name of shown) await page.waitForSelector(by('button', `CSV of ${name}`));
  });

  it('are told apart by domain, tag, provider, country and device, in files without formulas', async () => {
    for (const name of ['tag', 'provider', 'country', 'device']) {
      await go(`/statistics?${month}`);
      await page.locator(by('link', `By ${name}`)).click();
      await page.waitForFunction(`location.search.includes("of=${name}")`);
      await page.waitForSelector(`[aria-label="By ${name}, table"] tbody tr`);
      if (name === 'tag') {
        await sees(page, '=sum(a1:a9)');
        const csv = await savedFile(page, 'CSV of figures by tag');
        assert.ok(csv.includes("\r\n'=sum(a1:a9),"), csv);
      }
      if (name === 'country') await sees(page, 'Germany');
      await assertFlawless(page, `statistics-${name}`);
    }
  });

  it('keep what is chosen in the address', async () => {
    await go(`/statistics?${month}`);
    await page.locator(by('combobox', 'Domain')).click();
    await page.locator(`::-p-aria([name="${RECEIPTS}"][role="option"])`).click();
    await page.waitForFunction(`location.search.includes("domain=${RECEIPTS}")`);
    const test = (one: NewEvent): boolean => one.event === 'accepted' && one.domain === RECEIPTS;
    await page.reload();
    await sees(page, 'Told apart');
    assert.ok((await chart('Volume'))?.text.includes(words(mail.count(test, 'now'))));
    await go(`/statistics?${month}&country=DE`);
    await sees(page, 'Told apart');
    assert.equal(await chart('Volume'), undefined);
    const isGerman = (one: NewEvent): boolean => (one.about as any)?.geolocation?.country === 'DE';
    const clicks = mail.count((one) => one.event === 'clicked' && isGerman(one), 'now');
    assert.ok((await chart('Clicks'))?.text.includes(words(clicks)));
    await go(`/statistics?${month}&tag=nothing`);
    await sees(page, 'No figures match');
  });

  it('say that opens were not measured where nothing tracks them', async () => {
    await go(`/statistics?${month}&domain=${RECEIPTS}`);
    await sees(page, 'No domain here tracks opens');
    assert.ok((await chart('Opens'))?.text.includes('not measured'));
    assert.ok((await chart('Clicks'))?.text.includes('not measured'));
    await assertFlawless(page, 'statistics-not-measured');
    await go(`/statistics?${month}&domain=${NEWS}`);
    await sees(page, 'Told apart');
    assert.equal((await chart('Opens'))?.text.includes('not measured'), false);
  });

  it('go by the hour, the day and the month, as far as figures are kept', async () => {
    await go(`/statistics?from=${mail.lastDay}&to=${mail.lastDay}&resolution=hour`);
    await sees(page, 'Delivered by hour');
    await go('/statistics?period=12m');
    await sees(page, 'Delivered by month');
    await sees(page, 'The period before is not kept in full');
    await assertFlawless(page, 'statistics-months');
    await go('/statistics?from=2001-01-01&to=2026-01-01');
    await sees(page, 'Choose other dates');
  });

  it('are those of the account that is looked at', async () => {
    const { subaccount } = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } })).body;
    await page.evaluate(`sessionStorage.setItem('galley.acting-for', ${JSON.stringify(subaccount.id)})`);
    await go(`/statistics?${month}`);
    await sees(page, 'No figures in this period');
    await page.evaluate(`sessionStorage.removeItem('galley.acting-for')`);
    assert.deepEqual(tab.complaints, []);
  });
});
