import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { createZoneDns, type DeclaredZone } from '../../../test/harness/dns-zone.ts';
import { startMailServer, type MailServer, type MailServerOptions } from '../../../test/harness/mail-server.ts';
import { createMailer, nextAttempt, ORDINARY_MAIL, type Delivery, type Mailer, type MailerOptions } from './index.ts';
import { readRelay } from './relay.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as MailerOptions['log'];
const authority = makeCertificate({ commonName: 'Test CA', isAuthority: true });
const certificate = makeCertificate({
  commonName: 'mx.example.com',
  issuer: { commonName: 'Test CA', privateKey: authority.privateKey },
});
const raw = Buffer.from('From: a@sender.test\r\nSubject: x\r\n\r\n.dot\r\nbody\r\n');
const PARCEL = { from: 'a@sender.test', to: 'bob@example.com', raw };

const noPolicy = {
  request: async () => ({ ok: false, error: new Error('nothing there') }),
} as unknown as MailerOptions['fetch'];
const policyOf = (text: string) =>
  ({
    request: async (url: string) => ({
      ok: true,
      status: url === 'https://mta-sts.example.com/.well-known/mta-sts.txt' ? 200 : 404,
      body: Buffer.from(text),
    }),
  }) as unknown as MailerOptions['fetch'];

const zoneOf = (...servers: string[]): DeclaredZone => ({
  'example.com': { MX: servers.map((name, index) => `${index * 10} ${name}`) },
  'mx.example.com': { A: ['127.0.0.1'] },
  'mx2.example.com': { A: ['127.0.0.2'] },
});

const opened: Mailer[] = [];
after(() => opened.forEach((mailer) => mailer.close()));

function mailerTo(
  port: number,
  zone: DeclaredZone = zoneOf('mx.example.com'),
  options: Partial<MailerOptions> = {},
): Mailer {
  const mailer = createMailer({
    dns: createZoneDns(zone),
    fetch: noPolicy,
    log,
    helo: 'out.galley.test',
    allowHosts: ['127.0.0.0/8', '::1/128'],
    now: Date.now,
    mxPort: port,
    connectTimeoutMs: 2000,
    greetingTimeoutMs: 2000,
    replyTimeoutMs: 2000,
    ...options,
  });
  opened.push(mailer);
  return mailer;
}

async function sendTo(
  server: MailServerOptions,
  use: { zone?: DeclaredZone; options?: Partial<MailerOptions>; parcel?: object } = {},
): Promise<{ delivery: Delivery; server: MailServer }> {
  await using started = await startMailServer(server);
  const delivery = await mailerTo(started.port, use.zone, use.options).deliver({ ...PARCEL, ...use.parcel });
  return { delivery, server: started };
}

