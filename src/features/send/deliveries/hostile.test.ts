// Servers and names that mean harm, or are broken: each delivery to them ends with a reason, in time, and no other
// waits.
import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { createDns, type Dns } from '../../../platform/dns/index.ts';
import type { MailerOptions } from '../../../platform/mail/index.ts';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { startMailServer, type MailServer } from '../../../../test/harness/mail-server.ts';
import { liveBed } from './live.fixture.ts';

const authority = makeCertificate({ commonName: 'Test CA', isAuthority: true });
const issuer = { commonName: 'Test CA', privateKey: authority.privateKey };
/** Of domains with a policy: who asked, and how often. */
const fetched: string[] = [];
const POLICIES: Record<string, string> = {
  'kept.example': 'enforce',
  'held.example': 'enforce',
  'tested.example': 'testing',
};

/** Stands for the guarded door, through which policies are fetched. */
const request = async (url: string) => {
  const domain = new URL(url).hostname.replace('mta-sts.', '');
  fetched.push(domain);
  const mode = POLICIES[domain];
  const body = Buffer.from(`version: STSv1\nmode: ${mode}\nmx: mx.${domain}\nmax_age: 86400\n`);
  return mode ? { ok: true, status: 200, body } : { ok: true, status: 404, body: Buffer.from('') };
};

/** A name server that never answers, asked by the resolver that asks the world's. */
let hanging: Dns;
const silence = dgram.createSocket('udp4');

const bed = liveBed({
  mail: {
    fetch: { request } as unknown as MailerOptions['fetch'],
    ca: authority.cert,
    // Long enough for a server that is in order, on a machine that is busy.
    replyTimeoutMs: 4000,
    tryingTimeoutMs: 1000,
  },
  dnsOf: (zone) => ({
    resolve: (name, type) => (/(^|\.)hangs\.example$/.test(name) ? hanging : zone).resolve(name, type),
  }),
  prepare,
});

/** Answers as it should up to a point. */
function conversation(socket: Socket, at: (verb: string) => boolean): void {
  const usual: Record<string, string> = { EHLO: '250 hostile.test', DATA: '354 Go ahead', QUIT: '221 Bye' };
  let isData = false;
  socket.write('220 hostile.test ESMTP\r\n');
  socket.on('data', (chunk) => {
    for (const line of chunk.toString('latin1').split('\r\n')) {
      const verb = isData ? (line === '.' ? '.' : '') : line.split(' ')[0]!.toUpperCase();
      if (verb === '') continue;
      isData = verb === 'DATA';
      if (at(verb)) socket.write(`${usual[verb] ?? '250 Ok'}\r\n`);
    }
  });
}

/** Says it over and over, as fast as it is read. */
function forever(socket: Socket, text: string): void {
  const block = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)));
  const say = (): void => {
    while (!socket.destroyed && socket.write(block));
  };
  socket.on('drain', say);
  say();
}

/** A byte now and then. */
function drip(socket: Socket, text: string): void {
  let place = 0;
  const timer = setInterval(() => socket.write(text[place++ % text.length] as string), 100);
  socket.on('close', () => clearInterval(timer));
}

const stopAt = (wanted: string, instead: (socket: Socket) => void) => (socket: Socket) => {
  conversation(socket, (verb) => {
    if (verb !== wanted) return true;
    instead(socket);
    return false;
  });
};

