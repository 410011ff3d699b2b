import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'letters.example.com';

let app: App;
/** The headers of another account, which has a domain of its own. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api', GALLEY_QUOTAS: 'templates=60' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  await app.call('POST /v4/domains', { body: { name: 'theirs.example.com' }, headers: stranger });
});
after(() => app.close());

const WHEN = /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/;
const UUID = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** What is different each time, looked at and left out. */
function known({ id, createdAt, version, ...rest }: any): object {
  assert.match(id, UUID);
  assert.match(createdAt, WHEN);
  return { ...rest, ...(version && { version: known(version) }) };
}

const PLACES = [
  { of: 'a domain', path: `/v3/${DOMAIN}/templates` },
  { of: 'an account', path: '/v4/templates' },
];

for (const { of, path } of PLACES)
  describe(`templates of ${of}`, () => {
    const create = (body: object) => app.call(`POST ${path}`, { body });

    it('are created with a first version, shown, described and deleted', async () => {
      const made = await create({
        name: 'Welcome Mail',
        description: 'Greets',
        createdBy: 'ann',
        template: '<p>Hello {{name}}</p>',
        comment: 'first try',
        headers: '{"Subject": "Hello {{name}}", "reply-to": "help@example.com"}',
      });
      assert.equal(made.status, 200);
      assert.equal(made.body.message, 'template has been stored');
      const version = {
        tag: 'initial',
        engine: 'handlebars',
        mjml: '',
        comment: 'first try',
        active: true,
        template: '<p>Hello {{name}}</p>',
        headers: { Subject: 'Hello {{name}}', 'Reply-To': 'help@example.com' },
      };
      const base = { name: 'welcome mail', description: 'Greets', createdBy: 'ann' };
      assert.deepEqual(known(made.body.template), { ...base, version });
      const shown = await app.call(`GET ${path}/WELCOME%20mail`);
      assert.deepEqual(known(shown.body.template), base);
      const active = await app.call(`GET ${path}/welcome%20mail?active=yes`);
      assert.deepEqual(active.body, { template: made.body.template });
      const changed = await app.call(`PUT ${path}/welcome%20mail`, { body: { description: 'Greets who is new' } });
      assert.deepEqual(changed.body, { message: 'template has been updated', template: { name: 'welcome mail' } });
      assert.equal((await app.call(`GET ${path}/welcome%20mail`)).body.template.description, 'Greets who is new');
      const gone = await app.call(`DELETE ${path}/welcome%20mail`);
      assert.deepEqual(gone.body, { message: 'template has been deleted', template: { name: 'welcome mail' } });
      const missing = await app.call(`DELETE ${path}/welcome%20mail`);
      assert.deepEqual([missing.status, missing.body], [404, { message: 'template not found' }]);
    });

    it('may begin without a version', async () => {
      const made = await create({ name: 'empty' });
      assert.deepEqual(known(made.body.template), { name: 'empty', description: '', createdBy: '' });
      const active = await app.call(`GET ${path}/empty?active=yes`);
      assert.deepEqual(known(active.body.template), { name: 'empty', description: '', createdBy: '' });
      const first = await app.call(`POST ${path}/empty/versions`, { body: { tag: 'a', template: '<p>A</p>' } });
      assert.equal(first.body.template.version.active, true);
    });

    it('are listed by name, page by page, and deleted together', async () => {
      await app.call(`DELETE ${path}`);
      for (const name of ['c', 'a', 'b']) await create({ name });
      const names = ({ body }: any): string[] => body.items.map(({ name }: any) => name);
      const first = await app.call(`GET ${path}?limit=2`);
      assert.deepEqual(names(first), ['a', 'b']);
      const second = await app.call(`GET ${first.body.paging.next}`);
      assert.deepEqual(names(second), ['c']);
      assert.deepEqual(names(await app.call(`GET ${second.body.paging.next}`)), []);
      assert.deepEqual(names(await app.call(`GET ${second.body.paging.previous}`)), ['a', 'b']);
      assert.deepEqual(names(await app.call(`GET ${first.body.paging.last}`)), ['b', 'c']);
      const cleared = await app.call(`DELETE ${path}`);
      assert.deepEqual(cleared.body, { message: 'templates have been deleted' });
      assert.deepEqual(names(await app.call(`GET ${path}`)), []);
    });

    it('have versions, one of which is active', async () => {
      await create({ name: 'many', template: 'one' });
      const versions = `${path}/many/versions`;
      const second = await app.call(`POST ${versions}`, {
        body: { tag: 'second', template: 'two', comment: 'better', headers: { From: 'Ann <ann@example.com>' } },
      });
      assert.equal(second.body.message, 'new version of the template has been stored');
      assert.deepEqual(
        [second.body.template.version.active, second.body.template.version.headers],
        [false, { From: 'Ann <ann@example.com>' }],
      );
      const changed = await app.call(`PUT ${versions}/second`, { body: { template: 'two!', active: 'yes' } });
      const answered = { name: 'many', version: { tag: 'second' } };
      assert.deepEqual(changed.body, { message: 'version has been updated', template: answered });
      const one = await app.call(`GET ${versions}/second`);
      const { template, comment, active, headers } = one.body.template.version;
      assert.deepEqual(
        [template, comment, active, headers],
        ['two!', 'better', true, { From: 'Ann <ann@example.com>' }],
      );
      const copied = await app.call(`PUT ${versions}/second/copy/third?comment=again`);
      assert.equal(copied.body.message, 'version has been copied');
      assert.deepEqual(copied.body.version, copied.body.template);
      assert.deepEqual(known(copied.body.version), {
        tag: 'third',
        engine: 'handlebars',
        mjml: '',
        comment: 'again',
        active: false,
        template: 'two!',
        headers: { From: 'Ann <ann@example.com>' },
      });
      const listed = await app.call(`GET ${versions}?limit=2`);
      assert.deepEqual(
        listed.body.template.versions.map(({ tag, active: isActive }: any) => [tag, isActive]),
        [
          ['initial', false],
          ['second', true],
        ],
      );
      assert.equal('template' in listed.body.template.versions[0], false);
      const rest = await app.call(`GET ${listed.body.paging.next}`);
      assert.deepEqual(
        rest.body.template.versions.map(({ tag }: any) => tag),
        ['third'],
      );
      const gone = await app.call(`DELETE ${versions}/second`);
      assert.deepEqual(gone.body, { message: 'version has been deleted', template: answered });
      assert.equal((await app.call(`GET ${path}/many?active=yes`)).body.template.version, undefined);
      for (const [call, body] of [
        [`GET ${versions}/second`],
        [`PUT ${versions}/second`, { comment: 'x' }],
        [`DELETE ${versions}/second`],
        [`PUT ${versions}/second/copy/fourth`],
      ] as const) {
        const answer = await app.call(call, body && { body });
        assert.deepEqual([answer.status, answer.body], [404, { message: 'version not found' }], call);
      }
    });

    it('are those of one account', async () => {
      await create({ name: 'mine', template: 'mine' });
      for (const [call, body] of [
        [`GET ${path}/mine`],
        [`PUT ${path}/mine`, { description: 'theirs' }],
        [`DELETE ${path}/mine`],
        [`GET ${path}/mine/versions`],
        [`POST ${path}/mine/versions`, { tag: 'theirs', template: 'theirs' }],
        [`GET ${path}/mine/versions/initial`],
        [`PUT ${path}/mine/versions/initial`, { template: 'theirs' }],
        [`DELETE ${path}/mine/versions/initial`],
        [`PUT ${path}/mine/versions/initial/copy/theirs`],
      ] as const)
        assert.equal((await app.call(call, { headers: stranger, ...(body && { body }) })).status, 404, call);
      const isOfDomain = path.startsWith('/v3');
      for (const method of ['GET', 'DELETE'])
        assert.equal((await app.call(`${method} ${path}`, { headers: stranger })).status, isOfDomain ? 404 : 200);
      const made = await app.call(`POST ${path}`, { headers: stranger, body: { name: 'mine' } });
      assert.equal(made.status, isOfDomain ? 404 : 200);
      const { version } = (await app.call(`GET ${path}/mine?active=yes`)).body.template;
      assert.deepEqual([version.tag, version.template], ['initial', 'mine']);
    });
  });