describe('a delivery by MX', () => {
  it('hands the message over byte for byte and keeps every reply', async () => {
    const { delivery, server } = await sendTo({});
    assert.deepEqual(server.messages, [
      {
        from: 'a@sender.test',
        to: ['bob@example.com'],
        raw: raw.toString().replace('\r\n.dot', '\r\n..dot'),
        isEncrypted: false,
        client: { ip: '127.0.0.1', name: 'out.galley.test' },
      },
    ]);
    const { replies, elapsedMs, ...rest } = delivery;
    assert.ok(elapsedMs >= 0);
    assert.deepEqual(rest, {
      outcome: 'delivered',
      reason: 'the server said 250 2.0.0 Ok: queued as 1',
      host: 'mx.example.com',
      address: '127.0.0.1',
      localAddress: '127.0.0.1',
      tls: null,
      mtaSts: 'none',
      passedOver: [],
      isUncertain: false,
    });
    assert.deepEqual(
      replies.map(({ command, code, enhancedCode, text }) => [
        command.split(' ')[0],
        code,
        enhancedCode,
        text.split('\n')[0],
      ]),
      [
        ['', 220, null, 'mx.test ESMTP'],
        ['EHLO', 250, null, 'mx.test'],
        ['MAIL', 250, '2.1.0', 'Ok'],
        ['RCPT', 250, '2.1.5', 'Ok'],
        ['DATA', 354, null, 'Go ahead'],
        ['.', 250, '2.0.0', 'Ok: queued as 1'],
      ],
    );
    assert.equal(server.lines[0], 'EHLO out.galley.test');
  });

  it('hands a long message over byte for byte, wherever it is cut on its way', async () => {
    const SLICE = 256 * 1024;
    // A line that begins with a dot one byte later each time, around both cuts.
    for (const shift of [-3, -2, -1, 0, 1, 2]) {
      const filling = (length: number): string => `${'x'.repeat(70)}\r\n`.repeat(length).slice(-length);
      const head = 'Subject: x\r\n\r\n';
      const first = filling(SLICE + shift - head.length);
      const body = `${head}${first}.one\r\n`;
      const long = `${body}${filling(2 * SLICE + shift - body.length)}.two\r\nend\r\n`;
      const { server, delivery } = await sendTo({}, { parcel: { raw: Buffer.from(long) } });
      assert.equal(delivery.outcome, 'delivered');
      const { raw: sent } = server.messages[0]!;
      assert.ok(sent === long.replaceAll('\r\n.', '\r\n..'), `shift ${shift}`);
    }
  });

  it('puts header fields above a message, and counts them', async () => {
    const above = Buffer.from('.odd: grün\r\n');
    const offer = (size: number): MailServerOptions => ({
      answer: (verb) => (verb === 'EHLO' ? `250-mx.test\r\n250-SIZE ${size}\r\n250 8BITMIME` : undefined),
    });
    const { server } = await sendTo(offer(1000), { parcel: { above } });
    const sent = `..odd: grün\r\n${raw.toString().replace('\r\n.dot', '\r\n..dot')}`;
    assert.equal(server.messages[0]!.raw, Buffer.from(sent).toString('latin1'));
    const from = server.lines.find((line) => line.startsWith('MAIL FROM'));
    assert.equal(from, `MAIL FROM:<a@sender.test> SIZE=${above.length + raw.length} BODY=8BITMIME`);
    const { delivery } = await sendTo(offer(raw.length), { parcel: { above } });
    assert.equal(delivery.outcome, 'bounced');
  });

  it('says what a server refuses of a long message, and goes on with the connection', async () => {
    const long = Buffer.from(`Subject: x\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(10_000)}`);
    let asked = 0;
    await using server = await startMailServer({
      answer: (verb) => (verb === 'RCPT' && (asked += 1) === 1 ? '550 5.1.1 Nobody' : undefined),
    });
    const mailer = mailerTo(server.port);
    const { outcome, reason } = await mailer.deliver({ ...PARCEL, raw: long });
    assert.deepEqual([outcome, reason], ['bounced', 'the server said 550 5.1.1 Nobody']);
    assert.equal((await mailer.deliver({ ...PARCEL, raw: long })).outcome, 'delivered');
    assert.deepEqual([server.messages.length, server.lines.filter((line) => line.startsWith('EHLO')).length], [1, 1]);
  });

  const answers: [what: string, verb: string, said: string, outcome: string, reason: RegExp][] = [
    ['a refused recipient', 'RCPT', '550 5.1.1 No such user', 'bounced', /^the server said 550 5\.1\.1 No such user$/],
    ['a greylisted recipient', 'RCPT', '451 4.7.1 Greylisted, come back', 'deferred', /451 4\.7\.1/],
    ['a refused sender', 'MAIL', '553 5.7.1 Not you', 'bounced', /553/],
    ['a refused message', '.', '554 5.7.1 Spam', 'bounced', /554 5\.7\.1 Spam/],
    ['a message put off', '.', '452 4.3.1 Full', 'deferred', /452/],
    ['DATA refused', 'DATA', '451 Later', 'deferred', /451 Later/],
    ['a server that is closing', 'MAIL', '421 4.3.2 Closing', 'deferred', /421/],
    ['several lines', 'RCPT', '550-5.7.1 You are\r\n550 5.7.1 blocked', 'bounced', /550 5\.7\.1 You are blocked/],
  ];
  for (const [what, verb, said, outcome, reason] of answers) {
    it(`${what}: ${outcome}`, async () => {
      const { delivery, server } = await sendTo({ answer: (asked) => (asked === verb ? said : undefined) });
      assert.equal(delivery.outcome, outcome);
      assert.match(delivery.reason, reason);
      assert.equal(server.messages.length, 0);
      assert.ok(
        delivery.replies.some(({ command, code }) => command.startsWith(verb) && code === Number(said.slice(0, 3))),
      );
    });
  }

  it('a message larger than the server takes: bounced, without sending it', async () => {
    const { delivery, server } = await sendTo({}, { parcel: { raw: Buffer.alloc(1_000_001, 'x') } });
    assert.equal(delivery.outcome, 'bounced');
    assert.match(delivery.reason, /larger than the server takes/);
    assert.ok(!server.lines.includes('DATA'));
  });

  it('an address of another script: its domain as xn--, its local part only where the server takes it', async () => {
    const zone = { 'xn--bcher-kva.example': { A: ['127.0.0.1'] } };
    const domain = await sendTo({}, { zone, parcel: { to: 'bob@bücher.example' } });
    assert.deepEqual(domain.server.messages[0]?.to, ['bob@xn--bcher-kva.example']);
    const refused = await sendTo({}, { zone, parcel: { to: 'jürgen@bücher.example' } });
    assert.deepEqual([refused.delivery.outcome, refused.server.messages.length], ['bounced', 0]);
    assert.match(refused.delivery.reason, /SMTPUTF8/);
    const taken = await sendTo(
      { answer: (verb) => (verb === 'EHLO' ? '250-mx.test\r\n250 SMTPUTF8' : undefined) },
      { zone, parcel: { to: 'jürgen@bücher.example' } },
    );
    assert.equal(taken.delivery.outcome, 'delivered');
    assert.ok(taken.server.lines.includes('MAIL FROM:<a@sender.test> SMTPUTF8'));
  });

  it('a connection that breaks before the answer: unreachable, and uncertain', async () => {
    const { delivery } = await sendTo({ answer: (verb) => (verb === '.' ? null : undefined) });
    assert.deepEqual([delivery.outcome, delivery.isUncertain], ['unreachable', true]);
    const early = await sendTo({ answer: (verb) => (verb === 'MAIL' ? null : undefined) });
    assert.deepEqual([early.delivery.outcome, early.delivery.isUncertain], ['unreachable', false]);
  });

  it('a silent server: unreachable in time', async () => {
    const { delivery } = await sendTo(
      { answer: (verb) => (verb === '.' ? false : undefined) },
      // Two fifths of it are for the answer to DATA, which a busy machine must be able to give.
      { options: { replyTimeoutMs: 1500 } },
    );
    assert.deepEqual([delivery.outcome, delivery.isUncertain], ['unreachable', true]);
  });
});

