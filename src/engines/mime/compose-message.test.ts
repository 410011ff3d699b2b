import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { composeMessage, newMessageId, parseMime, receivedField, type OutgoingMessage } from './index.ts';

const date = new Date('2026-11-21T10:00:00Z');
const png = Buffer.from('iVBORw0KGgo=', 'base64');
const MESSAGE: OutgoingMessage = {
  from: { name: 'Café Ünïque', address: 'news@café.example' },
  sender: { name: '', address: 'sender@example.com' },
  replyTo: [{ name: 'Reply, to', address: 'reply@example.com' }],
  to: [
    { name: '李雷', address: 'lei@例え.テスト' },
    { name: '', address: 'bob@example.org' },
  ],
  cc: [{ name: 'C "quoted"', address: 'c@example.org' }],
  subject: `Grüße ✉ ${'sehr lang '.repeat(20)}`.trim(),
  text: 'Grüße\n.\n..\nFrom here',
  html: '<p>Grüße <img src="cid:logo@x"></p>',
  inline: [{ contentId: 'logo@x', contentType: 'image/png', body: png }],
  attachments: [{ name: 'Übersicht 日本.pdf', contentType: 'application/pdf', body: Buffer.from('%PDF-1.7') }],
  date,
  messageId: newMessageId({ date, unique: 'abc', domain: 'example.com' }),
  headers: [
    { name: 'X-Tag', value: 'one' },
    { name: 'X-Tag', value: 'zwölf' },
    { name: 'List-Unsubscribe', value: `<https://example.com/u/${'x'.repeat(120)}>` },
  ],
};