/** By domain: what its server does, and the reason that the event gives. */
const SERVERS: Record<string, { serve: (socket: Socket) => void; reason: RegExp }> = {
  'banner.example': {
    serve: (socket) => socket.write(Buffer.alloc(10_000_000, 'x')),
    reason: /exceeds maximum allowed size/,
  },
  'greets.example': { serve: (socket) => forever(socket, '220-Welcome\r\n'), reason: /exceeds maximum allowed size/ },
  'slow.example': { serve: (socket) => drip(socket, '220-Welcome\r\n'), reason: /[Gg]reeting|did not end within/ },
  'offers.example': {
    serve: stopAt('EHLO', (socket) => forever(socket, '250-SIZE 1\r\n')),
    reason: /exceeds maximum allowed size/,
  },
  'slow-offers.example': { serve: stopAt('EHLO', (socket) => drip(socket, '250-X\r\n')), reason: /did not end within/ },
  'recipients.example': {
    serve: stopAt('RCPT', (socket) => forever(socket, '250-Ok\r\n')),
    reason: /answer does not end/,
  },
  'data.example': { serve: stopAt('DATA', (socket) => drip(socket, '354-Go\r\n')), reason: /silent for/ },
  'end.example': { serve: stopAt('.', (socket) => forever(socket, '250-Ok\r\n')), reason: /answer does not end/ },
  'nonsense.example': {
    serve: stopAt('MAIL', (socket) => socket.write('\0\xff?\r\n'.repeat(50))),
    reason: /broke|connection/,
  },
};
const hosts = Object.keys(SERVERS);
const listening: net.Server[] = [];
/** Some of these servers never read, so they would not see that the other side has closed. */
const open = new Set<Socket>();
const servers: Record<string, MailServer> = {};
/** What was written to whom, before the connection was cut. */
const written = new Map<string, number>();

async function listen(domain: string, host: string): Promise<void> {
  const server = net.createServer((socket) => {
    open.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => open.delete(socket));
    socket.on('close', () => written.set(domain, (written.get(domain) ?? 0) + socket.bytesWritten));
    SERVERS[domain]!.serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(bed.server.port, host, resolve));
  listening.push(server);
}

async function prepare(): Promise<void> {
  await new Promise<void>((resolve) => silence.bind(0, '127.0.0.1', resolve));
  hanging = createDns({ servers: [`127.0.0.1:${(silence.address() as AddressInfo).port}`] });
  for (const [place, domain] of hosts.entries()) {
    bed.zone[domain] = { MX: [`10 mx.${domain}`] };
    bed.zone[`mx.${domain}`] = { A: [`127.0.1.${place + 1}`] };
    await listen(domain, `127.0.1.${place + 1}`);
  }
  for (const [place, domain] of Object.keys(POLICIES).entries()) {
    const host = `127.0.2.${place + 1}`;
    const commonName = `mx.${domain}`;
    const certificate = makeCertificate({ commonName, ...(domain === 'kept.example' && { issuer }) });
    bed.zone[domain] = { MX: [`10 mx.${domain}`] };
    bed.zone[`mx.${domain}`] = { A: [host] };
    bed.zone[`_mta-sts.${domain}`] = { TXT: ['v=STSv1; id=1;'] };
    servers[domain] = await startMailServer({ host, port: bed.server.port, certificate });
  }
  const many = Array.from({ length: 50 }, (_, place) => place);
  bed.zone['fifty.example'] = { MX: many.map((place) => `${place} mx${place}.fifty.example`) };
  for (const place of many) bed.zone[`mx${place}.fifty.example`] = { A: [place === 49 ? '127.0.0.1' : '127.0.3.1'] };
  bed.zone['nowhere.example'] = { MX: many.slice(0, 9).map((place) => `${place} mx${place}.nowhere.example`) };
  bed.zone['late.example'] = { MX: ['10 mx.slow.example', '20 mx.example.net'] };
  bed.zone['inside.example'] = { MX: ['10 mx.inside.example', '20 meta.inside.example'] };
  bed.zone['mx.inside.example'] = { A: ['10.0.0.1'], AAAA: ['::ffff:192.168.1.1'] };
  bed.zone['meta.inside.example'] = { A: ['169.254.169.254'] };
}
after(async () => {
  silence.close();
  for (const server of listening) server.close();
  for (const socket of open) socket.destroy();
  for (const server of Object.values(servers)) await server.close();
});

const endOf = async (recipient: string) => {
  const [event, ...more] = (await bed.eventsOf(recipient)).filter(({ event: name }) => name !== 'accepted');
  assert.ok(event && more.length === 0, `${recipient} has ${more.length + 1} ends`);
  return { ...event, status: event['delivery-status'] };
};

