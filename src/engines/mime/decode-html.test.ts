import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { decodeHtml } from './index.ts';

const decode = (html: string, transferEncoding: string, charset = 'utf-8') =>
  decodeHtml({ html, transferEncoding, charset });

describe('decodeHtml', () => {
  const rows: [string, string, string, string, string][] = [
    ['leaves 8bit as it is', '<p>é</p>', '8bit', 'iso-8859-1', '<p>é</p>'],
    ['leaves 7bit as it is', '<p>x</p>', '7bit', 'utf-8', '<p>x</p>'],
    ['tolerates 7bit that is not', '<p>é</p>', '7bit', 'utf-8', '<p>é</p>'],
    ['reads 7bit ISO-2022-JP', '\x1b$BF|K\\8l\x1b(B', '7bit', 'iso-2022-jp', '日本語'],
    ['reads base64', Buffer.from('<p>é</p>').toString('base64'), 'base64', 'utf-8', '<p>é</p>'],
    ['reads base64 in lines, without padding', 'PHA+w6k8\r\nL3A+', 'BASE64', 'UTF-8', '<p>é</p>'],
    ['reads base64 of the URL alphabet', 'PHA-w6k8L3A-', 'base64', 'utf-8', '<p>é</p>'],
    [
      'reads base64 in Latin-1',
      Buffer.from('<p>é</p>', 'latin1').toString('base64'),
      'base64',
      'ISO-8859-1',
      '<p>é</p>',
    ],
    [
      'reads Windows quotes in what claims to be Latin-1',
      Buffer.from([0x93, 0x78, 0x94]).toString('base64'),
      'base64',
      'latin1',
      '“x”',
    ],
    [
      'reads Shift_JIS by its Windows name',
      Buffer.from([0x93, 0xfa, 0x96, 0x7b]).toString('base64'),
      'base64',
      'cp932',
      '日本',
    ],
    ['reads GB18030', Buffer.from([0xc4, 0xe3]).toString('base64'), 'base64', 'gb18030', '你'],
    ['reads KOI8-R', Buffer.from([0xf0, 0xd2]).toString('base64'), 'base64', 'koi8-r', 'Пр'],
    ['lets a byte order mark win', Buffer.from('\ufeffé', 'utf16le').toString('base64'), 'base64', 'iso-8859-1', 'é'],
    [
      'reads bytes that are no UTF-8 at all as clients do',
      Buffer.from([0x61, 0xff, 0x62]).toString('base64'),
      'base64',
      'utf-8',
      'aÿb',
    ],
    [
      'replaces invalid bytes of UTF-8',
      Buffer.from([0xc3, 0xa9, 0xc3, 0xa9, 0xff, 0x62]).toString('base64'),
      'base64',
      'utf-8',
      'éé\ufffdb',
    ],
    [
      'reads quoted-printable',
      '<p class=3D"a">=C3=A9=\r\nx=\n</p>',
      'quoted-printable',
      'utf-8',
      '<p class="a">éx</p>',
    ],
    ['reads lower-case and mixed quoted-printable', '=e9=E9', 'quoted-printable', 'iso-8859-1', 'éé'],
    ['strips trailing white space of lines in quoted-printable', 'a \t\r\nb', 'quoted-printable', 'utf-8', 'a\r\nb'],
    ['keeps an unescaped character of quoted-printable', 'é=3D', 'quoted-printable', 'utf-8', 'é='],
    ['reads an empty text', '', 'base64', 'utf-8', ''],
  ];
  for (const [promise, html, encoding, charset, expected] of rows) {
    it(promise, () => assert.deepEqual(decode(html, encoding, charset), { html: expected }));
  }
  const faults: [string, string, string, string, RegExp][] = [
    ['html', '<p>plain</p>', 'base64', 'utf-8', /not base64: "<" at character 1/],
    ['html', 'PHA+=PHA', 'base64', 'utf-8', /not base64: "="/],
    ['html', 'PHA+PHA+P', 'base64', 'utf-8', /cut off/],
    ['html', '<a href="x">', 'quoted-printable', 'utf-8', /not quoted-printable: "="x" must be/],
    ['html', 'a=C', 'quoted-printable', 'utf-8', /not quoted-printable/],
    ['charset', 'x', '8bit', 'klingon', /"klingon" is not a known character set/],
    ['charset', 'x', 'base64', 'utf-7', /"utf-7" is not/],
    ['charset', 'x', '8bit', '', /"" is not/],
    ['transfer_encoding', 'x', 'uuencode', 'utf-8', /must be base64, quoted-printable, 7bit or 8bit/],
  ];
  for (const [field, html, encoding, charset, why] of faults) {
    it(`names ${field} for "${html}" in ${encoding}, ${charset}`, () => {
      const result = decode(html, encoding, charset);
      assert.ok('field' in result);
      assert.equal(result.field, field);
      assert.match(result.why, why);
    });
  }
  it('decodes 5 MB of quoted-printable equal signs and of spaces', () => {
    const equals = decode('=3D'.repeat(1_700_000), 'quoted-printable');
    assert.ok('html' in equals && equals.html.length === 1_700_000);
    assert.ok('html' in decode(`${' '.repeat(100_000)}x\n`.repeat(20), 'quoted-printable'));
  });
});
