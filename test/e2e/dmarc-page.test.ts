// DMARC in the dashboard: before the first report, with a month of them, and one source.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, ElementHandle, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DAYS = 30;
let app: App;
let browser: Browser;
let page: Page;

function record([ip, count, results, domain]: [ip: string, count: number, results: string, domain?: string]): string {
  const [dkim, spf] = results.split(' ');
  const signature = domain ? `<dkim><domain>${domain}</domain><result>pass</result></dkim>` : '';
  return (
    `<record><row><source_ip>${ip}</source_ip><count>${count}</count><policy_evaluated>` +
    `<disposition>none</disposition><dkim>${dkim}</dkim><spf>${spf}</spf></policy_evaluated></row><identifiers>` +
    `<header_from>example.com</header_from></identifiers><auth_results>${signature}</auth_results></record>`
  );
}

function report(back: number): string {
  const begin = (Math.floor(app.clock.now().getTime() / 86_400_000) - back) * 86_400;
  const records = [
    record(['192.0.2.1', 900 + ((back * 37) % 400), 'pass pass', 'example.com']),
    record(['192.0.2.1', 3, 'fail fail']),
    record(['198.51.100.7', 120 + ((back * 13) % 60), 'fail fail', 'mcsv.net']),
    record(['203.0.113.9', (back * 71) % 90, 'fail fail']),
  ];
  return (
    `<feedback><report_metadata><org_name>receiver.example</org_name><report_id>r${back}</report_id><date_range>` +
    `<begin>${begin}</begin><end>${begin + 86_399}</end></date_range></report_metadata><policy_published>` +
    `<domain>example.com</domain><p>none</p></policy_published>${records.join('')}</feedback>`
  );
}

async function upload(content: string, name: string): Promise<void> {
  const body = new FormData();
  body.set('file', new Blob([content]), name);
  const { status } = await app.call('POST /v1/dmarc/reports', { body });
  assert.equal(status, 200);
}

/** The record to publish, once it is built. */
async function holdsEntry(text: string): Promise<void> {
  await page.waitForFunction(
    `[...document.querySelectorAll('input[readonly]')].some(({ value }) => value === ${JSON.stringify(text)})`,
  );
}

const TLS = {
  'organization-name': 'receiver.example',
  'report-id': 'tls',
  'date-range': { 'start-datetime': '2026-11-01T00:00:00Z', 'end-datetime': '2026-11-01T23:59:59Z' },
  policies: [
    {
      policy: { 'policy-type': 'sts', 'policy-domain': 'example.com' },
      summary: { 'total-successful-session-count': 4120, 'total-failure-session-count': 7 },
      'failure-details': [
        { 'result-type': 'certificate-expired', 'failed-session-count': 7, 'receiving-mx-hostname': 'mx2.example.com' },
      ],
    },
  ],
};

const FAILURE = [
  'From: reports@receiver.example',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=feedback-report; boundary=x',
  '',
  '--x',
  'Content-Type: message/feedback-report',
  '',
  'Feedback-Type: auth-failure',
  'Version: 1',
  'Auth-Failure: dmarc',
  'Reported-Domain: example.com',
  'Source-IP: 203.0.113.9',
  'Delivery-Result: spam',
  '',
  '--x',
  'Content-Type: message/rfc822',
  '',
  'From: Ann <ann@example.com>',
  'Subject: Your invoice',
  '',
  '--x--',
  '',
].join('\r\n');

before(async () => {
  const zone = { '_dmarc.example.com': { TXT: ['v=DMARC1; p=none; pct=50; rua=mailto:other@example.com'] } };
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work' }, { zone }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/dmarc');
  await sees(page, 'No reports yet');
});
after(async () => {
  await browser?.close();
  await app?.close();
});

