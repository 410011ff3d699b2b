// The sending rules in the dashboard: a calendar, limits, and the circuit breaker with the batches that it holds.
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
  savedFile,
  sees,
  signIn,
  visit,
} from './chromium.ts';

const DOMAIN = 'news.example.com';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  [app, browser] = await Promise.all([startApp({ GALLEY_ROLES: 'api,work,send' }), openBrowser(), buildDashboard()]);
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  // Eleven in UTC: an hour in which no test crosses the quiet hours below, nor the end of a window.
  const now = app.clock.now().getTime();
  app.clock.advance((Math.floor(now / DAY_MS) + 1) * DAY_MS + 11 * HOUR_MS + HOUR_MS / 6 - now);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/sending-rules');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

const press = (role: string, name: string) => page.locator(by(role, name)).click();
/** The button of a dialog, where the page has one of the same name. */
const confirm = (name: string) => page.locator(`[role=dialog] >>> ${by('button', name)}`).click();

/** Chooses in a field that offers more than it shows. */
async function choose(field: string, text: string): Promise<void> {
  await press('combobox', field);
  await page.keyboard.down('Control');
  await page.keyboard.press('a');
  await page.keyboard.up('Control');
  await page.keyboard.type(text);
  await press('option', text);
}

/** Sets a field that browsers show as the reader's country writes times. */
async function setTime(place: number, time: string): Promise<void> {
  await page.waitForFunction('document.querySelectorAll("input[type=time]").length === 2');
  await page.evaluate(`(() => {
    const field = document.querySelectorAll('input[type=time]')[${place}];
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, '${time}');
    field.dispatchEvent(new Event('input', { bubbles: true }));
  })()`);
}

async function until(path: string, isSo: (body: any) => boolean): Promise<any> {
  for (const end = Date.now() + 90_000; ;) {
    const { body } = await app.call(`GET ${path}`);
    if (isSo(body)) return body;
    assert.ok(Date.now() < end, JSON.stringify(body));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe('the calendar of a domain in the dashboard', () => {
  it('is off at first: a message leaves at any hour', async () => {
    await sees(page, 'A message that is due now is sent at once. The calendar is off.');
    await page.waitForSelector('[role=img][aria-label="Monday: messages leave from 00:00 to 24:00."]');
    await assertFlawless(page, 'rules-calendar-off');
  });

  it('is set as quiet hours, weekdays and a time zone, and shown as a week before it is saved', async () => {
    await press('switch', 'Use the calendar');
    await press('switch', 'Quiet hours');
    await page.waitForSelector('[role=img][aria-label="Monday: messages leave from 08:00 to 20:00."]');
    for (const day of ['Saturday', 'Sunday']) await press('checkbox', day);
    await page.waitForSelector('[role=img][aria-label="Sunday: no messages leave."]');
    for (const day of ['Saturday', 'Sunday']) await press('checkbox', day);
    await page.waitForSelector('[role=img][aria-label="Sunday: messages leave from 08:00 to 20:00."]');
    await setTime(0, '10:00');
    await press('button', 'Save calendar');
    await sees(page, 'hours are quiet from 10:00 to 08:00 in UTC');
    await page.waitForFunction('document.querySelector("main form button[type=submit]").disabled');
    const { mode, quiet_hours: quiet } = (await app.call(`GET /v1/galley/domains/${DOMAIN}/calendar`)).body;
    assert.deepEqual([mode, quiet], ['on', { from: '10:00', until: '08:00' }]);
    await assertFlawless(page, 'rules-calendar');
  });

  it('says what happens to a message now, for a recipient elsewhere', async () => {
    await sees(page, 'A message that is due now waits until');
    await choose('Time zone of the recipient', 'Pacific/Honolulu');
    await sees(page, 'hours are quiet from 10:00 to 08:00 in Pacific/Honolulu');
    await choose('Time zone of the recipient', 'Atlantic/Azores');
    await sees(page, 'in Atlantic/Azores');
  });

  it('says at the field what is wrong', async () => {
    await setTime(0, '08:00');
    await press('button', 'Save calendar');
    await sees(page, 'quiet_hours must begin and end at two different times');
  });
});

describe('sending limits in the dashboard', () => {
  it('are none at first', async () => {
    await visit(page, `${app.url}/sending-rules?show=limits`);
    await sees(page, 'No sending limits');
    await assertFlawless(page, 'rules-limits-empty');
  });

  it('are added, with what is used of them and when they reset', async () => {
    await press('button', 'Add limit');
    await fill(page, by('textbox', 'Messages, at most'), '0');
    await sees(page, 'A whole number from 1 to 1,000,000,000.');
    await fill(page, by('textbox', 'Messages, at most'), '2');
    await assertFlawless(page, 'rules-limit-dialog');
    await confirm('Save');
    await sees(page, '0 of 2');
    const letter = { from: `ann@${DOMAIN}`, subject: 'Hello', text: 'Hello' };
    await app.call(`PUT /v1/galley/domains/${DOMAIN}/calendar`, { body: { mode: 'off' } });
    const to = ['a@example.net', 'b@example.net', 'c@example.net'];
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...letter, to } })).status, 200);
    await until('/v1/galley/sending_limits', ({ items }) => items[0].used === 2);
    await visit(page, `${app.url}/sending-rules?show=limits`);
    await sees(page, '2 of 2, used up');
    const lines = (await savedFile(page, 'CSV of sending limits')).trimEnd().split('\r\n');
    assert.match(lines[1]!, /^account,,hour,2,2,\d{4}-\d\d-\d\d 12:00/);
    await assertFlawless(page, 'rules-limits');
  });

  it('are changed: what waits leaves', async () => {
    await press('button', 'Edit The account, 2 messages per hour');
    await fill(page, by('textbox', 'Messages per hour, at most'), '1000');
    await confirm('Save');
    await sees(page, 'of 1,000');
    await until('/v1/galley/sending_limits', ({ items }) => items[0].used === 3);
  });

  it('count for a provider, and are deleted', async () => {
    await press('button', 'Add limit');
    await press('combobox', 'What is counted');
    await press('option', 'Mailbox provider');
    await choose('Mailbox provider', 'google');
    await fill(page, by('textbox', 'Messages, at most'), '500');
    await confirm('Save');
    await sees(page, 'Provider google');
    await press('button', 'Delete Provider google, 500 messages per hour');
    await sees(page, 'Delete this limit?');
    await confirm('Delete');
    await page.waitForFunction('!document.querySelector("main").textContent.includes("Provider google")');
    const { items } = (await app.call('GET /v1/galley/sending_limits')).body;
    assert.deepEqual(
      items.map(({ scope }: any) => scope),
      ['account'],
    );
  });
});

