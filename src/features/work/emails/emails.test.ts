// Emails and their versions over HTTP; nothing is tested here.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { sql } from '../../../platform/db/index.ts';
import { startApp, type App } from '../../../../test/harness/start-app.ts';
import { startWebServer, type WebServer } from '../../../../test/harness/web-server.ts';

let app: App;
let site: WebServer;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  site = await startWebServer((_request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end('<title>Page</title><p>From afar</p>');
  });
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_ALLOW_HOSTS: site.host });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-service-account-id': body.subaccount.id };
});
after(async () => {
  await app?.close();
  await site?.close();
});

const MIME =
  'From: Ann <ann@example.com>\r\nTo: ben@example.com\r\nSubject: =?utf-8?q?Gr=C3=B6=C3=9Fe?=\r\n' +
  'MIME-Version: 1.0\r\nContent-Type: text/html; charset=utf-8\r\n\r\n<p>Größe</p>\r\n';

async function made(body: object): Promise<any> {
  const answer = await app.call('POST /v1/emails', { body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body;
}

const contentOf = async ({ latest }: any): Promise<any> => (await app.call(`GET ${latest.links.content}`)).body;

function form(name: string, text: string, fields: Record<string, string> = {}): FormData {
  const body = new FormData();
  for (const [field, value] of Object.entries(fields)) body.append(field, value);
  body.append('file', new Blob([text]), name);
  return body;
}

describe('an email', () => {
  it('is made of pasted HTML with a subject, a sender and a text', async () => {
    const email = await made({
      html: '<title>Title</title><h1>Spring</h1>',
      subject: 'Spring is here',
      from: 'News <news@example.com>',
      text: 'Spring',
      folder: ' Campaigns / Spring ',
      tags: ['spring', 'spring', 'garden'],
    });
    const { id, created_at, updated_at, latest, ...rest } = email;
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.equal(created_at, updated_at);
    assert.deepEqual(rest, {
      name: 'Spring is here',
      folder: 'Campaigns/Spring',
      tags: ['spring', 'garden'],
      owner: null,
      version: 1,
      subject: 'Spring is here',
      status: { state: 'untested', errors: 0, warnings: 0 },
      review: { state: 'none', approvals: 0, change_requests: 0, open_threads: 0 },
    });
    const { sha256, created_at: _at, links, ...version } = latest;
    assert.match(sha256, /^[0-9a-f]{64}$/);
    assert.deepEqual(version, {
      number: 1,
      kind: 'html',
      origin: 'paste',
      url: null,
      subject: 'Spring is here',
      from: 'News <news@example.com>',
      size_bytes: 35,
    });
    assert.equal(links.content, `/v1/emails/${id}/versions/1/content`);
    assert.deepEqual(await contentOf(email), {
      subject: 'Spring is here',
      from: 'News <news@example.com>',
      html: '<title>Title</title><h1>Spring</h1>',
      text: 'Spring',
      headers: [],
    });
    assert.deepEqual((await app.call(`GET /v1/emails/${id}`)).body, email);
  });

  it('is made of a whole message, pasted or as a file, and gives it back byte for byte', async () => {
    const pasted = await made({ mime: MIME, name: 'Size' });
    assert.deepEqual([pasted.name, pasted.subject, pasted.latest.kind], ['Size', 'Größe', 'mime']);
    const content = await contentOf(pasted);
    assert.deepEqual(
      [content.from, content.html, content.headers[0]],
      ['Ann <ann@example.com>', '<p>Größe</p>\n', { name: 'From', value: 'Ann <ann@example.com>' }],
    );
    const { status, body: file } = await app.call('POST /v1/emails', { body: form('mail', MIME, { folder: 'In' }) });
    assert.equal(status, 201, JSON.stringify(file));
    assert.deepEqual([file.latest.kind, file.latest.origin, file.folder], ['mime', 'file', 'In']);
    assert.equal(file.latest.sha256, pasted.latest.sha256);
    const source = await app.call(`GET ${file.latest.links.source}`);
    assert.equal(source.headers.get('content-type'), 'application/octet-stream');
    assert.match(source.headers.get('content-disposition') ?? '', /^attachment; .*Gr%C3%B6%C3%9Fe\.eml$/);
    assert.equal(source.body.toString(), MIME);
  });

  it('is made of a file of HTML, which is called by its name where it has no title', async () => {
    const { status, body } = await app.call('POST /v1/emails', { body: form('april.html', '<p>Hi</p>') });
    assert.deepEqual([status, body.name, body.latest.kind], [201, 'april.html', 'html']);
  });

  it('is made of a page, a stored template with data, and a message of the sandbox', async () => {
    const url = `http://${site.host}/news`;
    const page = await made({ url });
    assert.deepEqual([page.name, page.latest.kind, page.latest.url], ['Page', 'url', url]);
    const template = { name: 'greeting', template: '<p>Dear {{name}}</p>', tag: 'v1' };
    assert.equal((await app.call('POST /v4/templates', { body: template })).status, 200);
    const filled = await made({ template: { name: 'greeting' }, data: { name: 'Ann' } });
    assert.equal((await contentOf(filled)).html, '<p>Dear Ann</p>');
    const inbox = (await app.call('POST /v1/sandbox', { body: { name: 'ci' } })).body;
    const sent = await app.call(`POST /v1/sandbox/${inbox.id}/messages`, {
      body: { from: 'a@example.com', to: 'b@example.com', subject: 'Order', html: '<p>Paid</p>' },
    });
    assert.ok(sent.status < 300, JSON.stringify(sent.body));
    const { items } = (await app.call(`GET /v1/sandbox/${inbox.id}/messages`)).body;
    const caught = await made({ sandbox: { inbox: 'ci', message: items[0].id } });
    assert.deepEqual([caught.name, caught.latest.origin, caught.latest.kind], ['Order', 'sandbox', 'mime']);
  });

  for (const [body, field] of [
    [{}, /html, mime, url, template, file, sandbox:/],
    [{ html: '<p>a</p>', mime: MIME }, /html and mime were given/],
    [{ html: ' ' }, /html/],
    [{ html: '<p>a</p>', name: ' ' }, /name/],
    [{ html: '<p>a</p>', tags: [''] }, /tags/],
    [{ html: '<p>a</p>', folder: 'a//b' }, /folder/],
    [{ html: '<p>a</p>', subject: 'a\nb' }, /subject/],
    [{ mime: MIME, subject: 'Other' }, /subject/],
    [{ url: 'ftp://example.com' }, /url/],
    [{ file: 'text' }, /file/],
    [{ template: { name: 'none' } }, /template/],
  ] as const)
    it(`is not made of ${JSON.stringify(body).slice(0, 40)}, and the field is named`, async () => {
      const answer = await app.call('POST /v1/emails', { body });
      assert.equal(answer.status, 400, JSON.stringify(answer.body));
      assert.match(answer.body.message, field);
    });

  it('is of one account, in every operation', async () => {
    const { id } = await made({ html: '<p>Mine</p>', subject: 'Mine' });
    for (const [operation, body] of [
      [`GET /v1/emails/${id}`],
      [`PATCH /v1/emails/${id}`, { name: 'Yours' }],
      [`DELETE /v1/emails/${id}`],
      [`GET /v1/emails/${id}/versions`],
      [`POST /v1/emails/${id}/versions`, { html: '<p>Yours</p>' }],
      [`GET /v1/emails/${id}/versions/1`],
      [`GET /v1/emails/${id}/versions/1/content`],
      [`GET /v1/emails/${id}/versions/1/source`],
      [`GET /v1/emails/${id}/versions/1/tests`],
      [`POST /v1/emails/${id}/versions/1/tests`, { tests: ['links'] }],
    ] as [string, object?][])
      assert.equal((await app.call(operation, { headers: stranger, ...(body && { body }) })).status, 404, operation);
    const theirs = await app.call('GET /v1/emails', { headers: stranger });
    assert.deepEqual([theirs.body.items, theirs.body.total], [[], 0]);
  });

  it('is listed by folder, tag, words and owner, sorted, page by page, and filed anew', async () => {
    const headers = {
      'x-service-account-id': (await app.call('POST /v5/accounts/subaccounts?name=Lists')).body.subaccount.id,
    };
    const add = async (name: string, more: object): Promise<string> => {
      app.clock.advance(1000);
      const body = { html: '<p>a</p>', subject: `About ${name}`, name, ...more };
      return (await app.call('POST /v1/emails', { headers, body })).body.id;
    };
    const list = async (query: string): Promise<any> => (await app.call(`GET /v1/emails${query}`, { headers })).body;
    const names = async (query: string): Promise<string[]> => (await list(query)).items.map(({ name }: any) => name);
    await add('Bee', { folder: 'Insects', tags: ['a_b'] });
    const ant = await add('Ant', { folder: 'Insects', tags: ['axb', 'small'] });
    await add('Cow', {});
    assert.deepEqual(await names(''), ['Cow', 'Ant', 'Bee']);
    assert.deepEqual(await names('?sort=name'), ['Ant', 'Bee', 'Cow']);
    assert.deepEqual(await names('?sort=created&order=asc'), ['Bee', 'Ant', 'Cow']);
    assert.deepEqual(await names('?folder=Insects'), ['Ant', 'Bee']);
    assert.deepEqual(await names('?folder='), ['Cow']);
    assert.deepEqual(await names('?tag=a_b'), ['Bee']);
    assert.deepEqual(await names('?search=about%20b'), ['Bee']);
    assert.deepEqual(await names('?owner=me'), []);
    const page = await list('?limit=1&sort=name');
    assert.deepEqual([page.items.length, page.total], [1, 3]);
    const next = await app.call(`GET ${page.paging.next}`, { headers });
    assert.equal(next.body.items[0].name, 'Bee');
    app.clock.advance(1000);
    const changed = await app.call(`PATCH /v1/emails/${ant}`, { headers, body: { name: 'Aunt', tags: ['kin'] } });
    assert.deepEqual([changed.body.name, changed.body.folder, changed.body.tags], ['Aunt', 'Insects', ['kin']]);
    assert.deepEqual(await names(''), ['Aunt', 'Cow', 'Bee']);
    assert.deepEqual((await app.call('GET /v1/emails/labels', { headers })).body, {
      folders: [{ name: 'Insects', count: 2 }],
      tags: [
        { name: 'a_b', count: 1 },
        { name: 'kin', count: 1 },
      ],
    });
    assert.equal((await app.call('GET /v1/emails?sort=size', { headers })).status, 400);
  });
});

describe('versions of an email', () => {
  it('are added by the same ways; what says the same makes none', async () => {
    const { id } = await made({ html: '<p>One</p>', subject: 'S' });
    const add = (body: object) => app.call(`POST /v1/emails/${id}/versions`, { body });
    const same = await add({ html: '<p>One</p>', subject: 'S' });
    assert.deepEqual([same.status, same.body.number, same.body.is_new], [201, 1, false]);
    app.clock.advance(1000);
    const second = await add({ html: '<p>One</p>', subject: 'Other subject' });
    assert.deepEqual([second.body.number, second.body.is_new], [2, true]);
    const third = await app.call(`POST /v1/emails/${id}/versions`, { body: form('a.eml', MIME) });
    assert.deepEqual([third.body.number, third.body.kind, third.body.subject], [3, 'mime', 'Größe']);
    const [first, again] = await Promise.all([add({ html: '<p>Four</p>' }), add({ html: '<p>Four</p>' })]);
    assert.deepEqual([first.body.number, again.body.number], [4, 4]);
    assert.deepEqual([first.body.is_new, again.body.is_new].toSorted(), [false, true]);
    const { items, total, paging } = (await app.call(`GET /v1/emails/${id}/versions?limit=3`)).body;
    assert.deepEqual([items.map(({ number }: any) => number), total], [[4, 3, 2], 4]);
    assert.equal((await app.call(`GET ${paging.next}`)).body.items[0].number, 1);
    const { version, subject, latest } = (await app.call(`GET /v1/emails/${id}`)).body;
    assert.deepEqual([version, subject, latest.number], [4, '', 4]);
    assert.equal((await app.call(`GET /v1/emails/${id}/versions/latest`)).body.number, 4);
    assert.equal((await app.call(`GET /v1/emails/${id}/versions/1/content`)).body.html, '<p>One</p>');
    for (const number of ['5', '0', '1.5', 'first', '9999999999'])
      assert.equal((await app.call(`GET /v1/emails/${id}/versions/${number}`)).status, 404, number);
  });

  it('start tests that are listed with their states and addresses, and stay when the email goes', async () => {
    const { id } = await made({ html: '<p><a href="mailto:a@example.com">Hi</a><img src="x.png"></p>', subject: 'Hi' });
    const path = `/v1/emails/${id}/versions/1/tests`;
    const body = { tests: ['links', 'code', 'placement'] };
    const { status, body: answer } = await app.call(`POST ${path}`, { body });
    assert.equal(status, 201, JSON.stringify(answer));
    assert.deepEqual(
      answer.items.map(({ kind }: any) => kind),
      ['links', 'code'],
    );
    assert.equal(answer.refused[0].kind, 'placement');
    assert.match(answer.refused[0].message, /^from /);
    const alone = await app.call(`POST ${path}`, { body: { tests: ['placement'] } });
    assert.deepEqual([alone.status, alone.body.message], [400, answer.refused[0].message]);
    const links = answer.items[0];
    assert.deepEqual(links.links, { self: `/v1/inspect/links/${links.id}`, page: null });
    await app.idle();
    const { items } = (await app.call(`GET ${path}`)).body;
    assert.deepEqual(items.map(({ kind, state }: any) => `${kind} ${state}`).toSorted(), [
      'code complete',
      'links complete',
    ]);
    const code = items.find(({ kind }: any) => kind === 'code');
    assert.ok(code.errors + code.warnings > 0);
    const { status: said } = (await app.call(`GET /v1/emails/${id}`)).body;
    assert.equal(said.state, 'tested');
    assert.deepEqual(
      [said.errors, said.warnings],
      ['errors', 'warnings'].map((what) => items.reduce((sum: number, test: any) => sum + test[what], 0)),
    );
    await app.call(`DELETE ${code.links.self}`);
    assert.equal((await app.call(`GET ${path}`)).body.items.length, 1);
    assert.equal((await app.call(`POST ${path}`, { body: { tests: ['smell'] } })).status, 400);
    assert.equal((await app.call(`DELETE /v1/emails/${id}`)).status, 200);
    for (const gone of [`/v1/emails/${id}`, path]) assert.equal((await app.call(`GET ${gone}`)).status, 404);
    await app.idle();
    assert.equal((await app.call(`GET ${links.links.self}`)).status, 200);
    // The bytes are held by the test alone, and go with it.
    const held = () => app.galley.outside.db.rows(sql`select 1 from message_uses where holder = ${`emails/${id}`}`);
    assert.deepEqual(await held(), []);
  });

  it('are bounded for an account', async () => {
    const small = await startApp({ GALLEY_ROLES: 'api', GALLEY_QUOTAS: 'emails=1,emailVersions=2' });
    try {
      const email = await small.call('POST /v1/emails', { body: { html: '<p>a</p>' } });
      const refused = await small.call('POST /v1/emails', { body: { html: '<p>b</p>' } });
      assert.deepEqual(
        [refused.status, refused.body.message],
        [429, 'This account has 1 emails, which is as many as it may have; delete some first.'],
      );
      const add = (html: string) => small.call(`POST /v1/emails/${email.body.id}/versions`, { body: { html } });
      assert.deepEqual([(await add('<p>b</p>')).status, (await add('<p>c</p>')).status], [201, 429]);
    } finally {
      await small.close();
    }
  });
});