describe('DMARC in the dashboard', () => {
  it('says where reports go before there are any', async () => {
    await sees(page, 'Address for reports');
    await assertFlawless(page, 'dmarc-empty');
  });

  it('adds a mailbox that is read for reports, and says why it could not be', async () => {
    await page.locator(by('button', 'New mailbox')).click();
    await fill(page, 'input[name=host]', 'imap.nowhere.example');
    await fill(page, 'input[name=user]', 'dmarc@example.com');
    await fill(page, 'input[name=password]', 'an app password');
    await page.locator(by('button', 'Add')).click();
    await sees(page, 'imap.nowhere.example has no address, or it could not be looked up.');
    await assertFlawless(page, 'dmarc-mailboxes');
    await page.locator(by('button', 'Test dmarc@example.com')).click();
    await sees(page, 'The mailbox cannot be read');
    await assertFlawless(page, 'dmarc-mailbox-tested');
  });

  it('removes a mailbox, once it was asked for', async () => {
    await page.locator(by('button', 'Remove dmarc@example.com')).click();
    await sees(page, 'Remove this mailbox?');
    await page.locator('[role=dialog] ::-p-aria([name="Remove"][role="button"])').click();
    await page.waitForFunction('!document.querySelector(\'button[aria-label="Remove dmarc@example.com"]\')');
    assert.deepEqual((await app.call('GET /v1/dmarc/mailboxes')).body, { items: [] });
  });

  it('builds the record of a domain of which nothing was reported', async () => {
    await app.call('POST /v4/domains', { body: { name: 'example.com' } });
    await visit(page, `${app.url}/dmarc`);
    await sees(page, 'No reports of example.com in the last 30 days');
    await sees(page, 'pct was removed by RFC 9989');
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    await page.select(by('combobox', 'Mail that fails (p)'), 'quarantine');
    await page.select(by('combobox', 'Of names that do not exist (np)'), 'reject');
    await page.select(by('combobox', 'SPF has to match (aspf)'), 's');
    await page.locator('input[role=switch]').click();
    const wanted = `v=DMARC1; p=quarantine; np=reject; aspf=s; t=y; rua=mailto:${address},mailto:other@example.com`;
    await holdsEntry(wanted);
    await sees(page, 'what receivers would be asked to put into the spam folder is not known');
    // Names below follow the domain, unless something else is chosen for them.
    await page.select(by('combobox', 'The same of names below (sp)'), 'none');
    await holdsEntry(wanted.replace('; np', '; sp=none; np'));
    await page.select(by('combobox', 'The same of names below (sp)'), 'same');
    await holdsEntry(wanted);
    await assertFlawless(page, 'dmarc-builder');
    await page.locator(by('button', 'As published')).click();
    await holdsEntry(`v=DMARC1; p=none; rua=mailto:${address},mailto:other@example.com`);
  });

  it('shows who sends, what p=reject would refuse, the road there, the record, and TLS', async () => {
    for (let back = 0; back < DAYS; back += 1) await upload(report(back), 'report.xml');
    await upload(JSON.stringify(TLS), 'tls.json');
    await upload(FAILURE, 'failure.eml');
    await upload('<html/>', 'wrong.xml');
    await visit(page, `${app.url}/dmarc`);
    for (const text of [
      'With p=reject, receivers would have been asked to refuse',
      'Intuit Mailchimp',
      'set it up to sign with your domain',
      'Publish the record below.',
      'pct was removed by RFC 9989',
      'certificate-expired',
      'Your invoice',
      'Its first element is html',
    ])
      await sees(page, text);
    await assertFlawless(page, 'dmarc');
  });

  it('builds the record of a step, and says what it would do by what was reported', async () => {
    const { fail, yours, messages } = (await app.call('GET /v1/dmarc/domains/example.com')).body;
    await page.select(by('combobox', 'Mail that fails (p)'), 'reject');
    const said = (count: number) => count.toLocaleString('en');
    await sees(
      page,
      `Of ${said(messages)} messages that were reported, receivers would have been asked to refuse ${said(fail)}; ` +
        `${said(yours)} of them look like yours.`,
    );
    const { address } = (await app.call('GET /v1/dmarc/setup')).body;
    await holdsEntry(`v=DMARC1; p=reject; rua=mailto:${address},mailto:other@example.com`);
    // The next step asks for the record itself, with the policy that is there.
    await page.locator(by('button', 'Build the record')).click();
    await holdsEntry(`v=DMARC1; p=none; rua=mailto:${address},mailto:other@example.com`);
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Record');
  });

  it('goes down to a source: what it is, aligned or not by day, its addresses, and how to mend it', async () => {
    await page.locator(by('link', 'Intuit Mailchimp')).click();
    for (const text of [
      'by its signature',
      'a service that sends for others stands behind them with its own name',
      'Addresses without a name that leads back',
      '198.51.100.7',
      'pass mcsv.net',
    ])
      await sees(page, text);
    assert.equal(new URL(page.url()).pathname, '/dmarc/example.com/intuit-mailchimp');
    await assertFlawless(page, 'dmarc-source');
    await visit(page, `${app.url}/dmarc/example.com/nobody`);
    await sees(page, 'Nothing was reported of this source');
    await page.locator(by('link', 'All sources of example.com')).click();
    await sees(page, 'Who sends in its name');
  });

  it('takes an upload, and says what of it was not read and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'galley-dmarc-'));
    await writeFile(join(folder, 'letter.xml'), '<letter/>');
    const input = (await page.waitForSelector('input[type=file]')) as ElementHandle<never> & {
      uploadFile(path: string): Promise<void>;
    };
    await input.uploadFile(join(folder, 'letter.xml'));
    await sees(page, '0 reports read');
    await sees(page, 'letter.xml: Its first element is letter');
    await assertFlawless(page, 'dmarc-upload');
    await rm(folder, { recursive: true });
  });
});
