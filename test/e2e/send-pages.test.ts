// What is sent, in the dashboard: the list of events, one message, the queue, and messages that mean harm.
import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  fill,
  openBrowser,
  openTab,
  paste,
  sees,
  signIn,
  visit,
  type Tab,
} from './chromium.ts';

const DOMAIN = 'news.example.com';
/** A domain that has sent nothing: its lists are empty. */
const LISTED = 'lists.example.com';
const HTML =
  '<!doctype html><html lang="en"><head><title>Spring letter</title></head><body><h1>Spring</h1></body></html>';
const CAPTURED = 'Nothing leaves this machine: messages are captured.';

let app: App;
let browser: Browser;
let tab: Tab;
let page: Page;
let sandbox = '';

const go = (path: string): Promise<void> => visit(page, app.url + path);

async function send(fields: Record<string, unknown>): Promise<string> {
  const letter = { from: `Ann <ann@${DOMAIN}>`, subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...letter, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** Once the queue has nothing more to do at the moment, and what happened may be seen. */
async function settled(): Promise<void> {
  for (;;) {
    const { body } = await app.call('GET /v1/galley/queue');
    const due = body.destinations.reduce((sum: number, one: { due: number }) => sum + one.due, 0);
    if (due + body.in_delivery === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  app.clock.advance(3000);
}

before(async () => {
  const [started, opened] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work,send' }),
    openBrowser(),
    buildDashboard(),
  ]);
  app = started;
  browser = opened;
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('GET /v4/domains');
  sandbox = body.items.find(({ type }: { type: string }) => type === 'sandbox').name;
  tab = await openTab(browser);
  page = tab.page;
  await signIn(page, app, '/messages');
  await sees(page, 'Send your first message');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

describe('messages in the dashboard', () => {
  it('begin with a test message, and show what became of it', async () => {
    await sees(page, CAPTURED);
    await assertFlawless(page, 'messages-empty');
    await page.locator('main ::-p-aria([name="Send a test"][role="link"])').click();
    await sees(page, CAPTURED);
    await paste(page, by('textbox', 'HTML of the message'), HTML);
    await fill(page, 'input[name=from]', `Ann <ann@${DOMAIN}>`);
    await fill(page, 'input[name=to]', 'nobody');
    await page.locator('form button[type=submit]').click();
    await sees(page, 'nobody');
    await assertFlawless(page, 'new-message');
    await fill(page, 'input[name=to]', 'bob@example.net');
    await fill(page, 'input[name=tag]', 'spring');
    await page.locator('form button[type=submit]').click();
    await page.waitForFunction('location.pathname === "/messages"');
    await settled();
    await go('/messages');
    await sees(page, '2 events in the last 7 days');
    await sees(page, 'Captured');
    await page.locator('main ul a ::-p-text(Spring letter)').click();
    await page.waitForFunction('/^\\/messages\\/[^/]+\\/[^/]+$/.test(location.pathname)');
    await sees(page, '1 accepted · 1 captured');
    await sees(page, 'Kept on this machine; it was not sent to the recipient.');
    await sees(page, CAPTURED);
    const frame = await page.waitForSelector('iframe[title="The message"]');
    assert.equal(
      await frame?.evaluate((box) => box.getAttribute('sandbox')?.includes('allow-scripts') ?? false),
      false,
    );
    await page.waitForFunction(
      `document.querySelector('iframe[title="The message"]').contentDocument.querySelector('h1')`,
    );
    await assertFlawless(page, 'message');
  });

  it('are sent again to somebody else', async () => {
    await page.locator(by('button', 'Send again')).click();
    await fill(page, 'textarea[name=to]', 'cy@example.net');
    await page.locator('[role=dialog] button[type=submit]').click();
    await page.waitForFunction('location.pathname === "/messages" && location.search.includes("message_id")');
    await settled();
    await page.reload();
    await sees(page, 'to cy@example.net');
  });

  it('are found by recipient, subject, tag, event and date', async () => {
    await send({ to: `bounced@${sandbox}`, subject: 'Summer letter', 'o:tag': 'summer' });
    await send({ to: `deferred@${sandbox}`, subject: 'Autumn letter' });
    await settled();
    for (const [query, found, missing] of [
      ['q=bounced', 'Summer letter', 'Spring letter'],
      ['q=AUTUMN&by=subject', 'Autumn letter', 'Summer letter'],
      ['q=summer&by=tag', 'Summer letter', 'Autumn letter'],
      ['event=failed', 'Summer letter', 'Autumn letter'],
      ['event=deferred', 'Autumn letter', 'Summer letter'],
    ] as const) {
      await go(`/messages?${query}`);
      await sees(page, found);
      assert.equal(await page.evaluate(`document.body.innerText.includes(${JSON.stringify(missing)})`), false, query);
    }
    await go('/messages?from=2001-01-01&to=2001-01-02');
    await sees(page, 'No events match');
    await go('/messages');
    await fill(page, by('searchbox', 'Search messages'), 'nobody-at-all');
    await sees(page, 'No events match');
    await page.locator(by('link', 'All events')).click();
    await sees(page, 'Summer letter');
    await assertFlawless(page, 'messages');
  });

  it('appear by themselves while the list is live', async () => {
    await go('/messages');
    await sees(page, 'Summer letter');
    await page.focus('input[role=switch]');
    await page.keyboard.press('Space');
    await sees(page, 'Waiting for events.');
    await send({ to: 'live@example.net', subject: 'While you watch' });
    await settled();
    await sees(page, 'While you watch');
    await sees(page, 'to live@example.net');
  });

  it('say what a receiver answered and when it is tried again, and are canceled', async () => {
    await go('/messages?event=deferred');
    await page.locator('main ul a ::-p-text(Autumn letter)').click();
    await sees(page, '1 recipient is still waiting.');
    await sees(page, '421 4.7.0 The sandbox says later');
    await sees(page, 'The receiver did not take it yet; tried again in');
    await assertFlawless(page, 'message-deferred');
    await page.locator(by('button', 'Cancel what waits')).click();
    await page.locator(by('button', 'Cancel message')).click();
    await sees(page, 'Canceled for 1 recipient.');
    app.clock.advance(3000);
    await sees(page, 'It was canceled while it waited in the queue.');
  });

  it('say so when their content is no longer stored', async () => {
    await go('/messages?q=bounced');
    await page.locator('main ul a ::-p-text(Summer letter)').click();
    await sees(page, 'The receiver refused it for good.');
    const path = new URL(page.url());
    await app.galley.outside.db.text('update sent_messages set content = null, content_digest = null');
    await go(path.pathname + path.search);
    await sees(page, 'The content is no longer stored');
    await sees(page, 'The receiver refused it for good.');
    await assertFlawless(page, 'message-expired');
  });
});

describe('the queue in the dashboard', () => {
  it('says that nothing waits', async () => {
    await go('/queue');
    await sees(page, 'Nothing waits');
    await sees(page, CAPTURED);
    await assertFlawless(page, 'queue-empty');
  });

  it('shows what waits, why and until when, and cancels it', async () => {
    const at = String(Math.floor(app.clock.now().getTime() / 1000) + 86_400);
    await send({ to: ['a@one.example', 'b@two.example'], subject: 'Tomorrow', 'o:deliverytime': at });
    await send({ to: `deferred@${sandbox}`, subject: 'Later' });
    await settled();
    await go('/queue');
    await sees(page, 'They are scheduled: their senders chose the time.');
    await sees(page, '3 deliveries waiting');
    await assertFlawless(page, 'queue');
    await fill(page, by('searchbox', 'Search recipients'), 'two.example');
    await sees(page, '1 delivery waiting');
    await go('/queue?destination=one.example');
    await sees(page, '1 delivery waiting');
    await page.locator(by('button', 'Cancel: Tomorrow')).click();
    await page.locator(by('button', 'Cancel message')).click();
    await sees(page, 'Canceled for 2 recipients.');
    await go('/queue');
    await page.locator(by('button', 'Try now: Later')).click();
    await sees(page, 'Nothing waits');
  });
});

describe('suppressions in the dashboard', () => {
  it('say what a list is for while it is empty', async () => {
    await app.call('POST /v4/domains', { body: { name: LISTED } });
    await go(`/suppressions?domain=${LISTED}`);
    await sees(page, 'Bounces: none');
    await sees(page, CAPTURED);
    await assertFlawless(page, 'suppressions-empty');
  });

  it('are added, found and removed', async () => {
    await page.locator(by('button', 'Add')).click();
    await fill(page, '[role=dialog] input[name=address]', 'nobody');
    await page.locator('[role=dialog] button[type=submit]').click();
    await page.waitForFunction(
      'document.querySelector("[role=dialog] [aria-invalid=true], [role=dialog] [role=alert]")',
    );
    await assertFlawless(page, 'suppressions-add');
    await fill(page, '[role=dialog] input[name=address]', 'ann@example.net');
    await fill(page, '[role=dialog] input[name=error]', 'No such <b>mailbox</b>');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, '550 No such <b>mailbox</b>');
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await assertFlawless(page, 'suppressions');
    await fill(page, by('searchbox', 'Search addresses'), 'bob');
    await sees(page, 'No addresses match');
    await fill(page, by('searchbox', 'Search addresses'), 'ANN');
    await sees(page, 'ann@example.net');
    await page.locator(by('button', 'Remove ann@example.net')).click();
    await page.locator(by('button', 'Remove')).click();
    await sees(page, 'No addresses match');
    const { body } = await app.call(`GET /v3/${LISTED}/bounces`);
    assert.deepEqual(body.items, []);
  });

  it('are imported from a spreadsheet, and paged', async () => {
    await go(`/suppressions?list=unsubscribes&domain=${DOMAIN}`);
    await page.locator(by('button', 'Import')).click();
    const people = Array.from(
      { length: 60 },
      (_, place) => `reader${String(place).padStart(2, '0')}@many.example;news`,
    );
    const path = join(tmpdir(), `galley-suppressions-${process.pid}.csv`);
    await writeFile(path, `address;tags\r\n${people.join('\r\n')}\r\nnobody;x\r\n`);
    try {
      const [chooser] = await Promise.all([
        page.waitForFileChooser(),
        page.locator('[role=dialog] button[data-placeholder], [role=dialog] ::-p-text(Choose a file)').click(),
      ]);
      await chooser.accept([path]);
      await page.locator('[role=dialog] button[type=submit]').click();
      await sees(page, '60 entries read');
      await sees(page, '1 row was left out:');
      await assertFlawless(page, 'suppressions-import');
      await app.idle();
      await page.locator(by('button', 'Done')).click();
    } finally {
      await rm(path, { force: true });
    }
    await sees(page, 'reader49@many.example');
    await sees(page, 'Messages tagged news');
    await page.locator(by('button', 'Next')).click();
    await sees(page, 'reader59@many.example');
    await page.locator(by('button', 'Previous')).click();
    await sees(page, 'reader00@many.example');
  });

  it('hold addresses and domains that bounces do not stop', async () => {
    await page.locator('nav[aria-label="Lists"] ::-p-text(Allowlist)').click();
    await sees(page, 'Allowlist: none');
    await page.locator(by('button', 'Add')).click();
    await fill(page, '[role=dialog] input[name=address]', 'example.org');
    await fill(page, '[role=dialog] input[name=reason]', 'Our own');
    await page.locator('[role=dialog] button[type=submit]').click();
    await sees(page, 'Our own');
    await page.locator(by('button', 'Remove example.org')).click();
    await page.locator(by('button', 'Remove')).click();
    await sees(page, 'Allowlist: none');
  });
});

describe('messages that mean harm', () => {
  it('are shown as text, however long and whichever way they run', async () => {
    const hostile = `<img src=x onerror="window.hit=1"><b>bold</b> \u202egnp.exe ${'x'.repeat(600)}`;
    const html =
      '<script>parent.hit=1</script><img src="https://tracker.example/x.gif"><p onclick="parent.hit=1">Hi</p>';
    await send({ to: 'harm@example.net', subject: hostile, html, 'o:tag': '<i>tag</i>' });
    await settled();
    await go('/messages?q=harm');
    await sees(page, '<img src=x onerror="window.hit=1"><b>bold</b>');
    await assertFlawless(page, 'hostile-list');
    await page.locator('main ul a').click();
    await sees(page, '1 accepted · 1 captured');
    await page.waitForSelector('iframe[title="The message"]');
    await assertFlawless(page, 'hostile-message');
    assert.equal(await page.evaluate('"hit" in window'), false);
  });

  it('have a thousand recipients', async () => {
    const to = Array.from({ length: 1000 }, (_, place) => `reader${place}@many.example`);
    await send({ to, subject: 'To everybody' });
    await settled();
    await go('/messages?q=To everybody&by=subject');
    await sees(page, '2,000 events');
    await page.locator(by('button', 'Show older')).click();
    await page.waitForFunction('document.querySelectorAll("main ul[aria-label^=Events] > li").length === 100');
    await page.locator('main ul a').click();
    await sees(page, '1,000 accepted · 1,000 captured');
    await sees(page, 'and 980 more');
    await fill(page, by('searchbox', 'Search recipients'), 'reader999@');
    await page.waitForFunction(
      '[...document.querySelectorAll("main ol > li")].filter((row) => !row.closest("nav")).length === 2',
    );
    await assertFlawless(page, 'many');
  });

  it('leave no complaint of the browser', () => assert.deepEqual(tab.complaints, []));
});
