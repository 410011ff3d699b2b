// Settings of alerts as they are checked and kept; tests of channels; the signing key; where a published client asks.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startReceiver, type Receiver } from '../../../../test/harness/webhook-receiver.ts';
import { testWebhook } from './try-channels.ts';

const SETTINGS = '/v1/alerts/settings/events';
const EVENTS = [
  'ip_listed',
  'ip_delisted',
  'domain_listed',
  'domain_delisted',
  'validation_job',
  'validation_preview',
  'threshold_hit',
  'limit_reached',
  'spam_trap_hit',
  'postmaster_rate_high',
  'postmaster_access_expired',
  'authentication_broken',
  'certificate_expiring',
  'placement_fell',
  'health_fell',
  'gate_failed',
  'batch_held',
  'page_changed',
  'schedule_failed',
  'review_given',
  'review_commented',
  'preview_finished',
  'gate_finished',
  'spam_test_finished',
  'placement_finished',
];
const UUID = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

let app: App;
let receiver: Receiver;
let mail: MailServer;
let stranger = { headers: { 'x-service-account-id': '' } };
let slack: Receiver;

before(async () => {
  [receiver, slack, mail] = await Promise.all([startReceiver(), startReceiver(), startMailServer()]);
  app = await startApp({
    GALLEY_ROLES: 'api',
    GALLEY_ALLOW_HOSTS: `${receiver.host},${slack.host}`,
    GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${mail.port}`,
    GALLEY_SLACK_API: `${slack.url}/api`,
  });
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  stranger = { headers: { 'x-service-account-id': id } };
});
after(async () => {
  await app?.close();
  await Promise.all([receiver?.close(), slack?.close(), mail?.close()]);
});
beforeEach(() => app.galley.outside.db.ofAnyone.deleteFrom('alertSettings').execute());

const byEmail = (event = 'ip_listed') => ({
  event_type: event,
  channel: 'email',
  settings: { emails: ['ann@example.net', 'bob@example.net'] },
});
const slackSays = (path: string, answer: string): void => slack.answer(path, (response) => response.end(answer));
const add = (body: unknown, as = {}) => app.call(`POST ${SETTINGS}`, { body, ...as });
const listed = async (as = {}) => (await app.call('GET /v1/alerts/settings', as)).body.events;

describe('GET /v1/alerts/events', () => {
  it('names the event types', async () => {
    const { status, body } = await app.call('GET /v1/alerts/events');
    assert.deepEqual([status, body], [200, { events: EVENTS }]);
  });

  it('answers 401 without a key', async () => {
    const { status, body } = await app.call('GET /v1/alerts/events', { key: null });
    assert.deepEqual([status, body], [401, { message: 'Invalid private key' }]);
  });
});

describe('alert settings', () => {
  it('are added, listed, replaced and deleted', async () => {
    const made = await add(byEmail());
    assert.equal(made.status, 200);
    const { id } = made.body;
    assert.match(id, UUID);
    assert.deepEqual(made.body, { id, ...byEmail(), disabled_at: null });
    const settings = await app.call('GET /v1/alerts/settings');
    const { signing_key: key } = settings.body.webhooks;
    assert.match(key, /^[\da-f]{32}$/);
    assert.deepEqual(settings.body, {
      events: [made.body],
      slack: { token: null, team_id: null, team_name: null, scope: null },
      webhooks: { signing_key: key },
    });
    const changed = {
      event_type: 'gate_failed',
      channel: 'email',
      settings: { emails: ['c@example.net'], digest: 'daily' },
    };
    const put = await app.call(`PUT ${SETTINGS}/${id}`, { body: changed });
    assert.deepEqual([put.status, put.body], [200, { id, ...changed, disabled_at: null }]);
    assert.deepEqual(await listed(), [put.body]);
    const gone = await app.call(`DELETE ${SETTINGS}/${id}`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Alert setting has been deleted' }]);
    assert.deepEqual(await listed(), []);
    const again = await app.call(`DELETE ${SETTINGS}/${id}`);
    assert.deepEqual([again.status, again.body], [404, { message: `No alert setting has the id "${id}".` }]);
    assert.equal((await app.call(`PUT ${SETTINGS}/${id}`, { body: byEmail() })).status, 404);
  });

  it('are nobody else’s', async () => {
    const { id } = (await add(byEmail())).body;
    assert.deepEqual(await listed(stranger), []);
    for (const call of [`PUT ${SETTINGS}/${id}`, `DELETE ${SETTINGS}/${id}`, `DELETE /v1/alerts/settings/${id}`]) {
      const answer = await app.call(call, { ...stranger, ...(call.startsWith('PUT') && { body: byEmail() }) });
      assert.equal(answer.status, 404, call);
    }
    assert.equal((await listed()).length, 1);
  });

  const wrong: [string, object, RegExp][] = [
    ['an unknown event', { ...byEmail(), event_type: 'ip_moved' }, /^event_type must be one of ip_listed, ip_delisted/],
    ['an unknown channel', { ...byEmail(), channel: 'pigeon' }, /^channel/],
    ['no address', { ...byEmail(), settings: {} }, /^settings\.emails must name 1 to 10 email addresses/],
    [
      'what is no address',
      { ...byEmail(), settings: { emails: ['ann'] } },
      /names "ann", which is not an email address/,
    ],
    [
      'eleven addresses',
      { ...byEmail(), settings: { emails: Array.from({ length: 11 }, (_, place) => `a${place}@example.net`) } },
      /must name 1 to 10/,
    ],
    [
      'a webhook without URL',
      { event_type: 'ip_listed', channel: 'webhook', settings: {} },
      /^settings\.url is required/,
    ],
    [
      'a private address',
      { event_type: 'ip_listed', channel: 'webhook', settings: { url: 'http://10.9.8.7/' } },
      /not open to requests from here/,
    ],
    [
      'Slack without channels',
      { event_type: 'ip_listed', channel: 'slack', settings: {} },
      /^settings\.channel_ids is required/,
    ],
    [
      'Slack channels without a token',
      { event_type: 'ip_listed', channel: 'slack', settings: { channel_ids: ['C024BE91L'] } },
      /need a Slack token/,
    ],
  ];
  for (const [what, body, words] of wrong)
    it(`refuse ${what}`, async () => {
      const answer = await add(body);
      assert.equal(answer.status, 400);
      assert.deepEqual(Object.keys(answer.body), ['message']);
      assert.match(answer.body.message, words);
      assert.deepEqual(await listed(), []);
    });
});

describe('a webhook of alerts', () => {
  const hook = (path: string) => ({
    event_type: 'ip_listed',
    channel: 'webhook',
    settings: { url: receiver.url + path },
  });

  it('is asked with GET when it is added and when it is changed', async () => {
    const { status, body } = await add(hook('/asked'));
    assert.equal(status, 200);
    await app.call(`PUT ${SETTINGS}/${body.id}`, { body: hook('/asked') });
    const asked = receiver.received.filter(({ path }) => path === '/asked');
    assert.deepEqual(
      asked.map(({ method, raw }) => [method, raw]),
      [
        ['GET', ''],
        ['GET', ''],
      ],
    );
  });

  for (const [status, what] of [
    [201, 'another success'],
    [404, 'an error'],
    [302, 'a redirect, which is not followed'],
  ] as const)
    it(`is refused, and not saved, when it answers ${what}`, async () => {
      receiver.answer(`/s${status}`, (response) =>
        response.writeHead(status, status === 302 ? { location: '/asked-after-redirect' } : {}).end(),
      );
      const answer = await add(hook(`/s${status}`));
      assert.equal(answer.status, 400);
      assert.equal(
        answer.body.message,
        `settings.url must answer a GET request with status 200: it answered ${status}. The setting was not saved.`,
      );
      assert.deepEqual(await listed(), []);
      assert.equal(receiver.received.filter(({ path }) => path === '/asked-after-redirect').length, 0);
      // Nor is one that stands changed to it.
      const { id } = (await add(byEmail())).body;
      assert.equal((await app.call(`PUT ${SETTINGS}/${id}`, { body: hook(`/s${status}`) })).status, 400);
      assert.deepEqual((await listed())[0].settings, byEmail().settings);
    });

  it('is refused when nobody answers', async () => {
    receiver.answer('/dead', (response) => response.destroy());
    const answer = await add(hook('/dead'));
    assert.deepEqual(
      [answer.status, answer.body.message],
      [
        400,
        'settings.url must answer a GET request with status 200: The answer is not valid HTTP. ' +
          'The setting was not saved.',
      ],
    );
  });
});

describe('where a published client asks', () => {
  it('lists events, adds and deletes a setting', async () => {
    assert.deepEqual((await app.call('GET /v1/alerts')).body, { events: EVENTS });
    const made = await app.call('POST /v1/alerts/settings', { body: byEmail() });
    assert.deepEqual([made.status, made.body], [200, { id: made.body.id, ...byEmail(), disabled_at: null }]);
    const gone = await app.call(`DELETE /v1/alerts/settings/${made.body.id}`);
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Alert setting has been deleted' }]);
    assert.equal((await app.call(`DELETE /v1/alerts/settings/${made.body.id}`)).status, 404);
    assert.equal((await app.call('POST /v1/alerts/settings', { body: { ...byEmail(), channel: 'fax' } })).status, 400);
  });
});

describe('the signing key of alerts', () => {
  it('is not that of webhooks of sending, and is replaced alone', async () => {
    const sending = (await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
    const first = (await app.call('GET /v1/alerts/settings')).body.webhooks.signing_key;
    assert.notEqual(first, sending);
    const rotated = await app.call('PUT /v1/alerts/settings/webhooks/signing_key');
    assert.equal(rotated.status, 200);
    assert.deepEqual(Object.keys(rotated.body), ['signing_key']);
    assert.match(rotated.body.signing_key, /^[\da-f]{32}$/);
    assert.notEqual(rotated.body.signing_key, first);
    assert.equal((await app.call('GET /v1/alerts/settings')).body.webhooks.signing_key, rotated.body.signing_key);
    assert.equal((await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key, sending);
    const other = (await app.call('GET /v1/alerts/settings', stranger)).body.webhooks.signing_key;
    assert.notEqual(other, rotated.body.signing_key);
  });

  it('is not shown to keys that may not write', async () => {
    const { key } = (await app.call('POST /v1/keys', { body: { role: 'support' } })).body;
    const settings = await app.call('GET /v1/alerts/settings', { key: key.secret });
    assert.deepEqual([settings.status, settings.body.webhooks], [200, { signing_key: null }]);
    const answer = await app.call('PUT /v1/alerts/settings/webhooks/signing_key', { key: key.secret });
    assert.equal(answer.status, 403);
  });
});

describe('quiet hours', () => {
  const PATH = '/v1/galley/alerts/quiet_hours';

  it('are none, are set, and are none again', async () => {
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, { quiet_hours: null });
    const quiet = { from: '22:00', until: '07:00', time_zone: 'Europe/Berlin' };
    const put = await app.call(`PUT ${PATH}`, { body: { quiet_hours: quiet } });
    assert.deepEqual([put.status, put.body], [200, { quiet_hours: quiet }]);
    assert.deepEqual((await app.call(`GET ${PATH}`)).body, { quiet_hours: quiet });
    assert.deepEqual((await app.call(`GET ${PATH}`, stranger)).body, { quiet_hours: null });
    assert.deepEqual((await app.call(`PUT ${PATH}`, { body: { quiet_hours: null } })).body, { quiet_hours: null });
  });

  for (const [quiet, words] of [
    [{ from: '25:00', until: '07:00' }, /^quiet_hours\.from must be a time of day/],
    [{ from: '22:00', until: '22:00' }, /^quiet_hours\.until must differ/],
    [{ from: '22:00', until: '07:00', time_zone: 'Mars/Olympus' }, /^quiet_hours\.time_zone must be a time zone/],
  ] as const)
    it(`refuse ${JSON.stringify(quiet)}`, async () => {
      const { status, body } = await app.call(`PUT ${PATH}`, { body: { quiet_hours: quiet } });
      assert.equal(status, 400);
      assert.match(body.message, words);
    });
});

describe('tests of channels', () => {
  it('post a signed alert that says it is a test', async () => {
    const url = `${receiver.url}/tested`;
    const answer = await app.call('POST /v1/alerts/webhooks/test', { body: { event_type: 'ip_listed', url } });
    assert.deepEqual([answer.status, answer.body], [200, { message: 'Test alert has been sent' }]);
    const [posted] = receiver.posts('/tested');
    assert.match(posted?.headers['x-sign'] as string, /^[\da-f]{64}$/);
    const { id, timestamp, ...data } = posted!.body.event_data;
    assert.match(id, UUID);
    assert.ok(!Number.isNaN(Date.parse(timestamp)));
    assert.deepEqual(data, {
      log_level: 'warn',
      event: 'ip_listed',
      ip: '192.0.2.1',
      blocklist: 'Example blocklist',
      count: 1,
      is_over: false,
      is_test: true,
      message: 'Test: IP 192.0.2.1 was blocklisted by Example blocklist',
    });
    receiver.answer('/broken', 500);
    const broken = `${receiver.url}/broken`;
    const refused = await app.call('POST /v1/alerts/webhooks/test', { body: { event_type: 'ip_listed', url: broken } });
    assert.deepEqual(
      [refused.status, refused.body],
      [400, { message: `${broken} did not take the test alert: The receiver answered 500.` }],
    );
  });

  it('send an email over SMTP', async () => {
    const body = { event_type: 'gate_failed', emails: ['ann@example.net'] };
    const answer = await app.call('POST /v1/alerts/email/test', { body });
    assert.deepEqual([answer.status, answer.body], [200, { message: 'Test alert has been sent' }]);
    const [sent] = mail.messages;
    assert.deepEqual(sent?.to, ['ann@example.net']);
    assert.match(sent!.raw.toString(), /^Subject: Galley: Test: An alert of the type gate_failed\r$/m);
    assert.equal((await app.call('POST /v1/alerts/email/test', { body: { ...body, emails: ['ann'] } })).status, 400);
  });

  it('save a Slack token that Slack knows, list its channels, and post', async () => {
    slackSays('/api/auth.test', '{"ok":true,"team":"Shop","team_id":"T1"}');
    slackSays(
      '/api/conversations.list',
      '{"ok":true,"channels":[{"id":"C024BE91L","name":"mail","is_archived":false}],"response_metadata":{"next_cursor":""}}',
    );
    slackSays('/api/chat.postMessage', '{"ok":true,"channel":"C024BE91L"}');
    const none = { items: [], paging: {} };
    assert.deepEqual((await app.call('GET /v1/alerts/slack/channels')).body, none);
    const token = 'xoxb-1234567890-secret';
    const saved = await app.call('PUT /v1/alerts/settings/slack', { body: { token } });
    assert.deepEqual(
      [saved.status, saved.body],
      [200, { message: 'Slack token has been saved', team_id: 'T1', team_name: 'Shop' }],
    );
    const settings = (await app.call('GET /v1/alerts/settings')).body;
    assert.deepEqual(settings.slack, { token: 'xoxb-…', team_id: 'T1', team_name: 'Shop', scope: null });
    assert.ok(!JSON.stringify(settings).includes('secret'));
    const channels = await app.call('GET /v1/alerts/slack/channels');
    assert.deepEqual(channels.body, {
      items: [{ id: 'C024BE91L', name: 'mail', is_archived: false }],
      paging: {},
    });
    const test = { event_type: 'ip_listed', channel_ids: ['C024BE91L'] };
    assert.equal((await app.call('POST /v1/alerts/slack/test', { body: test })).status, 200);
    const [posted] = slack.posts('/api/chat.postMessage');
    assert.equal(posted?.headers['authorization'], `Bearer ${token}`);
    assert.deepEqual(posted?.body, {
      channel: 'C024BE91L',
      text: ':warning: Test: IP 192.0.2.1 was blocklisted by Example blocklist',
    });
    slackSays('/api/chat.postMessage', '{"ok":false,"error":"not_in_channel"}');
    const refused = await app.call('POST /v1/alerts/slack/test', { body: test });
    assert.deepEqual(
      [refused.status, refused.body.message],
      [400, 'C024BE91L did not take the test alert: Slack refused the message: not_in_channel.'],
    );
    const gone = await app.call('DELETE /v1/alerts/settings/slack');
    assert.deepEqual([gone.status, gone.body], [200, { message: 'Slack token has been deleted' }]);
    assert.deepEqual((await app.call('GET /v1/alerts/slack/channels')).body, none);
  });

  it('refuse a token that Slack does not know', async () => {
    slackSays('/api/auth.test', '{"ok":false,"error":"invalid_auth"}');
    const { status, body } = await app.call('PUT /v1/alerts/settings/slack', {
      body: { token: 'xoxb-1234567890-other' },
    });
    assert.deepEqual([status, body], [400, { message: 'token was refused by Slack: invalid_auth.' }]);
    assert.equal((await app.call('PUT /v1/alerts/settings/slack', { body: { token: 'a b' } })).status, 400);
  });

  it('are thirty an hour at most', async () => {
    const url = `${receiver.url}/often`;
    const body = { event_type: 'ip_listed', url };
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++)
      statuses.push((await app.call('POST /v1/alerts/webhooks/test', { ...stranger, body })).status);
    assert.deepEqual(statuses, [...Array.from({ length: 30 }, () => 200), 429]);
    // Another process has nothing in common but the database.
    const { outside } = app.galley;
    const principal = { accountId: stranger.headers['x-service-account-id'] };
    const elsewhere = { ...outside, db: { ...outside.db }, principal: principal as never };
    await assert.rejects(testWebhook(elsewhere, body), /sends 30 test alerts an hour at most/);
    app.clock.advance(3_600_000);
    await testWebhook(elsewhere, body);
  });
});
