// Inboxes of the sandbox and their messages, over HTTP.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

const DAY_MS = 86_400_000;
const LETTER = {
  from: 'Ann <ann@shop.example>',
  to: 'bob@example.net',
  subject: 'Your order',
  text: 'It is on its way.',
};

let app: App;
/** The headers of another account. */
let stranger: Record<string, string>;

before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work', GALLEY_QUOTAS: 'inboxes=20' });
  const { body } = await app.call('POST /v5/accounts/subaccounts', { body: { name: 'Stranger' } });
  stranger = { 'x-mailgun-on-behalf-of': body.subaccount.id };
});
after(() => app.close());

async function newInbox(name: string, more: object = {}): Promise<any> {
  const { status, body } = await app.call('POST /v1/sandbox', { body: { name, ...more } });
  assert.equal(status, 201, JSON.stringify(body));
  return body;
}

async function put(inbox: string, body: unknown = LETTER): Promise<string> {
  const answer = await app.call(`POST /v1/sandbox/${inbox}/messages`, { body });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body.sandbox_message_id;
}

const list = async (inbox: string, query = ''): Promise<any> =>
  (await app.call(`GET /v1/sandbox/${inbox}/messages${query}`)).body;

describe('inboxes of the sandbox', () => {
  it('are created with a login that is shown once, listed, changed and deleted', async () => {
    const {
      id,
      smtp_user: user,
      smtp_password: password,
      created_at: at,
      updated_at,
      ...rest
    } = await newInbox('shop');
    assert.match(id, /^[0-9a-f]{24}$/);
    assert.match(user, /^sandbox-[0-9a-f]{16}$/);
    assert.match(password, /^[\w-]{32}$/);
    assert.equal(at, updated_at);
    assert.deepEqual(rest, {
      name: 'shop',
      messages_max: 1000,
      retention_days: 14,
      checks: [],
      checks_per_hour: 60,
      webhook_url: null,
      forward: null,
      tag_rules: [],
      chaos: null,
      message_count: 0,
      unread_count: 0,
      size_bytes: 0,
      size_bytes_max: 536_870_912,
      revision: 0,
      dropped_count: 0,
      dropped_at: null,
    });
    const shown = await app.call('GET /v1/sandbox/shop');
    assert.equal(shown.body.smtp_password, undefined);
    assert.deepEqual((await app.call(`GET /v1/sandbox/${id}`)).body, shown.body);
    app.clock.advance(1000);
    await newInbox('billing', { messages_max: 5, retention_days: 2 });
    const page = await app.call('GET /v1/sandbox?limit=1');
    assert.deepEqual([page.body.items[0].name, page.body.total], ['billing', 2]);
    assert.deepEqual((await app.call(`GET ${page.body.paging.next}`)).body.items, [shown.body]);
    const changed = await app.call('PATCH /v1/sandbox/billing', { body: { name: 'bills', messages_max: 7 } });
    assert.deepEqual([changed.body.name, changed.body.messages_max, changed.body.retention_days], ['bills', 7, 2]);
    const replaced = await app.call('POST /v1/sandbox/shop/password');
    assert.equal(replaced.status, 200);
    assert.notEqual(replaced.body.smtp_password, password);
    assert.equal(replaced.body.smtp_user, user);
    assert.equal((await app.call('DELETE /v1/sandbox/bills')).status, 200);
    assert.deepEqual((await app.call('GET /v1/sandbox/bills')).body, {
      message: 'No sandbox inbox has the id or the name "bills".',
    });
    assert.equal((await app.call('DELETE /v1/sandbox/shop')).status, 200);
  });

  it('have names that no other inbox of the account has', async () => {
    await newInbox('one');
    await newInbox('other');
    const again = await app.call('POST /v1/sandbox', { body: { name: 'one' } });
    assert.deepEqual(
      [again.status, again.body.message],
      [409, 'This account has an inbox with the name "one" already.'],
    );
    assert.equal((await app.call('PATCH /v1/sandbox/other', { body: { name: 'one' } })).status, 409);
    const theirs = await app.call('POST /v1/sandbox', { body: { name: 'one' }, headers: stranger });
    assert.equal(theirs.status, 201);
    await app.call('DELETE /v1/sandbox/one', { headers: stranger });
    await app.call('DELETE /v1/sandbox/one');
    await app.call('DELETE /v1/sandbox/other');
  });

  const wrong: [object, RegExp][] = [
    [{}, /name/],
    [{ name: '' }, /name/],
    [{ name: 'Shop' }, /name/],
    [{ name: 'a'.repeat(61) }, /name/],
    [{ name: '0123456789abcdef01234567' }, /name .*form of an id/],
    [{ name: 'a', messages_max: 0 }, /messages_max/],
    [{ name: 'a', messages_max: 5001 }, /messages_max/],
    [{ name: 'a', retention_days: 91 }, /retention_days/],
  ];
  for (const [body, message] of wrong)
    it(`refuse ${JSON.stringify(body).slice(0, 60)} and name the field`, async () => {
      const answer = await app.call('POST /v1/sandbox', { body });
      assert.equal(answer.status, 400);
      assert.match(answer.body.message, message);
    });

  it('are as many as the quota says', async () => {
    for (let n = 0; n < 20; n += 1) await newInbox(`many-${n}`);
    const answer = await app.call('POST /v1/sandbox', { body: { name: 'too-many' } });
    assert.deepEqual(
      [answer.status, answer.body.message],
      [429, 'This account has 20 sandbox inboxes, which is as many as it may have; delete some first.'],
    );
    for (let n = 0; n < 20; n += 1) await app.call(`DELETE /v1/sandbox/many-${n}`);
  });
});

