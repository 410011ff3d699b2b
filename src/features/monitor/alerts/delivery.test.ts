// Alerts from the moment they are raised until somebody was told: each once, its end once, over HTTP and SMTP.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startReceiver, type Receiver } from '../../../../test/harness/webhook-receiver.ts';
import { raiseAlert, type AlertEvent } from './index.ts';
import { tell } from './tell-job.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let app: App;
let receiver: Receiver;
let mail: MailServer;
let refusing = '';
let accountId = '';
let otherId = '';
let count = 0;

before(async () => {
  receiver = await startReceiver();
  mail = await startMailServer({
    answer: (verb, line) =>
      verb === 'RCPT' && refusing && line.includes(refusing) ? '550 5.1.1 No such user' : undefined,
  });
  app = await startApp({
    GALLEY_ROLES: 'api,work',
    GALLEY_ALLOW_HOSTS: receiver.host,
    GALLEY_SMTP_RELAY: `smtp://127.0.0.1:${mail.port}`,
    GALLEY_PUBLIC_URL: 'https://galley.example',
  });
  const first = app.galley.outside.db.ofAnyone.selectFrom('accounts').select('id').where('parentId', 'is', null);
  accountId = (await first.executeTakeFirstOrThrow()).id;
  otherId = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount.id;
});
after(async () => {
  await app?.close();
  await Promise.all([receiver?.close(), mail?.close()]);
});
beforeEach(async () => {
  await app.idle();
  await app.galley.outside.db.ofAnyone.deleteFrom('alertSettings').execute();
  await app.call('PUT /v1/galley/alerts/quiet_hours', { body: { quiet_hours: null } });
  mail.messages.length = 0;
  refusing = '';
});

const asOther = () => ({ headers: { 'x-service-account-id': otherId } });

async function add(body: object, as = {}): Promise<string> {
  const answer = await app.call('POST /v1/alerts/settings/events', { body, ...as });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.id;
}
const hook = (event: AlertEvent, path: string, as = {}) =>
  add({ event_type: event, channel: 'webhook', settings: { url: receiver.url + path } }, as);
const freshPath = (): string => `/hook-${++count}`;
const freshSubject = (): string => `198.51.100.${++count} list`;
const BLOCKLIST = { ip: '198.51.100.7', blocklist: 'Barracuda' };
const LISTED = { ...BLOCKLIST, message: 'IP 198.51.100.7 was blocklisted by Barracuda' };
const DELISTED = { ...BLOCKLIST, message: 'IP 198.51.100.7 was removed by Barracuda' };

async function raise(event: AlertEvent, subject: string, { owner = accountId, isOver = false, data = LISTED } = {}) {
  await raiseAlert(app.galley.outside, undefined, { accountId: owner, event, subject, data, isOver });
  await app.idle();
}

/** What the service does every few seconds. */
async function later(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds);
  const { jobs, db } = app.galley.outside;
  await jobs.enqueue(db, tell, { payloads: [{ accountId }], account: accountId });
  jobs.wake();
  await app.idle();
}

const alertsOf = async (state: string): Promise<any[]> =>
  (await app.call(`GET /v1/galley/alerts?state=${state}`)).body.items;
const setting = async (id: string): Promise<any> =>
  (await app.call('GET /v1/alerts/settings')).body.events.find((one: any) => one.id === id);

/** Checked by WebCrypto, which has no code of the signer. */
async function isSigned(body: string, sign: unknown, key: string): Promise<boolean> {
  const imported = await crypto.subtle.importKey('raw', Buffer.from(key), { name: 'HMAC', hash: 'SHA-256' }, false, [
    'verify',
  ]);
  return crypto.subtle.verify('HMAC', imported, Buffer.from(String(sign), 'hex'), Buffer.from(body));
}

