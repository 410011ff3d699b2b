import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
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

const JSON_FIELD = 'textarea[aria-label="Policy as JSON"]';

const FRAME = 'document.querySelector("iframe[title=\'The message\']")?.contentDocument';

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let gateId: string;

function letter(words: string): string {
  return `<!doctype html><html lang="en" dir="ltr"><head><meta charset="utf-8"><title>A spring letter</title></head>
<body style="background:#ffffff;color:#111111"><div lang="en" dir="ltr"><h1>Spring letter</h1><p>${words}</p><img src="cid:nothing" width="80" height="40"></div></body></html>`;
}

async function go(path: string): Promise<void> {
  await visit(page, app.url + path);
}

/** Waits for the page of a gate, and for its verdict. */
async function verdict(): Promise<string> {
  await page.waitForFunction('/^\\/gate\\/[0-9a-f]+$/.test(location.pathname)');
  await page.waitForSelector('section[aria-label=Verdict]');
  return new URL(page.url()).pathname.split('/')[2] ?? '';
}

/** Waits until that many pictures of a gate are drawn. */
async function drawn(number: number): Promise<void> {
  await page.waitForFunction(
    "[...document.querySelectorAll('main img')].filter((image) => image.complete && image.naturalWidth >" +
      ` 0).length === ${number}`,
  );
}

/** Puts text in the place of what a field holds. */
async function replace(selector: string, text: string): Promise<void> {
  await page.locator(selector).click();
  await page.$eval(selector, (field) => (field as unknown as { select(): void }).select());
  await page.keyboard.sendCharacter(text);
}

async function run(body: object): Promise<string> {
  const { body: started } = await app.call('POST /v1/inspect/gate', { body });
  await app.idle();
  return started.items.id;
}

