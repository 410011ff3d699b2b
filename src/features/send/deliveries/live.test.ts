// Delivery to the world: what leaves, to whom, how it is signed, and what becomes of what servers answer.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { authenticate } from '../../../engines/mail-authentication/index.ts';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import type { LoggedEvent } from '../../../platform/event-log/index.ts';
import { startMailServer, type MailServer, type MailServerOptions } from '../../../../test/harness/mail-server.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const LETTER = { from: 'Ann <ann@news.example.com>', subject: 'Hello', text: 'Hello' };

const zone: Record<string, DeclaredRecords> = {
  'example.net': { MX: ['10 mx.example.net'] },
  'mx.example.net': { A: ['127.0.0.1'] },
  'null.example': { MX: ['0 .'] },
  'inside.example': { MX: ['10 inside.example'], A: ['192.168.7.7'] },
};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };

/** What the server says to a recipient, by the beginning of the address. */
const replies: Record<string, string | null | false> = {
  unknown: '550 5.1.1 No such user',
  full: '552 5.2.2 Mailbox full',
  policy: '554 5.7.1 Not here',
  blocked: '550 5.1.1 Blocked for poor reputation',
  plain: '550 Requested action not taken: mailbox unavailable',
  terse: '550 No',
  'spam-trap': '550 5.1.1 <spam-trap@example.net>: no such user',
  odd: '550 5.1.1 N\u0000o\u0007 \u00e9 user \u009b31m',
};
const once = new Set<string>();
let server: MailServer;
let app: App;
let accountId = '';

const answer: MailServerOptions['answer'] = (verb, line) => {
  if (verb !== 'RCPT') return undefined;
  const local = /<([^@>]*)/.exec(line)?.[1] ?? '';
  if (local.startsWith('later') && !once.has(local)) {
    once.add(local);
    return '451 4.7.1 Greylisted';
  }
  if (local.startsWith('never')) return '450 4.2.1 Later';
  return replies[local];
};

async function verify(name: string): Promise<void> {
  const { body } = await app.call('POST /v4/domains', { body: { name } });
  for (const record of body.sending_dns_records) zone[record.name] = { TXT: [record.value] };
  assert.equal((await app.call(`PUT /v4/domains/${name}/verify`)).body.domain.state, 'active');
}

before(async () => {
  server = await startMailServer({ answer });
  app = await startApp(
    { GALLEY_ROLES: 'api,work,send', GALLEY_DELIVERY: 'live', GALLEY_ALLOW_HOSTS: '127.0.0.0/8' },
    { dns, mail: { mxPort: server.port, replyTimeoutMs: 10_000, greetingTimeoutMs: 10_000 } },
  );
  await verify(DOMAIN);
  const { rows } = await app.galley.outside.db.text('select id from accounts');
  accountId = (rows[0] as { id: string }).id;
});
after(async () => {
  await app.close();
  await server.close();
});

async function send(fields: Record<string, unknown>, path = 'messages'): Promise<string> {
  const { status, body } = await app.call(`POST /v3/${DOMAIN}/${path}`, {
    body: path === 'messages' ? { ...LETTER, ...fields } : fields,
  });
  assert.equal(status, 200, JSON.stringify(body));
  return body.id;
}

