import assert from 'node:assert/strict';
import dgram from 'node:dgram';
import { describe, it } from 'node:test';
import {
  createDns,
  createZoneDns,
  DnsError,
  doubtingDns,
  isNoSuchName,
  overlayDns,
  rememberingDns,
  reverseName,
  type Dns,
} from './index.ts';

const code = async (question: Promise<unknown>): Promise<string> =>
  question.then(
    () => 'answered',
    (error: unknown) => (error instanceof DnsError ? error.code : String(error)),
  );

/** A name server that answers every A question by `answer`: an address, a response code, or silence. */
async function nameServer(
  answer: (name: string) => string | number | undefined,
): Promise<AsyncDisposable & { address: string; questions: string[]; most(): number }> {
  const questions: string[] = [];
  let open = 0;
  let most = 0;
  const server = dgram.createSocket('udp4');
  server.on('message', (query, from) => {
    const labels: string[] = [];
    let at = 12;
    for (let length = query[at]!; length > 0; length = query[at]!) {
      labels.push(query.toString('latin1', at + 1, at + 1 + length));
      at += length + 1;
    }
    const name = labels.join('.');
    questions.push(name);
    most = Math.max(most, ++open);
    setImmediate(() => {
      open--;
      const said = answer(name);
      if (said === undefined) return;
      const head = Buffer.from(query.subarray(0, at + 5));
      head.writeUInt16BE(0x8180 | (typeof said === 'number' ? said : 0), 2);
      head.writeUInt16BE(typeof said === 'string' ? 1 : 0, 6);
      head.writeUInt16BE(0, 10);
      const record =
        typeof said === 'string'
          ? Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...said.split('.').map(Number)])
          : Buffer.alloc(0);
      server.send(Buffer.concat([head, record]), from.port, from.address);
    });
  });
  await new Promise<void>((resolve) => server.bind(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${server.address().port}`,
    questions,
    most: () => most,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describe('createDns', () => {
  it('asks the named server, and tells no such name, no such record, failure and silence apart', async () => {
    await using server = await nameServer(
      (name) => ({ 'a.test': '192.0.2.1', 'gone.test': 3, 'empty.test': 0, 'broken.test': 2, 'refused.test': 5 })[name],
    );
    const dns = createDns({ servers: [server.address], timeoutMs: 100, tries: 1 });
    assert.deepEqual(await dns.resolve('A.Test.', 'A'), ['192.0.2.1']);
    const codes = await Promise.all(
      ['gone', 'empty', 'broken', 'refused', 'silent'].map((name) => code(dns.resolve(`${name}.test`, 'A'))),
    );
    assert.deepEqual(codes, ['ENOTFOUND', 'ENODATA', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']);
  });

  it('asks the same question once, and no more at once than it may', async () => {
    await using server = await nameServer(() => '192.0.2.1');
    const dns = createDns({ servers: [server.address], concurrency: 4 });
    await Promise.all(Array.from({ length: 20 }, () => dns.resolve('same.test', 'A')));
    assert.equal(server.questions.length, 1);
    await Promise.all(Array.from({ length: 40 }, (_, index) => dns.resolve(`n${index}.test`, 'A')));
    assert.equal(server.questions.length, 41);
    assert.ok(server.most() <= 4);
  });

  it('does not ask what is no name', async () => {
    const dns = createDns({ servers: ['127.0.0.1:1'] });
    for (const name of ['', '.', 'a..b', `${'x'.repeat(64)}.test`, 'x.'.repeat(130)])
      assert.equal(await code(dns.resolve(name, 'A')), 'EBADNAME');
  });
});

describe('createZoneDns', () => {
  const dns = createZoneDns({
    'example.com': { TXT: ['one', ['two ', 'three']], MX: ['10 mx.example.com', '0 .'] },
    'a.b.example.com': { A: ['192.0.2.1'] },
    'www.example.com': { CNAME: ['a.b.example.com'] },
    'loop.test': { CNAME: ['loop.test'] },
    '192.0.2.1': { PTR: ['a.b.example.com'] },
    'partly.test': { A: ['192.0.2.2'], fails: 'ETIMEOUT', failsFor: ['TXT'] },
  });
  it('answers as declared', async () => {
    assert.deepEqual(await dns.resolve('EXAMPLE.com.', 'TXT'), [['one'], ['two ', 'three']]);
    assert.deepEqual(await dns.resolve('example.com', 'MX'), [
      { priority: 10, exchange: 'mx.example.com' },
      { priority: 0, exchange: '' },
    ]);
    assert.deepEqual(await dns.resolve('www.example.com', 'A'), ['192.0.2.1']);
    assert.deepEqual(await dns.resolve(reverseName('192.0.2.1'), 'PTR'), ['a.b.example.com']);
  });
  it('knows names that do not exist from names without such a record', async () => {
    assert.equal(await code(dns.resolve('gone.example.com', 'A')), 'ENOTFOUND');
    assert.equal(await code(dns.resolve('b.example.com', 'A')), 'ENODATA');
    assert.equal(await code(dns.resolve('example.com', 'A')), 'ENODATA');
    assert.equal(await code(dns.resolve('loop.test', 'A')), 'ESERVFAIL');
    assert.deepEqual(
      [await code(dns.resolve('partly.test', 'TXT')), await code(dns.resolve('partly.test', 'A'))],
      ['ETIMEOUT', 'answered'],
    );
    assert.ok(isNoSuchName(new DnsError('ENODATA', { name: 'x', type: 'A' })));
    assert.ok(!isNoSuchName(new DnsError('ETIMEOUT', { name: 'x', type: 'A' })));
  });
  it('lies over another resolver, name by name', async () => {
    const over = overlayDns(dns, { 'example.com': { TXT: ['mine'] } });
    assert.deepEqual(await over.resolve('example.com', 'TXT'), [['mine']]);
    assert.equal(await code(over.resolve('example.com', 'MX')), 'ENODATA');
    assert.deepEqual(await over.resolve('a.b.example.com', 'A'), ['192.0.2.1']);
  });
});

describe('reverseName', () => {
  it('follows RFC 1035 and RFC 3596', () => {
    assert.equal(reverseName('192.0.2.10'), '10.2.0.192.in-addr.arpa');
    assert.equal(
      reverseName('2001:db8::1'),
      '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa',
    );
    assert.equal(reverseName('::ffff:192.0.2.10'), '10.2.0.192.in-addr.arpa');
  });
});

describe('rememberingDns', () => {
  const clock = { now: 0 };
  const asked: string[] = [];
  const told: Dns = {
    async resolve(name, type) {
      asked.push(`${type} ${name}`);
      if (name === 'gone.test') throw new DnsError('ENOTFOUND', { name, type });
      return (type === 'MX' ? [{ exchange: 'mx.test', priority: 1 }] : ['192.0.2.1']) as never;
    },
    async resolveWithTtl(name, type) {
      asked.push(`${type} ${name}`);
      return { records: ['192.0.2.1'], ttlSeconds: name === 'short.test' ? 1 : 30 };
    },
  };

  it('keeps addresses as long as they say, MX for five minutes, failures for one', async () => {
    const dns = rememberingDns(told, () => clock.now);
    const at = async (seconds: number): Promise<string[]> => {
      clock.now = seconds * 1000;
      asked.length = 0;
      await Promise.all([
        dns.resolve('a.test', 'A'),
        dns.resolve('A.test.', 'A'),
        dns.resolve('short.test', 'AAAA'),
        dns.resolve('a.test', 'MX'),
        assert.rejects(dns.resolve('gone.test', 'MX'), { code: 'ENOTFOUND' }),
      ]);
      return [...asked];
    };
    assert.deepEqual(await at(0), ['A a.test', 'AAAA short.test', 'MX a.test', 'MX gone.test']);
    assert.deepEqual(await at(4), []);
    assert.deepEqual(await at(29), ['AAAA short.test']);
    assert.deepEqual(await at(31), ['A a.test']);
    assert.deepEqual(await at(61), ['A a.test', 'AAAA short.test', 'MX gone.test']);
    assert.deepEqual((await at(301)).includes('MX a.test'), true);
  });

  it('gives each caller answers of its own, and keeps no more than 50,000', async () => {
    const dns = rememberingDns(told, () => 0);
    (await dns.resolve('a.test', 'MX')).length = 0;
    assert.equal((await dns.resolve('a.test', 'MX')).length, 1);
    for (let index = 0; index < 50_100; index += 1) await dns.resolve(`n${index}.test`, 'A');
    assert.equal(dns.size, 50_000);
  });
});

describe('doubtingDns', () => {
  const COM = { com: { NS: ['a.gtld-servers.net'] } };

  it('believes servers that know the public DNS, and asks them once a minute', async () => {
    const zone = createZoneDns({ ...COM, 'there.test': { A: ['192.0.2.1'] } });
    let now = 0;
    const dns = doubtingDns(zone, () => now);
    const of = (name: string) => code(dns.resolve(name, 'A'));
    assert.deepEqual(await Promise.all(['there.test', 'gone.test', 'a.gone.test'].map(of)), [
      'answered',
      'ENOTFOUND',
      'ENOTFOUND',
    ]);
    assert.equal(zone.questions.filter((question) => question === 'NS com').length, 1);
    assert.equal(dns.away, undefined);
    now = 61_000;
    assert.equal(await code(dns.resolve('gone.test', 'MX')), 'ENOTFOUND');
    assert.equal(zone.questions.filter((question) => question === 'NS com').length, 2);
  });

  it('does not believe servers that know no name, until they know some again', async () => {
    const zones: { now: Dns } = { now: createZoneDns({}) };
    let now = 0;
    const dns = doubtingDns({ resolve: (name, type) => zones.now.resolve(name, type) }, () => now);
    await assert.rejects(dns.resolve('shop.example.com', 'MX'), {
      code: 'EBLIND',
      message: 'MX shop.example.com: the name servers know no public name, not even com',
    });
    assert.equal(await code(dns.resolve('single', 'A')), 'EBLIND');
    assert.equal(dns.away, 'the name servers know no public name, not even com');
    zones.now = createZoneDns(COM);
    assert.notEqual(dns.away, undefined);
    now = 61_000;
    while (dns.away !== undefined) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await code(dns.resolve('shop.example.com', 'MX')), 'ENOTFOUND');
  });

  it('believes an internal resolver about the zones that it has, and about no other', async () => {
    const dns = doubtingDns(createZoneDns({ 'mail.corp.internal': { A: ['10.0.0.1'] } }));
    assert.equal(await code(dns.resolve('_dmarc.corp.internal', 'TXT')), 'ENOTFOUND');
    assert.equal(await code(dns.resolve('_dmarc.example.com', 'TXT')), 'EBLIND');
  });

  it('leaves every other failure as it is', async () => {
    const dns = doubtingDns(createZoneDns({ 'broken.test': { fails: 'ESERVFAIL' }, 'empty.test': { A: [] } }));
    assert.deepEqual(
      [await code(dns.resolve('broken.test', 'A')), await code(dns.resolve('empty.test', 'MX'))],
      ['ESERVFAIL', 'ENODATA'],
    );
  });
});