describe('the circuit breaker in the dashboard', () => {
  it('has a rule for a domain, in a sentence', async () => {
    await visit(page, `${app.url}/sending-rules?show=breaker`);
    await sees(page, `No batch of ${DOMAIN} has been sent yet.`);
    await press('switch', 'Use the circuit breaker');
    await fill(page, by('spinbutton', 'First deliveries'), '5');
    await sees(page, 'A whole number from 10 to 1,000.');
    await fill(page, by('spinbutton', 'First deliveries'), '20');
    await sees(page, 'A batch is held if more than 10 % of its first 20 deliveries bounce');
    await press('button', 'Save circuit breaker');
    await until(`/v1/galley/domains/${DOMAIN}/breaker`, ({ mode, sample }) => mode === 'on' && sample === 20);
    await assertFlawless(page, 'rules-breaker');
  });

  it('shows what it holds with the reason and figures, and a person decides', async () => {
    const sandbox = (await app.call('GET /v4/domains')).body.items.find(({ type }: any) => type === 'sandbox').name;
    const to = Array.from({ length: 40 }, (_, place) => `bounced+550-5.1.${place}@${sandbox}`);
    const letter = { from: `ann@${DOMAIN}`, to, subject: 'Hello', text: 'Hello', 'o:tag': 'spring' };
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter })).status, 200);
    await until('/v1/galley/batches?state=held', ({ items }) => items.length === 1);
    await visit(page, `${app.url}/sending-rules?show=breaker&domain=${DOMAIN}`);
    await sees(page, 'The tag “spring” is held.');
    await sees(page, '0 delivered');
    await assertFlawless(page, 'rules-batches');
    await press('button', 'Drop: Tag spring');
    await confirm('Drop batch');
    await sees(page, 'The tag “spring” was dropped by');
    await until('/v1/galley/batches', ({ items }) => items[0].state === 'dropped' && items[0].waiting === 0);
    const lines = (await savedFile(page, `CSV of batches of ${DOMAIN}`)).trimEnd().split('\r\n');
    assert.match(lines[1]!, /,news\.example\.com,tag,spring,dropped,/);
  });
});
