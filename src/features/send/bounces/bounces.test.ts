// Mail that comes back to the return path of a delivery, by SMTP, and what events and lists say then.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createTransport } from 'nodemailer';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { returnPathOf } from '../messages/index.ts';

const DOMAIN = 'back.example.com';
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail,send' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

/** Accepts a message, waits for its delivery, and answers the return path of its first recipient. */
async function sentTo(recipient: string): Promise<string> {
  const letter = { from: `ann@${DOMAIN}`, to: recipient, subject: 'Hello', text: 'Hello' };
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/messages`, { body: letter });
  assert.equal(status, 200, JSON.stringify(body));
  await eventsOf(recipient, (events) => events.some(({ event }) => event !== 'accepted'));
  const { rows } = await app.galley.outside.db.text('select max(id)::text as id from sent_messages');
  return returnPathOf(app.galley.outside, { messageId: (rows[0] as { id: string }).id, position: 0 });
}

interface Shown {
  event: string;
  severity?: string;
  reason?: string;
  'delivery-status'?: { code: number; 'bounce-type'?: string; message: string; 'enhanced-code'?: string };
  flags?: { 'is-delayed-bounce': boolean };
}

/** Events of a recipient as the list shows them, oldest first. */
async function eventsOf(recipient: string, until: (events: Shown[]) => boolean): Promise<Shown[]> {
  for (;;) {
    app.clock.advance(3000);
    const begin = Math.floor(app.clock.now().getTime() / 1000) - 86_000;
    const query = `begin=${begin}&ascending=yes&recipient=${encodeURIComponent(recipient)}`;
    const { items } = (await app.call(`GET /v3/${DOMAIN}/events?${query}`)).body;
    if (until(items)) return items;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function deliver(to: string, raw: string, from = ''): Promise<void> {
  const { host, port } = app.galley.outside.ownSmtp!;
  const transport = createTransport({ host, port, secure: false, ignoreTLS: true });
  await transport.sendMail({ envelope: { from, to: [to] }, raw });
  transport.close();
}

const dsn = (action = 'failed', status = '5.1.1', said = '550 5.1.1 No such user'): string =>
  [
    'From: MAILER-DAEMON@mx.example.net',
    'Subject: Undelivered',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="b"',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    '',
    'Final-Recipient: rfc822; somebody@else.example',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '--b--',
    '',
  ].join('\r\n');
const ARF = [
  'From: feedback@isp.example',
  'Content-Type: multipart/report; report-type=feedback-report; boundary="b"',
  '',
  '--b',
  'Content-Type: message/feedback-report',
  '',
  'Feedback-Type: abuse',
  'Version: 1',
  '--b--',
  '',
].join('\r\n');

const listed = async (list: string, address: string) =>
  (await app.call(`GET /v3/${DOMAIN}/${list}/${encodeURIComponent(address)}`)).status === 200;

describe('a report of a bounce', () => {
  it('is a delayed bounce of the recipient that the return path names, who is not written to again', async () => {
    const path = await sentTo('gone@example.net');
    await deliver(path, dsn());
    const events = await eventsOf('gone@example.net', (all) => all.length >= 3);
    const { 'delivery-status': status, ...event } = events[2]!;
    assert.deepEqual(
      [event.event, event.severity, event.reason, event.flags?.['is-delayed-bounce']],
      ['failed', 'permanent', 'bounce', true],
    );
    assert.deepEqual(status, {
      code: 550,
      'enhanced-code': '5.1.1',
      message: '550 5.1.1 No such user',
      description: 'Reported after the message had been taken.',
      'bounce-type': 'hard',
    });
    const { body } = await app.call(`GET /v3/${DOMAIN}/bounces/gone@example.net`);
    assert.deepEqual([body.code, body.error], ['550', '550 5.1.1 No such user']);
    await sentTo('GONE@Example.Net');
    const again = await eventsOf('gone@example.net', (all) => all.length >= 5);
    assert.deepEqual([again[4]?.reason, again[4]?.['delivery-status']?.code], ['suppress-bounce', 605]);
  });

  it('counts once, however often and at whichever address of ours it comes', async () => {
    const path = await sentTo('twice@example.net');
    await deliver(path, dsn());
    await deliver(path, dsn());
    await deliver(path.replace(/@.*/, '@other.host.example'), dsn('failed', '5.1.1', '550 5.1.1 Unknown'));
    await eventsOf('twice@example.net', (all) => all.length >= 3);
    await deliver(await sentTo('marker@example.net'), dsn());
    await eventsOf('marker@example.net', (all) => all.length >= 3);
    assert.equal((await eventsOf('twice@example.net', () => true)).length, 3);
  });

  const soft: [what: string, raw: string, from: string, events: number][] = [
    ['a full mailbox is no hard bounce', dsn('failed', '5.2.2', '552 5.2.2 Mailbox full'), '', 3],
    ['a refusal of policy is no hard bounce', dsn('failed', '5.7.1', '550 5.7.1 Blocked'), '', 3],
    ['what was tried for too long is no hard bounce', dsn('failed', '4.4.7', '421 4.4.7 Expired'), '', 3],
    ['a delay tells nothing', dsn('delayed', '4.4.1', '421 4.4.1 Busy'), '', 2],
    ['a report of somebody with an address tells nothing', dsn(), 'joker@example.net', 2],
    ['the answer of somebody who is away tells nothing', 'Auto-Submitted: auto-replied\r\n\r\nAway: 550 5.1.1', '', 2],
  ];
  for (const [place, [what, raw, from, count]] of soft.entries())
    it(what, async () => {
      const recipient = `soft${place}@example.net`;
      await deliver(await sentTo(recipient), raw, from);
      await deliver(await sentTo(`after${place}@example.net`), ARF);
      await eventsOf(`after${place}@example.net`, (all) => all.length >= 3);
      const events = await eventsOf(recipient, (all) => all.length >= count);
      assert.equal(events.length, count);
      assert.equal(await listed('bounces', recipient), false);
    });
});

describe('a complaint', () => {
  it('is an event, and the recipient is not written to again', async () => {
    await deliver(await sentTo('angry@example.net'), ARF, 'feedback@isp.example');
    const events = await eventsOf('angry@example.net', (all) => all.length >= 3);
    assert.deepEqual(
      events.map(({ event }) => event),
      ['accepted', 'delivered', 'complained'],
    );
    assert.equal(await listed('complaints', 'angry@example.net'), true);
  });
});

describe('an address that was not made here', () => {
  it('is refused', async () => {
    const path = await sentTo('forged@example.net');
    const forged = path.replace(/^b\+(.)/, (_all, letter) => `b+${letter === 'A' ? 'B' : 'A'}`);
    await assert.rejects(deliver(forged, dsn()), /550/);
    await assert.rejects(deliver(path.replace('b+', 'c+'), dsn()), /550/);
  });
});
