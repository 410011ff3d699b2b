import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let otherKey: string;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
  const { id } = (await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Other' } })).body.subaccount;
  otherKey = (await app.call('POST /v1/keys', { headers: { 'x-service-account-id': id }, body: { role: 'admin' } }))
    .body.key.secret;
});
after(() => app.close());

const LINKS = '/v1/inspect/links';
const IMAGES = '/v1/inspect/images';
const GATE = '/v1/inspect/gate';
const SPAM = '/v1/inspect/spam';

/** Starts a test and returns its id. */
async function make(path: string, body: object): Promise<string> {
  const { status, body: made } = await app.call(`POST ${path}`, { body });
  assert.ok(status < 300, JSON.stringify(made));
  return (made.items ?? made.item).id;
}

/** The row of the newest test of its kind. */
async function rowOf(list: string, id: string): Promise<any> {
  return (await app.call(`GET ${list}?limit=50`)).body.items.find((row: any) => (row.id ?? row.test_id) === id);
}

describe('the name of an inspection', () => {
  const html = '<title>May &amp; June</title><p>Hello';
  const encoded = 'From: a@b.example\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe_im_Mai?=\r\n\r\nHello';
  const untitled = '<p>Hello';
  const made: [path: string, list: string, body: object, name: string][] = [
    [`${LINKS}/html-validate`, LINKS, { html }, 'May & June'],
    [`${LINKS}/html-validate`, LINKS, { mime: encoded }, 'Grüße im Mai'],
    [
      LINKS,
      LINKS,
      { links: ['http://user:word@127.0.0.1/a?token=1#x', 'http://127.0.0.1/b'] },
      '127.0.0.1/a and 1 more',
    ],
    [LINKS, LINKS, { links: ['/a?token=1'] }, '/a'],
    [LINKS, LINKS, { links: ['mailto:a@b.example?body=secret', 'tel:1'] }, 'mailto:a@b.example and 1 more'],
    [LINKS, LINKS, { links: [' ftp://user:word@'] }, 'Untitled email'],
    [`${IMAGES}/html-validate`, IMAGES, { html: untitled, name: 'may.html' }, 'may.html'],
    [`${IMAGES}/html-validate`, IMAGES, { html: `<title>${'🌷'.repeat(300)}</title>` }, `${'🌷'.repeat(199)}…`],
    [IMAGES, IMAGES, { links: ['http://127.0.0.1/a.png?key=1'] }, '127.0.0.1/a.png'],
    ['/v1/inspect/accessibility', '/v1/inspect/accessibility', { html: untitled }, 'Untitled email'],
    ['/v1/inspect/analyze', '/v1/inspect/analyze', { html, subject: 'The May letter' }, 'The May letter'],
    [
      '/v1/inspect/analyze',
      '/v1/inspect/analyze',
      { mime: 'From: a@b.example\r\nSubject: The May\r\n letter\r\n\r\nHello' },
      'The May letter',
    ],
    [GATE, GATE, { html }, 'May & June'],
    [GATE, GATE, { html, subject: 'The May letter' }, 'The May letter'],
    [GATE, GATE, { html, name: 'mails/may.html' }, 'mails/may.html'],
    [GATE, GATE, { html: '<p>{{month}}', subject: 'For {{month}}', data: { month: 'May' } }, 'For May'],
    [SPAM, SPAM, { html, subject: '' }, 'May & June'],
    [SPAM, SPAM, { html: untitled, subject: 'The May letter' }, 'The May letter'],
    [SPAM, SPAM, { mime: encoded }, 'Grüße im Mai'],
  ];
  for (const [path, list, body, name] of made) {
    it(`is “${name.slice(0, 30)}” at ${path} with ${Object.keys(body).join(', ')}, and can be changed`, async () => {
      const id = await make(path, body);
      assert.equal((await rowOf(list, id)).name, name);
      const renamed = await app.call(`PATCH /v1/inspections/${id}`, { body: { name: ' Renamed\nonce ' } });
      assert.deepEqual([renamed.status, renamed.body], [200, { id, name: 'Renamed once' }]);
      assert.equal((await rowOf(list, id)).name, 'Renamed once');
      assert.equal((await app.call(`GET /v1/inspections/${id}`)).body.name, 'Renamed once');
    });
  }

  it('stands with one gate and one spam test; a gate that is run again keeps it', async () => {
    const [gate, spam] = [await make(GATE, { html }), await make(SPAM, { html, subject: 'The May letter' })];
    assert.equal((await app.call(`GET ${SPAM}/${spam}`)).body.item.name, 'The May letter');
    await app.call(`PATCH /v1/inspections/${gate}`, { body: { name: 'The second try' } });
    assert.equal((await app.call(`GET ${GATE}/${gate}`)).body.items.name, 'The second try');
    const again = (await app.call(`POST ${GATE}/${gate}/again`)).body.items.id;
    assert.equal((await app.call(`GET ${GATE}/${again}`)).body.items.name, 'The second try');
  });

  it('has 1 to 200 characters, of which one is seen', async () => {
    const id = await make(LINKS, { links: ['http://127.0.0.1/'] });
    const rename = (body: object): Promise<any> => app.call(`PATCH /v1/inspections/${id}`, { body });
    for (const name of ['', ' ', '\u0000\u0001', '\u200b\u2060', 'x'.repeat(201), 5, null]) {
      const { status, body } = await rename({ name });
      assert.equal(status, 400, JSON.stringify(name));
      assert.match(body.message, /^name /, JSON.stringify(body));
    }
    assert.match((await rename({})).body.message, /name/);
    assert.match((await rename({ name: 'x', kind: 'gate' })).body.message, /kind/);
    assert.equal((await rowOf(LINKS, id)).name, '127.0.0.1');
    assert.equal((await rename({ name: '🌷'.repeat(200) })).body.name, '🌷'.repeat(200));
  });

  it('is changed by its owner only, and not with a key that may only read', async () => {
    const id = await make(LINKS, { links: ['http://127.0.0.1/'] });
    const path = `PATCH /v1/inspections/${id}`;
    assert.equal((await app.call(path, { key: otherKey, body: { name: 'Taken' } })).status, 404);
    assert.equal((await app.call('PATCH /v1/inspections/unknown', { body: { name: 'x' } })).status, 404);
    const { secret } = (await app.call('POST /v1/keys', { body: { role: 'support' } })).body.key;
    assert.equal((await app.call(path, { key: secret, body: { name: 'Taken' } })).status, 403);
    assert.equal((await rowOf(LINKS, id)).name, '127.0.0.1');
  });
});
