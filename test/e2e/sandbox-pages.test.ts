// The sandbox in the dashboard: an inbox is made, its messages appear as they come, and are looked at, checked, released.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import nodemailer from 'nodemailer';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const HTML =
  '<h1 style="font-family:Georgia;color:#14532d">Your order is on its way</h1><p>Thank you, Bob. Order 4711 left our ' +
  'garden this morning.</p><img src="cid:logo" width="120" height="60" alt="Logo"><script>document.title="run"</script>';

let app: App;
let browser: Browser;
let page: Page;
let auth: { user: string; pass: string };

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,mail' }), openBrowser(), buildDashboard()]);
  ({ page } = await openTab(browser, { width: 1440, height: 900 }));
  await signIn(page, app, '/sandbox');
  await sees(page, 'No inboxes yet');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

async function send(subject: string, more: object = {}): Promise<void> {
  const line = app.galley.about.find((text) => text.startsWith('submission: ')) ?? '';
  const [, port] = /smtp:\/\/[^,]*?:(\d+)/.exec(line) ?? [];
  const program = nodemailer.createTransport({
    host: '127.0.0.1',
    port: Number(port),
    auth,
    tls: { rejectUnauthorized: false },
  });
  await program.sendMail({ from: 'Garden <shop@garden.example>', to: 'bob@example.net', subject, ...more });
  program.close();
}

const valueOf = (label: string): Promise<string> =>
  page.$eval(`::-p-aria([name="${label}"][role="textbox"])`, (input) => (input as unknown as { value: string }).value);

