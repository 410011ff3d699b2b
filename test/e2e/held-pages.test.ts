// The gate in the path of sending, in the dashboard: its setting, what it holds, and what people decide.
import assert from 'node:assert/strict';
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
  paste,
  savedFile,
  sees,
  signIn,
  visit,
} from './chromium.ts';

const DOMAIN = 'news.example.com';
const POLICY = '{ "limits": { "html_bytes_max": 300 } }';
const HTML = `<!doctype html><html lang="en"><title>Hello</title><p>${'Long. '.repeat(100)}</p></html>`;
const PER_PAGE = 50;

let app: App;
let browser: Browser;
let page: Page;

const go = (path: string): Promise<void> => visit(page, app.url + path);

/** Sends what the gate holds; all of one subject are one content, which is judged once. */
async function send(subject: string, to = 'bob@example.net'): Promise<string> {
  const body = { from: `Ann <ann@${DOMAIN}>`, to, subject, html: HTML };
  const { status, body: answer } = await app.call(`POST /v3/${DOMAIN}/messages`, { body });
  assert.equal(status, 200, JSON.stringify(answer));
  return answer.id;
}

async function find(id: string): Promise<any> {
  const { body } = await app.call('GET /v1/galley/gate/messages?limit=1000');
  return body.items.find((item: any) => item.message.id === id);
}

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,send' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  ({ page } = await openTab(browser));
  await signIn(page, app, '/held');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the gate of a domain in the dashboard', () => {
  it('holds nothing at first, and says where it is set', async () => {
    await sees(page, 'Nothing is held');
    await assertFlawless(page, 'held-empty');
    await page.locator('main ::-p-aria([name="Sending domains"][role="link"])').click();
    await page.waitForFunction('location.pathname === "/domains"');
  });

  it('is set on the page of the domain', async () => {
    await go(`/domains/${DOMAIN}`);
    await sees(page, 'Messages leave without being checked.');
    await page.select('section[aria-labelledby=domain-gate] select', 'hold');
    await sees(page, 'What it checks');
    await paste(page, by('textbox', 'Policy (JSON)'), '{');
    await sees(page, 'The policy must be valid JSON.');
    await fill(page, 'section[aria-labelledby=domain-gate] textarea', '{ "fail_on": "sometimes" }');
    await page.locator('section[aria-labelledby=domain-gate] button[type=submit]').click();
    await sees(page, 'Nothing was changed');
    await sees(page, 'policy.fail_on');
    await fill(page, 'section[aria-labelledby=domain-gate] textarea', POLICY);
    for (const name of ['Links', 'Images', 'Accessibility']) await page.locator(by('switch', name)).click();
    await page.locator('section[aria-labelledby=domain-gate] button[type=submit]').click();
    await sees(page, 'Saved.');
    const { body } = await app.call(`GET /v1/galley/domains/${DOMAIN}/gate`);
    assert.deepEqual(body, { domain: DOMAIN, mode: 'hold', policy: JSON.parse(POLICY), checks: ['code'] });
    await page.reload();
    await holds(page, 'section[aria-labelledby=domain-gate] textarea', JSON.stringify(JSON.parse(POLICY), null, 2));
    await assertFlawless(page, 'domain-gate');
  });
});

