// Records are found by themselves until a domain is verified; and who answers for its zone.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../../platform/dns/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { jobs } from './jobs.ts';

const MINUTE_MS = 60_000;
const zone: Record<string, DeclaredRecords> = {};
const asked: string[] = [];
const dns: Dns = {
  resolve(name, type) {
    asked.push(`${name} ${type}`);
    return createZoneDns(zone).resolve(name, type);
  },
};
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' }, { dns });
});
after(() => app.close());

/** Time goes on; then what the service does by itself every minute, and all that follows. */
async function pass(milliseconds: number): Promise<void> {
  app.clock.advance(milliseconds);
  const job = jobs.find(({ name }) => name === 'sending-domains.find-new');
  assert.ok(job);
  await job.run(app.galley.outside, {} as never, { signal: new AbortController().signal, attempt: 1, isLast: true });
  await app.idle();
}

async function add(name: string, headers: Record<string, string> = {}): Promise<any> {
  return (await app.call('POST /v4/domains', { body: { name }, headers })).body;
}
function publish({ sending_dns_records: records }: any): void {
  for (const { name, value, record_type: type } of records) zone[name] = { [type]: [value] };
}
const domainOf = async (name: string, headers: Record<string, string> = {}): Promise<any> =>
  (await app.call(`GET /v4/domains/${name}`, { headers })).body;

describe('a domain that was never verified', () => {
  it('is looked for by itself, and verified when its records are there', async () => {
    const added = await add('news.example.com');
    assert.equal(added.domain.checked_at, null);
    assert.ok(Date.parse(added.domain.next_check_at) > Date.parse(added.domain.created_at));
    await pass(MINUTE_MS + 1);
    const looked = await domainOf('news.example.com');
    assert.deepEqual([looked.domain.state, looked.sending_dns_records[0].valid], ['unverified', 'invalid']);
    assert.ok(looked.domain.checked_at);
    publish(added);
    await pass(MINUTE_MS + 1);
    const { domain } = await domainOf('news.example.com');
    assert.deepEqual([domain.state, domain.next_check_at], ['active', null]);
  });

  it('is looked for ever more rarely, and at last no more', async () => {
    const { domain: added } = await add('late.example.com');
    const gaps: number[] = [];
    const looks = () => asked.filter((one) => one.startsWith('late.example.com MX')).length;
    for (const minutes of [10, 50, 60 * 20, 60 * 24 * 10]) {
      await pass(minutes * MINUTE_MS);
      const { domain } = await domainOf('late.example.com');
      gaps.push(Math.round((Date.parse(domain.next_check_at) - Date.parse(domain.checked_at)) / MINUTE_MS));
    }
    assert.deepEqual(gaps, [1, 30, 30, 360]);
    assert.equal(looks(), 4);
    await pass(20 * 24 * 60 * MINUTE_MS);
    assert.equal(looks(), 5);
    assert.equal((await domainOf('late.example.com')).domain.next_check_at, null);
    await pass(24 * 60 * MINUTE_MS);
    assert.equal(looks(), 5);
    assert.ok(added.next_check_at);
  });

  it('takes no name by itself that another account has', async () => {
    const own = await add('shared.example.com');
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const headers = { 'x-service-account-id': id };
    const theirs = await add('shared.example.com', headers);
    publish(own);
    await app.call('PUT /v4/domains/shared.example.com/verify');
    publish(theirs);
    await pass(MINUTE_MS + 1);
    assert.equal((await domainOf('shared.example.com', headers)).domain.state, 'unverified');
    assert.equal((await domainOf('shared.example.com')).domain.state, 'active');
    const { body } = await app.call('PUT /v4/domains/shared.example.com/verify', { headers });
    assert.equal(body.domain.state, 'active');
  });
});

describe('GET /v1/galley/domains/{name}/zone', () => {
  const zoneOf = async (name: string, headers: Record<string, string> = {}) =>
    app.call(`GET /v1/galley/domains/${name}/zone`, { headers });

  it('names the provider by its name servers, which the nearest name above may have', async () => {
    await add('mail.shop.example');
    const nothing = { zone: null, name_servers: [], provider: null, hint: null };
    assert.deepEqual((await zoneOf('mail.shop.example')).body, nothing);
    zone['shop.example'] = { NS: ['Tim.NS.cloudflare.com.', 'ada.ns.cloudflare.com'] };
    assert.deepEqual((await zoneOf('mail.shop.example')).body, {
      zone: 'shop.example',
      name_servers: ['ada.ns.cloudflare.com', 'tim.ns.cloudflare.com'],
      provider: 'Cloudflare',
      hint: 'Set each CNAME record to "DNS only": a proxied record answers with other addresses and is not found.',
    });
    zone['mail.shop.example'] = { NS: ['ns1.own.example'] };
    const own = { zone: 'mail.shop.example', name_servers: ['ns1.own.example'], provider: null, hint: null };
    assert.deepEqual((await zoneOf('mail.shop.example')).body, own);
    zone['mail.shop.example'] = { fails: 'ESERVFAIL' };
    assert.deepEqual((await zoneOf('mail.shop.example')).body, nothing);
    assert.equal((await zoneOf('none.example.com')).status, 404);
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Stranger')).body.subaccount;
    assert.equal((await zoneOf('mail.shop.example', { 'x-service-account-id': id })).status, 404);
  });
});
