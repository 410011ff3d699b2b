// Alerts in the dashboard: what needs somebody now, who is told, and a setting that is tried and saved.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'puppeteer-core';
import { raiseAlert } from '../../src/features/monitor/alerts/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { startWebServer, type WebServer } from '../harness/web-server.ts';
import { startReceiver, type Receiver } from '../harness/webhook-receiver.ts';
import { assertFlawless, buildDashboard, by, fill, openBrowser, openTab, sees, signIn, visit } from './chromium.ts';

let app: App;
let browser: Browser;
let page: Page;
let receiver: Receiver;
let accountId = '';
let slack: WebServer;

/** Answers as Slack's API is documented to: no test reaches Slack. */
function slackAnswer(path: string): object {
  if (path.startsWith('/api/auth.test')) return { ok: true, team: 'Shop & Co', team_id: 'T1' };
  if (path.startsWith('/api/chat.postMessage')) return { ok: true };
  const named = (id: string, name: string, isArchived = false) => ({ id, name, is_archived: isArchived });
  const channels = [named('C024BE91L', 'deliverability'), named('C024BE92L', 'general'), named('C0OLD', 'old', true)];
  return { ok: true, channels, response_metadata: { next_cursor: '' } };
}

before(async () => {
  receiver = await startReceiver();
  slack = await startWebServer(({ path }, response) => response.end(JSON.stringify(slackAnswer(path))));
  const hosts = `${receiver.host},${slack.host}`;
  [app, browser] = await Promise.all([
    startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: hosts, GALLEY_SLACK_API: `${slack.url}/api` }),
    openBrowser(),
    buildDashboard(),
  ]);
  const first = app.galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accountId = (await first.executeTakeFirstOrThrow()).id;
  ({ page } = await openTab(browser));
  await signIn(page, app, '/monitor');
  await sees(page, 'No open alerts');
});

after(async () => {
  await browser?.close();
  await app?.close();
  await receiver?.close();
  await slack?.close();
});

const URL_PATH = '/alerts';

