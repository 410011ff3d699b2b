// Every list of Send as a file: all of its pages, as it is filtered, of the account that is looked at, without formulas.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { addIps, firstAccount } from '../../src/features/send/dynamic-pools/bed.fixture.ts';
import { startApp, type App } from '../harness/start-app.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  fill,
  openBrowser,
  openTab,
  savedFile,
  sees,
  signIn,
  visit,
} from './chromium.ts';

const DOMAIN = 'news.example.com';
const ENTRIES = 2300;

let app: App;
let browser: Browser;
let page: Page;
let sandbox = '';

const go = (path: string): Promise<void> => visit(page, app.url + path);

/** The lines of the file that a button hands out. */
async function linesOf(label: string): Promise<string[]> {
  const text = await savedFile(page, label);
  assert.ok(text.startsWith('\ufeff'), 'no byte order mark');
  return text.slice(1).trimEnd().split('\r\n');
}

async function importInto(list: string, domain: string, text: string): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob([text]), 'list.csv');
  const { status, body: answer } = await app.call(`POST /v3/${domain}/${list}/import`, { body });
  assert.equal(status, 202, JSON.stringify(answer));
  await app.idle();
}

async function send(to: string, more: object = {}): Promise<void> {
  const body = { from: `ann@${DOMAIN}`, to, subject: 'Spring letter', text: 'Hello', ...more };
  assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body })).status, 200);
}

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work' }), openBrowser(), buildDashboard()]);
  for (const name of [DOMAIN, 'other.example.com']) await app.call('POST /v4/domains', { body: { name } });
  sandbox = (await app.call('GET /v4/domains')).body.items.find(
    ({ type }: { type: string }) => type === 'sandbox',
  ).name;
  const login = { login: 'ann', password: 'plum orchard lantern' };
  const made = await app.call(`POST /v3/domains/${DOMAIN}/credentials`, { body: login });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  await addIps(app, await firstAccount(app));
  await app.call('POST /v3/ip_pools', { body: { name: 'letters', description: '=1+1' } });
  await app.call('POST /v1/webhooks', {
    body: { url: 'https://hooks.example.com/a', description: '', event_types: ['delivered'] },
  });
  assert.equal((await app.call('POST /v5/sandbox/auth_recipients?email=cy@example.net')).status, 200);
  await app.call('POST /v1/sandbox', { body: { name: 'shop-tests' } });
  await app.call('POST /v1/sandbox/shop-tests/messages', {
    body: { from: 'a@example.com', to: 'b@example.net', subject: '=HYPERLINK("x")', text: 'x' },
  });
  const later = String(Math.floor(app.clock.now().getTime() / 1000) + 86_400);
  await send('bob@example.net', { 'o:deliverytime': later });
  app.clock.advance(3000);
  const rows = Array.from({ length: ENTRIES }, (_, place) => `reader${place}@example.net,550,"=cmd()|no such; user"`);
  await importInto('bounces', DOMAIN, ['address,code,error', ...rows].join('\n'));
  ({ page } = await openTab(browser));
  await signIn(page, app, '/messages');
  await sees(page, 'Spring letter');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('lists as files', () => {
  it('hold every page of a list, and no formula', async () => {
    await go(`/suppressions?domain=${DOMAIN}`);
    await sees(page, 'reader0@example.net');
    const lines = await linesOf('CSV of Bounces');
    assert.equal(lines[0], 'address,code,error,created_at');
    assert.equal(lines.length, ENTRIES + 1);
    assert.match(lines[1]!, /^reader0@example\.net,550,"'=cmd\(\)\|no such; user","[A-Z][a-z]{2}, /);
    assert.equal(new Set(lines).size, ENTRIES + 1);
    assert.match((await linesOf('CSV with semicolons of Bounces'))[1]!, /^reader0@example\.net;550;"'=cmd/);
  });

  it('hold what the search leaves', async () => {
    await go(`/suppressions?domain=${DOMAIN}&term=reader22`);
    await sees(page, 'reader2200@example.net');
    assert.equal((await linesOf('CSV of Bounces')).length, 1 + 111);
  });

  it('can be imported again', async () => {
    await go(`/suppressions?domain=${DOMAIN}&term=reader229`);
    await sees(page, 'reader2290@example.net');
    await importInto('bounces', 'other.example.com', await savedFile(page, 'CSV of Bounces'));
    const { body } = await app.call('GET /v3/other.example.com/bounces?limit=1000');
    assert.equal(body.items.length, 11);
    const { body: first } = await app.call(`GET /v3/${DOMAIN}/bounces/reader229@example.net`);
    const again = body.items.find(({ address }: { address: string }) => address === first.address);
    // A formula keeps its apostrophe: nobody can say that it was not there before.
    assert.deepEqual(again, { ...first, error: `'${first.error}` });
  });

  const lists: [path: () => string, label: string, head: string, row: RegExp][] = [
    [() => '/messages', 'events', 'time (UTC),event,severity', /,accepted,,,bob@example\.net,news\.example\.com,/],
    [() => '/queue', 'the queue', 'recipient,domain,destination', /^bob@example\.net,news\.example\.com,.*,scheduled,/],
    [() => '/domains', 'sending domains', 'domain,type,state', /^news\.example\.com,custom,/],
    [() => `/domains/${DOMAIN}`, 'SMTP credentials', 'login,created (UTC)', /^ann@news\.example\.com,\d{4}-/],
    [() => '/ips', 'addresses', 'address,dedicated', /^\d+\.\d+\.\d+\.\d+,(yes|no),/],
    [() => '/ips', 'pools', 'pool,description', /^letters,'=1\+1,/],
    [() => '/webhooks', 'webhooks', 'url,events,state,id', /^https:\/\/hooks\.example\.com\/a,delivered,/],
    [() => `/domains/${sandbox}`, 'authorized recipients', 'address,agreed,problem', /^cy@example\.net,no,/],
    [() => '/sandbox', 'inboxes', 'inbox,login,messages', /^shop-tests,sandbox-/],
    [() => '/sandbox/shop-tests', 'messages', 'received (UTC),from', /,"'=HYPERLINK\(""x""\)",/],
  ];
  for (const [path, label, head, row] of lists)
    it(`are there of ${label}`, async () => {
      await go(path());
      const lines = await linesOf(`CSV of ${label}`);
      assert.ok(lines[0]?.startsWith(head), lines[0]);
      assert.ok(
        lines.slice(1).some((line) => row.test(line)),
        lines.join('\n'),
      );
    });

  it('are those of the account that is looked at', async () => {
    const { subaccount } = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } })).body;
    await page.evaluate(`sessionStorage.setItem('galley.acting-for', ${JSON.stringify(subaccount.id)})`);
    await go('/domains');
    const lines = await linesOf('CSV of sending domains');
    assert.equal(lines.length, 2);
    assert.equal(lines.join('\n').includes(sandbox), false);
    await page.evaluate(`sessionStorage.removeItem('galley.acting-for')`);
  });
});

