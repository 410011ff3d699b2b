import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import providers from '../../../data/mailbox-providers/providers.json' with { type: 'json' };
import { makeCertificate } from '../../../test/harness/certificate.ts';
import { createZoneDns, type DeclaredZone } from '../../../test/harness/dns-zone.ts';
import { startMailServer } from '../../../test/harness/mail-server.ts';
import { createMailer, type MailboxProvider, type Mailer, type MailerOptions } from './index.ts';

const log = { debug() {}, info() {}, warn() {}, error() {} } as unknown as MailerOptions['log'];
const raw = Buffer.from('From: a@sender.test\r\n\r\nHi\r\n');
const PARCEL = { from: 'a@sender.test', to: 'r@example.com', raw };
const HERE = { A: ['127.0.0.1'] };
const EQUALS: DeclaredZone = {
  'example.com': { MX: ['10 mx1.example.net', '10 mx2.example.net', '10 mx3.example.net'] },
  'mx1.example.net': HERE,
  'mx2.example.net': HERE,
  'mx3.example.net': HERE,
};
const BIG: MailboxProvider = {
  name: 'big',
  suffixes: ['.big.test'],
  domains: ['own.test'],
  connections: 2,
  messagesPerConnection: 3,
  rules: [
    { pattern: 'go away', perHour: 2, seconds: 3600, does: { suspends: true } },
    { pattern: 'slowly', perHour: 1, seconds: 3600, does: { perMinute: 2 } },
    { pattern: 'one line', perHour: 1, seconds: 60, does: { connections: 1 } },
  ],
};
const GENERAL: MailboxProvider = {
  name: 'default',
  suffixes: [],
  domains: [],
  rules: [{ pattern: 'too busy', perHour: 1, seconds: 60, does: { suspends: true } }],
};
const TWO: DeclaredZone = {
  'one.test': { MX: ['10 a.mx.big.test', '20 elsewhere.test'] },
  'two.test': { MX: ['10 b.mx.big.test'] },
  'own.test': { MX: ['10 mx.elsewhere.test'] },
  'not.test': { MX: ['10 notbig.test'] },
  'a.mx.big.test': HERE,
  'b.mx.big.test': HERE,
  'mx.elsewhere.test': HERE,
  'notbig.test': HERE,
};

const opened: Mailer[] = [];
after(() => opened.forEach((mailer) => mailer.close()));

function mailer(port: number, zone: DeclaredZone, options: Partial<MailerOptions> = {}): Mailer {
  const made = createMailer({
    dns: createZoneDns(zone),
    fetch: { request: async () => ({ ok: false, error: new Error('nothing there') }) } as never,
    log,
    helo: 'out.test',
    allowHosts: ['127.0.0.0/8'],
    now: Date.now,
    mxPort: port,
    ...options,
  });
  opened.push(made);
  return made;
}

describe('connections at once', () => {
  it('are ten to a domain of three equal servers, not ten to each', async () => {
    await using server = await startMailServer();
    const one = mailer(server.port, EQUALS);
    const deliveries = await Promise.all(
      Array.from({ length: 120 }, (_, index) => one.deliver({ ...PARCEL, to: `r${index}@example.com` })),
    );
    assert.ok(deliveries.every(({ outcome }) => outcome === 'delivered'));
    assert.equal(server.messages.length, 120);
    assert.ok(server.connectionsMax() <= 10, `${server.connectionsMax()} at once`);
  });

  it('and messages on one are those of the provider, whose domains share them', async () => {
    await using server = await startMailServer();
    const one = mailer(server.port, TWO, { providers: [BIG, GENERAL] });
    const to = (index: number): string => `r${index}@${index % 2 ? 'one' : 'two'}.test`;
    const deliveries = await Promise.all(
      Array.from({ length: 18 }, (_, index) => one.deliver({ ...PARCEL, to: to(index) })),
    );
    assert.deepEqual([...new Set(deliveries.map(({ provider }) => provider))], ['big']);
    // Those that are kept for the next message count as well.
    assert.ok(server.connectionsMax() <= 4, `${server.connectionsMax()} at once`);
    assert.ok(server.connections() >= 6, 'three messages a connection');
    assert.equal((await one.deliver({ ...PARCEL, to: 'r@own.test' })).provider, 'big');
    assert.equal((await one.deliver({ ...PARCEL, to: 'r@not.test' })).provider, undefined);
  });

  it('are never more than the operator allows', async () => {
    await using server = await startMailServer();
    const generous: MailboxProvider = { ...BIG, connections: 50 };
    const one = mailer(server.port, TWO, { providers: [generous], concurrencyPerDestination: 3 });
    await Promise.all(Array.from({ length: 30 }, () => one.deliver({ ...PARCEL, to: 'r@two.test' })));
    assert.equal(server.connectionsMax(), 3);
  });

  it('are encrypted where the provider asks for it', async () => {
    await using plain = await startMailServer();
    const strict: MailboxProvider = { ...BIG, isTlsRequired: true };
    const kept = await mailer(plain.port, TWO, { providers: [strict] }).deliver({ ...PARCEL, to: 'r@two.test' });
    assert.deepEqual([kept.outcome, plain.messages.length], ['unreachable', 0]);
  });

  it('go to a trusted certificate where the parcel asks for one', async () => {
    await using server = await startMailServer({ certificate: makeCertificate({ commonName: 'wrong.test' }) });
    const one = mailer(server.port, TWO);
    const parcel = { ...PARCEL, to: 'r@two.test' };
    assert.equal((await one.deliver({ ...parcel, isCertificateRequired: true })).outcome, 'unreachable');
    assert.equal((await one.deliver({ ...parcel, isTlsRequired: true })).outcome, 'delivered');
  });
});

