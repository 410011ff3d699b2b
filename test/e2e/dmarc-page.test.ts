// DMARC in the dashboard: before the first report, and with a month of them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

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

  it('shows who sends, what p=reject would refuse, the road there, the record, and TLS', async () => {
    await app.call('POST /v4/domains', { body: { name: 'example.com' } });
    for (let back = 0; back < DAYS; back += 1) await upload(report(back), 'report.xml');
    await upload(JSON.stringify(TLS), 'tls.json');
    await upload('<html/>', 'wrong.xml');
    await visit(page, `${app.url}/dmarc`);
    for (const text of [
      'With p=reject, receivers would have been asked to refuse',
      'Intuit Mailchimp',
      'set it up to sign with your domain',
      'Publish the record below.',
      'pct was removed by RFC 9989',
      'certificate-expired',
      'Its first element is html',
    ])
      await sees(page, text);
    await assertFlawless(page, 'dmarc');
  });
});
