// Addresses to send from over HTTP: those that this machine has, what reverse DNS says of them, and whose they are.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../../platform/config/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const IPS =
  '127.0.0.2=mail2.example.com,127.0.0.3=mail3.example.com,127.0.0.4=mail4.example.com;shared,' +
  '127.0.0.5=mail5.example.com,192.0.2.77=mail77.example.com';
const ZONE = {
  '2.0.0.127.in-addr.arpa': { PTR: ['mail2.example.com'] },
  'mail2.example.com': { A: ['127.0.0.2'] },
  '3.0.0.127.in-addr.arpa': { PTR: ['host3.provider.example'] },
  '4.0.0.127.in-addr.arpa': { PTR: ['mail4.example.com'] },
  'mail4.example.com': { A: ['203.0.113.4'] },
};

let app: App;
let other: { 'x-service-account-id': string };
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: IPS }, { zone: ZONE });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { 'x-service-account-id': body.subaccount.id };
});
after(() => app.close());

/** Once all of them were looked up. */
async function looked(): Promise<Record<string, any>> {
  for (;;) {
    const { body } = await app.call('GET /v3/ips');
    if (body.details.every(({ rdns_state: state, ip }: any) => state !== 'unknown' || ip === 'none'))
      return Object.fromEntries(body.details.map(({ ip, ...details }: any) => [ip, details]));
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('GET /v3/ips', () => {
  it('lists those that this machine has, and says what reverse DNS says both ways', async () => {
    const details = await looked();
    assert.deepEqual(Object.keys(details), ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5']);
    assert.deepEqual(details['127.0.0.2'], {
      is_on_warmup: false,
      dedicated: true,
      enabled: true,
      host_name: 'mail2.example.com',
      pool_id: null,
      is_inherited: false,
      rdns: 'mail2.example.com',
      rdns_state: 'valid',
      rdns_fault: '',
    });
    const said = (ip: string): string[] => [details[ip].rdns_state, details[ip].rdns, details[ip].rdns_fault];
    assert.deepEqual(said('127.0.0.3'), [
      'invalid',
      'host3.provider.example',
      'Reverse DNS of 127.0.0.3 names host3.provider.example, not mail3.example.com.',
    ]);
    assert.deepEqual(said('127.0.0.4'), [
      'invalid',
      'mail4.example.com',
      'mail4.example.com leads to 203.0.113.4, not back to 127.0.0.4.',
    ]);
    assert.deepEqual(said('127.0.0.5'), [
      'invalid',
      '',
      '127.0.0.5 has no reverse DNS; it has to name mail5.example.com.',
    ]);
  });

  it('tells dedicated from shared ones, and pages', async () => {
    const items = async (query: string, headers = {}): Promise<string[]> =>
      (await app.call(`GET /v3/ips${query}`, { headers })).body.items;
    assert.deepEqual(await items('?dedicated=false'), ['127.0.0.4']);
    assert.deepEqual(await items('?dedicated=true&limit=1&skip=1'), ['127.0.0.3']);
    assert.deepEqual(await items('?enabled=false'), []);
    assert.deepEqual(await items('', other), ['127.0.0.4']);
    const { body } = await app.call('GET /v3/ips');
    assert.deepEqual(body.assignable_to_pools, ['127.0.0.2', '127.0.0.3', '127.0.0.5']);
    assert.equal(body.total_count, 4);
  });
});

describe('GET /v3/ips/{ip}', () => {
  it('shows one, in the form that existing clients read', async () => {
    await looked();
    const { status, body } = await app.call('GET /v3/ips/127.0.0.2');
    assert.equal(status, 200);
    assert.deepEqual([body.ip, body.dedicated, body.rdns], ['127.0.0.2', true, 'mail2.example.com']);
  });

  it('finds none of another account, and none that there is not', async () => {
    for (const [path, headers] of [
      ['/v3/ips/127.0.0.2', other],
      ['/v3/ips/192.0.2.77', {}],
      ['/v3/ips/nothing', {}],
    ] as const) {
      const { status, body } = await app.call(`GET ${path}`, { headers });
      assert.equal(status, 404, path);
      assert.deepEqual(Object.keys(body), ['message']);
    }
    assert.equal((await app.call('GET /v3/ips/127.0.0.4', { headers: other })).status, 200);
  });
});

describe('/v3/ips/request/new', () => {
  it('says that the operator adds addresses', async () => {
    assert.deepEqual((await app.call('GET /v3/ips/request/new')).body, { allowed: { dedicated: 0, shared: 0 } });
    const { status, body } = await app.call('POST /v3/ips/request/new');
    assert.equal(status, 200);
    assert.match(body.message, /no address was added\. GALLEY_SENDING_IPS adds addresses\./);
  });
});

describe('GALLEY_SENDING_IPS', () => {
  const faultOf = (text: string, more = {}): string => {
    try {
      readConfig({ GALLEY_SENDING_IPS: text, ...more });
      return '';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('is refused where it cannot be read, and beside a relay', () => {
    assert.equal(faultOf('192.0.2.1=mail1.example.com, 2001:DB8::1=mail6.example.com;shared'), '');
    for (const wrong of ['192.0.2.1', '192.0.2.999=mail.example.com', '192.0.2.1=localhost', '192.0.2.1=a.b;dedicated'])
      assert.match(faultOf(wrong), /give address=host\.name, joined by commas/, wrong);
    assert.match(faultOf('2001:db8::1=a.example,2001:db8:0::1=b.example'), /an address is named twice/);
    assert.match(faultOf('192.0.2.1=a.example', { GALLEY_SMTP_RELAY: 'smtp://relay.example:25' }), /are both set/);
  });
});