describe('a template of a domain', () => {
  it('is none of the account or of another domain, and ends with its domain', async () => {
    await app.call('POST /v4/domains', { body: { name: 'short.example.com' } });
    await app.call('POST /v3/short.example.com/templates', { body: { name: 'only-here', template: 'here' } });
    assert.equal((await app.call(`GET /v3/${DOMAIN}/templates/only-here`)).status, 404);
    assert.equal((await app.call('GET /v4/templates/only-here')).status, 404);
    assert.equal((await app.call('DELETE /v3/domains/short.example.com')).status, 200);
    await app.call('POST /v4/domains', { body: { name: 'short.example.com' } });
    assert.deepEqual((await app.call('GET /v3/short.example.com/templates')).body.items, []);
  });
});

describe('what is wrong with a template', () => {
  const long = `{{name}}${'x'.repeat(100 * 1024)}`;
  const cases: [object, number, RegExp][] = [
    [{}, 400, /^name /],
    [{ name: ' ' }, 400, /^name must be 1 to 100 characters/],
    [{ name: 'a/b' }, 400, /^name must be .* without a slash/],
    [{ name: 'a', engine: 'go' }, 400, /^engine must be handlebars or mjml: templates of go, mustache/],
    [{ name: 'a', template: 'x', engine: 'mustache' }, 400, /^engine must be handlebars or mjml/],
    [
      { name: 'a', template: '<mjml><mj-body></mj-body></mjml>' },
      400,
      /^template is MJML: give it in mjml, or say engine=mjml/,
    ],
    [{ name: 'a', template: '<p>\n{{#if name}}</p>' }, 400, /^template is no template that can be filled, line \d/],
    [{ name: 'a', template: long }, 413, /^template is 102408 bytes; at most 102400 \(100 KiB\)/],
    [{ name: 'a', template: '{{#a}}'.repeat(200) }, 400, /^template .*nested more than 100 deep/],
    [{ name: 'a', template: 'x', tag: 'a/b' }, 400, /^tag must be 1 to 100 characters/],
    [{ name: 'a', template: 'x', headers: 'Subject' }, 400, /^headers must be a JSON object/],
    [
      { name: 'a', template: 'x', headers: { Bcc: 'eve@example.com' } },
      400,
      /^headers may have From, Subject, Reply-To/,
    ],
    [
      { name: 'a', template: 'x', headers: { Subject: 'a\r\nBcc: eve@example.com' } },
      400,
      /^headers\.Subject must be one/,
    ],
    [{ name: 'a', template: 'x', headers: { Subject: '{{#if}' } }, 400, /^headers\.Subject is no template/],
  ];
  for (const [body, status, says] of cases)
    it(`is said of ${JSON.stringify(body).slice(0, 60)}`, async () => {
      const answer = await app.call(`POST /v3/${DOMAIN}/templates`, { body });
      assert.equal(answer.status, status);
      assert.match(answer.body.message, says);
      assert.equal((await app.call(`GET /v3/${DOMAIN}/templates/a`)).status, 404);
    });

  it('is said of names and tags that are there already', async () => {
    const path = `/v3/${DOMAIN}/templates`;
    await app.call(`POST ${path}`, { body: { name: 'twice', template: 'x' } });
    const again = await app.call(`POST ${path}`, { body: { name: 'TWICE', template: 'y' } });
    assert.deepEqual([again.status, again.body], [400, { message: 'name "twice" is the name of a template already.' }]);
    const tag = await app.call(`POST ${path}/twice/versions`, { body: { tag: 'initial', template: 'y' } });
    const message = 'tag "initial" is the tag of a version of this template already.';
    assert.deepEqual([tag.status, tag.body], [400, { message }]);
    const copied = await app.call(`PUT ${path}/twice/versions/initial/copy/initial`);
    assert.match(copied.body.message, /^new_version_name "initial" is the tag/);
    const idle = await app.call(`PUT ${path}/twice/versions/initial`, { body: { active: 'no' } });
    assert.match(idle.body.message, /^active cannot be no for the active version/);
    const empty = await app.call(`POST ${path}/twice/versions`, { body: { tag: 'b', template: '' } });
    assert.deepEqual([empty.status, empty.body.message], [400, 'template is required.']);
  });

  it('is a version too many, also when they come at once', async () => {
    const path = `/v3/${DOMAIN}/templates`;
    await app.call(`POST ${path}`, { body: { name: 'full', template: 'x' } });
    const answers = await Promise.all(
      Array.from({ length: 42 }, (_, n) =>
        app.call(`POST ${path}/full/versions`, { body: { tag: `v${n}`, template: 'x', active: 'yes' } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    assert.deepEqual(
      refused.map(({ status, body }) => [status, body.message]),
      Array.from({ length: 3 }, () => [
        400,
        'tag would be one too many: the template has 40 versions; it may have 40.',
      ]),
    );
    const { versions } = (await app.call(`GET ${path}/full/versions?limit=100`)).body.template;
    assert.deepEqual([versions.length, versions.filter(({ active }: any) => active).length], [40, 1]);
  });

  it('is one template too many', async () => {
    await app.call('DELETE /v4/templates', { headers: stranger });
    for (let n = 0; n < 60; n++)
      assert.equal((await app.call('POST /v4/templates', { headers: stranger, body: { name: `t${n}` } })).status, 200);
    const refused = await app.call('POST /v4/templates', { headers: stranger, body: { name: 't60' } });
    assert.equal(refused.status, 429);
    assert.match(refused.body.message, /templates/);
  });
});
