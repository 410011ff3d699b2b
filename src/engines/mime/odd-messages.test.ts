// Messages as mailers write them beside the standard, and as clients read them nevertheless.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime, type ParsedMail } from './index.ts';

/** One character a byte. */
const message = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1');
const PNG = 'iVBORw0KGgo=';

interface Seen {
  html: string | undefined;
  text: string | undefined;
  parts: string[];
}

/** The text without blanks at its ends, and the types of everything else. */
function seen({ html, text, inline, located, attachments }: ParsedMail): Seen {
  return {
    html: html?.trim(),
    text: text?.trim(),
    parts: [...inline, ...located, ...attachments].map(({ contentType }) => contentType),
  };
}

const ALTERNATIVE = (pad: string) =>
  message(
    'Content-Type: multipart/alternative; boundary="b"',
    '',
    `--b${pad}`,
    'Content-Type: text/plain',
    '',
    'words',
    `--b${pad}`,
    'Content-Type: text/html',
    '',
    '<b>x</b>',
    `--b--${pad}`,
    'epilogue',
    '',
  );

const UNCLOSED = (last: string) =>
  message(
    'Content-Type: multipart/mixed; boundary="mix"',
    '',
    '--mix',
    'Content-Type: multipart/related; boundary="rel"',
    '',
    '--rel',
    'Content-Type: multipart/alternative; boundary="alt"',
    '',
    '--alt',
    'Content-Type: text/plain',
    '',
    'words',
    '--alt',
    'Content-Type: text/html',
    '',
    '<b>x</b>',
    '--mix',
    'Content-Type: image/png',
    'Content-Transfer-Encoding: base64',
    '',
    PNG,
    last,
    '',
  );

const typed = (type: string, body: string) => message(`Content-Type: ${type}`, '', body);

const MESSAGES: [about: string, raw: Buffer, expected: Partial<Seen>][] = [
  ['blanks after each boundary', ALTERNATIVE('  \t'), { html: '<b>x</b>', text: 'words' }],
  ['more blanks than a line has', ALTERNATIVE(' '.repeat(5000)), { html: '<b>x</b>', text: 'words' }],
  ['no blanks after a boundary', ALTERNATIVE(''), { html: '<b>x</b>', text: 'words' }],
  [
    'a line that only begins as a boundary',
    typed('multipart/mixed; boundary=b', '--b\r\n\r\nwords\r\n--bc\r\nmore\r\n--b--'),
    { text: 'words\n--bc\nmore' },
  ],
  [
    'a boundary that ends with blanks in its declaration',
    typed('multipart/mixed; boundary="b "', '--b\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n--b--'),
    { html: '<b>x</b>' },
  ],
  [
    'a boundary that begins another',
    typed(
      'multipart/mixed; boundary=b',
      '--b\r\nContent-Type: multipart/mixed; boundary=bc\r\n\r\n--bc\r\nContent-Type: text/html\r\n\r\n' +
        '<b>x</b>\r\n--bc--\r\n--b\r\n\r\nend\r\n--b--',
    ),
    { html: '<b>x</b>', text: 'end' },
  ],
  ['two multiparts that nobody closed', UNCLOSED('--mix--'), { html: '<b>x</b>', text: 'words', parts: ['image/png'] }],
  ['no multipart that anybody closed', UNCLOSED(''), { html: '<b>x</b>', text: 'words', parts: ['image/png'] }],
  [
    'an inner boundary after its multipart ended',
    typed(
      'multipart/mixed; boundary=b',
      '--b\r\nContent-Type: multipart/mixed; boundary=c\r\n\r\n--c\r\n\r\nwords\r\n--c--\r\n--b\r\n\r\n--c\r\n--b--',
    ),
    { text: 'words\n--c' },
  ],
  [
    'the parts of a digest',
    typed(
      'multipart/digest; boundary=b',
      '--b\r\n\r\nSubject: one\r\n\r\n1\r\n--b\r\nContent-Type: text/plain\r\n\r\nwords\r\n--b--',
    ),
    { text: 'words', parts: ['message/rfc822'] },
  ],
  [
    'HTML after text, which is no alternative of it',
    typed(
      'multipart/mixed; boundary=b',
      '--b\r\n\r\nwords\r\n--b\r\nContent-Type: text/html\r\n\r\n<!doctype html><b>x</b>\r\n--b--',
    ),
    { html: '<!doctype html><b>x</b>', text: 'words' },
  ],
  ['a type without a subtype', typed('text', 'words'), { text: 'words' }],
  ['a type with an empty subtype', typed('text/; charset=utf-8', 'words'), { text: 'words' }],
  ['a type that is none', typed('plain', 'words'), { text: 'words' }],
  ['a type that names HTML alone', typed('html; charset=utf-8', '<b>x</b>'), { html: '<b>x</b>' }],
  ['an empty type', typed('', 'words'), { text: 'words' }],
  [
    'a multipart without a subtype',
    typed('multipart; boundary=b', '--b\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n--b--'),
    { html: '<b>x</b>' },
  ],
  ['an image without a subtype', typed('image', 'x'), { parts: ['application/octet-stream'] }],
  ['a type without its semicolon', typed('text/html charset=iso-8859-2', '\xb1'), { html: 'ą' }],
  [
    'a multipart without its semicolon',
    typed('multipart/mixed\r\n\tboundary="b"', '--b\r\nContent-Type: text/html\r\n\r\n<b>x</b>\r\n--b--'),
    { html: '<b>x</b>' },
  ],
  ['a comment in a type', typed('text/html (HTML (4.0)); charset=iso-8859-2 (Latin 2)', '\xb1'), { html: 'ą' }],
  ['a comment that does not end', typed('text/html; name="a (b"', '<b>x</b>'), { html: '<b>x</b>' }],
  ['blanks in a type', typed('text / html', '<b>x</b>'), { html: '<b>x</b>' }],
  ['UTF-7 text', typed('text/plain; charset=utf-7', 'Gr+APwA3w-e +- a +2D3cHA-'), { text: 'Grüße + a \u{1f41c}' }],
  ['UTF-7 by another name', typed('text/html; charset=unicode-1-1-utf-7', '+AOk-'), { html: 'é' }],
  [
    'UTF-7 in quoted-printable',
    message(
      'Content-Type: text/plain; charset=UTF-7',
      'Content-Transfer-Encoding: quoted-printable',
      '',
      'Gr=2BAPwA3w-e',
    ),
    { text: 'Grüße' },
  ],
  ['half a character in UTF-7', typed('text/plain; charset=utf-7', 'a+2D0-b'), { text: 'a\ufffdb' }],
];

