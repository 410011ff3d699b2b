// Routes in the dashboard: made by rows or by expression, tried, and what became of what came in.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { connectSmtp } from '../harness/smtp-client.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { startWebServer, type WebServer } from '../harness/web-server.ts';
import {
  assertFlawless,
  buildDashboard,
  by,
  fill,
  holds,
  openBrowser,
  openTab,
  savedFile,
  sees,
  signIn,
} from './chromium.ts';

const DOMAIN = 'in.example.com';

let app: App;
let browser: Browser;
let page: Page;
let server: WebServer;
let status = 500;

before(async () => {
  server = await startWebServer(async (_request, response) => void response.writeHead(status).end('out of paper'));
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work,mail,send', GALLEY_ALLOW_HOSTS: server.host }),
    openBrowser(),
    buildDashboard(),
  ]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/routes');
});

after(async () => {
  await browser?.close();
  await app?.close();
  await server?.close();
});

const gone = (text: string) => page.waitForFunction(`!document.body.innerText.includes(${JSON.stringify(text)})`);
const choose = async (field: string, option: string): Promise<void> => {
  await page.locator(by('combobox', field)).click();
  await page.locator(by('option', option)).click();
};

async function send(to: string, lines: readonly string[]): Promise<string> {
  const client = await connectSmtp(app.galley.outside.ownSmtp!.port);
  for (const line of ['EHLO client.test', 'MAIL FROM:<ann@sender.example>', `RCPT TO:<${to}>`, 'DATA'])
    await client.say(line);
  const reply = await client.say(`${lines.join('\r\n')}\r\n.`);
  client.close();
  return reply;
}

describe('routes in the dashboard', () => {
  it('say without a domain that there is none, and with one where its MX record points', async () => {
    await sees(page, 'No routes yet');
    await sees(page, 'Add a domain first.');
    await app.call('POST /v4/domains', { body: { name: DOMAIN } });
    await page.reload();
    await sees(page, 'Point the MX record of');
    const { body } = await app.call(`GET /v4/domains/${DOMAIN}`);
    const { name, value } = body.receiving_dns_records[0];
    for (const [label, wanted] of [
      ['MX name', name],
      ['MX value', `10 ${value}`],
    ]) {
      const field = await page.waitForSelector(by('textbox', label));
      assert.equal(await field!.evaluate((one) => (one as unknown as { value: string }).value), wanted);
    }
    await sees(page, 'Nothing came in so far');
    await assertFlawless(page, 'routes-empty');
  });

  it('are made by rows, which show the expression', async () => {
    await page.locator('main ::-p-aria([name="New route"][role="button"])').click();
    await fill(page, 'input[name=description]', 'Late orders');
    await fill(page, 'input[name=text-0]', `orders@${DOMAIN}`);
    await page.locator(by('button', 'Add condition')).click();
    await choose('Subject of condition 2', 'Header field');
    await fill(page, 'input[name=header-1]', 'Subject');
    await choose('Comparison of condition 2', 'contains');
    await fill(page, 'input[name=text-1]', 'late?');
    await fill(page, 'input[name=target-0]', 'http://10.0.0.1/mail');
    const expression = String.raw`match_recipient("orders@in\.example\.com$") and match_header("Subject", "(?i).*late\?")`;
    await sees(page, expression);
    await page.locator(by('checkbox', 'Stop here')).click();
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'An action was refused');
    await fill(page, 'input[name=target-0]', `${server.url}/mail`);
    await assertFlawless(page, 'route-dialog');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'The recipient is “orders@in.example.com” and Subject contains “late?”');
    const { items } = (await app.call('GET /v3/routes')).body;
    assert.deepEqual(
      items.map((route: any) => [route.description, route.priority, route.expression, route.actions]),
      [['Late orders', 0, expression, [`forward("${server.url}/mail")`, 'stop()']]],
    );
  });

  it('are made by an expression, which may say more than rows', async () => {
    await page.locator('main ::-p-aria([name="New route"][role="button"])').click();
    await page.locator(by('switch', 'Write the expression')).click();
    await fill(page, 'textarea[name=expression]', 'match_recipient("(?=a)")');
    await fill(page, 'input[name=target-0]', 'ann@example.com');
    await choose('Action 1', 'Forward to an address');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'This expression was refused');
    await fill(page, 'textarea[name=expression]', 'not match_recipient("orders@")');
    await sees(page, 'have no form');
    await fill(page, 'input[name=priority]', '5');
    await page.locator(by('button', 'Save')).click();
    await sees(page, 'Forwards the message to ann@example.com');
    const csv = await savedFile(page, 'CSV of routes');
    assert.match(csv, /^\uFEFF"?priority"?,/);
    assert.equal(csv.trim().split('\r\n').length, 3, csv);
  });

  it('are tried with a message, and say where it does not come in', async () => {
    await fill(page, 'input[name=try-recipient]', 'bob');
    await page.locator(by('button', 'Try routes')).click();
    await sees(page, 'must be one address');
    await fill(page, 'input[name=try-recipient]', `orders@${DOMAIN}`);
    await page.locator(by('button', 'Try routes')).click();
    await sees(page, 'No route takes this message.');
    await fill(page, 'input[name=try-subject]', 'Is it late?');
    await page.locator(by('button', 'Try routes')).click();
    await page.waitForSelector('ol[aria-label="Routes that take the message"] li');
    const taken = await page.$eval('ol[aria-label="Routes that take the message"]', (list) => list.textContent);
    assert.match(
      taken!,
      /^Late orders priority 0Posts the message to http.*\/mailEnds: no further route is looked at$/,
    );
    await assertFlawless(page, 'routes-tried');
    await fill(page, 'input[name=try-recipient]', 'eve@elsewhere.example');
    await page.locator(by('button', 'Try routes')).click();
    await sees(page, 'Mail to this address does not come in here');
  });

  it('list what became of a message, why it waits, and try it again', async () => {
    assert.match(await send(`orders@${DOMAIN}`, ['Subject: Late? Yes', '', 'x']), /^250 /);
    await sees(page, 'The receiver answered 500.');
    await sees(page, 'Next attempt');
    await sees(page, 'out of paper');
    await page.locator('main ::-p-text(How routes work)').click();
    await sees(page, 'Patterns are regular expressions of RE2.');
    await assertFlawless(page, 'routes');
    status = 200;
    await page.locator('main li ::-p-text(Try again)').click();
    await sees(page, 'It is tried again now.');
    await sees(page, 'Delivered.');
    await page.locator('main li ::-p-text(2 attempts)').click();
    await sees(page, 'The receiver answered 500.');
    const { items } = (await app.call('GET /v1/galley/routes/deliveries')).body;
    assert.deepEqual(
      items.map(({ state, attempts }: any) => [state, attempts.map(({ code }: any) => code)]),
      [['delivered', [500, 200]]],
    );
    await choose('State', 'Failed');
    await sees(page, 'None in this state');
  });

  it('are changed and deleted', async () => {
    await page.locator(by('button', 'Edit Late orders')).click();
    await holds(page, 'input[name=text-1]', 'late?');
    await page.locator(by('button', 'Remove condition 2')).click();
    await page.locator(by('button', 'Save')).click();
    await gone('contains “late?”');
    await page.locator(by('button', 'Delete Late orders')).click();
    await page.locator(by('button', 'Delete')).click();
    await gone('Late orders');
    const { items } = (await app.call('GET /v3/routes')).body;
    assert.deepEqual(
      items.map(({ expression }: any) => expression),
      ['not match_recipient("orders@")'],
    );
  });
});
