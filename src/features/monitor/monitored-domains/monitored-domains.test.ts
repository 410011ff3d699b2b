// Monitored domains and IP addresses over HTTP, by both spellings of their paths.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { DeclaredRecords } from '../../../platform/dns/index.ts';
import { createZoneDns } from '../../../../test/harness/dns-zone.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { verify as verifyDomain } from './verification.ts';

const zone: Record<string, DeclaredRecords> = {
  'empty.example.com': { A: ['192.0.2.1'] },
  'silent.example.com': { fails: 'ETIMEOUT' },
};
let app: App;
let other: { headers: Record<string, string> };
before(async () => {
  const dns = { resolve: (name: string, type: never) => createZoneDns(zone).resolve(name, type) };
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_QUOTAS: 'watched=4' }, { dns: dns as never });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  other = { headers: { 'x-service-account-id': body.subaccount.id } };
});
after(() => app.close());

const get = async (name: string) => (await app.call(`GET /v1/optimize/domains?domain=${name}`)).body.items[0];
async function verify(name: string): Promise<any> {
  const { status, body } = await app.call(`PUT /v1/optimize/domains/verify?domain=${name}`);
  assert.deepEqual([status, body], [200, { message: `${name} has been queued for verification` }]);
  await app.idle();
  return get(name);
}

describe('/v1/optimize/domains', () => {
  it('adds a domain with the record to publish', async () => {
    const { status, body } = await app.call('POST /v1/inboxready/domains?domain=Example.COM.');
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.message, 'The domain has been added');
    const { acid, ID, created_at: at, account_id: account, txt_record: record, ...rest } = body.domain;
    assert.equal(acid, ID);
    assert.match(record, /^galley-verification=[0-9a-f]{32}$/);
    assert.ok(Number.isInteger(at) && account);
    assert.deepEqual(rest, {
      name: 'example.com',
      verified: { status: 'unverified', verified_at: 0 },
      services: { spam_trap_monitoring: false, domain_blocklist_monitoring: false },
      problem: '',
    });
    assert.deepEqual(await get('example.com'), body.domain);
  });

  it('takes it as a field of a form or of JSON, too', async () => {
    const form = new FormData();
    form.append('domain', 'empty.example.com');
    assert.equal((await app.call('POST /v1/optimize/domains', { body: form })).status, 200);
    const json = { body: { domain: 'silent.example.com' } };
    assert.equal((await app.call('POST /v1/optimize/domains', json)).status, 200);
  });

  it('verifies by DNS, and says what is missing there', async () => {
    assert.deepEqual((await verify('example.com')).problem, 'example.com has no TXT record.');
    assert.equal((await verify('empty.example.com')).problem, 'empty.example.com has no TXT record.');
    assert.equal(
      (await verify('silent.example.com')).problem,
      'The name servers did not answer (ETIMEOUT); try again.',
    );
    zone['example.com'] = { TXT: ['v=spf1 -all', 'galley-verification=of-somebody-else'] };
    const wrong = await verify('example.com');
    assert.equal(wrong.problem, 'The TXT record is another one: galley-verification=of-somebody-else.');
    assert.deepEqual((await app.call('GET /v1/monitoring/domains')).body, { domains: [] });
    zone['example.com'] = { TXT: ['v=spf1 -all', wrong.txt_record] };
    const { verified, services, problem } = await verify('example.com');
    assert.equal(verified.status, 'inbox_ready');
    assert.ok(verified.verified_at > 0);
    assert.deepEqual(services, { spam_trap_monitoring: true, domain_blocklist_monitoring: true });
    assert.equal(problem, '');
    const [domain] = (await app.call('GET /v1/monitoring/domains')).body.domains;
    assert.deepEqual([domain.domain, domain.state, domain.listed], ['example.com', 'healthy', null]);
  });

  const wrong: [domain: string, message: string][] = [
    ['', 'domain is required, such as example.com.'],
    ['no%20domain', 'domain "no domain" is not a domain name; give one such as mail.example.com.'],
    ['192.0.2.1', 'domain "192.0.2.1" is not a domain name; give one such as mail.example.com.'],
    ['example.com', 'domain example.com has been added already.'],
  ];
  for (const [domain, message] of wrong)
    it(`refuses "${domain}"`, async () => {
      const { status, body } = await app.call(`POST /v1/optimize/domains?domain=${domain}`);
      assert.deepEqual([status, body.message], [400, message]);
    });

  it('keeps accounts apart', async () => {
    assert.deepEqual((await app.call('GET /v1/optimize/domains', other)).body.items, []);
    assert.equal((await app.call('DELETE /v1/optimize/domains?domain=example.com', other)).status, 404);
    const added = await app.call('POST /v1/optimize/domains?domain=example.com', other);
    assert.notEqual(added.body.domain.txt_record, (await get('example.com')).txt_record);
    const all = await app.call('GET /v1/optimize/domains?include_subaccounts=true&domain=example.com');
    assert.equal(all.body.items.length, 2);
  });

  it('has a bound for domains that nobody verifies, too', async () => {
    for (const name of ['a', 'b', 'c'])
      assert.equal((await app.call(`POST /v1/optimize/domains?domain=${name}.example.net`, other)).status, 200);
    const { status, body } = await app.call('POST /v1/optimize/domains?domain=d.example.net', other);
    assert.equal(status, 429);
    assert.match(body.message, /^This account has 4 domains, IP addresses and email addresses watched on blocklists, /);
  });

  it('is verified and watched, or neither: a process may die in between', async () => {
    const { outside } = app.galley;
    const { record, id } = await outside.db.ofAnyone
      .selectFrom('monitoredDomains')
      .select(['id', 'token as record'])
      .where('name', '=', 'a.example.net')
      .executeTakeFirstOrThrow();
    zone['a.example.net'] = { TXT: [`galley-verification=${record}`] };
    const dying = { enqueue: () => Promise.reject(new Error('killed')), wake: () => undefined };
    await assert.rejects(verifyDomain({ ...outside, jobs: dying as never }, id), /killed/);
    const shown = async () => (await app.call('GET /v1/optimize/domains?domain=a.example.net', other)).body.items[0];
    assert.equal((await shown()).verified.status, 'unverified');
    await verifyDomain(outside, id);
    assert.equal((await shown()).verified.status, 'inbox_ready');
    const [watched] = (await app.call('GET /v1/monitoring/domains', other)).body.domains;
    assert.equal(watched.domain, 'a.example.net');
  });

  it('deletes', async () => {
    const { status, body } = await app.call('DELETE /v1/optimize/domains?domain=example.com');
    assert.deepEqual([status, body], [200, { message: 'example.com has been removed from InboxReady' }]);
    assert.deepEqual((await app.call('GET /v1/monitoring/domains')).body, { domains: [] });
    const again = await app.call('DELETE /v1/optimize/domains?domain=example.com');
    assert.deepEqual([again.status, again.body.message], [404, 'The domain example.com has not been added.']);
  });
});

