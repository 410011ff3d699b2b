// Templates that are written in MJML: compiled when they are kept, and HTML to whatever uses them.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'letters.example.com';
const MJML =
  '<mjml><mj-body><mj-section><mj-column>{{#if name}}<mj-text>Hello {{name}}</mj-text>{{/if}}' +
  '<mj-button href="https://example.com/{{path}}">Open</mj-button></mj-column></mj-section></mj-body></mjml>';
const ODD = MJML.replace('<mj-button', '\n<mj-button tone="red"');

let app: App;
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(() => app.close());

for (const path of [`/v3/${DOMAIN}/templates`, '/v4/templates'])
  describe(`templates in MJML at ${path.slice(0, 3)}`, () => {
    const shown = async (name: string, tag: string): Promise<any> =>
      (await app.call(`GET ${path}/${name}/versions/${tag}`)).body.template.version;

    it('are kept as they were written, with the HTML that they become', async () => {
      const made = await app.call(`POST ${path}`, { body: { name: 'letter', mjml: MJML } });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal('warnings' in made.body, false);
      const { version } = made.body.template;
      assert.deepEqual([version.engine, version.mjml, version.tag], ['handlebars', MJML, 'initial']);
      assert.match(version.template, /^\s*<!doctype html>[^]*\{\{#if name\}\}[^]*Hello \{\{name\}\}<\/div>/);
      assert.doesNotMatch(version.template, /<mj-/);
      assert.deepEqual(await shown('letter', 'initial'), version);
      const { versions } = (await app.call(`GET ${path}/letter/versions`)).body.template;
      assert.equal(versions[0].mjml, '');
      const copied = await app.call(`PUT ${path}/letter/versions/initial/copy/second`);
      assert.deepEqual([copied.body.version.mjml, copied.body.version.template], [MJML, version.template]);
    });

    it('are also what `template` holds where the engine is mjml, in forms, too', async () => {
      await app.call(`POST ${path}`, { body: { name: 'forms' } });
      const form = new FormData();
      for (const [name, value] of Object.entries({ tag: 'form', template: MJML, engine: 'mjml', active: 'yes' }))
        form.set(name, value);
      const made = await app.call(`POST ${path}/forms/versions`, { body: form });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal(made.body.template.version.mjml, MJML);
    });

    it('become HTML alone, and MJML again, when they are changed', async () => {
      await app.call(`POST ${path}`, { body: { name: 'turns', mjml: MJML } });
      const version = `${path}/turns/versions/initial`;
      await app.call(`PUT ${version}`, { body: { comment: 'as it is' } });
      assert.equal((await shown('turns', 'initial')).mjml, MJML);
      const html = await app.call(`PUT ${version}`, { body: { template: '<p>{{name}}</p>', mjml: '' } });
      assert.equal(html.status, 200);
      const plain = await shown('turns', 'initial');
      assert.deepEqual([plain.mjml, plain.template], ['', '<p>{{name}}</p>']);
      const again = await app.call(`PUT ${version}`, { body: { mjml: ODD } });
      assert.deepEqual(again.body, {
        message: 'version has been updated',
        template: { name: 'turns', version: { tag: 'initial' } },
        warnings: ['Line 2: mj-button: Attribute tone is illegal.'],
      });
      assert.match((await shown('turns', 'initial')).template, /href="https:\/\/example\.com\/\{\{path\}\}"/);
    });

    const wrong: [string, object, number, RegExp][] = [
      ['is open', { mjml: '<mjml>\n<mj-body>' }, 400, /^mjml cannot be compiled, line 2: <mj-body> is not closed\.$/],
      ['names a file', { mjml: '<mjml><mj-include path="/a"/></mjml>' }, 400, /^mjml .* mj-include is refused/],
      [
        'is strictly wrong',
        { mjml: ODD, validation: 'strict' },
        400,
        /line 2: mj-button: Attribute tone is illegal\.$/,
      ],
      ['no template', { mjml: MJML.replace('{{/if}}', '') }, 400, /^mjml cannot be compiled, line \d/],
      ['is empty', { mjml: ' ' }, 400, /^mjml is empty\.$/],
      ['is HTML', { template: '<p>x</p>', engine: 'mjml' }, 400, /^mjml cannot be compiled, line 1: MJML begins/],
      ['has HTML beside it', { mjml: MJML, template: 'x' }, 400, /^mjml and template are both given: give one/],
      ['is validated another way', { mjml: MJML, validation: 'skip' }, 400, /^validation must be .*strict.*soft/],
      ['is large', { mjml: `${MJML}${' '.repeat(102400)}` }, 413, /^mjml is \d+ bytes; at most 102400 \(100 KiB\)/],
    ];
    for (const [what, body, status, says] of wrong)
      it(`are refused where the text ${what}`, async () => {
        const made = await app.call(`POST ${path}`, { body: { name: 'wrong', ...body } });
        assert.equal(made.status, status, JSON.stringify(made.body));
        assert.match(made.body.message, says);
        assert.equal((await app.call(`GET ${path}/wrong`)).status, 404);
        assert.equal((await app.call(`PUT ${path}/letter/versions/initial`, { body })).status, status);
      });

    it('are those of one account', async () => {
      const body = { mjml: MJML };
      const answer = await app.call(`PUT ${path}/letter/versions/initial`, { headers: stranger, body });
      assert.equal(answer.status, 404);
    });
  });

describe('a template in MJML', () => {
  it('is HTML to a preview', async () => {
    const body = { subject: 'x', clients: ['gmail_chrome'], template: { name: 'letter' }, data: { name: 'Ada & Bo' } };
    const made = await app.call('POST /v2/preview/tests', { body });
    assert.equal(made.status, 200, JSON.stringify(made.body));
    const { content } = (await app.call(`GET /v1/preview/tests/${made.body.id}/content`)).body;
    assert.match(content, /Hello Ada &amp; Bo<\/div>/);
  });

  it('is HTML to the gate', async () => {
    const body = { template: { name: 'letter' }, data: { name: 'Ada' }, checks: ['code'] };
    const made = await app.call('POST /v1/inspect/gate', { body });
    assert.ok(made.status < 300, JSON.stringify(made.body));
    await app.idle();
    const { body: gates } = await app.call('GET /v1/inspect/gate');
    const { meta } = (await app.call(`GET /v1/inspect/gate/${gates.items[0].id}`)).body;
    assert.equal(meta.status, 'Complete');
  });

  const render = (body: object) => app.call('POST /v1/galley/templates/render', { body });

  it('is rendered without being kept', async () => {
    const { status, body } = await render({ mjml: ODD, variables: { name: 'Ada', path: 'a' } });
    assert.equal(status, 200, JSON.stringify(body));
    assert.match(body.html, /Hello Ada<\/div>[^]*href="https:\/\/example\.com\/a"/);
    assert.deepEqual(
      { missing: body.missing, warnings: body.warnings },
      { missing: [], warnings: ['Line 2: mj-button: Attribute tone is illegal.'] },
    );
    const none = await render({ template: MJML, engine: 'mjml', variables: {} });
    assert.doesNotMatch(none.body.html, /Hello/);
    assert.deepEqual(none.body.missing, ['name', 'path']);
  });

  it('is refused with its line', async () => {
    const { status, body } = await render({ mjml: MJML.replace('</mj-text>', '\n') });
    assert.deepEqual([status, body.message], [400, 'mjml cannot be compiled, line 1: <mj-text> is not closed.']);
    assert.deepEqual((await render({})).body.message, 'template is required, or mjml.');
  });
});
