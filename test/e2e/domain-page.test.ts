// The page of a sending domain while its DNS changes: found by itself, and the keys that sign for it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../src/platform/dns/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn } from './chromium.ts';

const DOMAIN = 'mail.example.com';
const zone: Record<string, DeclaredRecords> = { 'example.com': { NS: ['ada.ns.cloudflare.com'] } };
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let browser: Browser;
let page: Page;
before(async () => {
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_KEYS_ZONE: 'keys.example.org' }, { dns }),
    openBrowser(),
    buildDashboard(),
  ]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  page = (await openTab(browser)).page;
  await signIn(page, app, `/domains/${DOMAIN}`);
});
after(async () => {
  await browser?.close();
  await app?.close();
});

const keysOf = async (): Promise<any[]> => (await app.call(`GET /v4/domains/${DOMAIN}/keys`)).body.items;
async function publishKeys(): Promise<void> {
  for (const { dns_record: record } of await keysOf()) zone[record.name] = { TXT: [record.value] };
}

/** The service's time goes on until the page shows it. */
async function comesTo(text: string): Promise<void> {
  const isShown = (wanted: string) => (globalThis as any).document.body.innerText.includes(wanted);
  for (const end = Date.now() + 90_000; !(await page.evaluate(isShown, text));) {
    assert.ok(Date.now() < end, `the page does not show ${text}`);
    app.clock.advance(30_000);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

describe('the page of a domain', () => {
  it('says who answers for its zone, and follows what DNS shows without being asked', async () => {
    await sees(page, 'Cloudflare answers for example.com (ada.ns.cloudflare.com).');
    await sees(page, 'Enter mail where the provider adds example.com itself.');
    await sees(page, 'This installation looks for the records by itself');
    await assertFlawless(page, 'domain-waiting');
    await publishKeys();
    await comesTo('You can send from this domain.');
  });

  it('creates a key, activates it once DNS shows its record, and deletes another', async () => {
    const [{ selector: first }] = await keysOf();
    await fill(page, 'input[name=selector]', 'not a selector');
    await page.locator(by('button', 'Create key')).click();
    await sees(page, 'selector must');
    await fill(page, 'input[name=selector]', 'spring');
    await page.locator(by('button', 'Create key')).click();
    await sees(page, 'before you activate spring');
    await page.locator(by('button', 'Activate spring')).click();
    await sees(page, 'Nothing was changed');
    await publishKeys();
    await page.locator(by('button', 'Activate spring')).click();
    await page.waitForSelector(by('button', 'Deactivate spring'));
    await page.locator(by('button', `Deactivate ${first}`)).click();
    await page.waitForSelector(by('button', `Activate ${first}`));
    await assertFlawless(page, 'domain-keys');
    await page.locator(by('button', `Delete ${first}`)).click();
    await sees(page, 'can no longer be verified');
    await page.locator(`[role=dialog] >>> ${by('button', 'Delete')}`).click();
    await page.waitForFunction(
      (gone: string) => !(globalThis as any).document.body.innerText.includes(gone),
      {},
      `Delete ${first}`,
    );
    const until = Date.now() + 90_000;
    while ((await keysOf()).length > 1 && Date.now() < until) await new Promise((go) => setTimeout(go, 50));
    assert.deepEqual(
      (await keysOf()).map(({ selector, active }) => [selector, active]),
      [['spring', true]],
    );
  });
});

describe('keys by CNAME records', () => {
  it('are switched on, with the records to publish, and off again; the operator sees what to publish', async () => {
    // Its accessible name holds its description, too.
    const toggle = 'section[aria-labelledby=domain-keys] input[role=switch]';
    await page.locator(toggle).click();
    await sees(page, 'Leads to a key that the operator of this installation publishes');
    await page.waitForFunction('document.querySelector("main input[role=switch]")?.checked === true');
    await assertFlawless(page, 'domain-cnames');
    await page.goto(`${app.url}/domains`);
    await sees(page, 'Zone for keys');
    await page.locator(by('button', 'Save zone file')).click();
    await assertFlawless(page, 'domains');
    await page.goto(`${app.url}/domains/${DOMAIN}`);
    await page.locator(toggle).click();
    await page.waitForFunction('document.querySelector("main input[role=switch]")?.checked === false');
  });
});

describe('the return path', () => {
  it('gets a host below the domain, whose record stands among the others with its check', async () => {
    await fill(page, 'input[name=mailfrom_host]', 'bounces.elsewhere.example');
    await page.locator(by('button', 'Save settings')).click();
    await sees(page, `must be a host below ${DOMAIN}`);
    await fill(page, 'input[name=mailfrom_host]', `bounces.${DOMAIN}`);
    await page.locator(by('button', 'Save settings')).click();
    await sees(page, 'Bounces come back to this host');
    zone[`bounces.${DOMAIN}`] = { CNAME: [app.galley.outside.config.smtp.domain] };
    await page.locator(by('button', 'Verify records')).click();
    await page.waitForFunction(() => {
      const cards = [...(globalThis as any).document.querySelectorAll('main article')];
      return cards.some(({ innerText: text, dataset }) => text.includes('Return path') && dataset.valid === 'valid');
    });
    await assertFlawless(page, 'domain-return-path');
  });
});

describe('archive and spam', () => {
  it('are set on the page, and a URL that nothing can be posted to is refused beside its field', async () => {
    await fill(page, 'input[name=archive_to]', 'ftp://archive.example.com');
    await page.locator(by('button', 'Save settings')).click();
    await sees(page, 'is not a valid url');
    await fill(page, 'input[name=archive_to]', 'https://archive.example.com/mail');
    await fill(page, by('combobox', 'Spam that comes in'), 'block');
    await sees(page, 'Spam is refused while it is delivered.');
    await page.locator('main input[name=encrypt_incoming_message]').click();
    await page.locator(by('button', 'Save settings')).click();
    const settings = async (): Promise<any> => (await app.call(`GET /v4/domains/${DOMAIN}`)).body.domain;
    for (const end = Date.now() + 90_000; (await settings()).spam_action !== 'block' && Date.now() < end;)
      await new Promise((go) => setTimeout(go, 50));
    const { spam_action: spam, archive_to: archive, encrypt_incoming_message: isEncrypted } = await settings();
    assert.deepEqual([spam, archive, isEncrypted], ['block', 'https://archive.example.com/mail', true]);
    await assertFlawless(page, 'domain-settings');
  });

  it('show which copies the archive did not take, and lead to their messages', async () => {
    const body = { from: `Ann <ann@${DOMAIN}>`, to: 'bob@example.net', text: 'Hello' };
    for (const subject of ['Refused', 'Given up'])
      assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...body, subject } })).status, 200);
    const at = new Date().toISOString();
    for (const [state, subject, code] of [
      ['rejected', 'Refused', 406],
      ['failed', 'Given up', 500],
    ])
      await app.galley.outside.db.text(
        `update archive_copies set state = $1, attempts = $2::jsonb
         where message_id in (select id from sent_messages where subject = $3)`,
        [
          state,
          JSON.stringify([{ at, code, message: `The receiver answered ${code}.`, tookMs: 200, answer: '' }]),
          subject,
        ],
      );
    await page.reload();
    await sees(page, 'The archive did not take 2 copies.');
    await sees(page, 'The receiver answered 406.');
    await assertFlawless(page, 'domain-copies');
    await page.locator(by('link', 'Given up')).click();
    await sees(page, 'and it is not tried again. The receiver answered 500.');
  });
});
