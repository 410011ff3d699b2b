import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, ElementHandle, HTTPRequest, Page } from 'puppeteer-core';
import { startSite, type Site } from '../harness/link-playground.ts';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  faults,
  fill,
  openBrowser,
  openTab,
  paste,
  sees,
  setScheme,
  visit,
  type Tab,
} from './chromium.ts';

const EXAMPLES = join(import.meta.dirname, '../../docs/example/images');
const PAGES = ['findings', 'links', 'images', 'accessibility', 'code'];

let app: App;
let site: Site;
let browser: Browser;
let tab: Tab;
let page: Page;
let testId: string;

/** A message with something for every check to find, and with what a hostile one tries. */
function message(origin: string): string {
  return `<!doctype html>
<html><head><title>Autumn letter</title><meta charset="utf-8">
<meta http-equiv="refresh" content="0;url=${origin}/led-away">
<link rel="stylesheet" href="${origin}/style.css">
<style>.card{display:flex;border-radius:9px;background:url(${origin}/ground.png)}</style>
<script>parent.document.title = 'taken'; window.top.wasRun = true;</script></head>
<body onload="window.top.wasRun = true"><table width="600"><tr><td class="card">
<img src="${origin}/logo.png" width="160">
<img src="${origin}/beacon.gif" width="1" height="1" alt="" onerror="window.top.wasRun = true">
<p id="pale" style="color:#bbbbbb">Pale words that few can read.</p><p id="small" style="font-size:12px">Small print.</p>
<a href="${origin}/old">See the prints</a> <a href="${origin}/gone">Terms</a> <a href="javascript:window.top.wasRun=true">Click here</a>
<iframe src="${origin}/frame"></iframe>
</td></tr></table></body></html>`;
}

async function openSite(): Promise<Site> {
  const logo = await readFile(join(EXAMPLES, 'logo.png'));
  return startSite({
    handle(request, response) {
      switch (request.url) {
        case '/old':
          return void response.writeHead(301, { location: '/new' }).end();
        case '/new':
          return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Prints</h1>');
        case '/logo.png':
          return void response.writeHead(200, { 'content-type': 'image/png' }).end(logo);
        default:
          return void response.writeHead(404, { 'content-type': 'text/html' }).end();
      }
    },
  });
}

async function go(path: string): Promise<void> {
  await visit(page, `${app.url}/previews/${testId}/${path}`);
}

async function clickText(selector: string, text: string): Promise<void> {
  const code =
    `(() => { const found = [...document.querySelectorAll(${JSON.stringify(selector)})].find((element) =>` +
    ` element.textContent.includes(${JSON.stringify(text)})); if (!found) return false; found.scrollIntoView({ ` +
    "block: 'center' }); found.click(); return true; })()";
  await page.waitForFunction(code);
}

/** The text of the file that a link hands over. */
async function downloaded(selector: string, name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'galley-download-'));
  const session = await browser.target().createCDPSession();
  const done = new Promise<void>((resolve) =>
    session.on('Browser.downloadProgress', ({ state }) => state === 'completed' && resolve()),
  );
  await session.send('Browser.setDownloadBehavior', {
    behavior: 'allow',
    downloadPath: folder,
    eventsEnabled: true,
    ...(page.browserContext().id !== undefined && { browserContextId: page.browserContext().id }),
  });
  await page.locator(selector).click();
  await done;
  const text = await readFile(join(folder, name), 'utf8');
  await rm(folder, { recursive: true });
  await session.detach();
  return text;
}

const FRAME = 'document.querySelector("iframe[title=\'The message\']")?.contentDocument';

before(async () => {
  site = await openSite();
  const [started, opened] = await Promise.all([
    startApp({ GALLEY_ALLOW_HOSTS: `127.0.0.1:${site.port}` }),
    openBrowser(),
    buildDashboard(),
  ]);
  app = started;
  browser = opened;
  tab = await openTab(browser, { width: 1440, height: 900 });
  page = tab.page;
  await page.goto(`${app.url}/new`);
  await fill(page, 'input[name=key]', app.key);
  await page.locator(by('button', 'Sign in')).click();
});

after(async () => {
  await browser?.close();
  await app?.close();
  await site?.close();
});