describe('alerts in the dashboard', () => {
  it('begin with nobody who is told, and nothing open', async () => {
    await sees(page, 'Nobody is told');
    await assertFlawless(page, 'overview-empty');
    await visit(page, `${app.url}/alerts`);
    await sees(page, 'No alert settings yet');
    await assertFlawless(page, 'alerts-empty');
  });

  it('are set for a webhook, after a test', async () => {
    await page.locator(by('button', 'New setting')).click();
    await page.locator('[role=dialog] label ::-p-text(Webhook)').click();
    await fill(page, '[role=dialog] input[placeholder^="https://shop"]', receiver.url + URL_PATH);
    await page.locator(by('button', 'Send test alert')).click();
    await sees(page, 'The test alert was sent.');
    assert.equal(receiver.posts(URL_PATH).length, 1);
    await assertFlawless(page, 'alerts-dialog');
    await page.locator('[role=dialog] ::-p-aria([name="Save"][role="button"])').click();
    await sees(page, receiver.url + URL_PATH);
    const { events } = (await app.call('GET /v1/alerts/settings')).body;
    assert.deepEqual(
      events.map(({ event_type: event, channel, settings }: any) => [event, channel, settings]),
      [['ip_listed', 'webhook', { url: receiver.url + URL_PATH }]],
    );
  });

  it('stand where they need somebody, with the way to mend them, until they are resolved', async () => {
    await raiseAlert(app.galley.outside, undefined, {
      accountId,
      event: 'ip_listed',
      subject: '192.0.2.1 Barracuda',
      data: {
        message: 'IP 192.0.2.1 was blocklisted by Barracuda',
        fix: 'Ask for its removal once the cause is mended.',
        page: '/domains',
      },
    });
    await raiseAlert(app.galley.outside, undefined, {
      accountId,
      event: 'authentication_broken',
      subject: 'mail.example.com',
      data: { message: 'The SPF record of mail.example.com is gone' },
    });
    await app.idle();
    await visit(page, `${app.url}/monitor`);
    await sees(page, 'IP 192.0.2.1 was blocklisted by Barracuda');
    await sees(page, 'Ask for its removal once the cause is mended.');
    await sees(page, 'The SPF record of mail.example.com is gone');
    await sees(page, 'No alert setting names this event, so nobody was told.');
    await assertFlawless(page, 'overview');
    await visit(page, `${app.url}/alerts`);
    await sees(page, 'Sent to 1.');
    await assertFlawless(page, 'alerts');
    for (const left of [1, 0]) {
      await page.locator(by('button', 'Resolve')).click();
      await page.waitForFunction(`document.querySelectorAll('ul[aria-label="Alerts, list"] > li').length === ${left}`);
    }
    await sees(page, 'No open alerts');
  });

  it('of a month stand page by page, those that are over apart from those that are open', async () => {
    const { outside } = app.galley;
    const MONTH = [
      ['ip_listed', 'IP 192.0.2.1 was listed by SpamCop', 'Mend the cause, then ask for its removal.', '/blocklists'],
      [
        'health_fell',
        'The health score of the last 7 days is 71 of 100, below 80',
        'Write to who asked.',
        '/reputation',
      ],
      [
        'spam_trap_hit',
        '3 spam traps were hit by news.example.com',
        'Find out where the addresses come from.',
        '/traps',
      ],
      ['threshold_hit', 'Hard bounces of news.example.com are 4.1 %, above 2 %', 'Clean the list.', '/thresholds'],
    ] as const;
    for (let back = 30; back >= 1; back -= 1) {
      const [event, message, fix, path] = MONTH[back % MONTH.length]!;
      const alert = { accountId, event, subject: `month ${back}`, data: { message, fix, page: path } };
      await raiseAlert(outside, undefined, alert);
      if (back > 5) await raiseAlert(outside, undefined, { ...alert, isOver: true });
      const at = new Date(Date.now() - back * 86_400_000);
      const over = new Date(at.getTime() + 20_000_000);
      const raised = outside.db.ofAnyone.updateTable('alerts').where('subject', '=', `month ${back}`);
      await raised.set({ createdAt: at, ...(back > 5 && { overAt: over }) }).execute();
    }
    await app.idle();
    await visit(page, `${app.url}/alerts`);
    const listed = async (count: number): Promise<unknown> =>
      page.waitForFunction(`document.querySelectorAll('ul[aria-label="Alerts, list"] > li').length === ${count}`);
    // A hit of a trap is news: it ends when it is told.
    await listed(4);
    await assertFlawless(page, 'alerts-month');
    await page.locator('label ::-p-text(Over)').click();
    await listed(25);
    await sees(page, 'The health score of the last 7 days is 71 of 100');
    await assertFlawless(page, 'alerts-month-over');
    await page.locator(by('button', 'Page 2')).click();
    // Twenty-six of the month, and the two that were resolved before.
    await listed(3);
    await visit(page, `${app.url}/monitor`);
    await sees(page, 'Hard bounces of news.example.com are 4.1 %');
    await assertFlawless(page, 'overview-month-alerts');
  });

  it('says why Slack cannot be connected, and takes what Slack sends back', async () => {
    await visit(page, `${app.url}/alerts`);
    await sees(page, 'The operator of this Galley has set up no Slack app');
    await visit(page, `${app.url}/alerts/slack?error=access_denied`);
    await sees(page, 'Nobody has allowed the app.');
    await assertFlawless(page, 'alerts-slack');
    await visit(page, `${app.url}/alerts/slack?code=x&state=y`);
    await sees(page, 'Save the bot token of an app of your own');
  });

  it('go to channels of Slack that are chosen from a list', async () => {
    await app.call('PUT /v1/alerts/settings/slack', { body: { token: 'xoxb-1234567890-secret' } });
    await visit(page, `${app.url}/alerts`);
    await sees(page, 'Alerts can go to channels of Shop & Co.');
    await page.locator(by('button', 'New setting')).click();
    await page.locator('[role=dialog] label ::-p-text(Slack)').click();
    await fill(page, '[role=dialog] input[placeholder="Search channels"]', 'del');
    await page.locator('[role=option] ::-p-text(#deliverability)').click();
    await fill(page, '[role=dialog] input[type=text]:not([readonly])', 'old');
    await sees(page, 'No channels match');
    await page.locator('[role=dialog] h2').click();
    await assertFlawless(page, 'alerts-slack-channels');
    await page.locator(by('button', 'Send test alert')).click();
    await sees(page, 'The test alert was sent.');
    await page.locator('[role=dialog] ::-p-aria([name="Save"][role="button"])').click();
    await page.waitForSelector('[role=dialog]', { hidden: true });
    await sees(page, '#deliverability');
    const { events } = (await app.call('GET /v1/alerts/settings')).body;
    assert.deepEqual(events.find(({ channel }: any) => channel === 'slack')?.settings, { channel_ids: ['C024BE91L'] });
    await page.locator(by('button', 'Disconnect Slack')).click();
    await sees(page, 'The operator of this Galley has set up no Slack app');
  });
});
