// Templates in the dashboard: written, tried with sample data in clients, compared by pictures, sent.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
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
  setScheme,
  signIn,
  visit,
} from './chromium.ts';

const DOMAIN = 'news.example.com';
const SAMPLE = '{ "name": "Ada", "plants": ["Rose", "Fern"] }';
const HTML =
  '<html lang="en"><body><h1>Welcome, {{name}}</h1><ul>{{#each plants}}<li>{{this}}</li>{{/each}}</ul><p>{{closing}}</p></body></html>';

let app: App;
let browser: Browser;
let page: Page;

const go = (path: string): Promise<void> => visit(page, app.url + path);
const TEMPLATE = 'textarea[name=template]';
const SAVE = by('button', 'Save the version');
const MJML_FILE = join(import.meta.dirname, '../fixtures/letter.mjml');

/** Puts text in place of what a field holds, as pasting does. */
async function rewrite(selector: string, text: string): Promise<void> {
  await page.locator(selector).click();
  await page.$eval(selector, (field: any) => field.select());
  await page.keyboard.sendCharacter(text);
  await holds(page, selector, text);
}

async function stored(tag: string): Promise<any> {
  const { status, body } = await app.call(`GET /v4/templates/welcome/versions/${tag}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.template.version;
}

async function previews(): Promise<any[]> {
  return (await app.call('GET /v2/preview/tests')).body;
}

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,send' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  ({ page } = await openTab(browser, { width: 1440, height: 1000 }));
  await signIn(page, app, '/templates');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('templates in the dashboard', () => {
  it('are created by name', async () => {
    await sees(page, 'No templates yet');
    await assertFlawless(page, 'templates-empty');
    await page.locator('main ::-p-aria([name="New template"][role="button"])').click();
    await fill(page, '[role=dialog] input[name=name]', 'a/b');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'without a slash');
    await fill(page, '[role=dialog] input[name=name]', 'Welcome');
    await fill(page, '[role=dialog] input[name=description]', 'Greets whoever is new');
    await page.locator('[role=dialog] button[type=submit]').click();
    await page.waitForFunction('location.pathname === "/templates/welcome"');
    await sees(page, 'Save the first version');
  });

  it('are written with their sample; what is wrong with either is said where it is', async () => {
    await rewrite(TEMPLATE, '<p>one</p>\n{{#if name}}');
    await sees(page, 'template is no template that can be filled, line 2');
    await rewrite(TEMPLATE, HTML);
    await rewrite('textarea[name=sample]', '{ name: 1 }');
    await sees(page, 'This is not valid JSON');
    await rewrite('textarea[name=sample]', SAMPLE);
    await fill(page, 'input[name=subject]', 'Hello {{name}}');
    await fill(page, 'input[name=from]', `Ann <ann@${DOMAIN}>`);
    await sees(page, 'Subject: Hello Ada');
    await sees(page, 'No value for closing.');
    await page.locator(by('button', 'Save the first version')).click();
    await sees(page, 'The first version was saved.');
    await page.waitForSelector(SAVE);
    const { template, active, headers } = await stored('initial');
    assert.deepEqual(
      [template, active, headers],
      [HTML, true, { Subject: 'Hello {{name}}', From: `Ann <ann@${DOMAIN}>` }],
    );
  });

  it('are looked at in six clients while they are written', async () => {
    await page.waitForFunction('document.querySelectorAll("figure img").length === 6');
    await page.waitForFunction('!document.querySelector("[aria-busy=true]")');
    await page.waitForFunction(
      '[...document.querySelectorAll("figure img")].every((one) => one.complete && one.naturalWidth > 0)',
    );
    await assertFlawless(page, 'template');
    const [first] = await previews();
    await rewrite(TEMPLATE, HTML.replace('Welcome', 'Good morning'));
    await page.waitForFunction(
      `!document.querySelector("[aria-busy=true]") && document.querySelector('p a[href^="/previews/"]') && ` +
        `!document.querySelector('p a[href="/previews/${first.id}"]')`,
    );
    const href = await page.$eval('p a[href^="/previews/"]', (link: any) => link.getAttribute('href') as string);
    const { body } = await app.call(`GET /v1/preview/tests/${href.split('/').at(-1)}/content`);
    assert.match(body.content, /<h1>Good morning, Ada<\/h1><ul><li>Rose<\/li><li>Fern<\/li><\/ul><p><\/p>/);
  });

  it('have versions: copied, changed, made the active one', async () => {
    await page.locator(SAVE).click();
    await sees(page, 'The version initial was saved.');
    await page.locator(by('button', 'Copy')).click();
    await fill(page, '[role=dialog] input[name=tag]', 'initial');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'is the tag of a version of this template already');
    await fill(page, '[role=dialog] input[name=tag]', 'short');
    await page.locator('[role=dialog] button[type=submit]').click();
    await page.waitForFunction('location.search === "?version=short"');
    await page.waitForFunction(`document.querySelector('${TEMPLATE}')?.value.includes('Good morning')`);
    await rewrite(TEMPLATE, '<h1>Hi {{name}}</h1>');
    await page.locator(SAVE).click();
    await sees(page, 'The version short was saved.');
    await page.locator(by('button', 'Make active')).click();
    await page.waitForFunction(
      '![...document.querySelectorAll("button")].some((one) => one.textContent === "Make active")',
    );
    assert.deepEqual([(await stored('initial')).active, (await stored('short')).active], [false, true]);
  });

  it('are compared by pictures', async () => {
    await page.locator(by('link', 'Compare')).click();
    await page.waitForFunction('location.pathname === "/templates/welcome/compare"');
    await page.waitForSelector('figure img[alt="The version short in Gmail (Chrome)"]');
    await page.waitForFunction(
      '[...document.querySelectorAll("figure img")].every((one) => one.complete && one.naturalWidth > 0)',
    );
    await assertFlawless(page, 'template-compare');
    await page.locator('label ::-p-text(Difference)').click();
    await sees(page, 'differ, in');
    await page.locator(by('link', 'Back to the template')).click();
    await page.waitForFunction('location.pathname === "/templates/welcome"');
  });

  it('are written in MJML, from a file, too, and looked at as the HTML that it becomes', async () => {
    await page.waitForSelector(SAVE);
    await page.locator('label ::-p-text(MJML)').click();
    await page.waitForSelector('textarea[name=mjml]');
    await rewrite('textarea[name=mjml]', '<mjml>\n<mj-body>');
    await sees(page, 'mjml cannot be compiled, line 2: <mj-body> is not closed.');
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.locator(by('button', 'Take a file')).click()]);
    await chooser.accept([MJML_FILE]);
    await holds(page, 'textarea[name=mjml]', await readFile(MJML_FILE, 'utf8'));
    await sees(page, 'Line 5: mj-text: Attribute tone is illegal.');
    await page.waitForFunction('!document.querySelector("[aria-busy=true]")');
    await assertFlawless(page, 'template-mjml');
    await page.locator(SAVE).click();
    // What was saved is no change any more, and can be sent.
    await page.waitForFunction(
      '[...document.querySelectorAll("button")].some((one) => one.textContent === "Send test" && !one.disabled)',
    );
    const { mjml, template } = await stored('short');
    assert.equal(mjml, await readFile(MJML_FILE, 'utf8'));
    assert.match(template, /Hi \{\{name\}\}<\/div>/);
  });

  it('are sent as a test', async () => {
    await page.waitForSelector(SAVE);
    await page.locator(by('button', 'Send test')).click();
    await fill(page, '[role=dialog] input[name=to]', 'nobody');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'to parameter is not a valid address');
    await fill(page, '[role=dialog] input[name=to]', 'bob@example.net');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'The message was queued.');
    await app.idle();
    app.clock.advance(3000);
    const { body } = await app.call(`GET /v3/${DOMAIN}/events?event=accepted`);
    assert.deepEqual(
      body.items.map((item: any) => [item.recipient, item.message.headers.subject, item.template]),
      [['bob@example.net', 'Hello Ada', { name: 'welcome', version: 'short', 'is-text': false }]],
    );
  });

  it('are listed, in both themes and on a phone, and deleted', async () => {
    await go('/templates');
    await sees(page, 'Greets whoever is new');
    const lines = (await savedFile(page, 'CSV of templates')).trimEnd().split('\r\n');
    assert.match(lines[1]!, /^welcome,Greets whoever is new,/);
    for (const scheme of ['dark', 'light'] as const) {
      await setScheme(page, scheme);
      await assertFlawless(page, `templates-${scheme}`);
    }
    await page.hover('main li');
    await page.locator(by('button', 'Delete welcome')).click();
    await sees(page, '1 template will be deleted in 8 seconds.');
    await sees(page, 'No templates yet');
    assert.equal((await app.call('GET /v4/templates/welcome')).status, 404);
  });
});