describe('the report of a test', () => {
  it('begins with the checks that are switched on for a new test, and tells how many faults each found', async () => {
    await paste(page, by('textbox', 'HTML of the message'), message(site.origin));
    await fill(page, by('searchbox', 'Search clients'), 'gmail_chrome');
    await page.locator(by('button', 'Select only these')).click();
    for (const name of ['Links', 'Images', 'Accessibility', 'Code'])
      assert.equal(
        await page.$eval(by('switch', name), (input) => (input as unknown as { checked: boolean }).checked),
        true,
        name,
      );
    await page.locator(by('button', 'Preview in 1 client')).click();
    await page.waitForFunction('/^\\/previews\\/[0-9a-f]+$/.test(location.pathname)');
    testId = new URL(page.url()).pathname.split('/')[2] ?? '';
    await page.waitForFunction(
      '/^Links\\s*\\d+ error/.test([...document.querySelectorAll("nav[aria-label=Report] a")].find((link) =>' +
        ' link.textContent.startsWith("Links"))?.textContent)',
    );
    const { body } = await app.call(`GET /v2/preview/tests/${testId}`);
    assert.deepEqual(Object.keys(body.content_checking).sort(), [
      'accessibility',
      'code_analysis',
      'image_validation',
      'link_validation',
    ]);
    await app.idle();
  });

  it('shows where a finding stands in the drawn message, and which finding an element has', async () => {
    await go('findings');
    // It is drawn twice: with its stored pictures once the check of images is read.
    await page.waitForFunction(
      `document.querySelector('iframe[title="The message"][aria-busy=false]') && ${FRAME}.images[0].naturalWidth > 0`,
    );
    await clickText('article button[id^=finding]', 'Without the picture behind it, “Pale words');
    await page.waitForFunction(`${FRAME}.querySelector('#pale').hasAttribute('data-galley-on')`);
    const outline = await page.evaluate(
      `${FRAME}.defaultView.getComputedStyle(${FRAME}.querySelector('#pale')).outlineStyle`,
    );
    assert.equal(outline, 'solid');
    await page.evaluate(`${FRAME}.querySelector('a[href$="/gone"]').click()`);
    await page.waitForFunction(
      `${FRAME}.querySelector('a[href$="/gone"]').hasAttribute('data-galley-on') && ` +
        `!${FRAME}.querySelector('#pale').hasAttribute('data-galley-on')`,
    );
    await page.waitForFunction('document.querySelector("article [aria-pressed=true][id^=finding]")');
  });

  it('shows the line of a finding in the source, and the finding of a line', async () => {
    await page.locator('section[aria-label="The message and its source"] label ::-p-text(Source)').click();
    await page.waitForFunction('/Terms/.test(document.querySelector("[data-line][data-on]")?.textContent ?? "")');
    await clickText('[data-line] button', '10');
    await page.waitForFunction('/Pale words/.test(document.querySelector("[data-line][data-on]")?.textContent ?? "")');
    await page.waitForFunction('document.querySelector("article [aria-pressed=true]")');
    await page.locator('section[aria-label="The message and its source"] label ::-p-text(Message)').click();
  });

  it('runs nothing of a message, and loads nothing from its sender', async () => {
    await app.idle();
    const before = site.requests.length;
    for (const path of PAGES) {
      await go(path);
      if (path !== 'images')
        await page.waitForSelector('iframe[title="The message"], [aria-label="Source of the message"]');
    }
    await go('findings');
    await page.waitForFunction(`${FRAME}?.querySelector('#pale') && ${FRAME}.images[0].naturalWidth > 0`);
    assert.deepEqual(site.requests.slice(before), []);
    const [wasRun, title, active, handlers, url] = (await page.evaluate(
      `[window.wasRun ?? false, document.title, ${FRAME}.querySelectorAll('script, iframe, link, ` +
        `meta[http-equiv=refresh]').length, [...${FRAME}.querySelectorAll('*')].some((element) =>` +
        ` element.getAttributeNames().some((name) => name.startsWith('on'))), ${FRAME}.URL]`,
    )) as unknown[];
    assert.deepEqual([wasRun, active, handlers, url], [false, 0, false, 'about:srcdoc']);
    assert.match(String(title), /^Autumn letter/);
  });

  it('filters findings by severity, check and client', async () => {
    const shown = (): Promise<unknown> =>
      page.evaluate('[...new Set([...document.querySelectorAll("article")].map((card) => card.dataset.severity))]');
    await page.locator('label ::-p-text(Errors)').click();
    await page.waitForFunction('location.search.includes("severity=error")');
    assert.deepEqual(await shown(), ['error']);
    await page.select(by('combobox', 'Check'), 'link_validation');
    await page.waitForFunction(
      'location.search.includes("check=link_validation") && [...document.querySelectorAll("article ' +
        'header")].every((head) => head.textContent.includes("Links"))',
    );
    await go('findings?client=Gmail');
    await page.waitForFunction('document.querySelectorAll("article").length > 0');
    assert.equal(
      await page.$eval(by('combobox', 'Client'), (select) => (select as unknown as { value: string }).value),
      'Gmail',
    );
  });

  it('hands the findings of a check over as a file for other tools', async () => {
    await page.locator(by('button', 'Report')).click();
    await page.waitForSelector(by('menuitem', 'SARIF'));
    assert.deepEqual(await faults(page), []);
    const report = JSON.parse(await downloaded(by('menuitem', 'SARIF'), 'links.sarif'));
    assert.equal(report.version, '2.1.0');
    assert.ok(report.runs[0].results.some(({ ruleId }: { ruleId: string }) => ruleId.startsWith('links/')));
  });

  it('shows the way of a link with the time of each answer', async () => {
    await go('links');
    await page.locator(by('button', 'See the prints')).click();
    await sees(page, `${site.origin}/new`);
    const times = await page.$$eval('li [role=img]', (bars) => bars.map((bar) => bar.getAttribute('aria-label') ?? ''));
    assert.equal(times.length, 2);
    for (const text of times) assert.match(text, /First byte \d+ ms/);
    await page.locator('label ::-p-text(Broken)').click();
    await sees(page, 'Terms');
    await page.waitForFunction('!document.querySelector("table").innerText.includes("See the prints")');
  });

  it('compares the links with a spreadsheet, row by row, and says what is wrong with a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-sheet-'));
    await writeFile(
      join(folder, 'expected.csv'),
      `URL,Link text,Status\n${site.origin}/old,See the prints,301\n${site.origin}/imprint,Imprint,200\n`,
    );
    await writeFile(join(folder, 'broken.xlsx'), 'PK\u0003\u0004 no spreadsheet');
    await page.locator(by('button', 'Compare with a spreadsheet')).click();
    const input = (await page.waitForSelector('[role=dialog] input[type=file]')) as ElementHandle<never> & {
      uploadFile(path: string): Promise<void>;
    };
    await input.uploadFile(join(folder, 'expected.csv'));
    await sees(page, 'from expected.csv');
    const rows = await page.$$eval('[role=dialog] tbody tr', (found) =>
      found.map((row) => (row as unknown as { innerText: string }).innerText.split('\t').map((cell) => cell.trim())),
    );
    assert.deepEqual(
      rows.find(([row]) => row === '3'),
      ['3', 'Missing', `${site.origin}/imprint`, '–'],
    );
    assert.ok(!rows.some(([row]) => row === '2'));
    assert.ok(rows.some(([row, what]) => row === '–' && what === 'Not in the file'));
    assert.deepEqual(await faults(page), []);
    await input.uploadFile(join(folder, 'broken.xlsx'));
    await sees(page, 'The file could not be compared');
    await page.keyboard.press('Escape');
    await rm(folder, { recursive: true });
  });

  it('checks the links again', async () => {
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    const { body: test } = await app.call(`GET /v2/preview/tests/${testId}`);
    const { id } = test.content_checking.link_validation.items;
    const asked = page.waitForResponse(
      (response) => response.request().method() !== 'GET' && response.url().includes(id),
    );
    await page.locator(by('button', 'Check again')).click();
    assert.equal((await asked).ok(), true);
    await app.idle();
    assert.equal((await app.call(`GET /v1/inspections/${id}`)).body.version, 2);
    await page.waitForSelector(by('button', 'Terms'));
  });

  it('says which links were not checked', async () => {
    const { body: test } = await app.call(`GET /v2/preview/tests/${testId}`);
    const path = `/v1/inspect/links/${test.content_checking.link_validation.items.id}`;
    const { body } = await app.call(`GET ${path}`);
    // A message with more links than a test looks at would take longer than all of these tests.
    const notice = 'The message has more than 25,000 links; those after them were not looked at.';
    const cut = JSON.stringify({ ...body, meta: { ...body.meta, notice } });
    const answer = (request: HTTPRequest): void =>
      void (new URL(request.url()).pathname === path
        ? request.respond({ status: 200, contentType: 'application/json', body: cut })
        : request.continue());
    await page.setRequestInterception(true);
    page.on('request', answer);
    await go('links');
    await sees(page, 'Not every link was checked');
    await sees(page, notice);
    await assertFlawless(page, 'links-cut');
    page.off('request', answer);
    await page.setRequestInterception(false);
    await page.setViewport({ width: 1440, height: 900 });
  });

  it('optimizes one image and shows it before and after', async () => {
    await go('images');
    await page.locator(by('button', 'Optimize logo.png')).click();
    await page.locator(by('button', 'Compare before and after: logo.png')).click();
    await page.waitForFunction(
      '[...document.querySelectorAll("[role=dialog] img")].filter((image) => image.naturalWidth > 0).length === 2',
    );
    await sees(page, 'Download smaller file');
    assert.deepEqual(await faults(page), []);
    const href = (await page.$eval('[role=dialog] a[download]', (link) => link.getAttribute('href'))) ?? '';
    const smaller = await app.call(`GET ${href}`);
    assert.equal(smaller.headers.get('content-type'), 'image/png');
    assert.ok(smaller.body.length < (await readFile(join(EXAMPLES, 'logo.png'))).length);
    await page.keyboard.press('Escape');
  });

  it('repairs what needs no person, shows each change, and hands the repaired source over', async () => {
    await go('accessibility');
    await sees(page, 'of');
    await page.locator(by('button', 'Repair')).click();
    await sees(page, 'Repaired message');
    assert.deepEqual(await faults(page), []);
    const counts = await page.$$eval('[role=dialog] dd', (found) =>
      found.map((count) => (count as unknown as { innerText: string }).innerText.match(/\d+/g)?.map(Number) ?? []),
    );
    const [[failingBefore = 0, failingAfter = 0] = []] = counts;
    assert.ok(failingAfter < failingBefore, JSON.stringify(counts));
    await page.locator(by('tab', 'Diff')).click();
    await page.waitForFunction(
      '[...document.querySelectorAll("[role=dialog] [role=tabpanel]")].some((panel) =>' +
        ' /\\+.*lang=/.test(panel.innerText))',
    );
    const repaired = await downloaded(by('link', 'Download repaired HTML'), 'repaired.html');
    assert.match(repaired, /<html lang="en" dir="ltr">/);
    assert.match(repaired, /id="pale" style="color:#bbbbbb"/);
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('adjusts the looks when the switch asks for it, and marks what looks different', async () => {
    await go('accessibility');
    await page.locator(by('switch', 'Allow visible changes')).click();
    await sees(page, 'marks each visible change');
    await page.locator(by('button', 'Repair')).click();
    await sees(page, 'Repaired message');
    await sees(page, '1 change can be seen, marked “visible”.');
    await page.waitForFunction(
      '[...document.querySelectorAll("[role=dialog] li")].filter((change) => change.innerText.includes("From 12 to ' +
        '14 pixels. text-size") && change.innerText.includes("visible")).length === 1',
    );
    assert.deepEqual(await faults(page), []);
    const repaired = await downloaded(by('link', 'Download repaired HTML'), 'repaired.html');
    // What stands over a picture is left to people.
    assert.match(repaired, /id="pale" style="color:#bbbbbb"/);
    assert.match(repaired, /id="small" style="font-size:14px"/);
    await page.keyboard.press('Escape');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
  });

  it('explains the score, for another audience too, and leads from a feature to its place', async () => {
    await go('code');
    await sees(page, 'for the audience “Consumers”');
    await page.waitForFunction('document.querySelectorAll("select option").length > 1');
    const other = await page.$eval(by('combobox', 'Audience'), (select) =>
      [...(select as unknown as { options: { value: string; text: string }[] }).options]
        .map(({ value, text }) => ({ value, text }))
        .find(({ text }) => text !== 'Consumers'),
    );
    await page.select(by('combobox', 'Audience'), other?.value ?? '');
    await sees(page, `for the audience “${other?.text}”`);
    await clickText('tbody th button', 'border-radius');
    await clickText('td button', 'line 5');
    await page.waitForFunction('document.querySelector("[data-line=\'5\'][data-on]")');
  });

  it('draws a rule that is broken in hundreds of places piece by piece', async () => {
    const html =
      '<!doctype html><html lang="en"><head><title>Many</title></head><body>' +
      `${Array.from({ length: 1000 }, (_, number) => `<p><a href="https://example.com/${number}"></a></p>\n`).join('')}` +
      '</body></html>';
    const { body } = await app.call('POST /v2/preview/tests', {
      body: { subject: 'Many', html, clients: ['gmail_chrome'], content_checking: { accessibility: true } },
    });
    await app.idle();
    const drawn = (): Promise<number> =>
      page.evaluate('document.querySelectorAll("article [id^=finding-]").length') as Promise<number>;
    for (const path of ['findings', 'accessibility']) {
      await visit(page, `${app.url}/previews/${body.id}/${path}`);
      await page.waitForFunction(
        '[...document.querySelectorAll("article")].some((card) => /200 places/.test(card.textContent))',
      );
      const before = await drawn();
      assert.ok(before > 0 && before < 100, `${path} draws ${before}`);
      await clickText('article button', 'more of');
      await page.waitForFunction(`document.querySelectorAll('article [id^=finding-]').length > ${before}`);
      assert.ok((await drawn()) <= before + 100, `${path} draws ${await drawn()}`);
    }
  });

  it('offers the checks to a test that was made without them', async () => {
    const { body } = await app.call('POST /v2/preview/tests', {
      body: { subject: 'Plain', html: '<p>Plain</p>', clients: ['gmail_chrome'] },
    });
    await app.idle();
    for (const path of PAGES) {
      await visit(page, `${app.url}/previews/${body.id}/${path}`);
      await sees(page, 'Not checked');
    }
    await page.locator(by('button', 'Run checks')).click();
    await sees(page, 'for the audience “Consumers”');
    assert.equal(new URL(page.url()).pathname, `/previews/${body.id}/code`);
    const { body: test } = await app.call(`GET /v2/preview/tests/${body.id}`);
    assert.deepEqual(
      Object.values<any>(test.content_checking).map(({ meta }) => meta.status !== undefined),
      [true, true, true, true],
    );
  });

  it('has no accessibility faults on any page, light or dark, and fits a phone', async () => {
    const found: Record<string, unknown> = {};
    for (const path of PAGES) {
      await setScheme(page, 'light');
      await go(path);
      const light = await faults(page);
      await setScheme(page, 'dark');
      const dark = await faults(page, 'color-contrast');
      if (light.length || dark.length) found[path] = { light, dark };
    }
    await setScheme(page, 'light');
    const phone = await openTab(browser, { width: 390, height: 844 });
    await phone.page.setCookie(...(await page.cookies()));
    for (const path of PAGES) {
      await visit(phone.page, `${app.url}/previews/${testId}/${path}`);
      const wider = (await phone.page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
      const small = await faults(phone.page);
      if (wider > 0 || small.length) found[`${path} on a phone`] = { wider, small };
    }
    await visit(phone.page, `${app.url}/previews/${testId}/findings`);
    await phone.page.locator('article button[id^=finding]').click();
    await phone.page.waitForSelector('iframe[title="The message"]');
    assert.deepEqual(await faults(phone.page), []);
    await phone.page.keyboard.press('Escape');
    await phone.page.waitForFunction('!document.querySelector("iframe")');
    await phone.close();
    assert.deepEqual(found, {});
  });

  it('throws and logs no errors on the way', () => {
    assert.deepEqual(tab.complaints, []);
  });
});
