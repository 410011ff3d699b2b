import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOpenPort, isPublicAddress, parseAllowList, refusalOf } from './addresses.ts';
import { PRIVATE_ADDRESSES, PUBLIC_ADDRESSES } from './private-addresses.fixture.ts';

describe('isPublicAddress', () => {
  for (const [what, address] of PRIVATE_ADDRESSES) {
    it(`refuses ${what} ${address}`, () => assert.equal(isPublicAddress(address), false));
  }
  for (const address of PUBLIC_ADDRESSES) {
    it(`accepts ${address}`, () => assert.equal(isPublicAddress(address), true));
  }
  for (const text of ['', 'example.com', '1.2.3.4.5', '::g', '2606:4700::1111%eth0', '8.8.8.8/32']) {
    it(`refuses what is not an address: "${text}"`, () => assert.equal(isPublicAddress(text), false));
  }
});

describe('isOpenPort', () => {
  it('opens 80, 443 and high ports', () => {
    for (const port of [80, 443, 1024, 8080, 8443, 65_535]) assert.equal(isOpenPort(port), true, String(port));
  });
  it('closes system ports and the bad ports of the Fetch standard', () => {
    for (const port of [0, 1, 21, 22, 23, 25, 53, 110, 143, 389, 445, 465, 587, 993, 2049, 5060, 6000, 6667, 10_080]) {
      assert.equal(isOpenPort(port), false, String(port));
    }
  });
});

describe('refusalOf', () => {
  const none = parseAllowList([]);
  const at = (host: string, port = 443) => ({ host, port });

  it('passes a host whose addresses are all public', () => {
    assert.equal(
      refusalOf(at('example.com'), ['93.184.215.14', '2606:2800:21f:cb07:6820:80da:af6b:8b2c'], none),
      undefined,
    );
  });
  it('refuses a host with a single private address among public ones, in any order', () => {
    assert.match(refusalOf(at('example.com'), ['93.184.215.14', '10.0.0.1'], none)!, /10\.0\.0\.1/);
    assert.match(refusalOf(at('example.com'), ['10.0.0.1', '93.184.215.14'], none)!, /10\.0\.0\.1/);
  });
  it('refuses a host without addresses', () => assert.match(refusalOf(at('example.com'), [], none)!, /no address/));
  it('refuses a closed port of a public host', () => {
    assert.match(refusalOf(at('example.com', 25), ['93.184.215.14'], none)!, /port 25/);
  });
});

describe('parseAllowList', () => {
  const opens = (entry: string, host: string, place: { address: string; port?: number }) =>
    parseAllowList([entry])({ host, port: 80, ...place });

  it('matches a host name on every port and at every address', () => {
    assert.equal(opens('Intranet.Example', 'intranet.example', { address: '10.0.0.1', port: 25 }), true);
    assert.equal(opens('intranet.example', 'evil.intranet.example', { address: '10.0.0.1' }), false);
    assert.equal(opens('intranet.example', 'xintranet.example', { address: '10.0.0.1' }), false);
  });
  it('matches everything below a wildcard, but not its apex', () => {
    assert.equal(opens('*.corp.example', 'cdn.corp.example', { address: '10.0.0.1' }), true);
    assert.equal(opens('*.corp.example', 'corp.example', { address: '10.0.0.1' }), false);
    assert.equal(opens('*.corp.example', 'evilcorp.example', { address: '10.0.0.1' }), false);
  });
  it('matches host:port on that port only', () => {
    assert.equal(opens('intranet.example:8080', 'intranet.example', { address: '10.0.0.1', port: 8080 }), true);
    assert.equal(opens('intranet.example:8080', 'intranet.example', { address: '10.0.0.1', port: 80 }), false);
  });
  it('matches an address behind any name, in any spelling', () => {
    assert.equal(opens('10.1.2.3', 'any.example', { address: '10.1.2.3' }), true);
    assert.equal(opens('10.1.2.3', 'any.example', { address: '10.1.2.4' }), false);
    assert.equal(opens('10.1.2.3:81', '10.1.2.3', { address: '10.1.2.3', port: 81 }), true);
    assert.equal(opens('10.1.2.3:81', '10.1.2.3', { address: '10.1.2.3', port: 82 }), false);
    assert.equal(opens('FD00:0::1', 'any.example', { address: 'fd00::1' }), true);
    assert.equal(opens('[fd00::1]:8080', 'any.example', { address: 'fd00::1', port: 8080 }), true);
    assert.equal(opens('[fd00::1]:8080', 'any.example', { address: 'fd00::1', port: 8081 }), false);
  });
  it('matches a range of its own family', () => {
    assert.equal(opens('10.0.0.0/8', 'any.example', { address: '10.255.1.2' }), true);
    assert.equal(opens('10.0.0.0/8', 'any.example', { address: '11.0.0.1' }), false);
    assert.equal(opens('0.0.0.0/0', 'any.example', { address: '::1' }), false);
    assert.equal(opens('fd00::/8', 'any.example', { address: 'fd12::1' }), true);
  });
  it('ignores empty entries', () =>
    assert.equal(parseAllowList([' ', ''])({ host: 'a', port: 80, address: '10.0.0.1' }), false));
  for (const entry of [
    'http://a.example',
    'a b',
    '10.0.0.0/99',
    'a.example:0',
    'a.example:70000',
    '*',
    'a.*.example',
  ]) {
    it(`names an entry it cannot read: ${entry}`, () => {
      assert.throws(
        () => parseAllowList([entry]),
        (error: Error) => error instanceof TypeError && error.message.includes(entry),
      );
    });
  }
});