before(async () => {
  const [started, opened] = await Promise.all([startApp(), openBrowser(), buildDashboard()]);
  app = started;
  browser = opened;
  tab = await openTab(browser);
  page = tab.page;
  await signIn(page, app, '/gate');
  await sees(page, 'Check an email before you send it');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the gate in the dashboard', () => {
  it('runs what is pasted against chosen limits, and says the verdict with each limit', async () => {
    await page.locator(by('link', 'Run the gate')).click();
    await paste(page, by('textbox', 'HTML of the message'), letter('Read before printing.'));
    await holds(page, 'input[name=subject]', 'A spring letter');
    await fill(page, by('textbox', 'Email name'), 'mails/spring.html');
    for (const name of ['Links', 'Images', 'Code']) await page.locator(by('switch', name)).click();
    await page.locator(by('switch', 'Screenshots')).click();
    await fill(page, by('searchbox', 'Search clients'), 'gmail_chrome');
    await page.locator(by('button', 'Select only these')).click();
    await fill(page, 'input[name=htmlKb]', '0');
    await fill(page, 'input[name=warnings]', '99');
    await assertFlawless(page);
    await page.locator('main button[type=submit]').click();
    gateId = await verdict();
    const { body } = await app.call(`GET /v1/inspect/gate/${gateId}`);
    assert.deepEqual(
      [body.items.email, body.items.verdict, body.items.limits.map(({ limit, passed }: any) => [limit, passed])],
      [
        'mails/spring.html',
        'fail',
        [
          ['html_bytes_max', false],
          ['warnings_max', true],
        ],
      ],
    );
    assert.deepEqual(
      body.items.checks.map(({ check }: any) => check),
      ['accessibility', 'screenshots'],
    );
    await sees(page, 'Failed');
    for (const reason of body.items.reasons) await sees(page, reason);
    assert.deepEqual(
      await page.$$eval('section[aria-label=Verdict] tbody tr', (rows) =>
        rows.map((row) =>
          (row as unknown as { innerText: string }).innerText.split(/\s*\t\s*/).map((cell) => cell.trim()),
        ),
      ),
      [
        ['HTML', `${body.items.limits[0].value} B`, 'at most 0 B'],
        ['Warnings', String(body.items.limits[1].value), 'at most 99'],
      ],
    );
  });

  it('shows what fails first, and all else where it is asked for', async () => {
    const { body } = await app.call(`GET /v1/inspect/gate/${gateId}`);
    const { failing, passes } = body.items.counts;
    await sees(page, `Failing ${failing}`);
    await page.waitForFunction(
      'document.querySelectorAll("article").length > 0 && [...document.querySelectorAll("article")].every((card) =>' +
        ' card.textContent.includes("fails"))',
    );
    await sees(page, 'Policy: errors fail, 0.10 % of a screenshot may differ');
    await page.locator(`label ::-p-text(Passed ${passes})`).click();
    await page.waitForFunction('location.search === "?show=passed"');
    await assertFlawless(page);
  });

  it('shows where a finding stands in the message, and which finding an element has', async () => {
    await page.setViewport({ width: 1440, height: 900 });
    await go(`/gate/${gateId}`);
    await page.waitForFunction(`${FRAME}?.querySelector('img[width]')`);
    await page.locator('article button[id^=finding]').click();
    await page.waitForFunction(`${FRAME}.querySelector('[data-galley-on]')`);
    await page.evaluate(`${FRAME}.querySelector('img[width]').click()`);
    await page.waitForFunction(
      `${FRAME}.querySelector('img[width]').hasAttribute('data-galley-on') && document.querySelector('article ` +
        "[aria-pressed=true][id^=finding]')",
    );
    assert.equal(
      await page.evaluate(`${FRAME}.querySelectorAll('script, link').length + ${FRAME}.images[0].src.length`),
      0,
    );
    await page.keyboard.press('m');
    await page.waitForFunction('/cid:nothing/.test(document.querySelector("[data-line][data-on]")?.textContent ?? "")');
    assert.deepEqual(await faults(page), []);
    await page.setViewport({ width: 1280, height: 800 });
  });

  it('runs again on the same message, and fills the form of the next version with its policy', async () => {
    const { body: before } = await app.call(`GET /v1/inspect/gate/${gateId}`);
    // Where the page was scrolled to, the header may lie over the button.
    await page.evaluate('scrollTo(0, 0)');
    await page.locator(by('button', 'Run again')).click();
    await page.waitForFunction(`location.pathname.startsWith('/gate/') && location.pathname !== '/gate/${gateId}'`);
    const again = await verdict();
    const { body: after } = await app.call(`GET /v1/inspect/gate/${again}`);
    assert.deepEqual(
      [after.items.email, after.items.verdict, after.items.policy, after.items.limits],
      ['mails/spring.html', 'fail', before.items.policy, before.items.limits],
    );
    await page.evaluate('localStorage.removeItem("galley.gate-policy")');
    await go(`/gate/${again}`);
    await page.locator(by('link', 'Check a new version')).click();
    await holds(page, 'input[name=name]', 'mails/spring.html');
    await holds(page, 'input[name=warnings]', '99');
    assert.equal((await app.call(`DELETE /v1/inspect/gate/${again}`)).status, 200);
    await go(`/gate/${gateId}`);
  });

  it('approves a picture as the baseline, by the name that is given', async () => {
    await page.locator('nav[aria-label="Gate results"] ::-p-text(Screenshots)').click();
    await sees(page, 'No baseline');
    await drawn(1);
    await assertFlawless(page);
    await page.locator(by('button', 'Approve screenshot')).click();
    await fill(page, 'input[name=baseline]', '../spring');
    await page.locator(by('button', 'Approve')).click();
    await page.waitForFunction(
      'document.querySelector("input[name=baseline]")?.getAttribute("aria-invalid") === "true"',
    );
    await fill(page, 'input[name=baseline]', 'spring');
    assert.deepEqual(await faults(page), []);
    await page.locator(by('button', 'Approve')).click();
    await sees(page, 'Approved as “spring”');
    assert.deepEqual(
      (await app.call('GET /v1/inspect/baselines')).body.items.map(({ name, clients }: any) => [name, clients]),
      [['spring', ['gmail_chrome']]],
    );
    await sees(page, 'Approved as spring');
  });

  it('keeps what was written for the next run, holds it against the baseline, and shows where it changed', async () => {
    await go('/gate/baselines');
    await drawn(1);
    await page.waitForSelector(by('link', 'Open Gmail (Chrome) in the run where it was approved'));
    await page.locator(by('link', 'Use as baseline: spring')).click();
    await page.waitForFunction('document.querySelector("textarea")?.value.includes("Read before printing.")');
    await page.locator(by('tab', 'Paste HTML')).click();
    await replace('textarea', letter('Read it twice before printing, and once more after lunch.'));
    await page.locator('main button[type=submit]').click();
    gateId = await verdict();
    const { body } = await app.call(`GET /v1/inspect/gate/${gateId}`);
    const [{ outcome, difference, bands }] = body.items.screenshots;
    assert.deepEqual([body.items.baseline, outcome], ['spring', 'changed']);
    await page.locator('nav[aria-label="Gate results"] ::-p-text(Screenshots)').click();
    await page.locator(by('link', 'Open Gmail (Chrome)')).click();
    await sees(page, 'Baseline');
    await drawn(2);
    await assertFlawless(page);
    await page.keyboard.press('w');
    await page.waitForFunction('location.search === "?mode=difference"');
    await sees(
      page,
      `${(difference * 100).toFixed(2)} % differ, in ${bands.length} place${bands.length === 1 ? '' : 's'} (0.10 % allowed)`,
    );
    await drawn(1);
    await assertFlawless(page);
    await page.keyboard.press('Escape');
    await page.waitForFunction('location.search === "?part=screenshots"');
  });

  it('takes a policy as a file has it, and says what is wrong with it beside it', async () => {
    await go('/gate/new');
    await page.locator('section[aria-label=Policy] label ::-p-text(JSON)').click();
    await page.waitForFunction(
      `JSON.parse(document.querySelector('textarea[aria-label="Policy as JSON"]')?.value || ` +
        "'{}').limits?.warnings_max === 99",
    );
    await replace(JSON_FIELD, '{ "fail_on": ');
    await sees(page, 'not valid JSON');
    await replace(JSON_FIELD, '{ "fail_on": "often" }');
    await page.locator('main button[type=submit]').click();
    await sees(page, 'policy.fail_on must be one of error, warning, info, never.');
    await replace(
      JSON_FIELD,
      '{ "fail_on": "never", "ignore": [{ "rule": "accessibility/*", "reason": "The old template has it." }] }',
    );
    await assertFlawless(page);
    await page.locator('main button[type=submit]').click();
    await verdict();
    await sees(page, 'Nothing fails the policy.');
    await page.locator('label ::-p-text(Ignored)').click();
    await sees(page, 'ignored: The old template has it.');
  });

  it('hands its report over in every format', async () => {
    await go(`/gate/${gateId}`);
    await page.locator(by('button', 'Report')).click();
    for (const name of ['SARIF', 'JUnit', 'JSON', 'GitHub annotations', 'Text'])
      await page.waitForSelector(by('menuitem', name));
    const asked = page.waitForResponse((response) => response.url().endsWith('/report?format=sarif'));
    await page.locator(by('menuitem', 'SARIF')).click();
    assert.equal((await asked).status(), 200);
  });

  it('renames a gate; its reports keep what they call the email', async () => {
    const before = (await app.call(`GET /v1/inspect/gate/${gateId}`)).body.items;
    await go(`/gate/${gateId}`);
    await page.locator(by('button', 'Rename')).click();
    await holds(page, 'input[name=name]', before.name);
    await fill(page, 'input[name=name]', 'Spring, the second try');
    await assertFlawless(page);
    await page.keyboard.press('Enter');
    await page.waitForFunction('document.querySelector("h1")?.textContent === "Spring, the second try"');
    await assertFlawless(page);
    await page.locator(by('link', 'Gate')).click();
    await sees(page, 'Spring, the second try');
    const { name, email } = (await app.call(`GET /v1/inspect/gate/${gateId}`)).body.items;
    assert.deepEqual([name, email], ['Spring, the second try', before.email]);
    await app.call(`PATCH /v1/inspections/${gateId}`, { body: { name: before.name } });
  });

  it('lists what ran, newest first, and deletes one after asking', async () => {
    const later = await run({ html: letter('The last one.'), name: 'mails/last.html', checks: ['code'] });
    await go('/gate');
    const names = await page.$$eval('main li a', (links) =>
      links.map((link) => (link as unknown as { innerText: string }).innerText.split('\n')[0]),
    );
    assert.deepEqual([names.length, names[0], names.at(-1)], [4, 'mails/last.html', 'mails/spring.html']);
    await assertFlawless(page);
    await page.locator(by('button', 'Delete mails/last.html')).click();
    await page.waitForFunction('!document.querySelector("main").innerText.includes("mails/last.html")');
    // It can be had back for a while.
    assert.equal((await app.call(`GET /v1/inspect/gate/${later}`)).status, 200);
    while ((await app.call(`GET /v1/inspect/gate/${later}`)).status !== 404)
      await new Promise((resolve) => setTimeout(resolve, 200));
    await go(`/gate/${later}`);
    await sees(page, 'Gate run not found');
  });

  it('deletes a baseline, after asking', async () => {
    await go('/gate/baselines');
    await assertFlawless(page);
    await page.locator(by('button', 'Delete spring')).click();
    await page.locator(by('button', 'Delete')).click();
    await sees(page, 'No baselines yet');
    assert.deepEqual((await app.call('GET /v1/inspect/baselines')).body.items, []);
  });

  it('made no page complain', () => assert.deepEqual(tab.complaints, []));
});
