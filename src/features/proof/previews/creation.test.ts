// What the wire says about creating a test, beside what is drawn of it.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { RenderError } from '../../../platform/browser/index.ts';
import { sql } from '../../../platform/db/index.ts';

let app: App;
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work,mail', GALLEY_SMTP_DOMAIN: 'galley.test' });
});
after(() => app.close());

const CREATE = 'POST /v2/preview/tests';
const HTML = '<title>May</title><p>The roses by the south wall have begun to flower.</p>';
const base64 = (text: string): string => Buffer.from(text).toString('base64');

async function create(body: object): Promise<any> {
  const { status, body: made } = await app.call(CREATE, {
    body: { subject: 'Spring', html: HTML, clients: ['gmail_chrome'], ...body },
  });
  assert.equal(status, 200, JSON.stringify(made));
  return made;
}

const get = async (id: string): Promise<any> => (await app.call(`GET /v2/preview/tests/${id}`)).body;

async function endedSpamTest(key: string): Promise<any> {
  for (;;) {
    const { item } = (await app.call(`GET /v1/inspect/spam/${key}`)).body;
    if (item.status !== 'processing') return item;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Everything that lists show of tests that a preview test may begin. */
async function begunTests(): Promise<unknown[]> {
  const paths = ['/v1/inspect/spam', '/v1/inspect/accessibility', '/v1/inspect/analyze', '/v2/preview/tests'];
  const lists = await Promise.all(paths.map(async (path) => (await app.call(`GET ${path}`)).body));
  return lists.map((list) => list.items ?? list);
}

const ALL_PARTS = { spam: {}, content_checking: { accessibility: true, code_analysis: true } };

describe('a test that cannot be stored', () => {
  it('leaves nothing behind when its source cannot be stored: no spam test, no check', async () => {
    const { blobs } = app.galley.outside;
    const { put } = blobs;
    const before = await begunTests();
    blobs.put = (key, ...rest) =>
      key.startsWith('previews/') ? Promise.reject(new Error('The disk is full.')) : put(key, ...rest);
    const { status } = await app
      .call(CREATE, { body: { subject: 'Spring', html: HTML, clients: ['gmail_chrome'], ...ALL_PARTS } })
      .finally(() => (blobs.put = put));
    assert.equal(status, 500);
    assert.deepEqual(await begunTests(), before);
  });

  it('leaves nothing behind when its row cannot be stored, whatever of it cannot be deleted', async () => {
    const { blobs, db } = app.galley.outside;
    const { deleteAll } = blobs;
    const before = await begunTests();
    await db.run(sql`alter table preview_tests add constraint refused check (subject <> 'Refused')`);
    blobs.deleteAll = (prefix) =>
      prefix.startsWith('previews/') ? Promise.reject(new Error('The disk is away.')) : deleteAll(prefix);
    const { status } = await app
      .call(CREATE, { body: { subject: 'Refused', html: HTML, clients: ['gmail_chrome'], ...ALL_PARTS } })
      .finally(() => (blobs.deleteAll = deleteAll));
    await db.run(sql`alter table preview_tests drop constraint refused`);
    assert.equal(status, 500);
    assert.deepEqual(await begunTests(), before);
  });
});

describe('spam', () => {
  it('is run, answered with key and addresses, found from the test, and deleted with it', async () => {
    const { id, spam } = await create({ spam: { test_method: 'eoa' }, headers: { 'X-Campaign': 'spring' } });
    assert.deepEqual(Object.keys(spam), ['key', 'address_list', 'meta', 'items']);
    assert.ok(
      spam.address_list.length > 3 && spam.address_list.every((address: string) => /^t-\w+@[\w.-]+$/.test(address)),
    );
    const self = `/v1/inspect/spam/${spam.key}`;
    assert.deepEqual(spam.items, { id: spam.key, links: { self } });
    const item = await endedSpamTest(spam.key);
    const { spam: found } = await get(id);
    assert.deepEqual(found, { ...spam, meta: { status: 'completed' } });
    assert.equal(item.subject, 'Spring');
    const seeds = [...item.results.b2c.results, ...item.results.b2b.results].map(({ seed }: { seed: string }) => seed);
    assert.deepEqual(seeds.sort(), [...spam.address_list].sort());
    const { html, headers } = (await app.call(`GET ${self}/content`)).body;
    assert.match(html, /roses by the south wall/);
    assert.ok(
      headers.some((field: { name: string; value: string }) => field.name === 'X-Campaign' && field.value === 'spring'),
    );
    await app.call(`DELETE /v2/preview/tests/${id}`);
    assert.equal((await app.call(`GET ${self}`)).status, 404);
  });

  it('is run on a whole message, and by the deprecated call', async () => {
    const mime = 'From: a@shop.example\r\nSubject: May\r\nContent-Type: text/html\r\n\r\n<p>Hello</p>';
    const { body } = await app.call('POST /v1/preview/tests', {
      body: { subject: 'May', mime, clients: ['gmail_chrome'], spam: {} },
    });
    const item = await endedSpamTest(body.spam.key);
    assert.deepEqual([item.status, item.analysis.sender.kind], ['completed', 'given']);
  });

  it('is none where none is asked for, and says so where it was deleted', async () => {
    assert.equal((await create({ spam: null })).spam, undefined);
    const { id, spam } = await create({ spam: {} });
    await app.call(`DELETE /v1/inspect/spam/${spam.key}`);
    assert.deepEqual((await get(id)).spam.errors, [
      { status: '404', title: 'not_found', detail: 'This spam test was deleted.' },
    ]);
    assert.equal((await app.call(`DELETE /v2/preview/tests/${id}`)).status, 200);
  });

  const wrong: [spam: unknown, reason: RegExp][] = [
    [
      { test_method: 'smtp', smtp_info: { host: 'mail.shop.example' } },
      /^spam\.test_method must be eoa: sending through an SMTP server/,
    ],
    [{ test_method: 'seed', key: 'k' }, /^spam\.test_method must be eoa: here the service sends the message itself/],
    [{ test_method: 'pigeon' }, /^spam\.test_method must be one of eoa, smtp, seed\.$/],
    [{ smtp_info: { host: 'x' } }, /^spam\.smtp_info goes with/],
    [{ key: 'abc' }, /^spam\.key goes with/],
    [
      { from_address: 'me@stranger.example' },
      /^spam\.from_address names stranger\.example, which is not a verified sending domain/,
    ],
    [{ from_adress: 'x' }, /^spam.* is not known here\.$|^spam/],
    [true, /^spam must be object\.$|^spam /],
  ];
  for (const [spam, reason] of wrong) {
    it(`answers 400 to ${JSON.stringify(spam)}`, async () => {
      const { status, body } = await app.call(CREATE, {
        body: { subject: 's', html: HTML, clients: ['gmail_chrome'], spam },
      });
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.Reason, reason);
    });
  }

  it('names the headers that the message of the spam test cannot have', async () => {
    const { status, body } = await app.call(CREATE, {
      body: { subject: 's', html: HTML, headers: { From: 'x@y.example' }, spam: {} },
    });
    assert.deepEqual([status, body.Reason], [400, 'headers.From is set by the test itself.']);
  });
});

describe('transfer_encoding', () => {
  it('is of the subject as well', async () => {
    const latin = Buffer.from('Grüße', 'latin1').toString('base64');
    const html = Buffer.from('<p>Grüße</p>', 'latin1').toString('base64');
    const { id } = await create({ subject: latin, html, transfer_encoding: 'base64', charset: 'iso-8859-1' });
    assert.equal((await get(id)).subject, 'Grüße');
    const quoted = await create({
      subject: 'Gr=C3=BC=C3=9Fe',
      html: '<p>=E2=82=AC</p>',
      transfer_encoding: 'quoted-printable',
    });
    assert.equal((await get(quoted.id)).subject, 'Grüße');
    const plain = await create({ subject: 'R3LDvMOfZQ==' });
    assert.equal((await get(plain.id)).subject, 'R3LDvMOfZQ==');
  });

  it('is of a whole message, however it is encoded', async () => {
    const mime = 'From: a@shop.example\nSubject: =4D=61=79\nContent-Type: text/html\n\n<p class=3D"x">=48ello</p>';
    const { id } = await create({ html: undefined, subject: 'May', mime, transfer_encoding: 'quoted-printable' });
    assert.equal((await app.call(`GET /v1/preview/tests/${id}/content`)).body.content.trim(), '<p class="x">Hello</p>');
  });

  const wrong: [body: object, reason: RegExp][] = [
    [{ subject: 'Grüße!', html: base64(HTML), transfer_encoding: 'base64' }, /^subject is not base64: /],
    [{ subject: '50=% off', transfer_encoding: 'quoted-printable', html: 'x' }, /^subject is not quoted-printable: /],
    [
      { html: undefined, subject: base64('May'), mime: 'Subject: no base64', transfer_encoding: 'base64' },
      /^mime is not base64: /,
    ],
  ];
  for (const [body, reason] of wrong) {
    it(`answers 400 to ${JSON.stringify(body)}`, async () => {
      const answer = await app.call(CREATE, { body: { html: HTML, ...body } });
      assert.equal(answer.status, 400);
      assert.match(answer.body.Reason, reason);
    });
  }
});

describe('a line break in what becomes a header field', () => {
  const INSPECT = '/v1/inspect';
  const wrong: [operation: string, body: object, message: RegExp][] = [
    [CREATE, { subject: 'a\r\nBcc: b@c.example', html: HTML }, /^subject must not hold a line break\.$/],
    [
      CREATE,
      { subject: base64('a\nBcc: b'), html: base64(HTML), transfer_encoding: 'base64' },
      /^subject must not hold a line break\.$/,
    ],
    ['POST /v1/preview/tests', { subject: 'a\rb', html: HTML }, /^subject must not hold a line break\.$/],
    [
      CREATE,
      { subject: 'a', html: HTML, headers: { 'X-A': 'a\r\nB: c' } },
      /^headers\.X-A has a value with line breaks/,
    ],
    [
      CREATE,
      { subject: 'a', html: HTML, headers: { 'X-A\r\nB': 'c' } },
      /^headers\.X-A B is not the name of a header field\.$/,
    ],
    [CREATE, { subject: 'a', html: HTML, headers: { 'X A': 'c' } }, /^headers\.X A is not the name/],
    [`POST ${INSPECT}/spam`, { subject: 'a\nb', html: HTML }, /^subject must not hold a line break\.$/],
    [
      `POST ${INSPECT}/spam`,
      { subject: 'a', html: HTML, from_name: 'a\nb' },
      /^from_name must not hold a line break\.$/,
    ],
    [`POST ${INSPECT}/gate`, { subject: 'a\nb', html: HTML }, /^subject must not hold a line break\.$/],
    [`POST ${INSPECT}/analyze`, { subject: 'a\nb', html: HTML }, /^subject must not hold a line break\.$/],
    [
      'POST /v4/inbox/tests',
      { from: 'a@b.example', subject: 'a\nb', html: HTML },
      /^subject must not hold a line break\.$/,
    ],
  ];
  for (const [operation, body, message] of wrong) {
    it(`is a 400 at ${operation}: ${JSON.stringify(body).slice(0, 70)}`, async () => {
      const answer = await app.call(operation, { body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, message);
    });
  }
});

describe('content', () => {
  it('gives cid addresses back as they were sent, while the pictures show their parts', async () => {
    const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
    const html = '<p>Hi</p><img src="cid:logo@x"><td background=cid:bg>';
    const image = (id: string): string[] => [
      '--b',
      'Content-Type: image/gif',
      `Content-ID: <${id}>`,
      'Content-Transfer-Encoding: base64',
      '',
      gif,
    ];
    const head = ['From: a@shop.example', 'MIME-Version: 1.0', 'Content-Type: multipart/related; boundary=b', ''];
    const mime = [
      ...head,
      '--b',
      'Content-Type: text/html',
      '',
      html,
      ...image('logo@x'),
      ...image('bg'),
      '--b--',
      '',
    ].join('\r\n');
    const { id } = await create({ html: undefined, mime });
    assert.equal((await app.call(`GET /v1/preview/tests/${id}/content`)).body.content.trim(), html);
    assert.match((await app.call(`GET /v1/preview/tests/${id}/content/inlinecss`)).body.content, /src="cid:logo@x"/);
  });
});

describe('clients', () => {
  it('are warnings when some are unknown, and a 400 when all are', async () => {
    const { warnings } = await create({ clients: ['gmail_chrome', 'netscape_4'] });
    assert.deepEqual(warnings, [{ name: 'invalid_client', message: 'Unknown client id: netscape_4' }]);
    const { status, body } = await app.call(CREATE, {
      body: { subject: 's', html: HTML, clients: ['netscape_4', 'pine'] },
    });
    const reason = 'clients names no client that exists: netscape_4, pine. GET /v1/preview/tests/clients lists them.';
    assert.deepEqual([status, body.Reason], [400, reason]);
  });
});

describe('a message that an engine cannot draw', () => {
  it('bounces with the reason, after as many tries as help', async () => {
    const { browser } = app.galley.outside;
    const { pick } = browser;
    browser.pick = (...asked) => ({
      ...pick(...asked),
      render: () =>
        Promise.reject(new RenderError('load_failed', 'The document did not load: net::ERR_INVALID_RESPONSE.')),
    });
    try {
      const { id } = await create({});
      for (;;) {
        const { bounced } = await get(id);
        if (bounced.length) break;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const { body } = await app.call(`GET /v2/preview/tests/${id}/results/gmail_chrome`);
      const { bounce_code: code, bounce_message: message } = body.gmail_chrome.status_details;
      const reason = 'The picture could not be made in 4 tries: The document did not load: net::ERR_INVALID_RESPONSE.';
      assert.deepEqual([code, message], ['554', reason]);
    } finally {
      browser.pick = pick;
    }
  });
});
