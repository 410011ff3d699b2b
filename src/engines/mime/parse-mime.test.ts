import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from './index.ts';

const lines = (...parts: string[]) => Buffer.from(parts.join('\r\n'), 'latin1');
const png = Buffer.from('iVBORw0KGgo=', 'base64');

const NEWSLETTER = lines(
  'Received: by a.example; Thu, 1 Jan 2026 12:00:01 +0000',
  'Received: by b.example; Thu, 1 Jan 2026 12:00:00 +0000',
  'From: =?utf-8?Q?Caf=C3=A9?= <news@cafe.example>',
  'To: Friends: a@x.example, "B, C" <b@x.example>;',
  'Subject: =?utf-8?B?4pyJIE5ld3M=?= =?utf-8?Q?_from_us?= today',
  'Date: Thu, 1 Jan 2026 13:00:00 +0100',
  'X-Campaign: spring,',
  '\tpart 2',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="mix"',
  '',
  '--mix',
  'Content-Type: multipart/alternative; boundary="alt"',
  '',
  '--alt',
  'Content-Type: text/plain; charset=utf-8',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Hello =E2=9C=89',
  '--alt',
  'Content-Type: multipart/related; boundary="rel"',
  '',
  '--rel',
  'Content-Type: text/html; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  '<p>caf=E9 <img src=3D"cid:logo@cafe"></p>',
  '--rel',
  'Content-Type: image/png; name="logo.png"',
  'Content-ID: <logo@cafe>',
  'Content-Transfer-Encoding: base64',
  'Content-Disposition: attachment; filename="logo.png"',
  '',
  png.toString('base64'),
  '--rel',
  'Content-Type: image/png',
  'Content-Location: images/head.png',
  'Content-Transfer-Encoding: base64',
  '',
  png.toString('base64'),
  '--rel--',
  '--alt--',
  '--mix',
  'Content-Type: application/pdf; name="=?utf-8?B?cHJpw6ljZS5wZGY=?="',
  'Content-Disposition: attachment',
  'Content-Transfer-Encoding: base64',
  '',
  'AAAA',
  '--mix',
  'Content-Type: message/rfc822',
  '',
  'Subject: inner',
  'Content-Type: text/html',
  '',
  '<b>inner</b>',
  '--mix--',
  '',
);

describe('parseMime', () => {
  it('reads headers, both bodies, inline parts and attachments of a newsletter', async () => {
    const mail = await parseMime(NEWSLETTER);
    assert.deepEqual(mail.problems, []);
    assert.equal(mail.subject, '✉ News from us today');
    assert.deepEqual(mail.from, [{ name: 'Café', address: 'news@cafe.example' }]);
    assert.deepEqual(mail.to, [
      { name: '', address: 'a@x.example' },
      { name: 'B, C', address: 'b@x.example' },
    ]);
    assert.equal(mail.date?.toISOString(), '2026-01-01T12:00:00.000Z');
    assert.equal(mail.headers['x-campaign'], 'spring, part 2');
    assert.equal(mail.headers['received'], 'by a.example; Thu, 1 Jan 2026 12:00:01 +0000');
    assert.equal(mail.headerList.filter(({ name }) => name === 'Received').length, 2);
    assert.equal(mail.text?.trim(), 'Hello ✉');
    assert.equal(mail.html?.trim(), '<p>café <img src="cid:logo@cafe"></p>');
    assert.deepEqual(mail.inline, [
      { contentId: 'logo@cafe', contentLocation: undefined, contentType: 'image/png', body: png },
    ]);
    assert.deepEqual(mail.located, [{ contentLocation: 'images/head.png', contentType: 'image/png', body: png }]);
    assert.deepEqual(mail.attachments, [
      { name: 'priéce.pdf', contentType: 'application/pdf', sizeBytes: 3 },
      { name: '', contentType: 'message/rfc822', sizeBytes: 55 },
    ]);
  });

  const charsets: [string, Buffer, string][] = [
    ['utf-8', Buffer.from('Grüße 日本'), 'Grüße 日本'],
    ['iso-8859-1', Buffer.from('Grüße', 'latin1'), 'Grüße'],
    ['windows-1252', Buffer.from([0x80, 0x93]), '€“'],
    ['iso-8859-15', Buffer.from([0xa4]), '€'],
    ['koi8-r', Buffer.from([0xf0, 0xd2, 0xc9]), 'При'],
    ['shift_jis', Buffer.from([0x93, 0xfa, 0x96, 0x7b]), '日本'],
    ['iso-2022-jp', Buffer.from('\x1b$BF|K\\\x1b(B', 'latin1'), '日本'],
    ['gb2312', Buffer.from([0xc4, 0xe3]), '你'],
    ['big5', Buffer.from([0xa7, 0x41]), '你'],
    ['euc-kr', Buffer.from([0xc7, 0xd1]), '한'],
    ['ks_c_5601-1987', Buffer.from([0xc7, 0xd1]), '한'],
  ];
  for (const [charset, bytes, text] of charsets) {
    it(`reads ${charset}`, async () => {
      const mail = await parseMime(
        Buffer.concat([lines(`Content-Type: text/html; charset="${charset}"`, '', ''), bytes]),
      );
      assert.equal(mail.html, text);
    });
  }

  it('reads headers in raw UTF-8 and raw Latin-1', async () => {
    assert.equal((await parseMime(Buffer.from('Subject: Grüße\r\n\r\n'))).subject, 'Grüße');
    assert.equal((await parseMime(Buffer.from('Subject: Grüße\r\n\r\n', 'latin1'))).subject, 'Grüße');
  });
  const words: [string, string][] = [
    ['=?utf-8?Q?a?= =?utf-8?Q?b?= c', 'ab c'],
    ['=?utf-8?B?4pw=?= =?utf-8?B?iQ==?=', '✉'],
    ['=?iso-8859-1?q?=E9_=3D?=', 'é ='],
    ['x =?utf-8*en?Q?y?= z', 'x y z'],
    ['=?klingon?Q?a?=', '=?klingon?Q?a?='],
    ['=?utf-8?X?a?=', '=?utf-8?X?a?='],
    ['=?utf-8?Q?', '=?utf-8?Q?'],
  ];
  for (const [written, read] of words) {
    it(`reads the encoded subject ${written}`, async () => {
      assert.equal((await parseMime(lines(`Subject: ${written}`, '', ''))).subject, read);
    });
  }
});

