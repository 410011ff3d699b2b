// Messages of the sandbox that are asked for together: found by a search, marked as read, deleted.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const PATH = '/v1/sandbox/shop/messages';
const HOUR_MS = 3_600_000;
const LETTER = { from: 'Ann <ann@shop.example>', to: 'bob@example.net', subject: 'Order', text: 'It is on its way.' };
let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
  for (const name of ['shop', 'pile', 'other'])
    assert.equal((await app.call('POST /v1/sandbox', { body: { name } })).status, 201);
});
after(() => app.close());

async function put(fields: Record<string, unknown>, inbox = 'shop'): Promise<string> {
  const { status, body } = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body: { ...LETTER, ...fields } });
  assert.equal(status, 200, JSON.stringify(body));
  return body.sandbox_message_id;
}

async function found(search: string): Promise<string[]> {
  const { status, body } = await app.call(`GET ${PATH}?search=${encodeURIComponent(search)}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body.items.map(({ subject }: { subject: string }) => subject);
}

const unread = async (inbox = 'shop'): Promise<number> =>
  (await app.call(`GET /v1/sandbox/${inbox}`)).body.unread_count;
const mark = (body: unknown, more: object = {}) => app.call(`PUT ${PATH}`, { body, ...more });
const quoted = (date: Date): string => `"${date.toUTCString()}"`;

const PICTURE = [
  'From: shop@shop.example',
  'To: "Cy Young" <cy@example.net>',
  'Cc: dee@example.net',
  'Reply-To: help@shop.example',
  'Message-ID: <picture-1@shop.example>',
  'Subject: Picture',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=b',
  '',
  '--b',
  'Content-Type: text/html',
  '',
  '<p>Look: <img src="cid:one"></p>',
  '--b',
  'Content-Type: image/gif',
  'Content-ID: <one>',
  'Content-Disposition: inline; filename=one.gif',
  'Content-Transfer-Encoding: base64',
  '',
  'R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==',
  '--b--',
  '',
].join('\r\n');

describe('several messages of an inbox', () => {
  let order = '';
  let picture = '';
  let later: Date;

  it('are put there', async () => {
    order = await put({});
    const form = { to: 'cy@example.net, eve@example.net', message: new Blob([PICTURE]) };
    const body = new FormData();
    body.set('to', form.to);
    body.set('message', form.message, 'message.eml');
    const answer = await app.call(`POST ${PATH}`, { body });
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    picture = answer.body.sandbox_message_id;
    app.clock.advance(HOUR_MS);
    later = app.clock.now();
    await put({ subject: 'Bill for May', text: 'x'.repeat(3000), 'h:X-Tags': 'Spring Sale', from: 'pay@bank.example' });
    assert.equal(await unread(), 3);
    const { body: shown } = await app.call(`GET ${PATH}/${picture}`);
    assert.deepEqual([shown.is_read, shown.attachment_count, shown.inline_count], [false, 1, 1]);
    assert.equal(await unread(), 3, 'who reads over the API marks nothing');
  });

  const ALL = ['Bill for May', 'Picture', 'Order'];
  const SEARCHES: [string, string[]][] = [
    ['', ALL],
    ['way on', ['Order']],
    ['"on its way"', ['Order']],
    ['"way on"', []],
    ['-way', ['Bill for May', 'Picture']],
    ['!way -picture', ['Bill for May']],
    ['from:ANN', ['Order']],
    ['-from:shop', ['Bill for May']],
    ['to:cy', ['Picture']],
    ['to:eve@example', ['Picture']],
    ['cc:dee', ['Picture']],
    ['cc:cy', []],
    ['bcc:eve', ['Picture']],
    ['bcc:dee', []],
    ['reply-to:help@', ['Picture']],
    ['addressed:help', ['Picture']],
    ['addressed:bank', ['Bill for May']],
    ['message-id:picture-1', ['Picture']],
    ['subject:"for may"', ['Bill for May']],
    ['tag:"spring sale"', ['Bill for May']],
    ['tag:spring', []],
    ['is:tagged', ['Bill for May']],
    ['-is:tagged', ['Picture', 'Order']],
    ['has:inline', ['Picture']],
    ['has:attachment', []],
    ['larger:2k', ['Bill for May']],
    ['smaller:2.0KB', ['Picture', 'Order']],
    ['Subject:bill From:bank', ['Bill for May']],
    ['from: subject:', ALL],
    ['x-tags:spring', []],
    ['"x-tags: spring"', ['Bill for May']],
    ['-', ALL],
  ];
  for (const [search, subjects] of SEARCHES)
    it(`are found by ${JSON.stringify(search)}`, async () => assert.deepEqual(await found(search), subjects));

  it('are found by their time', async () => {
    assert.deepEqual(await found(`after:${later.toISOString()}`), ['Bill for May']);
    assert.deepEqual(await found(`before:${later.toISOString()}`), ['Picture', 'Order']);
    assert.deepEqual(await found(`-before:${quoted(later)}`), ['Bill for May']);
    assert.deepEqual(await found('after:2001-02-03'), ALL);
    assert.deepEqual(await found('before:2001-02-03'), []);
  });

  it('are waited for by a search', async () => {
    const waiting = app.call(`GET ${PATH}/latest?wait=60&search=${encodeURIComponent('from:dan is:unread -old')}`);
    await put({ subject: 'Another' });
    await put({ subject: 'Old', from: 'dan@shop.example' });
    const id = await put({ subject: 'Waited', from: 'dan@shop.example' });
    assert.equal((await waiting).body.subject, 'Waited');
    const { body } = await app.call(`DELETE ${PATH}?ids=${id}`);
    assert.deepEqual(body, { message: 'The messages were deleted.', count: 1 });
    assert.equal((await app.call(`DELETE ${PATH}?search=subject:another`)).body.count, 1);
    assert.equal((await app.call(`DELETE ${PATH}?search=subject:old`)).body.count, 1);
    assert.equal(await unread(), 3);
  });

  const WRONG: [string, RegExp][] = [
    ['is:new', /^search has "is:new"; what follows is: is one of read, unread, tagged\.$/],
    ['has:fun', /^search has "has:fun"; what follows has: is one of attachment, attachments, inline\.$/],
    ['is:constructor', /what follows is: is one of/],
    ['after:soon', /^search "soon" is not a time/],
    ['larger:much', /^search has "larger:much"; a size is a number, with K or M behind it\.$/],
    ['larger:5x', /a size is a number/],
    [Array.from({ length: 51 }, (_, n) => n).join(' '), /^search asks for 51 things at once; it may ask for 50\.$/],
  ];
  for (const [search, message] of WRONG)
    it(`are not found by ${search.slice(0, 20)}`, async () => {
      for (const call of [`GET ${PATH}`, `GET ${PATH}/latest`, `DELETE ${PATH}`]) {
        const { status, body } = await app.call(`${call}?search=${encodeURIComponent(search)}`);
        assert.equal(status, 400);
        assert.match(body.message, message);
      }
    });

  it('are marked as read, and found so', async () => {
    const { revision } = (await app.call('GET /v1/sandbox/shop')).body;
    assert.deepEqual((await mark({ is_read: true, ids: [order, picture, 'nobody'] })).body, { count: 2 });
    assert.deepEqual((await mark({ is_read: true, ids: [order] })).body, { count: 0 });
    const inbox = (await app.call('GET /v1/sandbox/shop')).body;
    assert.deepEqual([inbox.unread_count, inbox.message_count, inbox.revision], [1, 3, revision + 1]);
    assert.deepEqual(await found('is:unread'), ['Bill for May']);
    assert.deepEqual(await found('is:read'), ['Picture', 'Order']);
    assert.deepEqual(await found('!is:read'), ['Bill for May']);
    assert.deepEqual((await mark({ is_read: false, search: 'from:ann' })).body, { count: 1 });
    assert.equal(await unread(), 2);
    assert.equal((await app.call(`GET ${PATH}/${order}`)).body.is_read, false);
    assert.deepEqual((await mark({ is_read: true })).body, { count: 2 });
    assert.equal(await unread(), 0);
  });

  it('are counted as unread until they are deleted', async () => {
    await mark({ is_read: false });
    assert.equal((await app.call(`DELETE ${PATH}/${order}`)).status, 200);
    assert.equal(await unread(), 2);
    assert.equal((await app.call(`DELETE ${PATH}?search=is:unread+subject:picture`)).body.count, 1);
    assert.equal(await unread(), 1);
    const few = await app.call('PATCH /v1/sandbox/pile', { body: { messages_max: 2 } });
    assert.equal(few.status, 200);
    for (let n = 0; n < 4; n += 1) await put({ subject: `Pile ${n}` }, 'pile');
    assert.equal(await unread('pile'), 2);
    assert.equal((await app.call('DELETE /v1/sandbox/pile/messages')).body.count, 2);
    assert.equal(await unread('pile'), 0);
  });

  it('are none where a call names none', async () => {
    const wrong: [Promise<{ status: number; body: any }>, RegExp][] = [
      [app.call(`DELETE ${PATH}?ids=`), /^ids must name a message; without the field, all are meant\.$/],
      [app.call(`DELETE ${PATH}?ids=,`), /^ids must name a message/],
      [app.call(`DELETE ${PATH}?search=`), /^search must ask for something; without the field, all are meant\.$/],
      [app.call(`DELETE ${PATH}?search=from:`), /^search must ask for something/],
      [app.call(`DELETE ${PATH}?ids=${'a,'.repeat(101)}`), /^ids names 101 messages; at most 100 at once\.$/],
      [mark({ is_read: true, ids: [] }), /^ids must name a message/],
      [mark({ is_read: true, search: ' ' }), /^search must ask for something/],
      [mark({ is_read: true, ids: Array.from({ length: 1001 }, String) }), /ids/],
      [mark({ is_read: 'yes' }), /is_read/],
      [mark({}), /is_read/],
    ];
    for (const [call, message] of wrong) {
      const { status, body } = await call;
      assert.equal(status, 400, JSON.stringify(body));
      assert.match(body.message, message);
    }
    assert.equal(await unread(), 1);
  });

  it('belong to the account and the inbox', async () => {
    const answer = await mark({ is_read: true }, { headers: stranger });
    assert.deepEqual(
      [answer.status, answer.body],
      [404, { message: 'No sandbox inbox has the id or the name "shop".' }],
    );
    assert.equal((await app.call(`DELETE ${PATH}?search=bill`, { headers: stranger })).status, 404);
    const [bill] = (await app.call(`GET ${PATH}`)).body.items;
    const elsewhere = { is_read: true, ids: [bill.id] };
    assert.deepEqual((await app.call('PUT /v1/sandbox/other/messages', { body: elsewhere })).body, { count: 0 });
    assert.equal((await app.call(`DELETE /v1/sandbox/other/messages?ids=${bill.id}`)).body.count, 0);
    assert.equal(await unread(), 1);
  });
});