describe('the sandbox in the dashboard', () => {
  it('makes an inbox, and shows its login once', async () => {
    await assertFlawless(page, 'sandbox-empty');
    await page.locator('main ::-p-aria([name="New inbox"][role="button"])').click();
    await fill(page, 'input[name=name]', 'Shop Tests');
    await page.locator(by('button', 'Create the inbox')).click();
    await sees(page, 'name');
    await fill(page, 'input[name=name]', 'shop-tests');
    await page.locator(by('button', 'Create the inbox')).click();
    await sees(page, 'Copy this password now');
    auth = { user: await valueOf('User'), pass: await valueOf('Password') };
    assert.match(auth.user, /^sandbox-/);
    await sees(page, auth.pass);
    await assertFlawless(page, 'sandbox-settings');
    await page.locator(by('button', 'Done')).click();
    await page.locator('main ::-p-text(shop-tests)').click();
    await sees(page, 'Waiting for the first message');
    await assertFlawless(page, 'sandbox-waiting');
  });

  it('shows messages as they come, part by part', async () => {
    await send('Your order is on its way', {
      html: HTML,
      text: 'Your order is on its way.',
      attachments: [
        { filename: 'bill.pdf', content: 'x'.repeat(3000) },
        { filename: 'logo.png', content: PIXEL, cid: 'logo' },
      ],
    });
    await sees(page, 'Your order is on its way');
    await send('Welcome to the garden', { text: 'Hello Bob', to: 'eve@example.net' });
    await sees(page, 'Welcome to the garden');
    await page.locator('main li ::-p-text(Your order is on its way)').click();
    const frame = await page.waitForSelector('iframe[title="The message"][aria-busy=false]');
    const inside = await frame!.contentFrame();
    await inside.waitForFunction('document.querySelector("img")?.naturalWidth === 1');
    assert.notEqual(await page.title(), 'run');
    await assertFlawless(page, 'sandbox-message');
    for (const [tab, words] of [
      ['Text', 'Your order is on its way.'],
      ['Source', 'Content-Type: multipart/mixed'],
      ['Headers', 'Garden <shop@garden.example>'],
      ['Files (2)', 'bill.pdf'],
    ] as const) {
      await page.locator(`main label ::-p-text(${tab})`).click();
      await sees(page, words);
    }
    await page.waitForFunction('document.querySelector("ul[aria-label=Attachments] img")?.naturalWidth === 1');
    await assertFlawless(page, 'sandbox-files');
  });

  it('sorts messages by tags, which they bring or are given', async () => {
    await send('Spring sale', { text: 'Hello', to: 'bob+spring@example.net', headers: { 'X-Tags': 'Weekly letter' } });
    await page.locator('main li ::-p-text(Spring sale)').click();
    await page.waitForSelector(by('button', 'spring 1'));
    await page.locator(by('combobox', 'Tags')).click();
    await page.keyboard.type('checked');
    await page.keyboard.press('Enter');
    await page.waitForSelector(by('button', 'checked 1'));
    const { body } = await app.call('GET /v1/sandbox/shop-tests/messages?tag=checked');
    assert.deepEqual(body.items[0].tags, ['Weekly letter', 'spring', 'checked']);
    await page.keyboard.press('Escape');
    await page.locator(by('button', 'Weekly letter 1')).click();
    await sees(page, '1 message found');
    assert.equal(
      await page.$eval('main input[type=search]', (input) => (input as unknown as { value: string }).value),
      'tag:"Weekly letter"',
    );
    await assertFlawless(page, 'sandbox-tags');
    await page.locator(by('button', 'Weekly letter 1')).click();
    await page.waitForFunction('document.querySelector("main section ul").innerText.includes("on its way")');
  });

  it('tells the read from the unread, and marks several at once', async () => {
    const unread = '[data-unread]';
    const count = (words: string) => sees(page, words);
    await count('3 messages, 1 unread');
    await page.waitForFunction('document.title.startsWith("(1) shop-tests")');
    await page.locator('main article ::-p-text(Unread)').click();
    await count('3 messages, 2 unread');
    await page.locator(by('checkbox', 'Select all that are listed')).click();
    await sees(page, '3 selected');
    await assertFlawless(page, 'sandbox-selected');
    await page.locator(by('button', 'Mark unread')).click();
    await count('3 messages, 3 unread');
    await page.waitForFunction(`document.querySelectorAll('${unread}').length === 3`);
    await page.locator(by('checkbox', 'Select Welcome to the garden')).click();
    await sees(page, '1 selected');
    await page.locator(by('button', 'Mark read')).click();
    await count('3 messages, 2 unread');
    await fill(page, 'main input[type=search]', 'is:new');
    await sees(page, 'what follows is: is one of read, unread, tagged');
    await fill(page, 'main input[type=search]', 'is:unread -subject:spring');
    await sees(page, '1 message found, 2 unread in all');
    await page.locator(by('button', 'Mark found read')).click();
    await sees(page, '0 messages found, 1 unread in all');
    await page.locator('main input[type=search]').click({ count: 3 });
    await page.keyboard.press('Backspace');
    await count('3 messages, 1 unread');
    await page.locator(by('button', 'Mark all read')).click();
    await page.waitForFunction('document.title.startsWith("shop-tests")');
    await page.waitForFunction(`!document.querySelector('${unread}')`);
  });

  it('deletes what is selected, and what was found', async () => {
    for (const n of [1, 2, 3]) await send(`Passing ${n}`, { text: 'Soon gone' });
    await sees(page, '6 messages, 3 unread');
    await page.locator(by('checkbox', 'Select Passing 3')).click();
    await page.locator(by('button', 'Delete selected')).click();
    await page.locator('[role=dialog] ::-p-aria([name="Delete"][role="button"])').click();
    await sees(page, '5 messages, 2 unread');
    await fill(page, 'main input[type=search]', 'passing');
    await sees(page, '2 messages found');
    await page.locator(by('button', 'Delete found')).click();
    await page.locator('[role=dialog] ::-p-aria([name="Delete"][role="button"])').click();
    await sees(page, '0 messages found');
    await page.locator('main input[type=search]').click({ count: 3 });
    await page.keyboard.press('Backspace');
    await page.waitForFunction('document.querySelector("main section ul").innerText.includes("on its way")');
    await sees(page, '3 messages, ');
  });

  it('finds messages', async () => {
    await fill(page, 'main input[type=search]', 'eve@example');
    await sees(page, '1 message found');
    await page.waitForFunction('!document.querySelector("main ul").innerText.includes("on its way")');
    await page.locator('main input[type=search]').click({ count: 3 });
    await page.keyboard.press('Backspace');
    await page.waitForFunction('document.querySelector("main ul").innerText.includes("on its way")');
  });

  it('has room for one side on a phone', async () => {
    await page.setViewport({ width: 390, height: 844 });
    await page.locator(by('button', 'All messages')).click();
    await sees(page, 'Welcome to the garden');
    await assertFlawless(page, 'sandbox-list');
    await page.locator('main li ::-p-text(Your order is on its way)').click();
    await page.waitForSelector('main article');
  });

  it('releases a message to several addresses, and names those that are none', async () => {
    await page.locator(by('button', 'Release…')).click();
    await fill(page, 'input[name=to]', 'nobody, me@example.org, them');
    await page.locator(by('button', 'Release')).click();
    await sees(page, 'must be addresses such as ann@example.com; "nobody", "them" are none.');
    await assertFlawless(page, 'sandbox-release-wrong');
    await fill(page, 'input[name=to]', 'me@example.org, you@example.org');
    await assertFlawless(page, 'sandbox-release');
    await page.locator(by('button', 'Release')).click();
    await sees(page, 'The message was accepted for me@example.org, you@example.org');
    const { rows } = await app.galley.outside.db.text('select recipients from sent_messages');
    assert.deepEqual(rows, [{ recipients: ['me@example.org', 'you@example.org'] }]);
  });

  for (const [label, path] of [
    ['Previews and checks', '/previews/'],
    ['Spam test', '/spam/'],
    ['Gate', '/gate/'],
  ] as const)
    it(`is one click away from: ${label}`, async () => {
      const here = page.url();
      await page.locator(by('button', label)).click();
      await page.waitForFunction(`location.pathname.startsWith(${JSON.stringify(path)})`);
      await sees(page, 'Your order is on its way');
      await visit(page, here);
      await sees(page, 'Welcome to the garden');
    });

  it('checks by itself what comes, once it is told to', async () => {
    await page.locator(by('button', 'On arrival')).click();
    await page.locator('[role=dialog] label ::-p-text(Gate)').click();
    await fill(page, 'input[name=checks_per_hour]', '2');
    await fill(page, 'input[name=webhook_url]', 'shop.example');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'it is no absolute URL');
    await fill(page, 'input[name=webhook_url]', 'https://shop.invalid/mail');
    await fill(page, 'input[name=forward_to]', 'nobody');
    await page.locator(by('button', 'Save')).click();
    await sees(page, '"nobody" is none');
    await fill(page, 'input[name=forward_to]', 'me@example.org, you@example.org');
    await page.locator(by('button', 'Add a rule')).click();
    await page.locator(by('textbox', 'Search of rule 1')).fill('is:new');
    await page.locator(by('textbox', 'Tags of rule 1')).fill('by itself, checked');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'In rule 1, the search has "is:new"; what follows is: is one of read, unread, tagged');
    await page.locator(by('textbox', 'Search of rule 1')).fill('subject:itself');
    await page.locator(by('button', 'Add a rule')).click();
    await page.locator(by('textbox', 'Search of rule 2')).fill('from:garden');
    await page.locator(by('textbox', 'Tags of rule 2')).fill('garden');
    await page.locator(by('button', 'Add a rule')).click();
    await assertFlawless(page, 'sandbox-checks');
    await page.locator(by('button', 'Save')).click();
    await page.waitForFunction('!document.querySelector("[role=dialog]")');
    await send('Checked by itself', { text: 'Hello Bob' });
    await page.setViewport({ width: 1440, height: 900 });
    await page.locator('main li ::-p-text(Checked by itself)').click();
    await sees(page, 'Open the gate');
    const { body: kept } = await app.call('GET /v1/sandbox/shop-tests/messages/latest?subject=checked');
    assert.deepEqual(kept.tags, ['by itself', 'checked', 'garden']);
    const { body: inbox } = await app.call('GET /v1/sandbox/shop-tests');
    assert.deepEqual(inbox.tag_rules, [
      { match: 'subject:itself', tags: ['by itself', 'checked'] },
      { match: 'from:garden', tags: ['garden'] },
    ]);
    await sees(page, 'Forwarded to me@example.org and 1 other address by');
    await page.waitForFunction(
      '/The webhook (will be told soon|is tried again|did not take it)/.test(document.body.innerText)',
    );
    await assertFlawless(page, 'sandbox-checked');
    const here = page.url();
    await page.locator('main ::-p-text(Open the gate)').click();
    await page.waitForFunction('location.pathname.startsWith("/gate/")');
    await sees(page, 'Checked by itself');
    await visit(page, here.replace(/\?.*/, ''));
    await page.locator('main li ::-p-text(Your order is on its way)').click();
    await page.waitForSelector('main article');
  });

  it('refuses on purpose, and says so while it does', async () => {
    await page.locator(by('button', 'Chaos')).click();
    await fill(page, 'input[name=recipient_probability]', '100');
    await fill(page, 'input[name=recipient_code]', '250');
    await fill(page, 'input[name=sender_probability]', '0');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'chaos.recipient.error_code must be >= 400');
    await fill(page, 'input[name=recipient_code]', '452');
    await assertFlawless(page, 'sandbox-chaos');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'This inbox refuses on purpose: RCPT TO with 452 in 100 % of cases.');
    const { body } = await app.call('GET /v1/sandbox/shop-tests');
    assert.deepEqual(body.chaos, { recipient: { error_code: 452, probability: 100 } });
    await assert.rejects(send('Refused', { text: 'Hello' }), /452 4\.1\.0 The chaos setting of the inbox "shop-tests"/);
    await assertFlawless(page, 'sandbox-chaos-on');
    await page.locator(by('button', 'Chaos')).click();
    await fill(page, 'input[name=recipient_probability]', '0');
    await page.locator(by('button', 'Save')).click();
    await page.waitForFunction('!document.querySelector("main").innerText.includes("refuses on purpose")');
    assert.equal((await app.call('GET /v1/sandbox/shop-tests')).body.chaos, null);
  });

  it('deletes one, and all', async () => {
    await page.locator('main article ::-p-text(Delete)').click();
    await page.waitForFunction('!document.querySelector("main").innerText.includes("Your order is on its way")');
    await page.locator(by('button', 'Delete all')).click();
    await page.locator('[role=dialog] ::-p-aria([name="Delete all"][role="button"])').click();
    await sees(page, 'Waiting for the first message');
  });
});