describe('messages that come by HTTP', () => {
  before(() => newInbox('http'));
  after(() => app.call('DELETE /v1/sandbox/http'));

  it('are kept as they would be sent, and read back', async () => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ ...LETTER, bcc: 'secret@example.net', 'h:X-Order': '17' }))
      form.append(field, value);
    form.append('html', '<h1>On its way</h1><script>alert(1)</script><img src="cid:logo.png">');
    form.append('attachment', new Blob(['<script>alert(1)</script>'], { type: 'text/html' }), 'bill ü.html');
    form.append('inline', new Blob([new Uint8Array([137, 80, 78, 71])], { type: 'image/png' }), 'logo.png');
    const sent = await app.call('POST /v1/sandbox/http/messages', { body: form });
    assert.deepEqual([sent.status, sent.body.message], [200, 'Kept in the sandbox, and delivered to nobody.']);
    const id = sent.body.sandbox_message_id;
    const { status, body } = await app.call(`GET /v1/sandbox/http/messages/${id}`);
    assert.equal(status, 200);
    const { headers, attachments, source_url: source, html_url: html, html: written, ...message } = body;
    assert.match(message.received_at, /^\d{4}-.*Z$/);
    assert.equal(Date.parse(message.expires_at) - Date.parse(message.received_at), 14 * DAY_MS);
    assert.deepEqual(
      { ...message, received_at: '', expires_at: '', size_bytes: 0, remote_address: '' },
      {
        id,
        number: 1,
        from: 'Ann <ann@shop.example>',
        to: 'bob@example.net',
        subject: 'Your order',
        excerpt: 'It is on its way.',
        mail_from: 'ann@shop.example',
        recipients: ['bob@example.net', 'secret@example.net'],
        size_bytes: 0,
        attachment_count: 2,
        inline_count: 1,
        is_read: false,
        webhook: null,
        forward: null,
        checks: [],
        tags: [],
        method: 'HTTP',
        remote_address: '',
        received_at: '',
        expires_at: '',
        text: 'It is on its way.',
        problems: [],
      },
    );
    assert.match(written, /<h1>On its way<\/h1>/);
    const valueOf = (name: string) => headers.find((one: any) => one.name === name)?.value;
    assert.deepEqual([valueOf('X-Order'), valueOf('Message-ID') ?? valueOf('Message-Id')], ['17', sent.body.id]);
    assert.deepEqual(
      attachments
        .map(({ url: _url, size_bytes: _size, ...one }: any) => one)
        .sort((a: any, b: any) => (a.name < b.name ? -1 : 1)),
      [
        {
          number: attachments.findIndex((one: any) => one.name === 'bill ü.html'),
          name: 'bill ü.html',
          content_type: 'text/html',
          content_id: '',
          thumbnail_url: null,
        },
        {
          number: attachments.findIndex((one: any) => one.name === 'logo.png'),
          name: 'logo.png',
          content_type: 'image/png',
          content_id: 'logo.png',
          thumbnail_url: `${attachments.find((one: any) => one.name === 'logo.png').url}/thumbnail`,
        },
      ],
    );
    const file = await app.call(`GET ${attachments.find((one: any) => one.name === 'bill ü.html').url}`);
    assert.deepEqual(
      [
        file.headers.get('content-type'),
        file.headers.get('content-disposition'),
        file.headers.get('x-content-type-options'),
      ],
      ['application/octet-stream', "attachment; filename*=UTF-8''bill%20%C3%BC.html", 'nosniff'],
    );
    assert.equal(file.body.toString(), '<script>alert(1)</script>');
    const shown = await app.call(`GET ${html}`);
    assert.match(shown.headers.get('content-security-policy') ?? '', /^sandbox; default-src 'none';/);
    assert.match(shown.body, /<img src="data:image\/png;base64,iVBORw==">/);
    const raw = await app.call(`GET ${source}`);
    assert.equal(raw.headers.get('content-disposition'), `attachment; filename*=UTF-8''${id}.eml`);
    assert.match(raw.body.toString(), /^X-Order: 17\r$/m);
    assert.equal(raw.body.length, message.size_bytes);
    assert.doesNotMatch(raw.body.toString(), /secret@example\.net/);
  });

  it('may be whole, and are kept byte for byte', async () => {
    const raw =
      'From: root@localhost.example\r\nTo: dev@example.net\r\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\r\n\r\nHi\r\n';
    const id = await put('http', { to: 'dev@example.net', message: raw });
    const { body } = await app.call(`GET /v1/sandbox/http/messages/${id}/source`);
    assert.equal(body.toString(), raw);
    const message = (await app.call(`GET /v1/sandbox/http/messages/${id}`)).body;
    assert.deepEqual(
      [message.subject, message.text?.trim(), message.html, message.html_url],
      ['Grüße', 'Hi', null, null],
    );
    const html = await app.call(`GET /v1/sandbox/http/messages/${id}/html`);
    assert.deepEqual([html.status, html.body.message], [404, 'The message has no HTML.']);
    const file = await app.call(`GET /v1/sandbox/http/messages/${id}/attachments/0`);
    assert.deepEqual([file.status, file.body.message], [404, 'The message has no file with the number 0.']);
  });

  for (const [body, message] of [
    [{ ...LETTER, from: undefined }, 'from parameter is missing'],
    [{ ...LETTER, to: 'nobody' }, /to parameter is not a valid address/],
    [{ ...LETTER, frm: 'a@b.example' }, /frm is not known here/],
    [{ ...LETTER, text: undefined }, /Need at least one of 'text'/],
    [{ to: 'dev@example.net', message: 'no header' }, /message has no From field/],
  ] as const)
    it(`are refused as sending refuses them: ${String(message)}`, async () => {
      const answer = await app.call('POST /v1/sandbox/http/messages', { body });
      assert.equal(answer.status, 400);
      if (typeof message === 'string') assert.equal(answer.body.message, message);
      else assert.match(answer.body.message, message);
    });
});

