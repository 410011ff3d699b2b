import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { makeCertificate } from '../../../../test/harness/certificate.ts';
import { createZoneDns } from '../../../../test/harness/dns-zone.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { createFetch } from '../../../platform/fetch/index.ts';
import { findLogo } from './logo.ts';

const zone = {
  '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
  'default._bimi.example.com': { TXT: ['v=BIMI1; l=https://logo.invalid/a.svg; a=https://logo.invalid/a.pem'] },
  '_dmarc.lax.example': { TXT: ['v=DMARC1; p=none'] },
  'default._bimi.lax.example': { TXT: ['v=BIMI1; l=https://logo.invalid/b.svg'] },
  '_dmarc.some.example': { TXT: ['v=DMARC1; p=quarantine; pct=10'] },
  'default._bimi.some.example': { TXT: ['v=BIMI1; l=https://logo.invalid/b.svg'] },
  '_dmarc.plain.example': { TXT: ['v=DMARC1; p=reject'] },
  'default._bimi.plain.example': { TXT: ['v=BIMI1; l=http://logo.invalid/b.svg'] },
  '_dmarc.shy.example': { TXT: ['v=DMARC1; p=reject'] },
  'default._bimi.shy.example': { TXT: ['v=BIMI1; l=; a='] },
};

let app: App;
let stranger: string;
before(async () => {
  app = await startApp({}, { zone });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=stranger');
  const made = await app.call('POST /v1/keys', {
    headers: { 'x-service-account-id': body.subaccount.id },
    body: { role: 'admin' },
  });
  stranger = made.body.key.secret;
});
after(() => app.close());

async function create(body: object): Promise<string> {
  const { status, body: made } = await app.call('POST /v2/preview/tests', {
    body: { subject: '', clients: ['gmail_chrome'], ...body },
  });
  assert.equal(status, 200, JSON.stringify(made));
  return made.id;
}

