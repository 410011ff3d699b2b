// Mailing lists in the dashboard: made, filled by hand and by files, searched, left, deleted.
import assert from 'node:assert/strict';
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
  savedFile,
  sees,
  signIn,
  visit,
} from './chromium.ts';

const DOMAIN = 'garden.example.com';
const LIST = `news@${DOMAIN}`;
const PATH = `/v3/lists/${LIST}`;
const SUBMIT = '[role=dialog] button[type=submit]';

let app: App;
let browser: Browser;
let page: Page;

const go = (path: string): Promise<void> => visit(page, app.url + path);
const press = (name: string): Promise<void> => page.locator(by('button', name)).click();
const noDialog = async (): Promise<void> =>
  void (await page.waitForFunction('!document.querySelector("[role=dialog]")'));

async function member(address: string): Promise<any> {
  const { status, body } = await app.call(`GET ${PATH}/members/${address}`);
  return status === 200 ? body.member : undefined;
}

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,send' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  ({ page } = await openTab(browser, { width: 1440, height: 1000 }));
  await signIn(page, app, '/lists');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('mailing lists in the dashboard', () => {
  it('are made with an address of a domain, and are empty', async () => {
    await sees(page, 'No mailing lists yet');
    await assertFlawless(page, 'lists-empty');
    await press('New list');
    await fill(page, '[role=dialog] input[name=address]', 'news@elsewhere.example');
    await fill(page, '[role=dialog] input[name=name]', 'Garden news');
    await fill(page, '[role=dialog] textarea[name=description]', 'What grows, once a month');
    await page.locator(SUBMIT).click();
    await sees(page, 'elsewhere.example is not a domain of this account');
    await fill(page, '[role=dialog] input[name=address]', LIST);
    await assertFlawless(page, 'lists-new');
    await page.locator(SUBMIT).click();
    await page.waitForFunction(`decodeURIComponent(location.pathname) === ${JSON.stringify(`/lists/${LIST}`)}`);
    await sees(page, 'No members yet');
    await sees(page, 'Only this account.');
    await sees(page, 'Answers go to who sends the message.');
    assert.equal((await app.call(`GET ${PATH}`)).body.list.name, 'Garden news');
  });

  it('have members, each with a name and variables', async () => {
    await press('Add member');
    await fill(page, '[role=dialog] input[name=address]', 'ann@example.net');
    await fill(page, '[role=dialog] textarea[name=vars]', '{ age: 26 }');
    await page.locator(SUBMIT).click();
    await sees(page, 'vars is not valid JSON');
    await fill(page, '[role=dialog] textarea[name=vars]', '{ "age": 26 }');
    await fill(page, '[role=dialog] input[name=name]', 'Ann Lee');
    await page.locator(SUBMIT).click();
    await noDialog();
    await sees(page, 'Ann Lee');
    await sees(page, '1 member');
    assert.deepEqual((await member('ann@example.net')).vars, { age: 26 });
    await press('Add member');
    await fill(page, '[role=dialog] input[name=address]', 'ann@example.net');
    await page.locator(SUBMIT).click();
    await sees(page, "Address already exists 'ann@example.net'");
    await page.keyboard.press('Escape');
    await noDialog();
    await press('Change ann@example.net');
    await fill(page, '[role=dialog] input[name=name]', 'Ann Marsh');
    await page.locator(SUBMIT).click();
    await noDialog();
    await sees(page, 'Ann Marsh');
    assert.deepEqual((await member('ann@example.net')).vars, { age: 26 });
  });

  it('are filled with addresses that are pasted, and say which rows are none', async () => {
    await press('Add many');
    const lines = ['bob@example.net, carl@example.net', 'Dora Fern <dora@example.net>', 'nobody', 'ann@example.net'];
    await paste(page, '[role=dialog] textarea[name=addresses]', lines.join('\n'));
    await page.locator(SUBMIT).click();
    await sees(page, '3 members added, 1 there before, as they were.');
    await sees(page, '1 row was left out');
    await sees(page, 'Row 5: address: "nobody" is not an email address.');
    await assertFlawless(page, 'lists-upload');
    await press('Done');
    await noDialog();
    await sees(page, '4 members');
    assert.equal((await member('dora@example.net')).name, 'Dora Fern');
  });

  it('are filled from a file with columns', async () => {
    await press('Add many');
    const rows = Array.from(
      { length: 120 },
      (_, place) => `many${String(place).padStart(3, '0')}@example.org,Many ${place}`,
    );
    await paste(page, '[role=dialog] textarea[name=addresses]', ['email,name', ...rows].join('\n'));
    await page.locator(SUBMIT).click();
    await sees(page, '120 members added.');
    await press('Done');
    await noDialog();
    await sees(page, '124 members');
    await page.waitForSelector('nav[aria-label="Pages of members"]');
    await page.locator('button[aria-label="Page 3"]').click();
    await sees(page, 'many119@example.org');
    const text = await savedFile(page, 'CSV of members');
    const all = text.slice(1).trimEnd().split('\r\n');
    assert.equal(all.length, 125);
    assert.equal(all[0], 'address,name,subscribed,vars');
    assert.equal(all[1], 'ann@example.net,Ann Marsh,yes,"{""age"":26}"');
  });

  it('are searched by how addresses begin', async () => {
    await fill(page, 'input[type=search]', 'many00');
    await sees(page, 'many009@example.org');
    await page.waitForFunction(
      'document.querySelectorAll("main li bdi").length > 0 && !document.body.innerText.includes("many119@")',
    );
    await fill(page, 'input[type=search]', 'bob@example.net');
    await page.waitForFunction('!document.body.innerText.includes("many009@")');
    await sees(page, 'bob@example.net');
    await fill(page, 'input[type=search]', 'zzz');
    await sees(page, 'No address on this list begins with “zzz”.');
    await go(`/lists/${LIST}`);
  });

  it('are left, joined again and lose members', async () => {
    await press('Unsubscribe bob@example.net');
    await page.waitForSelector(by('button', 'Subscribe bob@example.net'));
    assert.equal((await member('bob@example.net')).subscribed, false);
    await page.locator('label:has(input[type=radio][value=no]), input[type=radio][value=no] + label').click();
    await page.waitForFunction('!document.body.innerText.includes("carl@example.net")');
    await sees(page, 'bob@example.net');
    await press('Subscribe bob@example.net');
    await sees(page, 'Subscribe them again?');
    await press('Subscribe');
    await sees(page, 'Nobody on this list is unsubscribed.');
    assert.equal((await member('bob@example.net')).subscribed, true);
    await go(`/lists/${LIST}`);
    await press('Delete carl@example.net');
    await sees(page, 'Delete this member?');
    await press('Delete');
    await sees(page, '123 members');
    assert.equal(await member('carl@example.net'), undefined);
  });

  it('say who may write to them, and where answers go', async () => {
    await page.locator(`main ${by('button', 'Settings')}`).click();
    await page.locator('[role=dialog] input[aria-haspopup=listbox]').click();
    await page.locator(by('option', 'Its members')).click();
    await sees(page, 'Subscribed members write from their own address');
    await page.locator(SUBMIT).click();
    await noDialog();
    await sees(page, 'Its members.');
    await sees(page, 'Answers go to all members.');
    assert.equal((await app.call(`GET ${PATH}`)).body.list.access_level, 'members');
  });

  it('look right in both themes, on a phone too, and are deleted with their members', async () => {
    for (const path of [`/lists/${LIST}`, '/lists']) {
      await go(path);
      await sees(page, path === '/lists' ? LIST : 'ann@example.net');
      await assertFlawless(page, path === '/lists' ? 'lists' : 'list');
    }
    await press(`Delete ${LIST}`);
    await sees(page, 'goes with its 123 members');
    await press('Delete');
    await sees(page, 'No mailing lists yet');
    assert.equal((await app.call(`GET ${PATH}`)).status, 404);
  });
});