describe('/v1/optimize/ip_addresses', () => {
  it('registers IPv4 and IPv6, changes them, and lets them go', async () => {
    const { status, body } = await app.call('POST /v1/inboxready/ip_addresses', {
      body: { ip: '192.0.2.1', ip_pool: 'main', description: 'mail1' },
    });
    const one = { ip: '192.0.2.1', ip_pool: 'main', description: 'mail1', state: 'healthy', listed: [] };
    assert.deepEqual([status, body], [201, one]);
    const v6 = await app.call('POST /v1/optimize/ip_addresses', { body: { ip: '2001:DB8:0::0001' } });
    assert.equal(v6.body.ip, '2001:db8::1');
    const { body: changed } = await app.call('PUT /v1/optimize/ip_addresses/192.0.2.1', { body: { ip_pool: 'two' } });
    assert.deepEqual(changed, { ...one, ip_pool: 'two' });
    assert.deepEqual((await app.call('GET /v1/optimize/ip_addresses')).body.items, [
      { ...one, ip_pool: 'two' },
      { ip: '2001:db8::1', ip_pool: '', description: '', state: 'healthy', listed: [] },
    ]);
    const gone = await app.call('DELETE /v1/optimize/ip_addresses/2001:db8:0:0::1');
    assert.deepEqual([gone.status, gone.body], [200, { message: '2001:db8::1 has been removed from monitoring' }]);
    assert.equal((await app.call('GET /v1/optimize/ip_addresses/2001:db8::1')).status, 404);
  });

  const wrong: [ip: unknown, message: RegExp][] = [
    ['', /^ip is required, such as 192\.0\.2\.1\.$/],
    ['10.0.0.1', /^ip "10\.0\.0\.1" is not a public IP address; give one such as .*private networks are on no list\.$/],
    ['127.1', /is not a public IP address/],
    ['::1', /is not a public IP address/],
    ['example.com', /is not a public IP address/],
    [7, /^ip "7" is not a public IP address/],
    ['::ffff:192.0.2.1', /^ip 192\.0\.2\.1 is monitored already\.$/],
  ];
  for (const [ip, message] of wrong)
    it(`refuses ${JSON.stringify(ip)}`, async () => {
      const { status, body } = await app.call('POST /v1/optimize/ip_addresses', { body: { ip } });
      assert.equal(status, 400);
      assert.match(body.message, message);
    });

  it('keeps accounts apart, and has a bound, which it states', async () => {
    for (const method of ['GET', 'DELETE'])
      assert.equal((await app.call(`${method} /v1/optimize/ip_addresses/192.0.2.1`, other)).status, 404);
    for (const ip of ['192.0.2.2', '192.0.2.3', '192.0.2.4'])
      assert.equal((await app.call('POST /v1/optimize/ip_addresses', { body: { ip } })).status, 201);
    const { status, body } = await app.call('POST /v1/optimize/ip_addresses', { body: { ip: '192.0.2.5' } });
    assert.equal(status, 429);
    assert.match(body.message, /^This account has 4 domains, IP addresses and email addresses watched on blocklists, /);
  });
});

describe('/v1/blocklist-monitoring', () => {
  it('lists the blocklists that are asked, and refuses what is no time or address', async () => {
    const { body } = await app.call('GET /v1/blocklist-monitoring/blocklists');
    const zen = body.items.find(({ name }: { name: string }) => name === 'Spamhaus ZEN');
    assert.deepEqual(zen, { blocklist: 'zen.spamhaus.org', name: 'Spamhaus ZEN' });
    assert.ok(body.items.length >= 60);
    assert.equal((await app.call('GET /v1/blocklist-monitoring/events?ip=nobody')).status, 400);
    assert.equal((await app.call('GET /v1/blocklist-monitoring/events?timerangeStart=soon')).status, 400);
    assert.deepEqual((await app.call('GET /v1/blocklist-monitoring/events?limit=10')).body.items, []);
  });
});