describe('a webhook of alerts', () => {
  it('whose signing key cannot be read is an attempt that failed, and holds up nobody', async () => {
    const { db, secrets } = app.galley.outside;
    const [path, email] = [freshPath(), 'ops@example.com'];
    const id = await hook('ip_listed', path);
    await add({ event_type: 'ip_listed', channel: 'email', settings: { emails: [email] } });
    await app.call('GET /v1/alerts/settings');
    const key = db.of(accountId).updateTable('signingKeys').where('purpose', '=', 'alerts');
    await key.set({ sealed: secrets.seal('another', 'elsewhere') }).execute();
    const settings = await app.call('GET /v1/alerts/settings');
    assert.deepEqual([settings.status, settings.body.events.length], [200, 2], JSON.stringify(settings.body));
    assert.equal(settings.body.webhooks.signing_key, null);
    assert.match(settings.body.webhooks.signing_key_fault, /^could not get HSK for account: the signing key of alerts/);
    await raise('ip_listed', freshSubject());
    const [{ deliveries }] = await alertsOf('open');
    assert.deepEqual(deliveries.map(({ channel, state }: any) => [channel, state]).toSorted(), [
      ['email', 'delivered'],
      ['webhook', 'waiting'],
    ]);
    const { message } = deliveries.find(({ channel }: any) => channel === 'webhook');
    assert.match(message, /^The secret of alerts:\S+ was sealed with another key/);
    const tried = await app.call('POST /v1/alerts/webhooks/test', {
      body: { event_type: 'ip_listed', url: receiver.url + path },
    });
    assert.equal(tried.status, 400, JSON.stringify(tried.body));
    // A new key mends it. The target is not to blame, however often it was tried.
    for (let hours = 0; hours < 24; hours += 1) await later(HOUR_MS);
    assert.equal((await app.call('PUT /v1/alerts/settings/webhooks/signing_key')).status, 200);
    assert.equal((await setting(id)).disabled_at, null);
    await raise('ip_listed', freshSubject());
    assert.equal(receiver.posts(path).length, 1);
  });

  it('gets an alert once and its end once, in the published form, signed with the key of alerts', async () => {
    const path = freshPath();
    const subject = freshSubject();
    await hook('ip_listed', path);
    await hook('ip_delisted', path);
    for (const times of [1, 2, 3]) await raise('ip_listed', subject, { data: Object.assign({ times }, LISTED) });
    assert.equal(receiver.posts(path).length, 1);
    await raise('ip_delisted', subject, { data: DELISTED });
    await raise('ip_delisted', subject, { data: DELISTED });
    const posted = receiver.posts(path);
    assert.equal(posted.length, 2);
    const { signature, event_data: data, ...rest } = posted[0]!.body;
    assert.deepEqual(rest, {});
    assert.deepEqual(Object.keys(signature), ['timestamp', 'token']);
    assert.ok(Number.isInteger(signature.timestamp));
    assert.match(signature.token, /^[\da-f]{50}$/);
    const { id, timestamp, times, ...fields } = data;
    assert.equal(times, 1);
    assert.deepEqual(fields, {
      log_level: 'warn',
      event: 'ip_listed',
      ip: '198.51.100.7',
      blocklist: 'Barracuda',
      message: 'IP 198.51.100.7 was blocklisted by Barracuda',
      count: 1,
      is_over: false,
    });
    assert.ok(id && timestamp);
    const end = posted[1]!.body.event_data;
    assert.deepEqual([end.event, end.message, end.is_over, end.id], ['ip_delisted', DELISTED.message, true, id]);
    const ofAlerts = (await app.call('GET /v1/alerts/settings')).body.webhooks.signing_key;
    const ofSending = (await app.call('GET /v5/accounts/http_signing_key')).body.http_signing_key;
    for (const { raw, headers } of posted) {
      assert.equal(await isSigned(raw, headers['x-sign'], ofAlerts), true);
      assert.equal(await isSigned(raw, headers['x-sign'], ofSending), false);
      assert.equal(await isSigned(`${raw} `, headers['x-sign'], ofAlerts), false);
    }
  });

  it('is signed with the new key after a rotation, and not with the old one', async () => {
    const path = freshPath();
    await hook('gate_failed', path);
    const old = (await app.call('GET /v1/alerts/settings')).body.webhooks.signing_key;
    const { signing_key: key } = (await app.call('PUT /v1/alerts/settings/webhooks/signing_key')).body;
    await raise('gate_failed', freshSubject());
    const [posted] = receiver.posts(path);
    assert.equal(await isSigned(posted!.raw, posted!.headers['x-sign'], key), true);
    assert.equal(await isSigned(posted!.raw, posted!.headers['x-sign'], old), false);
  });

  it('is tried for 7.5 hours, and then the setting is disabled until it is saved again', async () => {
    const path = freshPath();
    const id = await hook('health_fell', path);
    receiver.answer(path, 500);
    await raise('health_fell', freshSubject());
    for (const [before, seconds] of [300, 600, 900, 3600, 7200].entries()) {
      // The clock goes on while a busy machine works: a minute is left for that.
      await later(seconds * 1000 - MINUTE_MS);
      assert.equal(receiver.posts(path).length, before + 1, `before ${seconds} s`);
      await later(MINUTE_MS);
      assert.equal(receiver.posts(path).length, before + 2, `after ${seconds} s`);
      assert.equal((await setting(id)).disabled_at, null);
    }
    const [waiting] = (await alertsOf('open')).filter(({ event }) => event === 'health_fell');
    assert.equal(waiting.deliveries[0].state, 'waiting');
    assert.equal(waiting.deliveries[0].message, 'The receiver answered 500.');
    await later(14_401_000);
    assert.equal(receiver.posts(path).length, 7);
    assert.ok((await setting(id)).disabled_at);
    await raise('health_fell', freshSubject());
    await later(HOUR_MS);
    assert.equal(receiver.posts(path).length, 7);
    // Whoever saves it again is told again.
    receiver.answer(path, 200);
    const body = { event_type: 'health_fell', channel: 'webhook', settings: { url: receiver.url + path } };
    assert.equal((await app.call(`PUT /v1/alerts/settings/events/${id}`, { body })).body.disabled_at, null);
    await raise('health_fell', freshSubject());
    assert.equal(receiver.posts(path).length, 8);
  });

  it('gets what failed once it answers again', async () => {
    const path = freshPath();
    await hook('gate_failed', path);
    receiver.answer(path, 503);
    await raise('gate_failed', freshSubject());
    receiver.answer(path, 200);
    await later(301_000);
    await later(HOUR_MS);
    assert.equal(receiver.posts(path).length, 2);
  });

  it('of another account gets nothing', async () => {
    const [own, other] = [freshPath(), freshPath()];
    const subject = freshSubject();
    await hook('ip_listed', own);
    await hook('ip_listed', other, asOther());
    await raise('ip_listed', subject);
    assert.deepEqual([receiver.posts(own).length, receiver.posts(other).length], [1, 0]);
    await raise('ip_listed', subject, { owner: otherId });
    assert.deepEqual([receiver.posts(own).length, receiver.posts(other).length], [1, 1]);
    const listed = (await app.call('GET /v1/galley/alerts', asOther())).body;
    assert.equal(listed.total, 1);
    const theirs = listed.items[0].id;
    assert.equal((await app.call(`POST /v1/galley/alerts/${theirs}/resolve`)).status, 404);
  });
});

