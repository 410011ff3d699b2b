// The settings of a domain, by the forms of existing clients and by JSON.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DOMAIN = 'news.example.com';
const TRACKING = `/v3/domains/${DOMAIN}/tracking`;
const notes = [
  'Messages of this domain stay in this service (capture), so that their links are left as they are and nothing of ' +
    'them is tracked; footers do stand in them.',
  'Clicks and opens are not tracked: this service has no address that readers could reach. Its operator sets ' +
    'GALLEY_PUBLIC_URL.',
];
const links = { start_with: null, host: null, host_target: null, is_host_used: false };
const message = 'Domain tracking settings have been updated';
let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
});
after(() => app.close());

function put(what: string, fields: Record<string, string>) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.append(name, value);
  return app.call(`PUT ${TRACKING}/${what}`, { body });
}

describe('what is tracked of a domain', () => {
  it('is nothing at first', async () => {
    assert.deepEqual((await app.call(`GET ${TRACKING}`)).body, {
      tracking: {
        open: { active: false, place_at_the_top: false },
        click: { active: false },
        unsubscribe: {
          active: false,
          html_footer: '\n<br>\n<p><a href="%unsubscribe_url%">unsubscribe</a></p>\n',
          text_footer: '\n\nTo unsubscribe click: <%unsubscribe_url%>\n\n',
        },
        web_scheme: 'http',
        links,
        notes,
      },
    });
  });

  it('is set, each part by itself; what is not given stays', async () => {
    assert.deepEqual((await put('click', { active: 'htmlonly' })).body, {
      message,
      click: { active: 'htmlonly' },
      notes,
    });
    assert.deepEqual((await put('click', { active: 'yes' })).body, { message, click: { active: true }, notes });
    const open = { active: true, place_at_the_top: false };
    assert.deepEqual((await put('open', { active: 'yes' })).body, { message, open, notes });
    const atTop = { active: true, place_at_the_top: true };
    assert.deepEqual((await put('open', { place_at_the_top: 'true' })).body, { message, open: atTop, notes });
    const footer = { active: 'true', html_footer: '<p>%unsubscribe_url%</p>' };
    const text_footer = '\n\nTo unsubscribe click: <%unsubscribe_url%>\n\n';
    const unsubscribe = { active: true, html_footer: '<p>%unsubscribe_url%</p>', text_footer };
    assert.deepEqual((await put('unsubscribe', footer)).body, { message, unsubscribe, notes });
    const byJson = await app.call(`PUT ${TRACKING}/unsubscribe`, { body: { active: false, text_footer: '' } });
    assert.deepEqual(byJson.body, {
      message,
      unsubscribe: { ...unsubscribe, active: false, text_footer: '' },
      notes,
    });
    assert.deepEqual((await app.call(`GET ${TRACKING}`)).body, {
      tracking: {
        open: atTop,
        click: { active: true },
        unsubscribe: { ...unsubscribe, active: false, text_footer: '' },
        web_scheme: 'http',
        links,
        notes,
      },
    });
  });

  it('keeps two changes that are made at once', async () => {
    await Promise.all([put('click', { active: 'no' }), put('open', { active: 'no' }), put('open', { active: 'no' })]);
    const { tracking } = (await app.call(`GET ${TRACKING}`)).body;
    assert.deepEqual(tracking.click, { active: false });
    assert.deepEqual(tracking.open, { active: false, place_at_the_top: true });
  });

  const refused: [string, Record<string, string>, string][] = [
    ['click', { active: 'maybe' }, 'active must be one of yes, no, true, false, htmlonly.'],
    ['open', { active: 'htmlonly' }, 'active must be one of yes, no, true, false.'],
    ['open', { place_at_the_top: '2' }, 'place_at_the_top must be one of yes, no, true, false.'],
    ['unsubscribe', { active: '-' }, 'active must be one of yes, no, true, false.'],
    [
      'unsubscribe',
      { html_footer: 'x'.repeat(10_001) },
      'html_footer has 10001 characters; at most 10000 are accepted.',
    ],
  ];
  for (const [what, fields, message] of refused)
    it(`refuses ${Object.entries(fields).join().slice(0, 30)} of ${what}`, async () => {
      const { status, body } = await put(what, fields);
      assert.equal(status, 400);
      assert.equal(body.message, message);
    });

  const HOST = `/v3/domains/${DOMAIN}/web_prefix`;

  it('names its host by the query, a form or JSON; what is not given stays', async () => {
    const answer = { message: 'Domain web prefix updated', links };
    const prefixed = await app.call(`PUT ${HOST}?web_prefix=Links`);
    assert.deepEqual(prefixed.body, { ...answer, web_prefix: 'links', web_scheme: 'http' });
    const form = new FormData();
    form.append('web_scheme', 'https');
    const secure = await app.call(`PUT ${HOST}`, { body: form });
    assert.deepEqual(secure.body, { ...answer, web_prefix: 'links', web_scheme: 'https' });
    const back = await app.call(`PUT ${HOST}`, { body: { web_prefix: 'email', web_scheme: 'http' } });
    assert.deepEqual(back.body, { ...answer, web_prefix: 'email', web_scheme: 'http' });
    const { domain } = (await app.call(`GET /v4/domains/${DOMAIN}`)).body;
    assert.deepEqual([domain.web_prefix, domain.web_scheme], ['email', 'http']);
  });

  it('refuses a host that can be none, and of a sandbox', async () => {
    const label =
      'web_prefix must be one label of a host name: 1 to 63 letters, digits and hyphens, no hyphen at either end.';
    const wrong: [Record<string, unknown>, string][] = [
      [{}, 'web_prefix or web_scheme must be given.'],
      [{ web_prefix: '-a' }, label],
      [{ web_prefix: 'a.b' }, label],
      [{ web_prefix: 'x'.repeat(64) }, label],
      [{ web_prefix: { a: 1 } }, label],
      [{ web_scheme: 'ftp' }, 'web_scheme must be http or https.'],
    ];
    for (const [body, message] of wrong) {
      const { status, body: answer } = await app.call(`PUT ${HOST}`, { body });
      assert.deepEqual([status, answer.message], [400, message]);
    }
    const long = `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example`;
    await app.call('POST /v4/domains', { body: { name: long } });
    const tooLong = await app.call(`PUT /v3/domains/${long}/web_prefix?web_prefix=clicks`);
    assert.deepEqual(
      [tooLong.status, tooLong.body.message],
      [400, 'web_prefix and the name of the domain must have at most 253 characters together.'],
    );
    const { items } = (await app.call('GET /v4/domains')).body;
    const sandbox = items.find(({ type }: any) => type === 'sandbox').name;
    const ofSandbox = await app.call(`PUT /v3/domains/${sandbox}/web_prefix?web_prefix=links`);
    assert.deepEqual(
      [ofSandbox.status, ofSandbox.body.message],
      [400, 'A sandbox domain has no records in DNS, so web_prefix has no effect.'],
    );
  });

  it('is not seen or changed by another account, and ends with the domain', async () => {
    const { id } = (await app.call('POST /v5/accounts/subaccounts?name=Other')).body.subaccount;
    const headers = { 'x-service-account-id': id };
    const call = (request: string) => app.call(request, { headers, body: { active: 'yes' } });
    for (const what of ['/click', '/open', '/unsubscribe'])
      assert.deepEqual((await call(`PUT ${TRACKING}${what}`)).body, { message: 'Domain not found' });
    assert.equal((await app.call(`GET ${TRACKING}`, { headers })).status, 404);
    const renamed = await app.call(`PUT ${HOST}?web_prefix=theirs`, { headers });
    assert.deepEqual([renamed.status, renamed.body], [404, { message: 'Domain not found' }]);
    assert.equal((await app.call(`GET /v4/domains/${DOMAIN}`)).body.domain.web_prefix, 'email');
    assert.deepEqual((await app.call(`GET ${TRACKING}`)).body.tracking.click, { active: false });
    await put('click', { active: 'yes' });
    await app.call(`DELETE /v3/domains/${DOMAIN}`);
    assert.equal((await app.call(`GET ${TRACKING}`)).status, 404);
    await app.call('POST /v4/domains', { body: { name: DOMAIN } });
    assert.deepEqual((await app.call(`GET ${TRACKING}`)).body.tracking.click, { active: false });
  });
});
