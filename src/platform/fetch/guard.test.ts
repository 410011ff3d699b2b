import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startSite, type Site } from '../../../test/harness/link-playground.ts';
import { createFetch, type GuardedFetch } from './index.ts';
import { DISGUISED_HOSTS, PRIVATE_ADDRESSES } from './private-addresses.fixture.ts';

/** A host as it stands in a URL. */
const inUrl = (address: string) => (address.includes(':') ? `[${address}]` : address);

describe('the guard, against every private address', () => {
  let site: Site;
  let door: GuardedFetch;
  const answers = new Map<string, string[]>();

  before(async () => {
    site = await startSite({
      handle: (request, response) => {
        const location = Buffer.from(decodeURIComponent(request.url!.slice(1))).toString('latin1');
        response.writeHead(302, { Location: location }).end();
      },
    });
    // Only the redirecting site is open; a second loopback address on the same port is not.
    door = createFetch({
      allowHosts: [`127.0.0.1:${site.port}`],
      userAgent: 'x',
      connectTimeoutMs: 500,
      resolver: async (host) => answers.get(host) ?? [],
    });
  });
  after(async () => {
    door.close();
    await site.close();
  });

  async function expectRefused(url: string): Promise<void> {
    const outcome = await door.request(url);
    assert.equal(outcome.ok ? `answered ${outcome.status}` : outcome.reason, 'refused', url);
  }

  for (const [what, address] of PRIVATE_ADDRESSES) {
    it(`refuses ${what} ${address} as literal, DNS answer, second DNS answer and redirect`, async () => {
      await expectRefused(`http://${inUrl(address)}/`);
      await expectRefused(`https://${inUrl(address)}/`);
      answers.set('evil.example', [address]);
      await expectRefused('http://evil.example/');
      answers.set('mixed.example', ['93.184.215.14', address]);
      await expectRefused('http://mixed.example/');
      await expectRefused(`${site.origin}/${encodeURIComponent(`http://${inUrl(address)}/`)}`);
      await expectRefused(`${site.origin}/${encodeURIComponent('http://evil.example/')}`);
    });
  }
  for (const [what, host] of DISGUISED_HOSTS) {
    it(`refuses a host written as ${what}: ${host}`, async () => {
      await expectRefused(`http://${host}/`);
      await expectRefused(`${site.origin}/${encodeURIComponent(`http://${host}/`)}`);
    });
  }
  for (const answer of ['0177.0.0.1', '0x7f000001', '2130706433', 'localhost', '', 'fe80::1%eth0']) {
    it(`refuses the malformed DNS answer "${answer}"`, async () => {
      answers.set('odd.example', [answer]);
      await expectRefused('http://odd.example/');
    });
  }
  it('refuses a host name the system resolves to loopback', async () => {
    const plain = createFetch({ allowHosts: [], userAgent: 'x' });
    for (const url of ['http://localhost/', 'http://LOCALHOST./', 'http://[::1]/']) {
      const outcome = await plain.request(url);
      assert.ok(!outcome.ok && (outcome.reason === 'refused' || outcome.reason === 'dns'), url);
    }
  });
});

describe('the guard, against DNS that changes its answer', () => {
  it('connects to the address it checked, and checks again for the next request, kept connections or not', async () => {
    await using checked = await startSite({ handle: (_request, response) => response.end('checked') });
    await using secret = await startSite({
      handle: (_request, response) => response.end('secret'),
      address: '127.0.0.2',
      port: checked.port,
    });
    let lookups = 0;
    const door = createFetch({
      allowHosts: [`127.0.0.1:${checked.port}`],
      userAgent: 'x',
      resolver: async () => (lookups++ === 0 ? ['127.0.0.1'] : ['127.0.0.2']),
    });
    const url = `http://rebind.example:${checked.port}/`;
    const first = await door.get(url);
    assert.equal(first.body.toString(), 'checked');
    assert.equal(lookups, 1);
    const second = await door.request(url);
    assert.equal(second.ok ? 'answered' : second.reason, 'refused');
    assert.deepEqual(secret.requests, []);
    assert.equal(secret.connections(), 0);
    door.close();
  });

  it('checks the same host again at every redirect', async () => {
    await using site = await startSite({
      handle: (request, response) => response.writeHead(302, { Location: `${request.url}x` }).end(),
    });
    let lookups = 0;
    const door = createFetch({
      allowHosts: [`127.0.0.1:${site.port}`],
      userAgent: 'x',
      resolver: async () => (lookups++ < 2 ? ['127.0.0.1'] : ['169.254.169.254']),
    });
    const outcome = await door.request(`http://rebind.example:${site.port}/`);
    assert.equal(outcome.ok ? 'answered' : outcome.reason, 'refused');
    assert.equal(outcome.hops.length, 2);
    door.close();
  });

  it('tries the next checked address when the first is dead', async () => {
    await using site = await startSite({ handle: (_request, response) => response.end('alive'), address: '127.0.0.3' });
    const door = createFetch({
      allowHosts: ['127.0.0.0/8'],
      userAgent: 'x',
      resolver: async () => ['127.0.0.2', '127.0.0.3'],
    });
    assert.equal((await door.get(`http://two.example:${site.port}/`)).body.toString(), 'alive');
    door.close();
  });
});