describe('messages of an inbox', () => {
  before(async () => {
    await newInbox('found');
    await put('found', { ...LETTER, 'h:X-Order': '17', cc: 'Carl <carl@example.net>' });
    app.clock.advance(60_000);
    await put('found', {
      ...LETTER,
      to: 'Eve@Example.NET',
      subject: 'Welcome',
      text: undefined,
      html: '<p>Rarely <b>seen</b></p>',
    });
  });
  after(() => app.call('DELETE /v1/sandbox/found'));

  for (const [query, subjects] of [
    ['', ['Welcome', 'Your order']],
    ['?to=eve@example.net', ['Welcome']],
    ['?to=carl@example.net', ['Your order']],
    ['?to=arl@example.net', []],
    ['?from=SHOP.example&subject=order', ['Your order']],
    ['?text=rarely%20seen', ['Welcome']],
    ['?header=x-order:%2017', ['Your order']],
    ['?search=CARL', ['Your order']],
    ['?search=on+its+way', ['Your order']],
    ['?after=1', ['Welcome']],
    ['?search=100%25', []],
    ['?limit=1&skip=1', ['Your order']],
  ] as const)
    it(`are found by ${query === '' ? 'nothing' : query}`, async () => {
      const { items } = await list('found', query);
      assert.deepEqual(
        items.map(({ subject }: any) => subject),
        subjects,
      );
    });

  it('are found by time, page by page', async () => {
    const { items } = await list('found');
    const since = encodeURIComponent(items[0].received_at);
    assert.deepEqual((await list('found', `?since=${since}`)).total, 1);
    const first = await list('found', '?limit=1&from=shop.example');
    assert.deepEqual([first.total, first.items[0].subject], [2, 'Welcome']);
    assert.equal((await app.call(`GET ${first.paging.next}`)).body.items[0].subject, 'Your order');
    const wrong = await app.call('GET /v1/sandbox/found/messages?since=soon');
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.message, /since "soon" is not a time/);
  });

  it('are of one account: another one sees nothing, and changes nothing', async () => {
    const { id } = (await list('found')).items[0];
    const { id: inbox } = (await app.call('GET /v1/sandbox/found')).body;
    const paths = [
      ...['GET', 'DELETE'].flatMap((method) => [`${method} `, `${method} /messages`, `${method} /messages/${id}`]),
      ...['/messages/latest', `/messages/${id}/source`, `/messages/${id}/html`].map((path) => `GET ${path}`),
      ...['', '/thumbnail'].map((path) => `GET /messages/${id}/attachments/0${path}`),
      'PATCH ',
      'POST /password',
      'POST /messages',
    ];
    for (const one of paths) {
      const [method, path] = one.split(' ');
      const body =
        method === 'PATCH' ? { name: 'mine' } : path === '/messages' && method === 'POST' ? LETTER : undefined;
      const answer = await app.call(`${method} /v1/sandbox/${inbox}${path}`, {
        headers: stranger,
        ...(body && { body }),
      });
      assert.deepEqual(
        [one, answer.status, answer.body.message],
        [one, 404, `No sandbox inbox has the id or the name "${inbox}".`],
      );
    }
    assert.deepEqual((await app.call('GET /v1/sandbox', { headers: stranger })).body.items, []);
    assert.equal((await list('found')).total, 2);
  });

  it('are deleted one by one, and all', async () => {
    await newInbox('emptied');
    await newInbox('beside');
    const [first] = [await put('emptied'), await put('emptied'), await put('emptied')];
    const other = await put('beside');
    assert.equal((await app.call(`DELETE /v1/sandbox/beside/messages/${first}`)).status, 404);
    assert.equal((await app.call(`DELETE /v1/sandbox/emptied/messages/${first}`)).status, 200);
    const again = await app.call(`DELETE /v1/sandbox/emptied/messages/${first}`);
    assert.deepEqual([again.status, again.body.message], [404, `No message of this inbox has the id "${first}".`]);
    assert.equal((await app.call('GET /v1/sandbox/emptied')).body.message_count, 2);
    assert.deepEqual((await app.call('DELETE /v1/sandbox/emptied/messages')).body, {
      message: 'The messages were deleted.',
      count: 2,
    });
    const { message_count: count, size_bytes: bytes } = (await app.call('GET /v1/sandbox/emptied')).body;
    assert.deepEqual([count, bytes], [0, 0]);
    assert.equal((await app.call(`GET /v1/sandbox/beside/messages/${other}`)).status, 200);
    await app.call('DELETE /v1/sandbox/emptied');
    await app.call('DELETE /v1/sandbox/beside');
  });

  it('make room for newer ones, which the inbox says', async () => {
    await newInbox('small', { messages_max: 2 });
    for (const subject of ['1', '2', '3', '4']) await put('small', { ...LETTER, subject });
    const { items } = await list('small');
    assert.deepEqual(
      items.map(({ subject }: any) => subject),
      ['4', '3'],
    );
    const {
      dropped_count: dropped,
      dropped_at: at,
      message_count: count,
    } = (await app.call('GET /v1/sandbox/small')).body;
    assert.deepEqual([dropped, count, Date.parse(at) > 0], [2, 2, true]);
    await app.call('DELETE /v1/sandbox/small');
  });

  it('go after their days, with their bytes', async () => {
    await newInbox('brief', { retention_days: 1 });
    await put('brief', { ...LETTER, text: 'Kept for a day, and for no other message.' });
    const bytes = async (): Promise<number> => {
      const { rows } = await app.galley.outside.db.text('select count(*)::int as count from message_uses');
      return (rows[0] as { count: number }).count;
    };
    // What earlier tests deleted is let go of by jobs.
    await app.idle();
    const before = await bytes();
    app.clock.advance(DAY_MS + 1000);
    const { expire } = await import('./retention.ts');
    await expire.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
    await app.idle();
    assert.deepEqual([(await list('brief')).total, before - (await bytes())], [0, 1]);
    const { message_count: count, size_bytes: size } = (await app.call('GET /v1/sandbox/brief')).body;
    assert.deepEqual([count, size], [0, 0]);
    await app.call('DELETE /v1/sandbox/brief');
  });
});