describe('what flaps', () => {
  it('is told once an hour, and what is over by then is not told at all', async () => {
    const path = freshPath();
    const subject = freshSubject();
    await hook('threshold_hit', path);
    await raise('threshold_hit', subject);
    await raise('threshold_hit', subject, { isOver: true });
    assert.equal(receiver.posts(path).length, 2);
    for (let flaps = 0; flaps < 5; flaps++) {
      await raise('threshold_hit', subject);
      await raise('threshold_hit', subject, { isOver: true });
    }
    assert.equal(receiver.posts(path).length, 2);
    await raise('threshold_hit', subject);
    await later(HOUR_MS - 5 * MINUTE_MS);
    assert.equal(receiver.posts(path).length, 2);
    await later(6 * MINUTE_MS);
    assert.equal(receiver.posts(path).length, 3);
    assert.equal(receiver.posts(path)[2]!.body.event_data.is_over, false);
  });

  it('and has no end of its own is told once an hour with a count', async () => {
    const path = freshPath();
    const subject = freshSubject();
    await hook('spam_trap_hit', path);
    for (let hits = 0; hits < 4; hits++) await raise('spam_trap_hit', subject);
    assert.equal(receiver.posts(path).length, 1);
    await later(HOUR_MS);
    assert.deepEqual(
      receiver.posts(path).map(({ body }) => body.event_data.count),
      [1, 3],
    );
  });

  it('and is raised by many at once opens one alert', async () => {
    const subject = freshSubject();
    const data = LISTED;
    const one = { accountId, event: 'domain_listed' as const, subject, data };
    await Promise.all(Array.from({ length: 8 }, () => raiseAlert(app.galley.outside, undefined, one)));
    await app.idle();
    const open = (await alertsOf('open')).filter((alert) => alert.subject === subject);
    assert.deepEqual(
      open.map((alert) => alert.count),
      [8],
    );
  });

  it('is not raised by a transaction that is rolled back', async () => {
    const subject = freshSubject();
    const { db } = app.galley.outside;
    const rolledBack = db.tx(async (tx) => {
      await raiseAlert(app.galley.outside, tx, { accountId, event: 'ip_listed', subject, data: LISTED });
      throw new Error('no');
    });
    await assert.rejects(rolledBack, /no/);
    assert.deepEqual(
      (await alertsOf('open')).filter((alert) => alert.subject === subject),
      [],
    );
  });
});