describe('the choice of servers', () => {
  it('goes by preference, and to the next when one cannot be used', async () => {
    await using second = await startMailServer({ host: '127.0.0.2' });
    const delivery = await mailerTo(second.port, zoneOf('mx.example.com', 'mx2.example.com')).deliver(PARCEL);
    assert.deepEqual([delivery.outcome, delivery.host], ['delivered', 'mx2.example.com']);
    assert.deepEqual(
      delivery.passedOver.map(({ host }) => host),
      ['mx.example.com'],
    );
    assert.match(delivery.passedOver[0]!.reason, /no connection to mx\.example\.com/);
  });

  it('goes on after a greeting of 4xx or 5xx, and not after a refusal of the message', async () => {
    await using first = await startMailServer({ answer: (verb) => (verb === 'greeting' ? '554 No' : undefined) });
    await using second = await startMailServer({ host: '127.0.0.2', port: first.port });
    const delivery = await mailerTo(first.port, zoneOf('mx.example.com', 'mx2.example.com')).deliver(PARCEL);
    assert.deepEqual([delivery.outcome, delivery.host, second.messages.length], ['delivered', 'mx2.example.com', 1]);
    await using refusing = await startMailServer({ answer: (verb) => (verb === 'RCPT' ? '550 No' : undefined) });
    await using unasked = await startMailServer({ host: '127.0.0.2', port: refusing.port });
    assert.equal(
      (await mailerTo(refusing.port, zoneOf('mx.example.com', 'mx2.example.com')).deliver(PARCEL)).outcome,
      'bounced',
    );
    assert.equal(unasked.connections(), 0);
  });

  const zones: [what: string, zone: DeclaredZone, outcome: string, reason: RegExp][] = [
    ['a domain without MX is its own server', { 'example.com': { A: ['127.0.0.1'] } }, 'delivered', /250/],
    ['a null MX', { 'example.com': { MX: ['0 .'], A: ['127.0.0.1'] } }, 'bounced', /takes no mail/],
    ['a domain that does not exist', {}, 'bounced', /neither MX records nor an address/],
    ['a name server that fails', { 'example.com': { fails: 'ESERVFAIL' } }, 'unreachable', /could not be looked up/],
    [
      'an MX without an address',
      { 'example.com': { MX: ['10 gone.example.com'] } },
      'bounced',
      /gone\.example\.com cannot be used: it has no address/,
    ],
    [
      'an MX whose address is unknown',
      { 'example.com': { MX: ['10 mx.example.com'] }, 'mx.example.com': { fails: 'ETIMEOUT' } },
      'unreachable',
      /could not be looked up/,
    ],
    [
      'IPv6 is tried, IPv4 is fallen back to',
      { 'example.com': { MX: ['10 mx.example.com'] }, 'mx.example.com': { AAAA: ['::1'], A: ['127.0.0.1'] } },
      'delivered',
      /250/,
    ],
  ];
  for (const [what, zone, outcome, reason] of zones) {
    it(`${what}: ${outcome}`, async () => {
      const { delivery } = await sendTo({}, { zone });
      assert.equal(delivery.outcome, outcome, delivery.reason);
      assert.match(delivery.reason, reason);
    });
  }

  it('never connects to a private address that an MX record leads to', async () => {
    for (const address of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const { delivery, server } = await sendTo(
        {},
        {
          zone: { 'example.com': { MX: ['10 mx.example.com'] }, 'mx.example.com': { A: [address] } },
          options: { allowHosts: [] },
        },
      );
      assert.equal(delivery.outcome, 'bounced');
      assert.match(delivery.reason, /is not a public address/);
      assert.equal(server.connections(), 0);
    }
    const { delivery } = await sendTo({}, { options: { allowHosts: [] }, parcel: { to: 'a@[127.0.0.1]' } });
    assert.equal(delivery.outcome, 'bounced');
  });

  it('goes to a server of the caller’s own, private or not, without asking DNS', async () => {
    await using server = await startMailServer();
    const dns = createZoneDns({});
    const delivery = await mailerTo(1, {}, { dns, allowHosts: [] }).deliver({
      ...PARCEL,
      route: { host: '127.0.0.1', port: server.port },
    });
    assert.equal(delivery.outcome, 'delivered');
    assert.deepEqual(dns.questions, []);
  });
});

