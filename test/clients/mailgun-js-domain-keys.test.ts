// An existing client of this API, unmodified, with domains, their keys and how those take each other's place.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createZoneDns, type DeclaredRecords, type Dns } from '../../src/platform/dns/index.ts';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const DOMAIN = 'letters.example.com';

const zone: Record<string, DeclaredRecords> = {};
const dns: Dns = { resolve: (name, type) => createZoneDns(zone).resolve(name, type) };
let app: App;
let client: any;
const publish = ({ dns_record: record }: any) => {
  zone[record.name] = { TXT: [record.value] };
};
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' }, { dns });
  const logger = { warn() {} };
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url, logger });
  await client.domains.create({ name: DOMAIN, force_dkim_authority: true, wildcard: 'false' });
});
after(() => app.close());

describe('mailgun.js with domains', () => {
  it('changes them', async () => {
    const changed = await client.domains.update(DOMAIN, { spam_action: 'tag', wildcard: true, web_scheme: 'https' });
    assert.deepEqual([changed.spam_action, changed.wildcard, changed.web_scheme], ['tag', true, 'https']);
    assert.ok(changed.sending_dns_records.length > 0);
    await assert.rejects(client.domains.update('gone.example.com', { wildcard: true }), { status: 404 });
    const { message, require_tls: isRequired } = await client.domains.updateConnection(DOMAIN, { require_tls: true });
    assert.match(message, /^Domain connection settings have been updated/);
    assert.equal(isRequired, true);
    assert.deepEqual(await client.domains.getConnection(DOMAIN), {
      connection: { require_tls: true, skip_verification: false },
    });
    const [listed] = await client.domains.list({ authority: DOMAIN, search: 'letters', sort: 'name:asc' });
    assert.equal(listed.name, DOMAIN);
  });
});

describe('mailgun.js with domain keys', () => {
  it('creates, lists, activates, deactivates and deletes them', async () => {
    const { domainKeys: keys } = client.domains;
    const [first] = (await keys.list(DOMAIN)).items;
    publish(first);
    const made = await keys.create({ signingDomain: DOMAIN, selector: 'spring', bits: '1024' });
    assert.deepEqual([made.status, made.selector, made.dns_record.is_active], [200, 'spring', false]);
    await assert.rejects(keys.activate(DOMAIN, 'spring'), { status: 400 });
    publish(made);
    const active = await keys.activate(DOMAIN, 'spring');
    assert.deepEqual(active, {
      message: 'domain key activated',
      authority: DOMAIN,
      selector: 'spring',
      active: true,
      status: 200,
    });
    const all = await keys.listAll({ signingDomain: DOMAIN });
    assert.equal(all.items.length, 2);
    assert.ok(all.pages.next.url.startsWith(app.url));
    assert.equal((await keys.deactivate(DOMAIN, 'spring')).active, false);
    assert.deepEqual(await keys.destroy(DOMAIN, 'spring'), { message: 'success' });
    await assert.rejects(keys.destroy(DOMAIN, first.selector), { status: 400 });
    await assert.rejects(keys.destroy(DOMAIN, 'spring'), { status: 404 });
  });

  it('changes the selector and whose keys sign', async () => {
    const { domainKeys: keys } = client.domains;
    const selected = await keys.updateDKIMSelector(DOMAIN, { dkimSelector: 'summer' });
    assert.deepEqual(selected, { status: 200, message: 'DKIM selector changed' });
    assert.equal((await keys.list(DOMAIN)).items[0].selector, 'summer');
    const { changed, sending_dns_records: records } = await keys.updateDKIMAuthority(DOMAIN, { self: true });
    assert.deepEqual([changed, records.some(({ name }: any) => name.startsWith('summer._domainkey.'))], [false, true]);
  });

  it('rotates them', async () => {
    const [key] = (await client.domains.domainKeys.list(DOMAIN)).items;
    publish(key);
    assert.equal((await client.domains.verify(DOMAIN)).state, 'active');
    const { dkimManagement } = client;
    const { domain } = await dkimManagement.update(DOMAIN, { rotation_enabled: true, rotation_interval: '30d' });
    assert.deepEqual([domain.state, domain.rotation_interval], ['enabled', '30d']);
    assert.deepEqual(await dkimManagement.rotateImmediately(DOMAIN), { message: 'ok' });
    await assert.rejects(dkimManagement.rotateImmediately(DOMAIN), { status: 400 });
    await assert.rejects(dkimManagement.update('gone.example.com', { rotation_enabled: false }), { status: 404 });
  });
});