async function inboxOf(id: string, query = ''): Promise<any> {
  const { status, body } = await app.call(`GET /v2/preview/tests/${id}/inbox${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const rowIn = (inbox: any, id: string) => inbox.rows.find((row: any) => row.id === id);
const tried = (from: string): string => `?from=${encodeURIComponent(from)}`;

const HTML = '<title>t</title><div style="display:none">Two for one until Sunday.</div><h1>Spring sale</h1>';
const mimeOf = (from: string, subject: string, html = HTML) =>
  `${from}Subject: ${subject}\r\nMIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n${html}`;

describe('GET /v2/preview/tests/{test_id}/inbox', () => {
  it('shows a message as each list cuts it', async () => {
    const subject = '=?utf-8?Q?Fr=C3=BChling:_?= =?utf-8?Q?everything_in_the_shop_is_half_the_price_now?=';
    const id = await create({ mime: mimeOf('From: =?utf-8?B?SsO2cmc=?= Brown <joerg@example.com>\r\n', subject) });
    const { rows, notifications, logo, test_id: testId, data_date: date, ...read } = await inboxOf(id);
    assert.deepEqual([testId, date], [id, '2026-11-27']);
    assert.deepEqual(read, {
      sender: { name: 'Jörg Brown', address: 'joerg@example.com' },
      subject: 'Frühling: everything in the shop is half the price now',
      preheader: { text: 'Two for one until Sunday.', is_padded: false, first_visible: 'Spring sale' },
      hidden_characters: [],
    });
    assert.deepEqual(logo, {
      result: 'published',
      domain: 'example.com',
      logo_url: 'https://logo.invalid/a.svg',
      certificate_url: 'https://logo.invalid/a.pem',
      dmarc_policy: 'reject',
      picture: null,
    });
    const { sources, ...gmail } = rows.find((row: any) => row.id === 'gmail-ios');
    assert.deepEqual(gmail, {
      id: 'gmail-ios',
      name: 'Gmail, iPhone',
      system: 'iOS',
      client_ids: ['gmail_ios', 'gmail_ios_imap'],
      in_test: false,
      is_simulated: true,
      layout: 'stack',
      sender: 'Jörg Brown',
      avatar: { kind: 'logo', text: '' },
      subject: { shown: 'Frühling: everything in the shop is…', is_cut: true, room: { characters: 37 } },
      preview: {
        shown: 'Two for one until Sunday. Spring sale',
        is_cut: false,
        room: { characters: 90 },
        body_text: 'Spring sale',
      },
      notes: [],
    });
    assert.deepEqual(sources[0], {
      of: 'subject',
      what: 'Table by client and device; equal to the test of emailtooltester.com where both name a client',
      url: 'https://www.activecampaign.com/glossary/subject-line-length',
      date: '2026-11-27',
      strength: 'common',
    });
    assert.equal(rowIn({ rows }, 'gmail-web').in_test, true);
    assert.equal(rowIn({ rows }, 'thunderbird').preview, null);
    const hey = rowIn({ rows }, 'hey');
    assert.deepEqual([hey.subject.is_cut, hey.subject.room, hey.avatar], [null, null, { kind: 'unknown', text: '' }]);
    const { sources: rest, ...ios } = notifications.find((one: any) => one.id === 'ios-apple-mail');
    assert.equal(rest.length, 2);
    assert.deepEqual(ios, {
      id: 'ios-apple-mail',
      name: 'Apple Mail, iPhone',
      system: 'iOS',
      client_ids: rowIn({ rows }, 'apple-mail-iphone').client_ids,
      in_test: false,
      is_simulated: true,
      app: 'Mail',
      title: 'Jörg Brown',
      subject: 'Frühling: everything in the shop is half the price now',
      preview: 'Two for one until Sunday. Spring sale',
      is_cut: false,
      room: { characters: 178, lines: 4 },
      locked: { text: 'Notification', when: 'Show Previews is “When Unlocked” or “Never”' },
    });
  });

  it('takes the sender of the request, of header fields, or none', async () => {
    const bare = await create({ html: HTML });
    const none = await inboxOf(bare);
    assert.deepEqual([none.sender, none.logo.result, rowIn(none, 'gmail-ios').sender], [null, 'unknown', null]);
    const asked = await inboxOf(bare, tried('"Brown, Ann" <ann@lax.example>'));
    assert.deepEqual(asked.sender, { name: 'Brown, Ann', address: 'ann@lax.example' });
    assert.equal(rowIn(asked, 'outlook-web').avatar.text, 'BA');
    const given = await create({ html: HTML, headers: { FROM: 'Ann <ann@example.com>' } });
    assert.deepEqual((await inboxOf(given)).sender, { name: 'Ann', address: 'ann@example.com' });
  });

  it('names what is wrong, and shows nobody the test of another account', async () => {
    const id = await create({ html: HTML });
    for (const from of ['nobody', 'a@example.com, b@example.com', 'a@b', ' ']) {
      const { status, body } = await app.call(`GET /v2/preview/tests/${id}/inbox${tried(from)}`);
      assert.equal(status, 400, from);
      assert.match(JSON.stringify(body), /from must be one address/);
    }
    const long = await app.call(`GET /v2/preview/tests/${id}/inbox${tried(`${'a'.repeat(1001)}@example.com`)}`);
    assert.equal(long.status, 400);
    assert.equal((await app.call(`GET /v2/preview/tests/${id}/inbox`, { key: stranger })).status, 404);
    assert.equal((await app.call('GET /v2/preview/tests/nothing/inbox')).status, 404);
    assert.equal((await app.call(`GET /v2/preview/tests/${id}/inbox`, { key: null })).status, 401);
  });

  it('shows an empty message, and one without HTML', async () => {
    const empty = await inboxOf(await create({ html: '<p></p>' }));
    assert.deepEqual(
      [empty.subject, empty.preheader, rowIn(empty, 'gmail-ios').preview.shown],
      ['', { text: '', is_padded: false, first_visible: '' }, ''],
    );
    const plain = await create({ mime: 'From: a@example.com\r\nSubject: Hi\r\n\r\nHello\r\nthere' });
    assert.equal(rowIn(await inboxOf(plain), 'gmail-ios').preview.shown, 'Hello there');
  });

  it('leaves out what turns text, and tells', async () => {
    const name = `=?utf-8?B?${Buffer.from('Bank \u202emoc.live').toString('base64')}?=`;
    const from = `From: ${name} <a@evil.example>\r\n`;
    const inbox = await inboxOf(await create({ mime: mimeOf(from, 'Hi', '<p>a\u2066b') }));
    assert.deepEqual(
      [inbox.sender.name, rowIn(inbox, 'gmail-ios').sender, rowIn(inbox, 'gmail-ios').preview.shown],
      ['Bank moc.live', 'Bank moc.live', 'ab'],
    );
    assert.deepEqual(inbox.hidden_characters, [
      { field: 'sender', code_point: 'U+202E', name: 'right-to-left override', count: 1, turns_text: true },
      { field: 'preview', code_point: 'U+2066', name: 'left-to-right isolate', count: 1, turns_text: true },
    ]);
    assert.doesNotMatch(JSON.stringify(inbox), /[\u202a-\u202e\u2066-\u2069]/);
  });

  it('says of each domain what became of its logo', async () => {
    const id = await create({ html: HTML });
    const results = ['lax.example', 'some.example', 'plain.example', 'shy.example', 'nothing.example'].map(
      async (domain) => (await inboxOf(id, tried(`a@${domain}`))).logo.result,
    );
    assert.deepEqual(await Promise.all(results), ['unenforced', 'unenforced', 'invalid', 'declined', 'none']);
    const below = await inboxOf(id, tried('a@mail.example.com'));
    assert.deepEqual([below.logo.result, below.logo.logo_url], ['published', 'https://logo.invalid/a.svg']);
  });
});

describe('the picture of a logo', () => {
  let server: Server;
  let found: (path: string) => ReturnType<typeof findLogo>;
  before(async () => {
    const made = makeCertificate({ commonName: 'logo.example' });
    const svg =
      '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><rect width="10" height="10" fill="red"/></svg>';
    server = createServer({ key: made.key, cert: made.cert }, ({ url }, response) =>
      response
        .writeHead(url === '/gone.svg' ? 404 : 200, { 'content-type': 'image/svg+xml' })
        .end(url === '/bad.svg' ? 'no picture' : url === '/large.svg' ? ' '.repeat(300_000) : svg),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const fetch = createFetch({
      allowHosts: ['logo.example', '127.0.0.1'],
      userAgent: 'test',
      ca: made.cert,
      resolver: async () => ['127.0.0.1'],
    });
    found = (path) =>
      findLogo(
        {
          fetch,
          clock: { now: () => new Date() },
          dns: createZoneDns({
            '_dmarc.example.com': { TXT: ['v=DMARC1; p=reject'] },
            'default._bimi.example.com': { TXT: [`v=BIMI1; l=https://logo.example:${port}${path}`] },
          }),
        },
        'a@example.com',
      );
    after(() => fetch.close());
  });
  after(() => new Promise((resolve) => server.close(resolve)));

  it('is drawn of what the record names', async () => {
    const { picture } = await found('/logo.svg');
    const { format, width } = await sharp(picture).metadata();
    assert.deepEqual([format, width], ['png', 96]);
  });
  it('is absent where there is none that can be drawn', async () => {
    for (const path of ['/gone.svg', '/bad.svg', '/large.svg'])
      assert.deepEqual([(await found(path)).picture, (await found(path)).result], [undefined, 'published'], path);
  });
});