describe('encryption', () => {
  it('is used when it is offered, whatever the certificate', async () => {
    const { delivery, server } = await sendTo({ certificate: makeCertificate({ commonName: 'wrong.test' }) });
    assert.equal(delivery.outcome, 'delivered');
    assert.deepEqual(
      [delivery.tls?.protocol, delivery.tls?.isVerified, server.messages[0]!.isEncrypted],
      ['TLSv1.3', false, true],
    );
  });

  it('is done without when the offer does not hold, unless it is required', async () => {
    const broken = { certificate, breaksTls: true };
    assert.deepEqual((({ outcome, tls }) => [outcome, tls])((await sendTo(broken)).delivery), ['delivered', null]);
    assert.equal((await sendTo(broken, { parcel: { isTlsRequired: true } })).delivery.outcome, 'unreachable');
    assert.equal((await sendTo({}, { parcel: { isTlsRequired: true } })).delivery.outcome, 'unreachable');
  });

  const enforced = (mx: string, mode = 'enforce'): Partial<MailerOptions> => ({
    fetch: policyOf(`version: STSv1\nmode: ${mode}\nmx: ${mx}\nmax_age: 86400\n`),
    ca: authority.cert,
  });
  const zone: DeclaredZone = { ...zoneOf('mx.example.com'), '_mta-sts.example.com': { TXT: ['v=STSv1; id=1;'] } };

  it('is verified where the domain’s MTA-STS policy says so', async () => {
    const { delivery } = await sendTo({ certificate }, { zone, options: enforced('mx.example.com') });
    assert.deepEqual([delivery.outcome, delivery.mtaSts, delivery.tls?.isVerified], ['delivered', 'enforce', true]);
  });

  it('keeps mail back from a server whose certificate or name the policy does not allow', async () => {
    const wrong = await sendTo(
      { certificate: makeCertificate({ commonName: 'mx.example.com' }) },
      { zone, options: enforced('mx.example.com') },
    );
    assert.deepEqual([wrong.delivery.outcome, wrong.server.messages.length], ['unreachable', 0]);
    const plain = await sendTo({}, { zone, options: enforced('mx.example.com') });
    assert.deepEqual([plain.delivery.outcome, plain.server.messages.length], ['unreachable', 0]);
    const unnamed = await sendTo({ certificate }, { zone, options: enforced('*.other.test') });
    assert.deepEqual([unnamed.delivery.outcome, unnamed.server.connections()], ['unreachable', 0]);
    assert.match(unnamed.delivery.reason, /none of the servers is named in the MTA-STS policy/);
  });

  it('only notes a policy that tests, and goes on when a policy cannot be fetched', async () => {
    const testing = await sendTo({}, { zone, options: enforced('*.other.test', 'testing') });
    assert.deepEqual([testing.delivery.outcome, testing.delivery.mtaSts], ['delivered', 'testing']);
    const unfetched = await sendTo({}, { zone });
    assert.deepEqual([unfetched.delivery.outcome, unfetched.delivery.mtaSts], ['delivered', 'none']);
  });
});