describe('a message beside the standard', () => {
  for (const [about, raw, expected] of MESSAGES) {
    it(`is read: ${about}`, async () => {
      assert.deepEqual(seen(await parseMime(raw)), { html: undefined, text: undefined, parts: [], ...expected });
    });
  }

  it('is read for the same wherever it is cut into pieces', async () => {
    const raw = UNCLOSED('--mix-- ');
    const long = Buffer.concat([
      raw.subarray(0, raw.indexOf('words')),
      Buffer.from(`${'y'.repeat(70)}\r\n`.repeat(2000)),
      raw.subarray(raw.indexOf('words')),
    ]);
    assert.deepEqual(seen(await parseMime(long)).parts, ['image/png']);
  });

  it('is read in bounded time where five hundred multiparts are open', { timeout: 30_000 }, async () => {
    const open = Array.from(
      { length: 490 },
      (_, index) => `Content-Type: multipart/mixed; boundary=b${index}\r\n\r\n--b${index}\r\n`,
    ).join('');
    const mail = await parseMime(Buffer.from(`${open}\r\n${'--b\r\n'.repeat(400_000)}`));
    assert.match(mail.text ?? '', /^--b\n/);
  });
});

const utf8 = (text: string) => Buffer.from(text, 'utf8');

/** A text as encoded words, its base64 cut after so many digits, wherever that is. */
function cut(text: string, digitsMax: number, charset = 'utf-8'): string {
  const digits = utf8(text).toString('base64');
  return (digits.match(new RegExp(`.{1,${digitsMax}}`, 'g')) ?? [])
    .map((part) => `=?${charset}?B?${part}?=`)
    .join('\r\n ');
}

const WORDS: [about: string, written: string, read: string][] = [
  ['cut in a character', '=?utf-8?B?4pw=?= =?utf-8?B?iQ==?=', '✉'],
  ['cut in a character, quoted', '=?utf-8?Q?Gr=C3?= =?utf-8?Q?=BC=C3?=\r\n\t=?UTF-8?Q?=9Fe?=', 'Grüße'],
  ['cut in a character, in both ways', '=?utf-8?Q?Gr=C3?= =?utf-8?B?vMOfZQ==?=', 'Grüße'],
  ...[5, 6, 7, 9, 10, 11, 63].map((digits): [string, string, string] => [
    `cut after ${digits} base64 digits`,
    cut('Grüße aus Köln: 人権の無視及び軽侮が ✉ naïve', digits),
    'Grüße aus Köln: 人権の無視及び軽侮が ✉ naïve',
  ]),
  ['whole, without padding', '=?utf-8?B?w7w?= =?utf-8?B?w6Q?=', 'üä'],
  ['whole, without padding, in a charset without wrong bytes', '=?iso-8859-1?B?/A?= =?iso-8859-1?B?5A?=', 'üä'],
  ['in UTF-7', '=?utf-7?Q?Gr+APwA3w-e?=', 'Grüße'],
  ['in UTF-7 and base64', '=?UTF-7?B?SitBUHctcmdlbg==?=', 'Jürgen'],
  [
    'in ISO-2022-JP, each to its own end',
    '=?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=\r\n  =?ISO-2022-JP?B?GyRCJUYlOSVIGyhC?=',
    'テストテスト',
  ],
];

describe('encoded words', () => {
  for (const [about, written, read] of WORDS) {
    it(`are read in subject, name and file name: ${about}`, async () => {
      const mail = await parseMime(
        message(
          `Subject: ${written}`,
          `From: ${written} <a@x.example>`,
          'Content-Type: application/pdf',
          `Content-Disposition: attachment; filename="${written}"`,
          '',
          'x',
        ),
      );
      assert.equal(mail.subject, read);
      assert.deepEqual(mail.from, [{ name: read, address: 'a@x.example' }]);
      assert.equal(mail.attachments[0]?.name, read);
    });
  }
});

describe('a name in 8-bit text', () => {
  const NAMES: [about: string, fields: string[], name: string][] = [
    ['UTF-8', ['To: Grüße <a@x.example>'].map((field) => utf8(field).toString('latin1')), 'Grüße'],
    ['no charset', ['To: "Gr\xfc\xdfe \x80" <a@x.example>'], 'Grüße €'],
    ['the charset of the message', ['To: \xb1 <a@x.example>', 'Content-Type: text/plain; charset=iso-8859-2'], 'ą'],
  ];
  for (const [about, fields, name] of NAMES) {
    it(`is read in ${about}`, async () => {
      assert.deepEqual((await parseMime(message(...fields, '', 'x'))).to, [{ name, address: 'a@x.example' }]);
    });
  }
});