describe('views of messages', () => {
  it('are kept by the service, by name, with what is searched for and whether it is live', async () => {
    await go('/messages?event=accepted');
    await sees(page, 'Spring letter');
    await page.locator(by('button', 'Save this view')).click();
    await page.waitForSelector('form:has(input[name=view]) button[type=submit][disabled]');
    await fill(page, 'input[name=view]', 'Accepted');
    await page.locator('form:has(input[name=view]) button[type=submit]').click();
    await page.waitForSelector(by('button', 'Remove the view Accepted'));
    const { items } = (await app.call('GET /v1/saved-views?list=messages')).body;
    assert.deepEqual(
      items.map(({ name, search }: any) => [name, search]),
      [['Accepted', 'event=accepted']],
    );
    await assertFlawless(page, 'messages-views');
    await go('/messages');
    await sees(page, 'Spring letter');
    await page.focus('input[role=switch]');
    await page.keyboard.press('Space');
    await page.waitForFunction('location.search === "?live=true"');
    await page.reload();
    await sees(page, 'Waiting for events.');
    await send('live@example.net', { subject: 'While you watch' });
    app.clock.advance(3000);
    await sees(page, 'While you watch');
    await page.locator(by('link', 'Accepted')).click();
    await page.waitForFunction('location.search === "?event=accepted"');
    await page.locator(by('button', 'Remove the view Accepted')).click();
    await page.waitForSelector(by('button', 'Save this view'));
  });
});
