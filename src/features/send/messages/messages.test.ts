// The sending API over HTTP: what is accepted, what is refused and why, and what then can be read back.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { startApp, type App } from '../../../../test/harness/start-app.ts';

let app: App;
let stranger = '';
const DOMAIN = 'news.example.com';
before(async () => {
  app = await startApp({ GALLEY_ROLES: 'api,work' });
  await app.call('POST /v4/domains', { body: { name: DOMAIN } });
  const { body } = await app.call('POST /v5/accounts/subaccounts?name=Other');
  stranger = body.subaccount.id;
});
after(() => app.close());

type Fields = Record<string, string | string[] | Blob | [Blob, string][]>;

function formOf(fields: Fields): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? value : [value]) {
      if (Array.isArray(one)) form.append(name, one[0] as Blob, one[1] as string);
      else form.append(name, one as string);
    }
  return form;
}

interface Sent {
  status: number;
  body: any;
  headers: Headers;
}

async function send(
  fields: Fields,
  {
    path = `/v3/${DOMAIN}/messages`,
    headers = {},
    encoded = false,
    key = app.key,
  }: { path?: string; headers?: Record<string, string>; encoded?: boolean; key?: string } = {},
): Promise<Sent> {
  const pairs = Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );
  const response = await fetch(app.url + path, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`api:${key}`)}`, ...headers },
    body: encoded ? new URLSearchParams(pairs) : formOf(fields),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, body: isJson ? JSON.parse(text) : text, headers: response.headers };
}

const LETTER = { from: 'Ann <ann@news.example.com>', to: 'bob@example.net', subject: 'Hello', text: 'Hello Bob' };

interface StoredRow {
  key: string;
  recipients: string[];
  options: Record<string, unknown>;
  tags: string[];
  user_variables: Record<string, unknown>;
  size_bytes: number;
}

async function lastMessage(): Promise<StoredRow> {
  const { rows } = await app.galley.outside.db.text('select * from sent_messages order by id desc limit 1');
  return rows[0] as StoredRow;
}

async function count(table: string): Promise<number> {
  const { rows } = await app.galley.outside.db.text(`select count(*)::int as count from ${table}`);
  return (rows[0] as { count: number }).count;
}

describe('POST /v3/{domain}/messages', () => {
  for (const encoded of [false, true])
    it(`takes a message, ${encoded ? 'urlencoded' : 'multipart'}`, async () => {
      const { status, body } = await send(LETTER, { encoded });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ['id', 'message']);
      assert.match(body.id, /^<[^<>\s]+@news\.example\.com>$/);
      assert.equal(body.message, 'Queued. Thank you.');
    });

  it('takes JSON, too', async () =>
    assert.equal((await app.call(`POST /v3/${DOMAIN}/messages`, { body: LETTER })).status, 200));

  it('keeps options, tags and variables', async () => {
    const { status } = await send({
      ...LETTER,
      cc: 'Carl <carl@example.net>, "Doe, D" <d@example.net>',
      bcc: 'eve@example.net',
      'o:tag': ['spring', 'News', 'news'],
      'o:dkim': 'no',
      'o:tracking': 'htmlonly',
      'o:tracking-clicks': 'yes',
      'o:tracking-opens': 'false',
      'o:tracking-pixel-location-top': 'yes',
      'o:require-tls': 'true',
      'o:skip-verification': 'no',
      'o:testmode': 'yes',
      'o:deliver-within': '1h30m',
      'o:suppress-headers': 'X-One, X-Two',
      'o:campaign': 'autumn',
      'v:order': '17',
      'h:X-Mailgun-Variables': '{"deep": {"a": 1}}',
      'h:Reply-To': 'answers@example.com',
      'h:Message-Id': '<own@example.com>',
    });
    assert.equal(status, 200);
    const row = await lastMessage();
    assert.deepEqual(row.recipients, ['bob@example.net', 'carl@example.net', 'd@example.net', 'eve@example.net']);
    assert.deepEqual(row.tags, ['spring', 'News']);
    assert.deepEqual(row.user_variables, { order: '17', deep: { a: 1 } });
    assert.deepEqual(row.options, {
      dkim: false,
      tracking: 'htmlonly',
      trackingClicks: true,
      trackingOpens: false,
      isPixelAtTop: true,
      requireTls: true,
      skipVerification: false,
      suppressHeaders: ['X-One', 'X-Two'],
      deliverWithinSeconds: 5400,
      isTest: true,
      campaigns: ['autumn'],
    });
  });

  it('takes a thousand recipients as fields of their own, each once', async () => {
    const to = Array.from({ length: 1000 }, (_, place) => `Reader ${place} <r${place}@example.net>`);
    const before = await count('deliveries');
    const { status } = await send({ ...LETTER, to, 'recipient-variables': '{"R7@example.net": {"name": "Seven"}}' });
    assert.equal(status, 200);
    assert.equal((await count('deliveries')) - before, 1000);
    const { rows } = await app.galley.outside.db.text(
      `select variables from deliveries where recipient = 'r7@example.net'`,
    );
    assert.deepEqual(rows, [{ variables: { name: 'Seven' } }]);
    assert.equal((await send({ ...LETTER, to: ['same@example.net', 'SAME@example.net'] })).status, 200);
    assert.deepEqual((await lastMessage()).recipients, ['same@example.net']);
  });

  it('keeps 20 MB of attachments, and gives them back', async () => {
    const bytes = Buffer.alloc(20 * 1024 * 1024, 'galley');
    const { status } = await send({
      ...LETTER,
      html: '<img src="cid:logo.png">',
      attachment: [[new Blob([bytes], { type: 'application/pdf' }), 'bericht ü.pdf']],
      inline: [[new Blob(['png'], { type: 'image/png' }), 'logo.png']],
    });
    assert.equal(status, 200);
    const { key } = await lastMessage();
    const url = `/v3/domains/${DOMAIN}/messages/${key}`;
    const file = await app.call(`GET ${url}/attachments/0`);
    assert.equal(file.headers.get('content-type'), 'application/octet-stream');
    assert.ok(bytes.equals(file.body));
    assert.equal((await app.call(`GET ${url}/attachments/2`)).status, 404);
  });

  it('refuses more than 25 MB', async () => {
    const { status, body } = await send({ ...LETTER, attachment: [[new Blob([Buffer.alloc(26 * 1024 * 1024)]), 'a']] });
    assert.deepEqual([status, body], [413, { message: 'The request body is larger than this endpoint accepts.' }]);
  });

  it('refuses more fields than it reads, and says so', async () => {
    for (const encoded of [false, true]) {
      const to = Array.from({ length: 3001 }, (_, place) => `r${place}@example.net`);
      const { status, body } = await send({ ...LETTER, to }, { encoded });
      assert.equal(status, 413);
      assert.match(body.message, /3000 fields and 200 files/);
    }
  });

  const wrong: [what: string, fields: Fields, message: RegExp][] = [
    ['no from', { from: '' }, /^from parameter is missing$/],
    ['two senders', { from: 'a@b.example, c@d.example' }, /^from parameter must be one address$/],
    ['a sender that is none', { from: 'Ann' }, /^from parameter is not a valid address\. .*"Ann" is none$/],
    ['no recipient', { to: '' }, /^to parameter is missing$/],
    [
      'one wrong recipient of three',
      { to: ['a@b.example, nobody', 'c@d.example'] },
      /^to parameter is not a valid address\. please check documentation: "nobody" is none$/,
    ],
    ['a wrong copy', { cc: 'x@' }, /^cc parameter is not a valid address/],
    ['a line break in an address', { to: 'a@b.example\r\nBcc: c@d.example' }, /^to parameter is not a valid address/],
    ['no text', { text: '' }, /^Need at least one of 'text', 'html', 'amp-html' or 'template' parameters specified$/],
    ['two lines of subject', { subject: 'a\r\nBcc: x@y.example' }, /^subject must be one line/],
    [
      '1,001 recipients',
      { to: Array.from({ length: 1001 }, (_, place) => `r${place}@example.net`) },
      /^to, cc and bcc name 1001 recipients; one call may name 1000\.$/,
    ],
    ['a template', { template: 'welcome' }, /^template: There is no template named "welcome"\.$/],
    ['an unknown option', { 'o:trakking': 'yes' }, /^o:trakking is not known here; valid options are o:tag, /],
    ['an unknown field', { attachmnt: 'x' }, /^attachmnt is not known here; valid are from, to, /],
    ['an unknown address to send from', { 'o:sending-ip': '192.0.2.1' }, /^o:sending-ip "192\.0\.2\.1" is not known/],
    ['an unknown pool', { 'o:sending-ip-pool': 'p' }, /^o:sending-ip-pool "p" is not known/],
    ['a time that is none', { 'o:deliverytime': 'tomorrow' }, /^o:deliverytime must be a date as in RFC 2822/],
    ['a time too far', { 'o:deliverytime': '4000000000' }, /^o:deliverytime is more than 7 days ahead/],
    ['a short time', { 'o:deliver-within': '4m' }, /^o:deliver-within must be from 5m to 24h/],
    ['a long time', { 'o:deliver-within': '24h1m' }, /^o:deliver-within must be from 5m to 24h/],
    ['a time without a unit', { 'o:deliver-within': '10' }, /^o:deliver-within must be/],
    ['a flag that is none', { 'o:dkim': 'maybe' }, /^o:dkim must be one of yes, no, true, false\.$/],
    ['tracking that is none', { 'o:tracking': 'maybe' }, /^o:tracking must be one of yes, no, true, false, htmlonly/],
    ['testmode perhaps', { 'o:testmode': 'perhaps' }, /^o:testmode must be one of yes, no, true, false/],
    ['a key that is none', { 'o:secondary-dkim': 'example.com' }, /^o:secondary-dkim must be a domain and a selector/],
    [
      'a key of nobody',
      { 'o:secondary-dkim': 'other.example/s1' },
      /^o:secondary-dkim: this account has no key other\.example\/s1\.$/,
    ],
    ['a public name without a key', { 'o:secondary-dkim-public': 'a.example/s' }, /needs o:secondary-dkim/],
    ['a time of day that is none', { 'o:time-zone-localize': '24:00' }, /^o:time-zone-localize must be a time of day/],
    ['a half of no day', { 'o:time-zone-localize': '13:00PM' }, /^o:time-zone-localize must be a time of day/],
    [
      'an optimized time',
      { 'o:deliverytime-optimize-period': '2h' },
      /^o:deliverytime-optimize-period must be hours from 24h to 72h/,
    ],
    ['a copy to an address', { 'o:archive-to': 'ann@a.example' }, /^o:archive-to: ann@a.example is not a valid url/],
    ['a field name that is none', { 'o:suppress-headers': 'X One' }, /^o:suppress-headers must be all, or names/],
    ['a long tag', { 'o:tag': 'x'.repeat(129) }, /^o:tag must be at most 128 printable ASCII/],
    ['a tag of another script', { 'o:tag': 'été' }, /^o:tag must be/],
    ['eleven tags', { 'o:tag': Array.from({ length: 11 }, (_, n) => `t${n}`) }, /^o:tag is given 11 times/],
    ['much in variables', { 'v:a': 'x'.repeat(16_400) }, /^The fields o:, h:, v: and t: hold \d+ bytes together/],
    ['its own header', { 'h:Content-Type': 'text/plain' }, /^h:Content-Type is written by the service itself/],
    ['a header of two lines', { 'h:X-A': 'a\r\nB: c' }, /^h:X-A must be one line/],
    ['a header without a name', { 'h:': 'a' }, /^h: names no header field/],
    ['a Message-Id that is none', { 'h:Message-Id': 'x' }, /^h:Message-Id must be such as/],
    ['variables that are none', { 'recipient-variables': '[1]' }, /^recipient-variables must be a JSON object/],
    ['variables of one that are none', { 'recipient-variables': '{"a@b.example": 1}' }, /the value of "a@b\.example"/],
    [
      'variables of a hundred thousand names',
      { 'recipient-variables': `{"a@b.example": {${Array.from({ length: 100_000 }, (_, n) => `"n${n}": 1`).join()}}}` },
      /^recipient-variables holds too many members of objects; at most 50000 are accepted in it\.$/,
    ],
    ['an attachment that is text', { attachment: 'text' }, /^attachment must be a file/],
    ['a subject twice', { subject: ['a', 'b'] }, /^subject is given 2 times/],
  ];
  for (const [what, fields, message] of wrong)
    it(`refuses ${what}, and takes nothing`, async () => {
      const before = [await count('sent_messages'), await count('deliveries'), await count('events')];
      const { status, body } = await send({ ...LETTER, ...fields });
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.deepEqual([await count('sent_messages'), await count('deliveries'), await count('events')], before);
    });

  it('answers a wrong key with one word', async () => {
    const { status, body } = await send(LETTER, { key: 'wrong' });
    assert.deepEqual([status, body], [401, 'Forbidden']);
  });

  it('knows no domain of another account', async () => {
    const headers = { 'X-Mailgun-On-Behalf-Of': stranger };
    const { status, body } = await send(LETTER, { headers });
    assert.deepEqual([status, body], [404, { message: 'Domain not found' }]);
    assert.equal((await send(LETTER, { path: '/v3/nowhere.example/messages' })).status, 404);
  });

  it('lets a sending key send as its own domain only', async () => {
    const made = await app.call('POST /v1/keys', {
      body: { role: 'sending', kind: 'domain', domain_name: DOMAIN, description: 'x' },
    });
    const { secret } = made.body.key;
    assert.equal((await send(LETTER, { key: secret })).status, 200);
    await app.call('POST /v4/domains', { body: { name: 'shop.example.com' } });
    const other = await send(LETTER, { key: secret, path: '/v3/shop.example.com/messages' });
    assert.deepEqual([other.status, other.body], [403, { message: `This key may send as ${DOMAIN} only.` }]);
  });
});

describe('o:time-zone-localize', () => {
  const dueOf = async (): Promise<Record<string, string>> => {
    const { rows } = await app.galley.outside.db.text(
      'select recipient, due_at, give_up_at from deliveries where message_id = (select max(id) from sent_messages)',
    );
    return Object.fromEntries(
      (rows as { recipient: string; due_at: Date; give_up_at: Date }[]).map(({ recipient, due_at, give_up_at }) => {
        assert.equal(give_up_at.getTime() - due_at.getTime(), 259_200_000);
        return [recipient, due_at.toISOString()];
      }),
    );
  };
  /** Noon in UTC in three days, when no clock named here is set. */
  const noon = new Date(Math.ceil(Date.now() / 86_400_000 + 2) * 86_400_000 + 43_200_000);
  const at = (hours: number): string => new Date(noon.getTime() + hours * 3_600_000).toISOString();

  for (const [written, offset] of [
    ['18:30', 6.5],
    ['06:30PM', 6.5],
    ['6:30 am', 18.5],
  ] as const)
    it(`is due at ${written} where each recipient is`, async () => {
      const { status } = await send({
        ...LETTER,
        to: ['tokyo@example.net', 'kolkata@example.net', 'nowhere@example.net', 'named@example.net'],
        'o:deliverytime': noon.toUTCString(),
        'o:time-zone-localize': written,
        'recipient-variables': JSON.stringify({
          'tokyo@example.net': { time_zone: 'Asia/Tokyo' },
          'kolkata@example.net': { timezone: 'asia/kolkata' },
          'named@example.net': { name: 'Nobody knows' },
        }),
      });
      assert.equal(status, 200);
      // 18:30 in Tokyo is 09:30 UTC, which has passed at noon: the next day.
      const within = (hours: number): string => at(((hours % 24) + 24) % 24);
      assert.deepEqual(await dueOf(), {
        'tokyo@example.net': within(offset - 9),
        'kolkata@example.net': within(offset - 5.5),
        'nowhere@example.net': at(offset),
        'named@example.net': at(offset),
      });
    });

  it('is kept until the last recipient was due', async () => {
    await send({
      ...LETTER,
      'o:deliverytime': noon.toUTCString(),
      'o:time-zone-localize': '11:59',
    });
    const { rows } = await app.galley.outside.db.text(
      'select content_expires_at from sent_messages order by id desc limit 1',
    );
    const [{ content_expires_at: expires }] = rows as [{ content_expires_at: Date }];
    assert.equal(expires.toISOString(), at(72 + 24 - 1 / 60));
  });

  for (const [what, zone, message] of [
    ['a time zone that there is not', 'Mars/Base', /time_zone of "bob@example\.net" is "Mars\/Base", which is no time/],
    ['a time zone that is no text', 2, /time_zone of "bob@example\.net" is 2, which is no time zone/],
  ] as const)
    it(`refuses ${what}`, async () => {
      const before = await count('sent_messages');
      const { status, body } = await send({
        ...LETTER,
        'o:time-zone-localize': '09:00',
        'recipient-variables': JSON.stringify({ 'bob@example.net': { time_zone: zone } }),
      });
      assert.equal(status, 400);
      assert.match(body.message, message);
      assert.equal(await count('sent_messages'), before);
    });
});

describe('Idempotency-Key', () => {
  const headers = { 'Idempotency-Key': 'order-17' };
  it('answers the same call again, and another with 409', async () => {
    const first = await send(LETTER, { headers });
    const before = await count('sent_messages');
    const again = await send(LETTER, { headers });
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.deepEqual((await send(LETTER, { headers, encoded: true })).body, first.body);
    assert.equal(await count('sent_messages'), before);
    const other = await send({ ...LETTER, subject: 'Other' }, { headers });
    assert.equal(other.status, 409);
    assert.match(other.body.message, /was used for another call within 24 hours/);
  });

  it('sends once, however many come at once', async () => {
    const before = await count('sent_messages');
    const calls = await Promise.all(
      Array.from({ length: 6 }, () => send(LETTER, { headers: { 'Idempotency-Key': 'at-once' } })),
    );
    assert.equal((await count('sent_messages')) - before, 1);
    const ids = new Set(calls.filter(({ status }) => status === 200).map(({ body }) => body.id));
    assert.equal(ids.size, 1);
    for (const { status, body } of calls)
      if (status !== 200) assert.match(body.message, /A call with this Idempotency-Key is under way/);
  });

  it('is of one account, and must be a key', async () => {
    const { body } = await app.call('GET /v4/domains', { headers: { 'X-Mailgun-On-Behalf-Of': stranger } });
    const path = `/v3/${body.items[0].name}/messages`;
    const { status } = await send(LETTER, { path, headers: { ...headers, 'X-Mailgun-On-Behalf-Of': stranger } });
    assert.equal(status, 200);
    const wrong = await send(LETTER, { headers: { 'Idempotency-Key': 'a b' } });
    assert.equal(wrong.status, 400);
    assert.match(wrong.body.message, /^Idempotency-Key must be/);
  });

  it('is free again after 24 hours', async () => {
    app.clock.advance(24 * 3_600_000 + 1000);
    const { status } = await send({ ...LETTER, subject: 'Tomorrow' }, { headers });
    assert.equal(status, 200);
  });
});

describe('POST /v3/{domain}/messages.mime', () => {
  const path = `/v3/${DOMAIN}/messages.mime`;
  const MIME =
    'From: Ann <ann@news.example.com>\nTo: All <all@example.net>\nSubject: =?utf-8?q?Gr=C3=BC=C3=9Fe?=\n\nHi\n';

  it('takes a whole message as a file, and as text', async () => {
    for (const message of [[[new Blob([MIME]), 'message.mime']] as [Blob, string][], MIME]) {
      const { status, body } = await send({ to: 'bob@example.net', message }, { path });
      assert.equal(status, 200);
      assert.match(body.id, /@news\.example\.com>$/);
    }
    const { key } = await lastMessage();
    const stored = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`, {
      headers: { accept: 'message/rfc2822' },
    });
    assert.deepEqual(stored.body, {
      recipients: 'bob@example.net',
      sender: 'ann@news.example.com',
      from: 'Ann <ann@news.example.com>',
      subject: 'Grüße',
      'body-mime': MIME.replaceAll('\n', '\r\n'),
    });
  });

  it('takes JSON, too', async () => {
    const { status } = await app.call(`POST ${path}`, { body: { to: 'bob@example.net', message: MIME } });
    assert.equal(status, 200);
  });

  it('keeps its Message-ID', async () => {
    const message = `Message-ID: <own@news.example.com>\r\n${MIME}`;
    assert.equal((await send({ to: 'bob@example.net', message }, { path })).body.id, '<own@news.example.com>');
  });

  it('puts h: fields into its header, in place of those of their names', async () => {
    const message = `Reply-To: old@example.com,\n other@example.com\nX-Kept: 1\nMessage-ID: <old@x.example>\n${MIME}`;
    const sent = await send(
      {
        to: 'bob@example.net',
        message,
        'h:Reply-To': ['Änne <new@example.com>', 'two@example.com'],
        'h:X-Order': '17',
        'h:Message-Id': '<own2@example.com>',
      },
      { path },
    );
    assert.equal(sent.body.id, '<own2@example.com>');
    const { key } = await lastMessage();
    const { body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`, {
      headers: { accept: 'message/rfc2822' },
    });
    assert.equal(
      body['body-mime'],
      'Reply-To: =?UTF-8?Q?=C3=84nne?= <new@example.com>, two@example.com\r\nX-Order: 17\r\n' +
        `Message-ID: <own2@example.com>\r\nX-Kept: 1\r\n${MIME.replaceAll('\n', '\r\n')}`,
    );
  });

  it('sends to everybody with o:testmode no', async () => {
    const fields = { to: 'bob@example.net', message: MIME, 'o:testmode': 'no' };
    assert.equal((await send(fields, { path })).status, 200);
    assert.deepEqual((await lastMessage()).options, {});
  });

  const wrong: [what: string, fields: Fields, message: RegExp][] = [
    ['no message', {}, /^message parameter is missing$/],
    ['a message without a sender', { message: 'Subject: x\r\n\r\nHi' }, /^message has no From field with an address/],
    ['a message that is none', { message: [[new Blob([Buffer.alloc(100)]), 'm']] }, /^message has no From field/],
    ['no recipient', { to: '', message: MIME }, /^to parameter is missing$/],
    ['a part', { message: MIME, html: '<p>' }, /^html is not known here/],
    ['a header of two lines', { message: MIME, 'h:X-A': 'a\r\nB: c' }, /^h:X-A must be one line/],
    ['a header of the service', { message: MIME, 'h:From': 'a@b.example' }, /^h:From is written by the service/],
  ];
  for (const [what, fields, message] of wrong)
    it(`refuses ${what}`, async () => {
      const { status, body } = await send({ to: 'bob@example.net', ...fields }, { path });
      assert.equal(status, 400);
      assert.match(body.message, message);
    });
});

describe('GET /v3/domains/{domain}/messages/{storage_key}', () => {
  it('answers with the message as it was accepted, at both paths', async () => {
    await send({
      ...LETTER,
      html: '<p>Hello %recipient.name%</p>',
      'o:tag': 'spring',
      'h:X-Order': '17',
      attachment: [[new Blob(['a,b'], { type: 'text/csv' }), 'list.csv']],
      inline: [[new Blob(['png'], { type: 'image/png' }), 'logo.png']],
      'recipient-variables': '{"bob@example.net": {"name": "Bob"}}',
    });
    const { key } = await lastMessage();
    const url = `${app.url}/v3/domains/${DOMAIN}/messages/${key}`;
    const { status, body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`);
    assert.equal(status, 200);
    assert.deepEqual((await app.call(`GET /v3/${DOMAIN}/messages/${key}`)).body, body);
    const { 'message-headers': headers, 'Content-Type': type, 'Message-Id': id, ...rest } = body;
    assert.match(type, /^multipart\/mixed/);
    assert.match(id, /^<.*@news\.example\.com>$/);
    assert.ok(headers.some(([name, value]: string[]) => name === 'X-Order' && value === '17'));
    assert.deepEqual(rest, {
      'Content-Transfer-Encoding': '',
      From: 'Ann <ann@news.example.com>',
      'Mime-Version': '1.0',
      Subject: 'Hello',
      To: 'bob@example.net',
      'X-Mailgun-Tag': 'spring',
      'X-Mailgun-Template-Name': '',
      'X-Mailgun-Template-Variables': '',
      recipients: 'bob@example.net',
      sender: 'ann@news.example.com',
      from: 'Ann <ann@news.example.com>',
      subject: 'Hello',
      'body-plain': 'Hello Bob',
      'body-html': '<p>Hello %recipient.name%</p>',
      'stripped-text': 'Hello Bob',
      'stripped-html': '<p>Hello %recipient.name%</p>',
      'stripped-signature': '',
      attachments: [
        { name: 'list.csv', 'content-type': 'text/csv', size: 3, url: `${url}/attachments/0` },
        { name: 'logo.png', 'content-type': 'image/png', size: 3, url: `${url}/attachments/1` },
      ],
      'content-id-map': { '<logo.png>': `${url}/attachments/1` },
      'message-url': url,
    });
  });

  it('is of one account, and 404 for what there is not', async () => {
    const { key } = await lastMessage();
    const headers = { 'X-Mailgun-On-Behalf-Of': stranger };
    for (const operation of [
      `GET /v3/domains/${DOMAIN}/messages/nothing`,
      `GET /v3/domains/other.example/messages/${key}`,
    ])
      assert.deepEqual((await app.call(operation)).body, { message: 'Message not found' });
    const foreign = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`, { headers });
    assert.deepEqual([foreign.status, foreign.body], [404, { message: 'Message not found' }]);
  });

  it('is sent once more', async () => {
    await send({ ...LETTER, 'o:tag': 'spring', 'v:a': '1' });
    const { key } = await lastMessage();
    const path = `/v3/domains/${DOMAIN}/messages/${key}`;
    const { status, body } = await send({ to: 'Carl <carl@example.net>' }, { path });
    assert.deepEqual([status, body.message], [200, 'Queued. Thank you.']);
    const again = await lastMessage();
    assert.deepEqual(
      [again.recipients, again.tags, again.user_variables],
      [['carl@example.net'], ['spring'], { a: '1' }],
    );
    assert.notEqual(again.key, key);
    assert.equal((await app.call(`POST ${path}`, { body: { to: 'dora@example.net' } })).status, 200);
    assert.match((await send({ to: 'nobody' }, { path })).body.message, /"nobody" is none/);
    assert.equal((await send({ to: 'a@b.example' }, { path: `/v3/domains/${DOMAIN}/messages/none` })).status, 404);
  });
});

describe('the queues of a domain', () => {
  it('say what waits, and are cleared', async () => {
    await app.call('POST /v4/domains', { body: { name: 'queue.example.com' } });
    const path = '/v3/queue.example.com/messages';
    const later = String(Math.floor(app.clock.now().getTime() / 1000) + 3600);
    await send({ ...LETTER, to: ['a@example.net', 'b@example.net'] }, { path });
    await send({ ...LETTER, 'o:deliverytime': later }, { path });
    const queue = { is_disabled: false, disabled: { until: '', reason: '' } };
    const read = await app.call('GET /v3/domains/queue.example.com/sending_queues');
    assert.deepEqual(read.body, { regular: { ...queue, waiting: 2 }, scheduled: { ...queue, waiting: 1 } });
    const others = await count('deliveries');
    assert.deepEqual((await app.call('DELETE /v3/queue.example.com/envelopes')).body, { message: 'done' });
    const { body } = await app.call('GET /v3/domains/queue.example.com/sending_queues');
    assert.deepEqual(body, { regular: { ...queue, waiting: 0 }, scheduled: { ...queue, waiting: 0 } });
    assert.equal(await count('deliveries'), others - 3);
    for (const operation of ['GET /v3/domains/none.example/sending_queues', 'DELETE /v3/none.example/envelopes'])
      assert.equal((await app.call(operation)).status, 404);
  });
});

describe('contents', () => {
  it('are kept for three days, and then the answer says so', async () => {
    await send({ ...LETTER, attachment: [[new Blob([Buffer.alloc(100_000, 1)]), 'a.bin']] });
    const { key } = await lastMessage();
    app.clock.advance(3 * 86_400_000 + 1000);
    const { default: messages } = await import('./index.ts');
    const expire = messages.jobs?.find(({ name }) => name === 'messages.expire');
    await expire?.run(app.galley.outside, {}, { signal: new AbortController().signal, attempt: 1, isLast: true });
    const { status, body } = await app.call(`GET /v3/domains/${DOMAIN}/messages/${key}`);
    assert.deepEqual(
      [status, body],
      [410, { message: 'The content of this message is no longer kept; its events still are.' }],
    );
  });
});