describe('the relay', () => {
  it('takes all mail, logged in, and the password is in no transcript', async () => {
    await using server = await startMailServer({
      certificate: makeCertificate({
        commonName: 'localhost',
        issuer: { commonName: 'Test CA', privateKey: authority.privateKey },
      }),
    });
    const delivery = await mailerTo(
      1,
      {},
      { relayUrl: `smtp://user:s%40cret@localhost:${server.port}`, ca: authority.cert },
    ).deliver(PARCEL);
    assert.equal(delivery.outcome, 'delivered', delivery.reason);
    assert.ok(server.lines.some((line) => line === `AUTH PLAIN ${Buffer.from('\0user\0s@cret').toString('base64')}`));
    assert.ok(delivery.tls?.isVerified);
    assert.ok(!JSON.stringify(delivery.replies).includes(Buffer.from('\0user\0s@cret').toString('base64')));
  });

  it('is not given a password over a connection that is not verified', async () => {
    await using server = await startMailServer({ certificate: makeCertificate({ commonName: 'localhost' }) });
    const delivery = await mailerTo(1, {}, { relayUrl: `smtp://user:secret@localhost:${server.port}` }).deliver(PARCEL);
    assert.equal(delivery.outcome, 'unreachable');
    assert.ok(!server.lines.some((line) => line.startsWith('AUTH')));
  });

  it('is read from a URL', () => {
    assert.deepEqual(readRelay('smtps://u:p@relay.test'), {
      host: 'relay.test',
      port: 465,
      tls: 'implicit',
      login: { user: 'u', password: 'p' },
    });
    assert.deepEqual(readRelay('smtp://relay.test'), { host: 'relay.test', port: 587, tls: 'opportunistic' });
    assert.deepEqual(readRelay('smtp://u:p@[::1]:25?tls=off'), {
      host: '::1',
      port: 25,
      tls: 'none',
      login: { user: 'u', password: 'p' },
    });
    assert.throws(
      () => readRelay('http://u:secret@x'),
      (error: Error) => error instanceof TypeError && !error.message.includes('secret'),
    );
  });
});

