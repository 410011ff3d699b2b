// Stored templates as what previews, the gate and other checks look at, and texts filled before they are kept.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'letters.example.com';
const HTML =
  '<html lang="en"><title>Letter</title><p>Hello {{name}}{{#if isNew}}, welcome{{/if}}. {{closing}}</p></html>';

let app: App;
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  const headers = { Subject: 'For {{name}}', From: `Ann <ann@${DOMAIN}>` };
  for (const path of ['/v4/templates', `/v3/${DOMAIN}/templates`]) {
    const template = path.startsWith('/v4') ? HTML : HTML.replace('Hello', 'Dear');
    const made = await app.call(`POST ${path}`, { body: { name: 'welcome', template, headers } });
    assert.equal(made.status, 200, JSON.stringify(made.body));
  }
  await app.call('POST /v4/templates/welcome/versions', { body: { tag: 'short', template: '<p>Hi {{name}}</p>' } });
  await app.call('POST /v4/templates', { body: { name: 'empty' } });
});
after(() => app.close());

const DATA = { name: 'Ada & Bo', isNew: true };

async function previewOf(body: object): Promise<{ content: string; warnings: any[] }> {
  const made = await app.call('POST /v2/preview/tests', { body: { subject: 'x', clients: ['gmail_chrome'], ...body } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const { body: shown } = await app.call(`GET /v1/preview/tests/${made.body.id}/content`);
  return { content: shown.content, warnings: made.body.warnings };
}

describe('a stored template as the source of a check', () => {
  it('is filled for a preview as it is for a message, and says what has no value', async () => {
    const { content, warnings } = await previewOf({ template: { name: 'Welcome' }, data: DATA });
    assert.match(content, /<p>Hello Ada &amp; Bo, welcome\. <\/p>/);
    assert.match(JSON.stringify(warnings), /closing/);
  });

  it('is one version by its tag, and one of a domain where that is named', async () => {
    const short = await previewOf({ template: { name: 'welcome', version: 'short' }, data: DATA });
    assert.equal(short.content, '<p>Hi Ada &amp; Bo</p>');
    const own = await previewOf({ template: { name: 'welcome', domain: DOMAIN } });
    assert.match(own.content, /<p>Dear \. <\/p>/);
  });

  it('is judged by the gate, by its name and with its subject', async () => {
    const body = { template: { name: 'welcome' }, data: DATA, checks: ['code'] };
    const made = await app.call('POST /v1/inspect/gate', { body });
    assert.ok(made.status < 300, JSON.stringify(made.body));
    await app.idle();
    const { body: gates } = await app.call('GET /v1/inspect/gate');
    assert.equal(gates.items[0].name, 'For Ada & Bo');
  });

  const kinds = ['/v1/inspect/analyze', '/v1/inspect/links/html-validate', '/v1/inspect/accessibility'];
  for (const path of kinds)
    it(`is taken by ${path}`, async () => {
      const { status, body } = await app.call(`POST ${path}`, { body: { template: { name: 'welcome' }, data: DATA } });
      assert.ok(status < 300, JSON.stringify(body));
    });

  const refused: [string, object, RegExp][] = [
    ['nobody has', { template: { name: 'none' } }, /^template: There is no template named "none"\.$/],
    [
      'without such a version',
      { template: { name: 'welcome', version: 'none' } },
      /^template\.version: The template "welcome" has no version with the tag "none"\.$/,
    ],
    [
      'without an active version',
      { template: { name: 'empty' } },
      /^template: The template "empty" has no active version: name a version, or make one active\.$/,
    ],
    [
      'of a domain that the account does not have',
      { template: { name: 'welcome', domain: 'elsewhere.example' } },
      /^template\.domain names no sending domain of this account: "elsewhere\.example"\.$/,
    ],
    [
      'beside HTML',
      { template: { name: 'welcome' }, html: '<p>x</p>' },
      /^html, url, mime, template: give exactly one of them; html and template were given\.$/,
    ],
    ['without a name', { template: {} }, /^template/],
    ['with a field that is not known', { template: { name: 'welcome', tag: 'short' } }, /^template/],
    ['with data that is none', { template: { name: 'welcome' }, data: 'x' }, /^data must be/],
  ];
  for (const [what, body, message] of refused)
    it(`is refused where it is one ${what}`, async () => {
      const { status, body: answer } = await app.call('POST /v1/inspect/gate', { body: { checks: ['code'], ...body } });
      assert.equal(status, 400, JSON.stringify(answer));
      assert.match(answer.message, message);
    });

  it('is none of another account', async () => {
    const body = { template: { name: 'welcome' }, checks: ['code'] };
    const { status, body: answer } = await app.call('POST /v1/inspect/gate', { body, headers: stranger });
    assert.deepEqual([status, answer.message], [400, 'template: There is no template named "welcome".']);
  });
});

describe('POST /v1/galley/templates/render', () => {
  const render = (body: object) => app.call('POST /v1/galley/templates/render', { body });

  it('fills texts that are kept nowhere', async () => {
    const headers = { Subject: 'For {{name}}', 'Reply-To': '{{desk}}@example.com' };
    const { status, body } = await render({ template: '<p>{{name}} {{gone}}</p>', headers, variables: DATA });
    assert.equal(status, 200);
    assert.deepEqual(body, {
      html: '<p>Ada &amp; Bo </p>',
      headers: { Subject: 'For Ada & Bo', 'Reply-To': '@example.com' },
      missing: ['desk', 'gone'],
    });
    assert.deepEqual((await render({ template: '<p>x</p>' })).body, { html: '<p>x</p>', headers: {}, missing: [] });
  });

  const wrong: [string, object, RegExp][] = [
    [
      'a text that is no template',
      { template: '<p>\n{{#if x}}' },
      /^template is no template that can be filled, line 2: /,
    ],
    [
      'a header field that is none',
      { template: 'x', headers: { Subject: '{{#if x}}' } },
      /^headers\.Subject is no template that can be filled/,
    ],
    [
      'a header field of another name',
      { template: 'x', headers: { To: 'x' } },
      /^headers may have From, Subject, Reply-To/,
    ],
    ['no text', { template: ' ' }, /^template is empty\.$/],
    ['MJML', { template: '<mjml></mjml>' }, /^template is MJML: give it in mjml/],
    ['variables that are none', { template: 'x', variables: 'x' }, /^variables/],
  ];
  for (const [what, body, message] of wrong)
    it(`refuses ${what}`, async () => {
      const { status, body: answer } = await render(body);
      assert.equal(status, 400, JSON.stringify(answer));
      assert.match(answer.message, message);
    });
});
