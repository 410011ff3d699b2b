// An existing client of this API, unmodified, with templates of a domain and messages from them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../harness/start-app.ts';
import { requireTestPackage } from '../harness/test-packages.ts';

const Mailgun = requireTestPackage('mailgun.js');
const DOMAIN = 'letters.example.com';

let app: App;
let client: any;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  client = new Mailgun(FormData).client({ username: 'api', key: app.key, url: app.url });
  await client.domains.create({ name: DOMAIN });
});
after(() => app.close());

describe('mailgun.js with templates', () => {
  it('creates one, lists it, sends it, changes it and deletes it', async () => {
    const { domainTemplates } = client.domains;
    const made = await domainTemplates.create(DOMAIN, {
      name: 'Welcome',
      description: 'Greets',
      template: '<p>Hello {{name}}</p>',
      tag: 'v1',
      comment: 'first',
      headers: JSON.stringify({ Subject: 'Hello {{name}}', From: `ann@${DOMAIN}` }),
    });
    assert.deepEqual([made.name, made.description, made.version.tag], ['welcome', 'Greets', 'v1']);
    assert.ok(made.createdAt instanceof Date && !Number.isNaN(made.createdAt.getTime()));
    assert.deepEqual(made.version.headers, { Subject: 'Hello {{name}}', From: `ann@${DOMAIN}` });
    for (const name of ['a', 'b']) await domainTemplates.create(DOMAIN, { name, description: '', template: 'x' });
    const first = await domainTemplates.list(DOMAIN, { limit: 2 });
    assert.deepEqual(
      first.items.map(({ name }: any) => name),
      ['a', 'b'],
    );
    const second = await domainTemplates.list(DOMAIN, { limit: 2, page: first.pages.next.page });
    assert.deepEqual(
      second.items.map(({ name }: any) => name),
      ['welcome'],
    );
    const sent = await client.messages.create(DOMAIN, {
      to: 'bob@example.net',
      template: 'welcome',
      't:variables': JSON.stringify({ name: 'Bob' }),
      'o:testmode': 'yes',
    });
    assert.equal(sent.message, 'Queued. Thank you.');
    const shown = await domainTemplates.get(DOMAIN, 'welcome', { active: 'yes' });
    assert.equal(shown.version.template, '<p>Hello {{name}}</p>');
    assert.equal((await domainTemplates.update(DOMAIN, 'welcome', { description: 'x' })).templateName, 'welcome');
    assert.equal((await domainTemplates.destroy(DOMAIN, 'a')).message, 'template has been deleted');
  });

  it('has versions', async () => {
    const { domainTemplates } = client.domains;
    const added = await domainTemplates.createVersion(DOMAIN, 'welcome', { tag: 'v2', template: 'two', active: 'yes' });
    assert.deepEqual([added.status, added.template.version.active], [200, true]);
    const changed = await domainTemplates.updateVersion(DOMAIN, 'welcome', 'v2', { template: '2', comment: 'c' });
    assert.deepEqual([changed.templateName, changed.templateVersion], ['welcome', { tag: 'v2' }]);
    const one = await domainTemplates.getVersion(DOMAIN, 'welcome', 'v2');
    assert.deepEqual([one.version.template, one.version.comment], ['2', 'c']);
    const { template } = await domainTemplates.listVersions(DOMAIN, 'welcome', { limit: 1 });
    assert.deepEqual(
      template.versions.map(({ tag, active }: any) => [tag, active]),
      [['v1', false]],
    );
    const rest = await domainTemplates.listVersions(DOMAIN, 'welcome', { page: 'next', p: 'v1' });
    assert.deepEqual(
      rest.template.versions.map(({ tag }: any) => tag),
      ['v2'],
    );
    const gone = await domainTemplates.destroyVersion(DOMAIN, 'welcome', 'v1');
    assert.deepEqual([gone.status, gone.message], [200, 'version has been deleted']);
    const all = await domainTemplates.destroyAll(DOMAIN);
    assert.deepEqual([all.status, all.message], [200, 'templates have been deleted']);
  });
});
