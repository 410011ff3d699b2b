// Alerts of what other features publish: each is raised once and ends once, for the account that it is about.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from './harness/start-app.ts';
import { startReceiver, type Receiver } from './harness/webhook-receiver.ts';
import { FEATURES } from '../src/app/features.ts';
import { createZoneDns, type DeclaredZone, type Dns } from '../src/platform/dns/index.ts';
import type { AlertEvent } from '../src/features/monitor/alerts/index.ts';

const HOUR_MS = 3_600_000;

let zone: DeclaredZone = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let receiver: Receiver;
let other: Record<string, string>;

before(async () => {
  receiver = await startReceiver();
  app = await startApp(
    { GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test', GALLEY_ALLOW_HOSTS: receiver.host },
    { dns },
  );
  const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
  other = { 'x-service-account-id': id };
});
after(async () => {
  await app?.close();
  await receiver?.close();
});

/** Posts alerts of an event, of both accounts, to paths of their own. */
async function hook(event: AlertEvent): Promise<{ own: string; others: string }> {
  const paths = { own: `/${event}/own`, others: `/${event}/others` };
  for (const [path, headers] of [
    [paths.own, {}],
    [paths.others, other],
  ] as const) {
    const body = { event_type: event, channel: 'webhook', settings: { url: receiver.url + path } };
    assert.equal((await app.call('POST /v1/alerts/settings/events', { body, headers })).status, 200);
  }
  return paths;
}

const toldAt = (path: string): unknown[] =>
  receiver.posts(path).map(({ body: { event_data: data } }) => [data.is_over, data.message]);

const alertsOf = async (event: AlertEvent, headers: Record<string, string> = {}): Promise<any[]> =>
  (await app.call(`GET /v1/galley/alerts?event_type=${event}`, { headers })).body.items;

/** What the service does by itself every few minutes, and all that follows. */
async function turnOf(name: string): Promise<void> {
  const job = FEATURES.flatMap(({ jobs = [] }) => jobs).find((one) => one.name === name);
  assert.ok(job, name);
  await job.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
}

describe('a gate that fails', () => {
  it('is told at once, and counted when the same email fails again within the hour', async () => {
    const { own, others } = await hook('gate_failed');
    const html = '<!doctype html><html lang="en"><title>Hello</title><p style="display:flex">Hello</p></html>';
    const gate = async (failOn: string): Promise<string> => {
      const body = { html, name: 'mails/spring.html', checks: ['code'], policy: { fail_on: failOn } };
      const { id } = (await app.call('POST /v1/inspect/gate', { body })).body.items;
      await app.idle();
      return id;
    };
    await gate('never');
    assert.deepEqual(await alertsOf('gate_failed'), []);
    const first = await gate('info');
    await gate('info');
    await gate('info');
    const [posted, ...more] = receiver.posts(own);
    assert.deepEqual(more, []);
    const { event, gate_id: gateId, email, message, page, reasons } = posted!.body.event_data;
    assert.deepEqual([event, gateId, email, page], ['gate_failed', first, 'mails/spring.html', `/gate/${first}`]);
    assert.match(message, /^The gate of mails\/spring\.html failed\. \S/);
    assert.ok(reasons.length > 0);
    const counts = (await alertsOf('gate_failed')).map(({ count, over_at: over }) => [count, over === null]);
    assert.deepEqual(counts, [
      [2, true],
      [1, false],
    ]);
    assert.deepEqual([toldAt(others), await alertsOf('gate_failed', other)], [[], []]);
  });
});

describe('what has finished', () => {
  const html = '<!doctype html><html lang="en"><title>Roses</title><p>The roses have begun to flower.</p></html>';
  const preview = async (fields: object = {}): Promise<string> => {
    const body = { subject: 'Roses', html, clients: ['gmail_chrome', 'ol2021'], ...fields };
    const { status, body: made } = await app.call('POST /v2/preview/tests', { body });
    assert.equal(status, 200, JSON.stringify(made));
    await app.idle();
    return made.id;
  };
  const dataAt = (path: string): any[] => receiver.posts(path).map(({ body: { event_data: data } }) => data);

  it('is kept as an alert only while a setting asks for it', async () => {
    await preview();
    assert.deepEqual(await alertsOf('preview_finished'), []);
    const { own, others } = await hook('preview_finished');
    const id = await preview({ reference_id: 'build 71', customer_id: 'acme' });
    const [posted, ...more] = dataAt(own);
    assert.deepEqual(more, []);
    const { id: alertId, timestamp, ...data } = posted;
    assert.ok(alertId && timestamp);
    assert.deepEqual(data, {
      message: 'The preview test "Roses" is finished: 2 completed, 0 bounced.',
      page: `/previews/${id}`,
      test_id: id,
      subject: 'Roses',
      completed: ['gmail_chrome', 'ol2021'],
      bounced: [],
      reference_id: 'build 71',
      customer_id: 'acme',
      log_level: 'info',
      event: 'preview_finished',
      count: 1,
      is_over: false,
    });
    const alerts = await alertsOf('preview_finished');
    assert.deepEqual(
      alerts.map(({ subject, over_at: over }) => [subject, over === null]),
      [[id, false]],
    );
    assert.deepEqual([toldAt(others), await alertsOf('preview_finished', other)], [[], []]);
  });

  it('is told once of a preview test, whether clients bounce or are drawn again', async () => {
    const own = '/preview_finished/own';
    const before = dataAt(own).length;
    // More than the service accepts: the client bounces before anything is drawn.
    const mime =
      'Subject: Roses\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n' +
      'Content-Type: text/html\r\n\r\n<p>Hi</p>\r\n--b\r\nContent-Type: application/octet-stream\r\n\r\n' +
      `${`${'x'.repeat(76)}\r\n`.repeat(350_000)}\r\n--b--\r\n`;
    const id = await preview({ html: undefined, mime, clients: ['outlookcom_chrome'] });
    assert.equal((await app.call(`GET /v2/preview/tests/${id}`)).body.bounced.length, 1);
    assert.deepEqual(
      dataAt(own)
        .slice(before)
        .map(({ test_id: testId, completed, bounced }) => [testId, completed, bounced]),
      [[id, [], ['outlookcom_chrome']]],
    );
    const other = await preview();
    const again = { body: { clients: ['gmail_chrome'] } };
    assert.equal((await app.call(`PUT /v1/preview/tests/${other}/results/reprocess`, again)).status, 200);
    await app.idle();
    assert.equal(dataAt(own).length, before + 2);
  });

  it('names the verdict of a gate, passed or failed', async () => {
    const { own, others } = await hook('gate_finished');
    for (const failOn of ['never', 'info']) {
      const body = {
        html: '<p style="display:flex">Hello</p>',
        name: 'may.html',
        checks: ['code'],
        policy: { fail_on: failOn },
      };
      await app.call('POST /v1/inspect/gate', { body });
      await app.idle();
    }
    assert.deepEqual(
      dataAt(own).map(({ verdict, email, message }) => [verdict, email, message.split('. ')[0]]),
      [
        ['pass', 'may.html', 'The gate of may.html passed.'],
        ['fail', 'may.html', 'The gate of may.html failed'],
      ],
    );
    assert.deepEqual(toldAt(others), []);
  });

  it('counts where a spam test and a placement test have the message', async () => {
    const spam = await hook('spam_test_finished');
    const placed = await hook('placement_finished');
    const { body: test } = await app.call('POST /v1/inspect/spam', { body: { subject: 'Roses', html } });
    const domains = (await app.call('GET /v4/domains?search=sandbox')).body.items;
    const list = await app.call('POST /v4/inbox/seedlists', {
      body: { name: 'Once', provider_filter: ['gateway.local-receiver.example'], seeds_per_provider: 1 },
    });
    const placement = await app.call('POST /v4/inbox/tests', {
      body: { from: `news@${domains[0].name}`, subject: 'Roses', html, seed_list: list.body.target_email },
    });
    assert.equal(placement.status, 200, JSON.stringify(placement.body));
    while (dataAt(spam.own).length + dataAt(placed.own).length < 2) await new Promise((done) => setTimeout(done, 50));
    const [{ message, test_id: testId, providers, passed }] = dataAt(spam.own);
    assert.equal(testId, test.item.id);
    assert.ok(passed <= providers && providers > 0);
    assert.equal(
      message,
      `The spam test "Roses" is finished: the message is in the inbox of ${passed} of ${providers} mailboxes, ` +
        'simulated receivers counted.',
    );
    const [said] = dataAt(placed.own);
    assert.equal(said.result_id, placement.body.result_id);
    assert.deepEqual([said.real.decided, said.simulated.decided], [0, 1]);
    assert.match(
      said.message,
      /^The placement test "Roses" is finished\. [01] of 1 are in the inbox of simulated receivers\.$/,
    );
    assert.deepEqual([toldAt(spam.others), toldAt(placed.others)], [[], []]);
  });
});

describe('a record of a verified domain', () => {
  const NAME = 'news.example.com';
  /** The zone that the account is asked to publish. */
  async function published(): Promise<Record<string, { TXT: string[] }>> {
    const { body } = await app.call(`GET /v4/domains/${NAME}`);
    const records = body.sending_dns_records as { name: string; value: string }[];
    return Object.fromEntries(records.map(({ name, value }) => [name, { TXT: [value] }]));
  }
  const nextHour = async (): Promise<void> => {
    app.clock.advance(HOUR_MS + 60_000);
    await turnOf('sending-domains.find-unchecked');
  };

  it('that is gone or changed is told once, and once when it is as it should be again', async () => {
    const { own, others } = await hook('authentication_broken');
    for (const headers of [{}, other])
      assert.equal((await app.call('POST /v4/domains', { body: { name: NAME }, headers })).status, 200);
    // A new domain has nothing that could be lost.
    await app.call(`PUT /v4/domains/${NAME}/verify`);
    await nextHour();
    const whole = await published();
    zone = whole;
    assert.equal((await app.call(`PUT /v4/domains/${NAME}/verify`)).body.domain.state, 'active');
    await nextHour();
    assert.deepEqual(await alertsOf('authentication_broken'), []);

    zone = { ...whole, [NAME]: { TXT: ['v=spf1 -all'] } };
    await nextHour();
    await nextHour();
    zone = { ...whole, [NAME]: { fails: 'ESERVFAIL' } };
    await nextHour();
    zone = { ...whole, [NAME]: { TXT: ['v=spf1 -all'] } };
    await nextHour();
    const changed = `The SPF record of ${NAME} was changed and no longer fits: v=spf1 -all`;
    assert.deepEqual(toldAt(own), [[false, changed]]);
    const [alert, ...more] = await alertsOf('authentication_broken');
    assert.deepEqual(more, []);
    assert.deepEqual(
      [alert.subject, alert.count, alert.page, alert.over_at],
      [`${NAME} spf`, 1, `/domains/${NAME}`, null],
    );

    const dkim = Object.keys(whole).find((name) => name.includes('_domainkey')) as string;
    const { [dkim]: _key, ...withoutKey } = whole;
    zone = withoutKey;
    await nextHour();
    assert.deepEqual(toldAt(own).slice(1).toSorted(), [
      [false, `The DKIM record of ${NAME} is gone.`],
      [true, `The SPF record of ${NAME} is as it should be again.`],
    ]);
    // Its mail goes on until somebody has looked.
    assert.equal((await app.call(`GET /v4/domains/${NAME}`)).body.domain.state, 'active');
    zone = whole;
    await nextHour();
    await nextHour();
    assert.deepEqual(toldAt(own).slice(3), [[true, `The DKIM record of ${NAME} is as it should be again.`]]);
    assert.deepEqual(
      (await alertsOf('authentication_broken')).filter(({ over_at: over }) => over === null),
      [],
    );
    assert.deepEqual([toldAt(others), await alertsOf('authentication_broken', other)], [[], []]);
  });

  it('that asks for less by DMARC than before is told, until it asks for it again or the domain is verified', async () => {
    const whole = await published();
    const open = async () => (await alertsOf('authentication_broken')).filter(({ over_at: over }) => over === null);
    const policy = (p: string): void => void (zone = { ...whole, [`_dmarc.${NAME}`]: { TXT: [`v=DMARC1; p=${p}`] } });
    policy('reject');
    await nextHour();
    const before = toldAt('/authentication_broken/own').length;
    const told = (): unknown[] => toldAt('/authentication_broken/own').slice(before);
    policy('none');
    await nextHour();
    await nextHour();
    const weaker = `The DMARC policy of ${NAME} was weakened from p=reject to p=none.`;
    assert.deepEqual(told(), [[false, weaker]]);
    zone = { ...zone, [`_dmarc.${NAME}`]: { fails: 'ESERVFAIL' } };
    await nextHour();
    assert.equal((await open()).length, 1);
    policy('reject');
    await nextHour();
    assert.deepEqual(await open(), []);
    assert.deepEqual(told().slice(1), [[true, `The DMARC record of ${NAME} is as it should be again.`]]);
    policy('quarantine');
    await nextHour();
    assert.equal((await open()).length, 1);
    assert.equal((await app.call(`PUT /v4/domains/${NAME}/verify`)).status, 200);
    await app.idle();
    assert.deepEqual(await open(), []);
    await nextHour();
    assert.deepEqual(await open(), []);
  });

  it('is nobody’s concern once its domain is deleted', async () => {
    zone = {};
    await nextHour();
    const open = async () => (await alertsOf('authentication_broken')).filter(({ over_at: over }) => over === null);
    assert.equal((await open()).length, 3);
    assert.equal((await app.call(`DELETE /v3/domains/${NAME}`)).status, 200);
    await app.idle();
    assert.deepEqual(await open(), []);
  });
});

describe('the share in the inbox of a seed list', () => {
  const SEEDS = 12;

  async function completed(id: string): Promise<any> {
    for (;;) {
      const { result } = (await app.call(`GET /v4/inbox/results/${id}`)).body;
      if (result.status === 'complete') return result;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** A result of real mailboxes, so many of which have the message in the inbox; the last one never gets it. */
  async function place(list: string, inInbox: number): Promise<string> {
    const { db } = app.galley.outside;
    const domains = (await app.call('GET /v4/domains?search=sandbox')).body.items;
    const from = `news@${domains[0].name}`;
    const html = '<p>The tomatoes are out of the greenhouse at last, and the roses have begun to flower.</p>';
    const started = await app.call('POST /v4/inbox/tests', { body: { from, subject: 'Notes', html, seed_list: list } });
    assert.equal(started.status, 200, JSON.stringify(started.body));
    const { result_id: id } = started.body;
    await completed(id);
    await app.idle();
    const seeds = await db.ofAnyone
      .selectFrom('seedDeliveries')
      .select('token')
      .where('testId', '=', id)
      .orderBy('place')
      .execute();
    assert.equal(seeds.length, SEEDS);
    // As real mailboxes would have it: no test reaches a provider.
    for (const [at, { token }] of seeds.entries())
      await db.ofAnyone
        .updateTable('seedDeliveries')
        .set({ seedKind: 'mailbox', state: 'delivered', placement: at < inInbox ? 'inbox' : 'spam' })
        .where('token', '=', token)
        .execute();
    const processing = db.ofAnyone.updateTable('placementResults').set({ status: 'processing', fall: null });
    await processing.where('resultId', '=', id).execute();
    await db.ofAnyone
      .updateTable('seedDeliveries')
      .set({ state: 'sent', placement: null, settledAt: null, deadlineAt: app.clock.now() })
      .where('token', '=', seeds.at(-1)!.token)
      .execute();
    await turnOf('seeds.sweep');
    await completed(id);
    await app.idle();
    return id;
  }

  it('that fell beyond noise is told once, and once when it is reached again', async () => {
    const { own, others } = await hook('placement_fell');
    const made = await app.call('POST /v4/inbox/seedlists', {
      body: { name: 'Weekly', provider_filter: ['gateway.local-receiver.example'], seeds_per_provider: SEEDS },
    });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { target_email: list } = made.body;
    await place(list, 11);
    const fair = await place(list, 9);
    assert.deepEqual(toldAt(own), [], 'two fewer of twelve are noise');
    const bad = await place(list, 1);
    await place(list, 2);
    assert.equal(toldAt(own).length, 1);
    const { message, result_id: id, earlier_result_id: earlier } = receiver.posts(own)[0]!.body.event_data;
    assert.match(message, /^The share in the inbox at the seed list \S.* fell from 75 % to 8 %\.$/);
    assert.deepEqual([id, earlier], [bad, fair]);
    await place(list, 10);
    assert.deepEqual(toldAt(own)[1], [
      true,
      `The share in the inbox at the seed list ${made.body.name} is no longer below the one before its fall.`,
    ]);
    await place(list, 11);
    assert.equal(toldAt(own).length, 2);
    // Of a list that is deleted nothing can fall.
    app.clock.advance(HOUR_MS);
    await place(list, 1);
    const open = async () => (await alertsOf('placement_fell')).filter(({ over_at: over }) => over === null);
    assert.equal((await open()).length, 1);
    assert.equal((await app.call(`DELETE /v4/inbox/seedlists/${list}`)).status, 200);
    await app.idle();
    assert.deepEqual(await open(), []);
    assert.deepEqual([toldAt(others), await alertsOf('placement_fell', other)], [[], []]);
  });

  it('is over when the results that show the fall expire', async () => {
    const made = await app.call('POST /v4/inbox/seedlists', {
      body: { name: 'Forgotten', provider_filter: ['gateway.local-receiver.example'], seeds_per_provider: SEEDS },
    });
    const { target_email: list } = made.body;
    await place(list, 11);
    await place(list, 1);
    const open = async () => (await alertsOf('placement_fell')).filter(({ over_at: over }) => over === null);
    assert.equal((await open()).length, 1);
    app.clock.advance(90 * 24 * HOUR_MS);
    await turnOf('placement.expire');
    assert.equal((await open()).length, 1, 'they are kept for 91 days');
    app.clock.advance(2 * 24 * HOUR_MS);
    await turnOf('placement.expire');
    assert.deepEqual(await open(), []);
  });
});