describe('composeMessage', () => {
  it('makes a message that reads back as it was, in every script', async () => {
    const { raw, refusedHeaders } = await composeMessage(MESSAGE);
    const mail = await parseMime(raw);
    assert.deepEqual(refusedHeaders, []);
    assert.deepEqual(mail.problems, []);
    assert.equal(mail.subject, MESSAGE.subject);
    assert.equal(mail.from[0]!.name, 'Café Ünïque');
    assert.match(mail.from[0]!.address, /^news@(café\.example|xn--caf-dma\.example)$/);
    assert.deepEqual(
      mail.to.map(({ name }) => name),
      ['李雷', ''],
    );
    assert.equal(mail.headers['cc'], '"C \\"quoted\\"" <c@example.org>');
    assert.equal(mail.headers['reply-to'], '"Reply, to" <reply@example.com>');
    assert.equal(mail.headers['sender'], 'sender@example.com');
    assert.equal(mail.text?.trim(), MESSAGE.text);
    assert.equal(mail.html?.trim(), MESSAGE.html);
    assert.deepEqual(
      mail.inline.map(({ contentId, body }) => [contentId, body]),
      [['logo@x', png]],
    );
    assert.deepEqual(mail.attachments, [{ name: 'Übersicht 日本.pdf', contentType: 'application/pdf', sizeBytes: 8 }]);
    assert.equal(mail.date?.toISOString(), date.toISOString());
    assert.deepEqual(
      mail.headerList.filter(({ name }) => name === 'X-Tag').map(({ value }) => value),
      ['one', 'zwölf'],
    );
    assert.equal(mail.headers['message-id'], MESSAGE.messageId);
  });

  it('is plain ASCII with short lines ended by CRLF, the same each time', async () => {
    const { raw } = await composeMessage(MESSAGE);
    assert.deepEqual((await composeMessage(MESSAGE)).raw, raw);
    const text = raw.toString('latin1');
    assert.doesNotMatch(text, /[^\r]\n|\r[^\n]/);
    assert.doesNotMatch(text, /[^\t\r\n -~]/);
    assert.ok(text.split('\r\n').every((line) => line.length <= 998));
  });

  it('takes text alone, HTML alone, and all three alternatives', async () => {
    const { from, to, subject, messageId } = MESSAGE;
    const bare = { from, to, subject, messageId, date };
    const kindOf = async (message: OutgoingMessage): Promise<string> =>
      (await parseMime((await composeMessage(message)).raw)).headers['content-type']!.split(';')[0]!;
    assert.equal(await kindOf({ ...bare, text: 'x' }), 'text/plain');
    assert.equal(await kindOf({ ...bare, html: 'x' }), 'text/html');
    assert.equal(
      await kindOf({ ...bare, text: 'x', html: 'x', ampHtml: '<html ⚡4email></html>' }),
      'multipart/alternative',
    );
    assert.equal(await kindOf(MESSAGE), 'multipart/mixed');
  });

  it('cannot be talked into another field, recipient or part', async () => {
    const evil = 'x\r\nBcc: evil@example.net\r\n\r\n--';
    const { raw, refusedHeaders } = await composeMessage({
      ...MESSAGE,
      from: { name: evil, address: 'a@example.com>\r\nBcc: evil@example.net' },
      to: [{ name: '', address: 'b@example.com, evil@example.net' }],
      subject: evil,
      messageId: `<x@y>\r\nBcc: evil@example.net`,
      inline: [{ contentId: evil, contentType: 'image/png\r\nBcc: x', body: png }],
      attachments: [{ name: evil, contentType: 'text/html; charset=x\r\nBcc: x', body: png }],
      headers: [
        { name: 'X-A', value: evil },
        { name: 'X-B: x\r\nBcc', value: 'y' },
        { name: 'Bcc', value: 'y' },
        { name: 'DKIM-Signature', value: 'y' },
        { name: 'Content-Type', value: 'text/plain' },
        { name: 'From', value: 'z@z' },
      ],
    });
    assert.deepEqual(refusedHeaders, ['X-B: x\r\nBcc', 'Bcc', 'DKIM-Signature', 'Content-Type', 'From']);
    const mail = await parseMime(raw);
    assert.equal(mail.headers['bcc'], undefined);
    assert.doesNotMatch(raw.toString(), /^bcc:/im);
    assert.equal(mail.to.length, 1);
    assert.equal(mail.headerList.filter(({ name }) => name.toLowerCase() === 'from').length, 1);
  });

  it('takes Reply-To as a field, unless it is told by its property', async () => {
    const headers = [{ name: 'Reply-To', value: 'Ann <ann@example.com>' }];
    const { raw, refusedHeaders } = await composeMessage({ ...MESSAGE, replyTo: [], headers });
    assert.deepEqual([(await parseMime(raw)).headers['reply-to'], refusedHeaders], ['Ann <ann@example.com>', []]);
    const told = await composeMessage({ ...MESSAGE, replyTo: [{ name: '', address: 'bob@example.com' }], headers });
    assert.deepEqual(
      [(await parseMime(told.raw)).headers['reply-to'], told.refusedHeaders],
      ['bob@example.com', ['Reply-To']],
    );
  });

  it('never opens a file or a URL', async () => {
    const { raw } = await composeMessage({
      ...MESSAGE,
      html: '<img src="file:///etc/passwd">',
      attachments: [{ name: '/etc/passwd', contentType: 'text/plain', body: Buffer.from('x') }],
    });
    assert.doesNotMatch(raw.toString(), /root:/);
  });
});

describe('receivedField', () => {
  it('says who came from where, and cannot be ended by the client', () => {
    const receipt = {
      helo: 'mail.example.com',
      ip: '2001:db8::1',
      reverseName: 'mail.example.com',
      by: 'mx.galley.test',
      transmission: 'ESMTPS',
      id: 'abc',
      recipient: 'ann@galley.test',
      tls: { protocol: 'TLSv1.3', cipher: 'TLS_AES_256_GCM_SHA384' },
      at: date,
    };
    assert.equal(
      receivedField(receipt),
      'Received: from mail.example.com (mail.example.com [IPv6:2001:db8::1]) (TLSv1.3 TLS_AES_256_GCM_SHA384)\r\n' +
        ' by mx.galley.test with ESMTPS id abc for <ann@galley.test>;\r\n Sat, 21 Nov 2026 10:00:00 +0000\r\n',
    );
    assert.match(
      receivedField({ ...receipt, helo: 'x)\r\nX-Evil: 1 (', reverseName: null, tls: null }),
      /^Received: from xX-Evil:1 \(\[IPv6:2001:db8::1\]\)\r\n by /,
    );
  });
});