describe('an email of alerts', () => {
  const byEmail = (event: AlertEvent, emails: string[], digest?: string) =>
    add({ event_type: event, channel: 'email', settings: { emails, ...(digest && { digest }) } });

  it('arrives over SMTP, with what to do about it', async () => {
    await byEmail('authentication_broken', ['ann@example.net']);
    const data = {
      message: 'The SPF record is gone\r\nBcc: x@y.z',
      fix: 'Publish it again.',
      page: '/domains/a.example',
    };
    await raise('authentication_broken', freshSubject(), { data: data as never });
    assert.equal(mail.messages.length, 1);
    const [{ from, to, raw }] = mail.messages as [MailServer['messages'][number]];
    assert.deepEqual([from, to], ['alerts@galley.localhost', ['ann@example.net']]);
    assert.match(raw, /^Subject: Galley: The SPF record is gone Bcc: x@y\.z\r$/m);
    assert.doesNotMatch(raw, /^Bcc:/m);
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(raw, /What to do: Publish it again\./);
    assert.match(raw, /https:\/\/galley\.example\/domains\/a\.example/);
  });

  it('joins what one address is told at once, and says an alert of two settings once', async () => {
    // The digest of an hour that ended meanwhile would go before all of them are raised.
    app.clock.advance(HOUR_MS - (app.clock.now().getTime() % HOUR_MS));
    await byEmail('ip_listed', ['ann@example.net'], 'hourly');
    await byEmail('ip_listed', ['ann@example.net', 'bob@example.net'], 'hourly');
    await byEmail('domain_listed', ['ann@example.net'], 'hourly');
    // Both in one hour, whenever the test runs.
    await later(HOUR_MS - (app.clock.now().getTime() % HOUR_MS) + MINUTE_MS);
    await raise('ip_listed', freshSubject());
    await raise('domain_listed', freshSubject(), { data: { message: 'Domain a.example is listed' } as never });
    assert.equal(mail.messages.length, 0);
    await later(HOUR_MS);
    const words = mail.messages.map(({ to, raw }) => [to[0], /^Subject: (.*)\r$/m.exec(raw)?.[1]]).toSorted();
    assert.equal(words.length, 2);
    assert.match(words[0]![1]!, /^Galley: 2 alerts, IP 198\.51\.100\.7/);
    assert.match(words[1]![1]!, /^Galley: IP 198\.51\.100\.7 was blocklisted/);
  });

  it('waits until the quiet hours end; webhooks do not wait', async () => {
    const path = freshPath();
    await byEmail('ip_listed', ['ann@example.net']);
    await hook('ip_listed', path);
    const clock = (shift: number): string => new Date(app.clock.now().getTime() + shift).toISOString().slice(11, 16);
    const quiet = { from: clock(-HOUR_MS), until: clock(2 * HOUR_MS), time_zone: 'UTC' };
    await app.call('PUT /v1/galley/alerts/quiet_hours', { body: { quiet_hours: quiet } });
    await raise('ip_listed', freshSubject());
    assert.deepEqual([receiver.posts(path).length, mail.messages.length], [1, 0]);
    await later(HOUR_MS);
    assert.equal(mail.messages.length, 0);
    await later(HOUR_MS);
    assert.equal(mail.messages.length, 1);
  });

  it('to an address that there is not is not tried again; the others are told', async () => {
    const id = await byEmail('ip_listed', ['gone@example.net', 'ann@example.net']);
    refusing = 'gone@example.net';
    await raise('ip_listed', freshSubject());
    const { disabled_at: disabledAt, disabled_emails: disabled } = await setting(id);
    assert.equal(disabledAt, null);
    assert.deepEqual(Object.keys(disabled), ['gone@example.net']);
    assert.match(disabled['gone@example.net'].reason, /No such user/);
    await raise('ip_listed', freshSubject());
    assert.deepEqual(
      mail.messages.map(({ to }) => to[0]),
      ['ann@example.net', 'ann@example.net'],
    );
  });
});

