// An existing client of this API, unmodified, with addresses to send from and pools of them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const DOMAIN = 'letters.example.com';
const IPS = [2, 3, 4].map((last) => `127.0.0.${last}=mail${last}.example.com`).join(',');

let app: App;
let client: any;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,send', GALLEY_SENDING_IPS: IPS });
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url });
  await client.domains.create({ name: DOMAIN });
});
after(() => app.close());

describe('mailgun.js with addresses', () => {
  it('lists them and shows one', async () => {
    const { items, total_count: total } = await client.ips.list({ dedicated: true });
    assert.deepEqual([items, total], [['127.0.0.2', '127.0.0.3', '127.0.0.4'], 3]);
    const one = await client.ips.get('127.0.0.2');
    assert.deepEqual([one.ip, one.dedicated, one.rdns], ['127.0.0.2', true, '']);
  });

  it('gives them to a domain, and takes them', async () => {
    assert.equal((await client.domains.assignIp(DOMAIN, '127.0.0.2')).body.message, 'success');
    assert.deepEqual(await client.domains.getIps(DOMAIN), ['127.0.0.2']);
    await client.domains.assignIp(DOMAIN, '127.0.0.3');
    assert.equal((await client.ip_pools.removeIpFromDomainPool(DOMAIN, '127.0.0.3')).message, 'success');
    assert.equal((await client.domains.deleteIp(DOMAIN, '127.0.0.2')).status, 200);
    assert.deepEqual(await client.domains.getIps(DOMAIN), []);
  });
});

describe('mailgun.js with IP pools', () => {
  it('creates one, changes it, links a domain, delegates it, and deletes it', async () => {
    const made = await client.ip_pools.create({ name: 'letters', description: 'Monthly', ips: ['127.0.0.2'] });
    assert.deepEqual([made.status, made.message], [200, 'success']);
    const id = made.pool_id;
    const changed = await client.ip_pools.update(id, { name: 'all', add_ip: '127.0.0.3', link_domain: DOMAIN });
    assert.deepEqual([changed.status, changed.message], [200, 'started']);
    assert.equal((await client.ip_pools.addIps(id, ['127.0.0.4'])).message, 'started');
    assert.equal((await client.ip_pools.removeIp(id, '127.0.0.4')).message, 'started');
    assert.equal((await client.ip_pools.addIp(id, '127.0.0.4')).message, 'started');
    const { details } = await client.ip_pools.get(id);
    assert.deepEqual([details.name, details.ips.length, details.is_linked], ['all', 3, true]);
    const [listed] = (await client.ip_pools.list()).ip_pools;
    assert.deepEqual([listed.pool_id, listed.is_inherited], [id, false]);
    const { domains } = await client.ip_pools.linkedDomains(id, { limit: 5 });
    assert.deepEqual(
      domains.map(({ name }: any) => name),
      [DOMAIN],
    );
    const { id: subaccount } = (await client.subaccounts.create('Garden')).subaccount;
    assert.equal((await client.ip_pools.delegate(id, subaccount)).message, 'started');
    assert.equal((await client.ip_pools.revokeDelegation(id, subaccount)).message, 'started');
    assert.equal((await client.ip_pools.unlinkDomainPool(DOMAIN)).message, 'success');
    assert.equal((await client.domains.linkIpPool(DOMAIN, id)).body.message, 'success');
    await assert.rejects(client.ip_pools.destroy(id), { status: 400 });
    assert.equal((await client.ip_pools.destroy(id, { ip: '127.0.0.2' })).message, 'started');
    assert.deepEqual(await client.domains.getIps(DOMAIN), ['127.0.0.2']);
    assert.equal((await client.ip_pools.removeDomainPool(DOMAIN)).message, 'success');
    assert.deepEqual((await client.ip_pools.list()).ip_pools, []);
  });
});