/** All events of a recipient, oldest first, without the one that it was accepted. */
async function eventsOf(recipient: string, count = 1): Promise<LoggedEvent[]> {
  for (;;) {
    app.clock.advance(3000);
    const { events } = await app.galley.outside.events.page({
      accountIds: [accountId],
      from: new Date(0),
      to: new Date(app.clock.now().getTime() + 1),
      where: { field: 'recipient', is: 'in', values: [recipient] },
      order: 'ascending',
      limit: 100,
    });
    if (events.length > count) return events.slice(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const statusOf = ({ about }: LoggedEvent) => (about ?? {})['delivery-status'] as Record<string, any>;
const taken = (recipient: string) => server.messages.filter(({ to }) => to.includes(recipient));
const signaturesOf = (raw: string): string[] => raw.replaceAll(/\r\n[ \t]+/g, ' ').match(/^DKIM-Signature:.*/gm) ?? [];

describe('a domain of a service that delivers', () => {
  it('is refused while it is not verified, with the record that is missing', async () => {
    const { body: added } = await app.call('POST /v4/domains', { body: { name: 'new.example.com' } });
    const record = added.sending_dns_records.find((one: { purpose: string }) => one.purpose === 'dkim');
    const refused = await app.call('POST /v3/new.example.com/messages', { body: { ...LETTER, to: 'bob@example.net' } });
    assert.equal(refused.status, 403);
    assert.match(refused.body.message, /^Domain new\.example\.com is not verified/);
    assert.ok(refused.body.message.includes(`TXT ${record.name} "${record.value}"`), refused.body.message);
    const path = '/v1/galley/domains/new.example.com/delivery';
    assert.deepEqual((await app.call(`PUT ${path}`, { body: { delivery: 'capture' } })).body, {
      delivery: 'capture',
      effective: 'capture',
      service: 'live',
    });
    const sent = await app.call('POST /v3/new.example.com/messages', { body: { ...LETTER, to: 'kept@example.net' } });
    assert.equal(sent.status, 200);
    const [delivered] = await eventsOf('kept@example.net');
    assert.match(statusOf(delivered!).description, /^Captured/);
    await app.call(`PUT ${path}`, { body: { delivery: 'live' } });
    assert.equal((await app.call(`GET ${path}`)).body.effective, 'live');
    assert.deepEqual(taken('kept@example.net'), []);
    assert.equal((await app.call('GET /v1/galley/domains/none.example.com/delivery')).status, 404);
    const wrong = await app.call(`PUT ${path}`, { body: { delivery: 'sometimes' } });
    assert.equal(wrong.status, 400);
    assert.match(JSON.stringify(wrong.body), /delivery/);
  });
});

describe('a message that leaves', () => {
  it('reaches the server of the MX record, signed by the domain, and the event says how', async () => {
    const id = await send({ to: 'Bob <bob@example.net>', bcc: 'eve@example.net', html: '<p>Hello</p>' });
    const [delivered] = await eventsOf('bob@example.net');
    await eventsOf('eve@example.net');
    const [message] = taken('bob@example.net');
    assert.match(message!.from, /^b\+[\w-]{22}@galley\.localhost$/);
    assert.notEqual(message!.from, taken('eve@example.net')[0]!.from);
    assert.equal(message!.raw, taken('eve@example.net')[0]!.raw);
    assert.ok(!/eve@/.test(message!.raw) && message!.raw.includes(`Message-ID: ${id}`), message!.raw);
    const { dkim } = await authenticate(Buffer.from(message!.raw, 'latin1'), {
      dns,
      now: new Date(),
      ip: '127.0.0.1',
      helo: 'x.example',
      mta: 'mx.example.net',
      mailFrom: message!.from,
    });
    assert.deepEqual(
      dkim.map(({ result, domain }) => [result, domain]),
      [['pass', DOMAIN]],
    );
    assert.equal(delivered!.event, 'delivered');
    assert.deepEqual(delivered!.about?.['envelope'], { 'sending-ip': '127.0.0.1' });
    const { 'session-seconds': seconds, 'first-delivery-attempt-seconds': first, ...status } = statusOf(delivered!);
    assert.ok(seconds >= 0 && first >= 0);
    assert.deepEqual(status, {
      code: 250,
      'enhanced-code': '2.0.0',
      message: 'Ok: queued as 1',
      description: '',
      'mx-host': 'mx.example.net',
      tls: false,
      'certificate-verified': false,
      utf8: false,
      'attempt-no': 1,
    });
  });

  it('is filled for each recipient of a batch, who sees nobody else', async () => {
    await send({
      to: ['Ada <ada@example.net>', 'max@example.net'],
      subject: 'Dear %recipient.name%',
      html: '<p>%recipient.name%</p>',
      'recipient-variables': JSON.stringify({
        'ada@example.net': { name: 'A & B' },
        'max@example.net': { name: 'Max' },
      }),
    });
    await Promise.all([eventsOf('ada@example.net'), eventsOf('max@example.net')]);
    const [ada] = taken('ada@example.net');
    assert.match(ada!.raw, /^To: Ada <ada@example\.net>\r\n/m);
    assert.match(ada!.raw, /^Subject: Dear A & B\r\n/m);
    assert.match(ada!.raw.replaceAll('=\r\n', ''), /<p>A &amp; B<\/p>/);
    // Not the name alone: letters of a signature may spell it.
    assert.ok(!/max@|dear max|<p>max/i.test(ada!.raw));
    assert.match(taken('max@example.net')[0]!.raw, /^Subject: Dear Max\r\n/m);
  });

  it('is signed as its options say, and goes without the fields that they name', async () => {
    await verify('other.example.com');
    const { body } = await app.call('GET /v4/domains/other.example.com');
    const [key] = body.sending_dns_records.filter(({ purpose }: { purpose: string }) => purpose === 'dkim');
    const selector = key.name.split('.')[0];
    await send({ to: 'unsigned@example.net', 'o:dkim': 'no' });
    await send({
      to: 'twice@example.net',
      'o:secondary-dkim': `other.example.com/${selector}`,
      'o:secondary-dkim-public': 'shown.example.com/shown',
      'h:X-Kept': 'yes',
      'h:X-Gone': 'no',
      'o:suppress-headers': 'x-gone,subject',
    });
    await Promise.all([eventsOf('unsigned@example.net'), eventsOf('twice@example.net')]);
    assert.deepEqual(signaturesOf(taken('unsigned@example.net')[0]!.raw), []);
    const { raw } = taken('twice@example.net')[0]!;
    const names = signaturesOf(raw).map((field) => /d=([^;]+); s=([^;]+)/.exec(field)?.slice(1).join('/'));
    assert.equal(names.length, 2);
    assert.equal(names[1], 'shown.example.com/shown');
    assert.match(raw, /^X-Kept: yes\r\n/m);
    assert.match(raw, /^Subject: Hello\r\n/m);
    assert.ok(!/x-gone/i.test(raw));
  });

  it('as a whole leaves as it was given, without what is nobody’s to see', async () => {
    const message =
      'From: ann@news.example.com\r\nTo: all@example.net\r\nBcc: x@example.net\r\nSubject: S\r\n\r\n.Hi\r\n';
    await send({ to: 'whole@example.net', message }, 'messages.mime');
    await eventsOf('whole@example.net');
    const { raw } = taken('whole@example.net')[0]!;
    assert.match(
      raw,
      /From: ann@news\.example\.com\r\nTo: all@example\.net\r\nSubject: S\r\nDate: .*\r\nMessage-ID: .*\r\n\r\n\.\.Hi\r\n$/,
    );
  });

  it('is refused with links to unsubscribe that no reader could follow, and names the setting', async () => {
    const whole = 'From: a@news.example.com\r\nSubject: S\r\n\r\n%unsubscribe_url%\r\n';
    const calls: [path: string, fields: Record<string, string>, field: string][] = [
      ['messages', { ...LETTER, html: '<a href="%tag_unsubscribe_url%">x</a>' }, 'html'],
      ['messages', { ...LETTER, 'h:List-Unsubscribe': '<%unsubscribe_url%>' }, 'h:List-Unsubscribe'],
      ['messages.mime', { message: whole }, 'message'],
    ];
    for (const [path, fields, field] of calls) {
      const body = { to: 'linked@example.net', ...fields };
      const refused = await app.call(`POST /v3/${DOMAIN}/${path}`, { body });
      assert.equal(refused.status, 400);
      assert.ok(refused.body.message.startsWith(`${field} asks for a link to unsubscribe`), refused.body.message);
      assert.match(refused.body.message, /GALLEY_PUBLIC_URL/);
    }
  });

  it('of a test stays here', async () => {
    await send({ to: 'test@example.net', 'o:testmode': 'yes' });
    const [delivered] = await eventsOf('test@example.net');
    assert.equal(delivered!.event, 'delivered');
    assert.deepEqual(taken('test@example.net'), []);
  });
});

describe('what servers and DNS answer', () => {
  const permanent: [
    recipient: string,
    reason: string,
    code: number,
    enhanced: string,
    message: RegExp,
    type: string,
  ][] = [
    ['unknown@example.net', 'bounce', 550, '5.1.1', /^550 5\.1\.1 No such user$/, 'hard'],
    ['full@example.net', 'bounce', 552, '5.2.2', /^552 5\.2\.2 Mailbox full$/, 'soft'],
    ['policy@example.net', 'bounce', 554, '5.7.1', /^554 5\.7\.1 Not here$/, 'soft'],
    ['blocked@example.net', 'bounce', 550, '5.1.1', /^550 5\.1\.1 Blocked/, 'soft'],
    ['plain@example.net', 'bounce', 550, '', /^550 +Requested action/, 'hard'],
    ['terse@example.net', 'bounce', 550, '', /^550 +No$/, 'soft'],
    ['spam-trap@example.net', 'bounce', 550, '5.1.1', /no such user$/, 'hard'],
    ['odd@example.net', 'bounce', 550, '5.1.1', /^550 5\.1\.1 N o +\S+ user +31m$/, 'hard'],
    ['who@null.example', 'bounce', 556, '5.1.10', /takes no mail/, 'hard'],
    ['who@nowhere.example', 'bounce', 550, '5.1.2', /neither MX records nor an address/, 'hard'],
    ['jürgen@example.net', 'generic', 553, '5.6.7', /SMTPUTF8/, 'soft'],
  ];
  for (const [recipient, reason, code, enhanced, message, type] of permanent)
    it(`ends ${recipient}`, async () => {
      await send({ to: recipient });
      const [failed] = await eventsOf(recipient);
      assert.deepEqual([failed!.event, failed!.severity, failed!.reason], ['failed', 'permanent', reason]);
      const status = statusOf(failed!);
      assert.deepEqual([status.code, status['enhanced-code'] ?? '', status['bounce-type']], [code, enhanced, type]);
      assert.match(status.message, message);
    });

  it('a message larger than the server takes', async () => {
    await send({ to: 'big@example.net', text: 'x'.repeat(1_000_100) });
    const [failed] = await eventsOf('big@example.net');
    assert.deepEqual([failed!.reason, failed!.code, statusOf(failed!)['enhanced-code']], ['generic', 552, '5.3.4']);
  });

  it('that it comes later, when it is tried again', async () => {
    await send({ to: 'later1@example.net' });
    const [failed] = await eventsOf('later1@example.net');
    assert.deepEqual([failed!.severity, failed!.code, statusOf(failed!)['retry-seconds']], ['temporary', 451, 300]);
    app.clock.advance(301_000);
    const events = await eventsOf('later1@example.net', 2);
    assert.deepEqual([events[1]!.event, events[1]!.attempt], ['delivered', 2]);
    assert.equal(taken('later1@example.net').length, 1);
  });

  it('for as long as the message is worth it', async () => {
    await send({ to: 'never@example.net', 'o:deliver-within': '10m' });
    await eventsOf('never@example.net');
    app.clock.advance(301_000);
    const events = await eventsOf('never@example.net', 2);
    assert.deepEqual([events[1]!.severity, events[1]!.reason, events[1]!.code], ['permanent', 'old', 602]);
    const status = statusOf(events[1]!);
    assert.deepEqual([status['last-code'], status['last-message']], [450, '450 4.2.1 Later']);
  });

  it('that the connection is not encrypted, where it has to be', async () => {
    await send({ to: 'secret@example.net', 'o:require-tls': 'yes' });
    const [failed] = await eventsOf('secret@example.net');
    assert.deepEqual([failed!.severity, failed!.code], ['temporary', 498]);
    assert.deepEqual(taken('secret@example.net'), []);
  });

  it('that a server is inside the operator’s network', async () => {
    await send({ to: 'who@inside.example' });
    const [failed] = await eventsOf('who@inside.example');
    assert.deepEqual([failed!.severity, failed!.code], ['permanent', 550]);
    assert.match(statusOf(failed!).message, /is not a public address/);
    for (const to of ['a@[127.0.0.1]', 'who@192.168.7.8']) {
      const refused = await app.call(`POST /v3/${DOMAIN}/messages`, { body: { ...LETTER, to } });
      assert.equal(refused.status, 400);
    }
  });
});