describe('a delivery to a server that', { timeout: 120_000 }, () => {
  before(() =>
    bed.send({
      to: [
        ...[...hosts, 'fifty.example', 'nowhere.example', 'late.example', 'hangs.example', 'inside.example'].map(
          (domain) => `who@${domain}`,
        ),
        'fine@example.net',
      ],
      'recipient-variables': '{}',
    }),
  );

  it('is in order ends', async () => assert.equal((await endOf('fine@example.net')).event, 'delivered'));

  for (const [domain, { reason }] of Object.entries(SERVERS))
    it(`is ${domain} is tried again later, with the reason`, async () => {
      const { event, severity, status } = await endOf(`who@${domain}`);
      assert.deepEqual([event, severity, status.code], ['failed', 'temporary', 498], JSON.stringify(status));
      assert.match(status.message, reason);
      assert.equal(status['retry-seconds'], 300);
      // What the system keeps for a connection, and what is read before it is too much.
      assert.ok((written.get(domain) ?? 0) < 16_000_000, `${written.get(domain)} bytes were taken`);
    });

  it('does not stand behind any of the first of fifty names is tried again later', async () => {
    const { severity, status } = await endOf('who@fifty.example');
    assert.deepEqual([severity, status.code], ['temporary', 498]);
    assert.match(status.message, /^no connection to mx\d\.fifty\.example.*; (8 of 50 servers are tried|no more time)/);
  });

  it('may stand behind another name than the first of many, which have no address, is tried again later', async () => {
    const { severity, status } = await endOf('who@nowhere.example');
    assert.deepEqual([severity, status.code], ['temporary', 498]);
    assert.match(status.message, /it has no address; 8 of 9 servers are tried for one message$/);
  });

  it('takes all the time there is is tried again later, and no further server is asked', async () => {
    const { severity, status } = await endOf('who@late.example');
    assert.deepEqual([severity, status.code], ['temporary', 498]);
    assert.match(status.message, /; no more time to try another$/);
    assert.deepEqual(bed.taken('who@late.example'), []);
  });

  it('has a name that no name server answers for is tried again later', async () => {
    const { severity, status } = await endOf('who@hangs.example');
    assert.deepEqual([severity, status.code], ['temporary', 498]);
    assert.match(status.message, /MX records of hangs\.example could not be looked up/);
  });

  it('has private addresses alone fails for good', async () => {
    const { severity, status } = await endOf('who@inside.example');
    assert.deepEqual([severity, status.code], ['permanent', 550]);
    assert.match(status.message, /is not a public address/);
  });
});

describe('a delivery to a domain with an MTA-STS policy', { timeout: 60_000 }, () => {
  before(() => bed.send({ to: Object.keys(POLICIES).map((domain) => `who@${domain}`), 'recipient-variables': '{}' }));

  it('goes to a server with a valid certificate', async () => {
    const { event, status } = await endOf('who@kept.example');
    assert.deepEqual([event, status.tls, status['certificate-verified']], ['delivered', true, true]);
  });

  it('waits where the policy is enforced and the certificate is not valid', async () => {
    const { severity, status } = await endOf('who@held.example');
    assert.deepEqual([severity, status.code], ['temporary', 498], JSON.stringify(status));
    assert.match(status.message, /certificate/);
    assert.deepEqual(servers['held.example']!.messages, []);
  });

  it('goes all the same where the policy is tested', async () => {
    const { event, status } = await endOf('who@tested.example');
    assert.deepEqual([event, status.tls, status['certificate-verified']], ['delivered', true, false]);
  });

  it('asks for the policy once for several messages', async () => {
    await bed.send({ to: 'second@kept.example' });
    assert.equal((await endOf('second@kept.example')).event, 'delivered');
    assert.equal(fetched.filter((domain) => domain === 'kept.example').length, 1);
  });
});