describe('held messages in the dashboard', () => {
  let released = '';
  let dropped = '';

  it('say why they wait, until when, and lead to the report', async () => {
    released = await send('Spring letter');
    await app.idle();
    dropped = await send('Summer letter', 'cy@example.net, di@example.net');
    await app.idle();
    await go('/held');
    await sees(page, '2 messages waiting');
    await sees(page, 'limits.html_bytes_max is 300');
    await sees(page, 'if nobody decides.');
    await sees(page, 'to 2 recipients');
    await assertFlawless(page, 'held');
    const lines = (await savedFile(page, 'CSV of held messages')).trimEnd().split('\r\n');
    assert.equal(lines.length, 3);
    assert.match(lines[1]!, /,news\.example\.com,hold,held,fail,.*,2,2,.*,Summer letter,/);
    await page.locator('main ul a ::-p-text(Report of the gate)').click();
    await page.waitForFunction('location.pathname.startsWith("/gate/")');
    await sees(page, 'html_bytes_max');
  });

  it('are released from the list, and delivered', async () => {
    await go('/held');
    await page.locator(by('button', 'Release: Spring letter')).click();
    await sees(page, 'Released for 1 recipient.');
    await sees(page, '1 message waiting');
    assert.equal((await find(released)).state, 'released');
    await go('/held?show=all');
    await sees(page, 'It failed the gate, and was released by');
  });

  it('are decided once, though two people press', async () => {
    await go('/held');
    await page.locator(by('button', 'Drop: Summer letter')).click();
    await sees(page, 'Drop this message?');
    const { storage_key: key } = (await find(dropped)).message;
    const first = await app.call(`POST /v1/galley/gate/messages/${key}/release`);
    assert.deepEqual([first.status, first.body.recipients], [200, 2]);
    await page.locator(by('button', 'Drop message')).click();
    await sees(page, 'This message was released already by');
    await sees(page, 'Nothing is held');
    assert.equal((await find(dropped)).state, 'released');
  });

  it('are dropped on their own page, where nobody decided yet', async () => {
    const id = await send('Autumn letter');
    await app.idle();
    app.clock.advance(3000);
    const { message } = await find(id);
    await go(`/messages/${DOMAIN}/${message.storage_key}?id=${encodeURIComponent(id.slice(1, -1))}`);
    await sees(page, 'The gate of news.example.com holds it.');
    await assertFlawless(page, 'held-message');
    await page.locator(by('button', 'Drop: Autumn letter')).click();
    await page.locator(by('button', 'Drop message')).click();
    await sees(page, 'Dropped for 1 recipient.');
    await sees(page, 'It was dropped by');
    assert.equal((await find(id)).state, 'dropped');
    assert.equal(await page.$(by('button', 'Release: Autumn letter')), null);
  });

  it('are paged, and listed by domain', async () => {
    for (let sent = 0; sent <= PER_PAGE; sent++) await send('Winter letter');
    await app.idle();
    await go('/held');
    await sees(page, `${PER_PAGE + 1} messages waiting`);
    await page.waitForFunction(`document.querySelectorAll("main ul > li").length === ${PER_PAGE}`);
    await page.locator(by('button', 'Older')).click();
    await page.waitForFunction('location.search === "?page=2"');
    await page.waitForFunction('document.querySelectorAll("main ul > li").length === 1');
    await sees(page, 'Winter letter');
    await go('/held?domain=other.example.com');
    await sees(page, 'Nothing is held of other.example.com');
  });
});

describe('batches in the dashboard', () => {
  const LETTERS = 'letters.example.com';

  /** Sends to so many that bounce, and waits until their batch is held. */
  async function hold(tag: string): Promise<any> {
    const { body } = await app.call('GET /v4/domains');
    const sandbox = body.items.find(({ type }: any) => type === 'sandbox').name;
    const to = Array.from({ length: 40 }, (_, place) => `bounced+550-5.1.${place}@${sandbox}`);
    const letter = { from: `ann@${LETTERS}`, to, subject: 'Hello', text: 'Hello', 'o:tag': tag };
    assert.equal((await app.call(`POST /v3/${LETTERS}/messages`, { body: letter })).status, 200);
    for (const end = Date.now() + 90_000; ;) {
      const { items } = (await app.call('GET /v1/galley/batches?state=held')).body;
      const found = items.find(({ name }: any) => name === tag);
      if (found) return found;
      assert.ok(Date.now() < end, 'it is not held');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  it('say why they are held, and are released or dropped', async () => {
    await app.call('POST /v4/domains', { body: { name: LETTERS } });
    const settings = { mode: 'on', sample: 20 };
    assert.equal((await app.call(`PUT /v1/galley/domains/${LETTERS}/breaker`, { body: settings })).status, 200);
    await hold('spring');
    const dropped = await hold('summer');
    await go(`/held?domain=${LETTERS}`);
    await sees(page, '2 batches waiting');
    await sees(page, 'The tag “summer” is held. Of its first');
    await assertFlawless(page, 'held-batches');
    await page.locator(by('button', 'Release: Tag spring')).click();
    await sees(page, '1 batch waiting');
    await page.locator(by('button', 'Drop: Tag summer')).click();
    await sees(page, 'Drop this batch?');
    await page.locator(by('button', 'Drop batch')).click();
    await sees(page, 'Nothing is held of letters.example.com');
    const { body } = await app.call(`GET /v1/galley/batches/${dropped.id}`);
    assert.equal(body.state, 'dropped');
  });
});