describe('parseMime: hostile messages', () => {
  const nested = (depth: number) => {
    const open = Array.from(
      { length: depth },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
    );
    return Buffer.from(`Subject: deep\r\n${open.join('')}Content-Type: text/html\r\n\r\n<b>x</b>\r\n`);
  };
  const many = (count: number) => `--b\r\nContent-Type: text/plain\r\n\r\nx\r\n`.repeat(count);
  const table: Record<string, Buffer> = {
    empty: Buffer.alloc(0),
    'no header': lines('just text', '', 'and more'),
    'only a line break': lines('', ''),
    'zero bytes': Buffer.alloc(10_000),
    'random bytes': Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919 + (index >> 3)) % 256)),
    'a header that never ends': lines(`Subject: ${'a'.repeat(2_000_000)}`),
    'a hundred thousand headers': Buffer.from('X-A: b\r\n'.repeat(100_000)),
    'two hundred nested multiparts': nested(200),
    'ten thousand nested multiparts': nested(10_000),
    'ten thousand parts': Buffer.from(
      `Subject: many\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${many(10_000)}--b--`,
    ),
    'a boundary that is missing': lines('Content-Type: multipart/mixed', '', '--x', '', 'y', '--x--'),
    'a boundary that never comes': lines('Content-Type: multipart/mixed; boundary=b', '', 'text'),
    'a boundary without end': lines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: text/html',
      '',
      '<b>x</b>',
    ),
    'a boundary of its own child': lines(
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b',
      '',
      'x',
      '--b--',
    ),
    'a boundary of pattern characters': lines(
      'Content-Type: multipart/mixed; boundary="(.*)+$"',
      '',
      '--(.*)+$',
      '',
      'x',
      '--(.*)+$--',
    ),
    'base64 that is none': lines(
      'Content-Type: text/html',
      'Content-Transfer-Encoding: base64',
      '',
      '<b>not base64</b>',
    ),
    'quoted-printable that is none': lines(
      'Content-Type: text/html',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      '=ZZ=',
      '=',
    ),
    'quoted-printable of blanks': lines(
      'Content-Type: text/html',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      `${' '.repeat(300_000)}x`,
    ),
    'flowed text of blanks': lines(
      'Content-Type: text/plain; format=flowed; delsp=yes',
      '',
      `${'> '.repeat(100_000)} \r\n${' '.repeat(100_000)}x`,
    ),
    'an unknown charset': lines('Content-Type: text/html; charset=klingon', '', '<b>x</b>'),
    'an unknown encoding': lines('Content-Type: text/html', 'Content-Transfer-Encoding: rot13', '', '<b>x</b>'),
    'headers named like object fields': lines('__proto__: x', 'constructor: y', 'Subject: ok', '', 'x'),
    'a content id without brackets': lines('Content-Type: image/png', 'Content-ID: a', '', 'x'),
    'an empty content id': lines('Content-Type: image/png', 'Content-ID: <>', '', 'x'),
    'a date that is none': lines('Date: yesterday', '', 'x'),
    'a long run of encoded words': lines(`Subject: ${'=?utf-8?Q?a?= '.repeat(20_000)}`, '', 'x'),
    'an encoded word that does not end': lines(`Subject: ${'=?utf-8?Q?'.repeat(20_000)}`, '', 'x'),
    'addresses without end': lines(`To: ${'a@b, '.repeat(20_000)}`, '', 'x'),
    'comments in addresses': lines(`From: ${'('.repeat(20_000)}a@b`, '', 'x'),
    'a file name with a path': lines(
      'Content-Type: application/x; name="../../etc/passwd"',
      'Content-Disposition: attachment',
      '',
      'x',
    ),
    'line ends of every kind': Buffer.from('Subject: a\rX: b\nY: c\r\n\r\n<b>\r\n\n\r</b>'),
    uuencode: lines('Content-Transfer-Encoding: x-uuencode', '', 'begin 644 a', '#86)C', '`', 'end'),
  };
  for (const [what, raw] of Object.entries(table)) {
    it(`survives ${what}`, { timeout: 20_000 }, async () => {
      const mail = await parseMime(raw);
      assert.equal(typeof mail.subject, 'string');
      assert.equal(Object.getPrototypeOf(mail.headers), Object.prototype);
      assert.ok(mail.inline.every((part) => part.contentId !== ''));
    });
  }
  it('says what it could not read', async () => {
    for (const what of [
      'a header that never ends',
      'a hundred thousand headers',
      'ten thousand nested multiparts',
      'ten thousand parts',
    ]) {
      assert.notDeepEqual((await parseMime(table[what]!)).problems, [], what);
    }
  });
  it('still has the subject when there are too many parts', async () => {
    assert.equal((await parseMime(table['ten thousand parts']!)).subject, 'many');
  });
  it('cuts a message at its limit and says so', async () => {
    const mail = await parseMime(lines('Content-Type: text/html', '', 'x'.repeat(1000)), { sizeBytesMax: 100 });
    assert.match(mail.problems[0]!, /larger than 100 bytes/);
    assert.ok(mail.html!.length < 100);
  });
});