describe('tryLease', () => {
  it('refuses where there is no room, and lets nothing wait', async () => {
    await using server = await startMailServer();
    const one = mailer(server.port, TWO, { providers: [BIG] });
    const [first, second, third] = [
      await one.tryLease('a@one.test'),
      await one.tryLease('b@two.test'),
      await one.tryLease('c@one.test'),
    ];
    assert.ok(first.ok && second.ok && !third.ok);
    assert.deepEqual([third.provider, third.until], ['big', undefined]);
    assert.equal(third.reason, '2 messages are on their way to big already');
    assert.equal((await first.deliver({ ...PARCEL, to: 'a@one.test' })).outcome, 'delivered');
    first.release();
    first.release();
    const [again, full] = [await one.tryLease('c@one.test'), await one.tryLease('d@one.test')];
    assert.deepEqual([again.ok, full.ok], [true, false]);
    second.release();
    assert.ok((await one.tryLease('d@one.test')).ok);
  });

  it('of a domain that takes no mail says so at the delivery', async () => {
    const lease = await mailer(1, { 'none.test': { MX: ['0 .'] } }).tryLease('a@none.test');
    assert.ok(lease.ok);
    const { outcome, reason } = await lease.deliver({ ...PARCEL, to: 'a@none.test' });
    assert.equal(outcome, 'bounced');
    assert.match(reason, /null MX/);
    lease.release();
  });

  it('waits as long as replies ask, and says which', async () => {
    let time = Date.parse('2026-11-22T12:00:00Z');
    let says = '421 4.7.0 go away';
    await using server = await startMailServer({ answer: (verb) => (verb === 'RCPT' ? says : undefined) });
    const one = mailer(server.port, TWO, { providers: [BIG, GENERAL], now: () => time });
    const refused = () => one.deliver({ ...PARCEL, to: 'a@one.test' });
    const ask = async () => {
      const lease = await one.tryLease('a@two.test');
      if (lease.ok) lease.release();
      return lease.ok ? 'goes' : `${lease.reason} until ${lease.until?.toISOString()}`;
    };
    await refused();
    assert.equal(await ask(), 'goes', 'once is not twice');
    time += 3_700_000;
    await refused();
    assert.equal(await ask(), 'goes', 'twice within an hour');
    await refused();
    assert.equal(
      await ask(),
      'nothing is sent to big for now, because it said: 421 4.7.0 go away until 2026-11-22T14:01:40.000Z',
    );
    assert.equal((await refused()).outcome, 'deferred', 'what was begun goes on');
    time += 3_600_001;
    assert.equal(await ask(), 'goes');
    says = '451 4.7.1 slowly, please';
    await refused();
    assert.equal(await ask(), 'goes');
    assert.match(await ask(), /^little is sent to big for now, because it said: 451 4\.7\.1 slowly/);
    time += 30_000;
    assert.equal(await ask(), 'goes', 'two a minute');
    time += 3_600_001;
    says = '421 one line';
    await refused();
    const lease = await one.tryLease('a@one.test');
    assert.ok(lease.ok);
    assert.match(await ask(), /^1 messages are on their way/);
    lease.release();
    says = '450 4.3.2 we are too busy';
    await one.deliver({ ...PARCEL, to: 'a@not.test' });
    const other = await one.tryLease('a@not.test');
    assert.match(other.ok ? '' : other.reason, /nothing is sent to notbig\.test .* too busy/);
  });
});

describe('questions to DNS', () => {
  it('are asked once for many messages to a domain', async () => {
    await using server = await startMailServer();
    const dns = createZoneDns(EQUALS);
    const one = mailer(server.port, EQUALS, { dns });
    await Promise.all(
      Array.from({ length: 120 }, (_, index) => one.deliver({ ...PARCEL, to: `r${index}@example.com` })),
    );
    const asked = Map.groupBy(dns.questions, (question) => question);
    for (const [question, { length }] of asked) assert.equal(length, 1, question);
    assert.ok(asked.has('MX example.com'));
  });
});

describe('data/mailbox-providers', () => {
  it('knows the large providers, each by itself, with patterns that can be read', () => {
    const names = providers.map(({ name }) => name);
    assert.equal(new Set(names).size, names.length);
    for (const name of ['google', 'yahoo', 'outlook', 'office365', 'apple', 'comcast.net', 'orange', 'default'])
      assert.ok(names.includes(name), name);
    for (const { rules, suffixes } of providers) {
      assert.ok(suffixes.every((suffix) => /^\.[a-z0-9.-]+$/.test(suffix)));
      for (const { pattern, perHour, seconds } of rules) {
        assert.doesNotThrow(() => new RegExp(pattern));
        assert.ok(perHour > 0 && seconds > 0);
      }
    }
  });
});
