// The inbox of a test: rows of lists and lock screens, in both schemes and on a phone, of ordinary and hostile mail.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const HIDDEN = '<div style="display:none">Two for one until Sunday, in the shop and by mail.</div>';
const CLIENTS = ['gmail_chrome', 'gmail_ios', 'iphone16_18', 'olnew', 'thunderbird', 'hey_chrome'];

let app: App;
let browser: Browser;
let page: Page;
let complaints: string[];

async function create(body: object): Promise<string> {
  const made = await app.call('POST /v2/preview/tests', { body: { clients: CLIENTS, ...body } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  return made.body.id;
}

const go = async (id: string): Promise<void> => {
  await visit(page, `${app.url}/previews/${id}/inbox`);
  await sees(page, 'In the list of messages');
};

before(async () => {
  const zone = {
    '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
    'default._bimi.example.com': { TXT: ['v=BIMI1; l=https://logo.invalid/a.svg; a=https://logo.invalid/a.pem'] },
  };
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api' }, { zone }), openBrowser(), buildDashboard()]);
  ({ page, complaints } = await openTab(browser));
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('the inbox of a test', () => {
  it('shows the rows of its clients, and of all when asked', async () => {
    const id = await create({
      subject: 'Spring sale: everything in the shop and in the garden is half the price until Sunday evening',
      html: `${HIDDEN}<h1>Spring sale</h1>`,
      headers: { From: 'Ann Brown <ann@example.com>' },
    });
    await signIn(page, app, `/previews/${id}`);
    await page.locator(by('link', 'Inbox')).click();
    for (const words of [
      'Spring sale: everything in the shop…',
      '37 characters, cut',
      'this list shows none',
      'The logo shows only if the mailbox provider vouches for it.',
      'How much shows is not known of 1 client: HEY.',
      'A locked phone hides the message instead',
    ])
      await sees(page, words);
    const articles = () => page.evaluate('document.querySelectorAll("article").length') as Promise<number>;
    const few = await articles();
    await assertFlawless(page, 'inbox');
    await page.locator(by('switch', 'Also clients that are not in this test')).click();
    await sees(page, 'Thunderbird for Android');
    assert.ok((await articles()) > few + 8);
    await page.evaluate('document.querySelector("details summary").click()');
    await sees(page, 'Own test with one sentence on an iPhone 14');
    await assertFlawless(page, 'inbox-all');
  });

  it('tries another sender, and says what is wrong with one', async () => {
    await fill(page, 'input[name=from]', 'nobody');
    await page.locator(by('button', 'Show')).click();
    await sees(page, 'from must be one address');
    await fill(page, 'input[name=from]', 'Zoë Long-Name of the Shop <zoe@example.org>');
    await page.locator(by('button', 'Show')).click();
    await sees(page, 'Zoë Long-Name of the Shop <zoe@example.org>');
    await sees(page, 'none published (example.org)');
  });

  it('shows an empty message, and hostile text without harm', async () => {
    const empty = await create({ subject: '', html: '<p></p>' });
    await go(empty);
    for (const words of ['The message names none', '(no subject)', 'none, and no text']) await sees(page, words);
    await assertFlawless(page, 'inbox-empty');
    const hostile = await create({
      subject: `\u202eevil.example\u202c שלום 👩‍👩‍👧 ${'W'.repeat(150)} <img src=x onerror=alert(1)>`,
      html: `<div style="display:none">${'מרחבא '.repeat(40)}</div><p>${'x'.repeat(900)}</p>`,
      headers: { From: `"Bank \u202emoc.live${'Z\u0301\u0302\u0303\u0304'.repeat(30)}" <a@evil.example>` },
    });
    await go(hostile);
    await sees(page, 'Hidden characters turn the direction of text');
    await sees(page, 'right-to-left override (U+202E)');
    assert.equal(
      await page.evaluate(
        '/[\\u202a-\\u202e]/.test([...document.querySelectorAll("section, dl")].map((part) => part.innerText).join())',
      ),
      false,
    );
    await assertFlawless(page, 'inbox-hostile');
    assert.deepEqual(complaints, []);
  });
});