describe('many messages', () => {
  let server: MailServer;
  before(async () => {
    server = await startMailServer();
  });
  after(() => server.close());

  it('share connections, never more than allowed to one destination', async () => {
    const mailer = mailerTo(server.port, zoneOf('mx.example.com'), { concurrencyPerDestination: 3 });
    const deliveries = await Promise.all(
      Array.from({ length: 30 }, (_, index) => mailer.deliver({ ...PARCEL, to: `r${index}@example.com` })),
    );
    assert.ok(deliveries.every(({ outcome }) => outcome === 'delivered'));
    assert.deepEqual(
      server.messages.map(({ to }) => to[0]).sort(),
      Array.from({ length: 30 }, (_, index) => `r${index}@example.com`).sort(),
    );
    assert.equal(server.connectionsMax(), 3);
    assert.equal(server.connections(), 3);
  });

  it('one that is refused does not spoil the connection for the next', async () => {
    await using picky = await startMailServer({
      answer: (verb, line) => (verb === 'RCPT' && line.includes('no@') ? '550 5.1.1 No' : undefined),
    });
    const mailer = mailerTo(picky.port);
    const outcomes: string[] = [];
    for (const name of ['yes', 'no', 'yes'])
      outcomes.push((await mailer.deliver({ ...PARCEL, to: `${name}@example.com` })).outcome);
    assert.deepEqual(outcomes, ['delivered', 'bounced', 'delivered']);
    assert.equal(picky.messages.length, 2);
  });

  it('a kept connection that the server closed costs nothing', async () => {
    let count = 0;
    await using closing = await startMailServer({
      answer: (verb) => (verb === 'MAIL' && ++count === 2 ? null : undefined),
    });
    const mailer = mailerTo(closing.port);
    assert.equal((await mailer.deliver(PARCEL)).outcome, 'delivered');
    assert.equal((await mailer.deliver(PARCEL)).outcome, 'delivered');
    assert.deepEqual([closing.connections(), closing.messages.length], [2, 2]);
  });

  it('a parcel whose time is over is not begun', async () => {
    await assert.rejects(mailerTo(server.port).deliver({ ...PARCEL, signal: AbortSignal.abort() }), {
      name: 'AbortError',
    });
  });
});

describe('nextAttempt', () => {
  const firstAt = new Date('2026-11-21T10:00:00Z');
  const at = (count: number, outcome: Delivery['outcome'] = 'deferred', now = firstAt) =>
    nextAttempt({ outcome, count, firstAt, now, random: 0.5 });
  it('waits twice as long each time, up to a bound', () => {
    assert.deepEqual(
      [1, 2, 3, 7, 40].map((count) => (at(count)!.getTime() - firstAt.getTime()) / 60_000),
      [5, 10, 20, 240, 240],
    );
  });
  it('spreads by a fifth', () => {
    const waits = [0, 1].map(
      (random) =>
        nextAttempt({ outcome: 'unreachable', count: 1, firstAt, now: firstAt, random })!.getTime() - firstAt.getTime(),
    );
    assert.deepEqual(waits, [240_000, 360_000]);
  });
  it('ends with success, refusal or time', () => {
    assert.equal(at(1, 'delivered'), undefined);
    assert.equal(at(1, 'bounced'), undefined);
    assert.equal(at(9, 'deferred', new Date(firstAt.getTime() + ORDINARY_MAIL.giveUpAfterMs)), undefined);
  });
});
