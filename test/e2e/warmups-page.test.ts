// The warm-up of an address in the dashboard: started from the proposed plan, held by what receivers say, changed,
// stopped.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import ipWarmups from '../../src/features/send/ip-warmups/index.ts';
import { sendingGates } from '../../src/features/send/sending-ips/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn } from './chromium.ts';

const IP = '127.0.0.61';
const HOUR_MS = 3_600_000;
const TOLD = '421 4.7.0 [TSS04] Messages from 127.0.0.61 temporarily deferred due to unexpected volume';

let app: App;
let browser: Browser;
let page: Page;

before(async () => {
  const settings = { GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: `${IP}=mail.example.com` };
  [app, browser] = await Promise.all([startApp(settings), openBrowser(), buildDashboard()]);
  ({ page } = await openTab(browser));
  await signIn(page, app, '/ip-warmups');
});

after(async () => {
  await browser?.close();
  await app?.close();
});

/** A day of the address: a message every hour, some of which the receiver holds back, and the end of the stage. */
async function aDay(deferred: number): Promise<void> {
  const { outside } = app.galley;
  const [gate] = outside.lists.of(sendingGates);
  const { id: accountId } = await outside.db.ofAnyone.selectFrom('accounts').select('id').executeTakeFirstOrThrow();
  for (let hour = 0; hour < 24; hour += 1) {
    const now = app.clock.now();
    const { count } = await gate!.takeFrom(outside, IP, { count: 5, now });
    const shared = { at: now, accountId, domain: 'news.example.com', recipient: `r${hour}@example.net` };
    const about = { 'delivery-status': { code: 421, message: TOLD }, envelope: { 'sending-ip': IP } };
    const isDeferred = hour < deferred;
    await outside.events.append(outside.db, [
      isDeferred
        ? { ...shared, event: 'failed', severity: 'temporary', reason: 'generic', code: 421, about }
        : { ...shared, event: 'delivered', code: 250, about: { envelope: about.envelope } },
    ]);
    assert.equal(count, 1, `hour ${hour}`);
    app.clock.advance(HOUR_MS);
  }
  app.clock.advance(10_000);
  await ipWarmups.jobs?.[0]?.run(outside, {}, {} as never);
}

describe('warm-ups in the dashboard', () => {
  it('begin with none', async () => {
    await sees(page, 'No address is warming up');
    await assertFlawless(page, 'warmups-empty');
  });

  it('are started from a published plan, which can be changed', async () => {
    await page.locator(by('button', 'Start a warm-up')).click();
    await sees(page, 'Twilio SendGrid');
    await page.locator(by('combobox', 'IP address')).click();
    await page.locator(by('option', IP)).click();
    await fill(page, by('textbox', 'Messages in each stage'), '24, 12');
    await sees(page, 'From 1 to 60 whole numbers that do not fall.');
    await fill(page, by('textbox', 'Messages in each stage'), '24, 48, 100');
    await sees(page, '3 stages: warm on');
    await assertFlawless(page, 'warmups-dialog');
    await page.locator(by('button', 'Start')).click();
    await sees(page, 'Stage 1 of 3: 0 of 24 messages sent.');
    await sees(page, 'No stage has ended yet.');
  });

  it('show what followed from each stage, and when the address is warm at this rate', async () => {
    await aDay(3);
    // Whoever was signed in a day ago signs in again.
    await signIn(page, app, '/ip-warmups');
    await sees(page, 'Stage 1 begins again. 3 replies about reputation in 24 attempts: 13%');
    await sees(page, 'At this rate it does not become warm (from the last 1 stage).');
    await aDay(0);
    await signIn(page, app, '/ip-warmups');
    await sees(page, 'It goes on to stage 2. 24 of 24 messages left.');
    await sees(page, 'At this rate warm on');
    await assertFlawless(page, 'warmups-decisions');
  });

  it('are stopped', async () => {
    await page.locator(by('button', 'Stop')).click();
    await sees(page, `Stop the warm-up of ${IP}?`);
    await page.locator(`[role=dialog] >>> ${by('button', 'Stop')}`).click();
    await sees(page, 'No address is warming up');
    assert.deepEqual((await app.call('GET /v3/ip_warmups')).body.items, []);
  });
});
