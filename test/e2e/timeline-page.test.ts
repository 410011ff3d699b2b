// The timeline of a message, in the dashboard: a real server first says later, then takes it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../src/platform/dns/index.ts';
import { startMailServer, type MailServer } from '../harness/mail-server.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

const DOMAIN = 'news.example.com';
const zone: Record<string, DeclaredRecords> = {
  'example.net': { MX: ['10 mx.example.net'] },
  'mx.example.net': { A: ['127.0.0.1'] },
};

let server: MailServer;
let app: App;
let browser: Browser;
let page: Page;
let asked = 0;

async function send(to: string): Promise<void> {
  const body = { from: `Ann <ann@${DOMAIN}>`, subject: `Hello ${to}`, text: 'Hello', to };
  const sent = await app.call(`POST /v3/${DOMAIN}/messages`, { body });
  assert.equal(sent.status, 200, JSON.stringify(sent.body));
}

/** Once nothing is due or on its way, and what happened may be seen. */
async function settled(): Promise<void> {
  for (;;) {
    const { rows } = await app.galley.outside.db.text(
      'select 1 from deliveries where is_taken or due_at <= $1 limit 1',
      [app.clock.now()],
    );
    if (rows.length === 0) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  app.clock.advance(3000);
}

const opened = (number: number): Promise<void> =>
  page.locator(`main ol > li:nth-child(${number}) details:not([open]) > summary`).click();

before(async () => {
  server = await startMailServer({
    answer: (verb, line) => {
      if (verb !== 'RCPT') return undefined;
      if (line.includes('unknown@')) return '550 5.1.1 No such user';
      asked += 1;
      return asked === 1 ? '451 4.7.1 Greylisted' : undefined;
    },
  });
  const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
  [app, browser] = await Promise.all([
    startApp(
      { GALLEY_ROLES: 'api,work,send', GALLEY_DELIVERY: 'live', GALLEY_ALLOW_HOSTS: '127.0.0.0/8' },
      { dns, mail: { mxPort: server.port } },
    ),
    openBrowser(),
    buildDashboard(),
  ]);
  const { body } = await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
  assert.equal((await app.call(`PUT /v4/domains/${DOMAIN}/verify`)).body.domain.state, 'active');
  ({ page } = await openTab(browser));
});

after(async () => {
  await browser?.close();
  await app?.close();
  await server?.close();
});

describe('the timeline of a message in the dashboard', () => {
  it('says why it waits and until when, and shows what was said', async () => {
    await send('later@example.net');
    await settled();
    await signIn(page, app, '/queue');
    await page.locator('main ul a ::-p-text(Hello later@example.net)').click();
    await sees(page, '1 recipient is still waiting.');
    await sees(page, 'example.net answered “451 4.7.1 Greylisted”. It is tried again. It waits until');
    await sees(page, 'Deferred');
    await opened(2);
    await sees(page, 'RCPT TO:<later@example.net>');
    await sees(page, '220 mx.test ESMTP');
    await sees(page, 'Result: the server said 451 4.7.1 Greylisted');
    await assertFlawless(page, 'timeline-waiting');
  });

  it('shows by itself that it was delivered, with what was said then', async () => {
    await page.locator(by('button', 'Try now')).click();
    await sees(page, 'Tried now for 1 recipient.');
    await settled();
    await sees(page, 'mx.example.net took it without TLS.');
    await opened(3);
    await sees(page, '250 2.0.0 Ok: queued as 1');
    await assertFlawless(page, 'timeline-delivered');
  });

  it('shows what was said when it failed', async () => {
    await send('unknown@example.net');
    await settled();
    await visit(page, `${app.url}/messages`);
    await page.locator('main ul a ::-p-text(Hello unknown@example.net)').click();
    await sees(page, 'The receiver refused it for good.');
    await opened(2);
    await sees(page, 'Result: the server said 550 5.1.1 No such user');
    await assertFlawless(page, 'timeline-failed');
  });
});