describe('Slack', () => {
  it('gets words in an incoming webhook, with its own signs escaped', async () => {
    const path = freshPath();
    await add({ event_type: 'ip_listed', channel: 'slack', settings: { url: receiver.url + path } });
    await raise('ip_listed', freshSubject(), { data: { message: 'a < b & <@U1>' } as never });
    assert.deepEqual(
      receiver.posts(path).map(({ body }) => body),
      [{ text: ':warning: a &lt; b &amp; &lt;@U1&gt;' }],
    );
  });
});

describe('GET /v1/galley/alerts', () => {
  it('lists alerts with who was told, and one can be resolved', async () => {
    const path = freshPath();
    const subject = freshSubject();
    await hook('placement_fell', path);
    await raise('placement_fell', subject, {
      data: { message: 'It fell.', fix: 'Look.', page: '/placement' } as never,
    });
    const { body } = await app.call('GET /v1/galley/alerts?state=open&event_type=placement_fell');
    const { id, created_at: createdAt, updated_at: updatedAt } = body.items[0];
    assert.deepEqual(body, {
      items: [
        {
          id,
          event: 'placement_fell',
          subject,
          message: 'It fell.',
          fix: 'Look.',
          page: '/placement',
          count: 1,
          created_at: createdAt,
          updated_at: updatedAt,
          over_at: null,
          deliveries: [{ channel: 'webhook', target: receiver.url + path, state: 'delivered', message: 'Delivered.' }],
        },
      ],
      total: 1,
    });
    const resolved = await app.call(`POST /v1/galley/alerts/${id}/resolve`);
    assert.deepEqual([resolved.status, resolved.body], [200, { message: 'Alert has been resolved' }]);
    const again = await app.call(`POST /v1/galley/alerts/${id}/resolve`);
    assert.deepEqual([again.status, again.body], [404, { message: `No open alert has the id "${id}".` }]);
    assert.equal(receiver.posts(path).length, 1);
    assert.equal((await app.call('GET /v1/galley/alerts?event_type=none')).status, 400);
    assert.equal((await app.call('GET /v1/galley/alerts?limit=0')).status, 400);
  });
});
