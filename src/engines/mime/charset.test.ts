import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseMime } from './index.ts';

/** One character a byte. */
const message = (fields: string[], body: string) => Buffer.from([...fields, '', body].join('\r\n'), 'latin1');
const utf8 = (text: string) => Buffer.from(text, 'utf8').toString('latin1');
const html = (charset: string) => [`Content-Type: text/html${charset && `; charset=${charset}`}`];

/** What is declared, the bytes, what readers see, and what is said of it. */
const TEXTS: [about: string, fields: string[], body: string, text: string, problem: RegExp | undefined][] = [
  ['windows-1252 that is declared', html('windows-1252'), 'Gr\xfc\xdfe \x80', 'Grüße €', undefined],
  [
    '8-bit text without a charset',
    html(''),
    'Gr\xfc\xdfe \x93x\x94',
    'Grüße “x”',
    /^The HTML part names no charset and has characters outside ASCII; it was read as windows-1252\.$/,
  ],
  ['UTF-8 without a charset', html(''), utf8('Grüße 😀'), 'Grüße 😀', /names no charset .* read as utf-8\.$/],
  [
    'us-ascii that is none',
    html('us-ascii'),
    'Gr\xfc\xdfe',
    'Grüße',
    /^The HTML part is declared as "us-ascii" and has characters outside ASCII; it was read as windows-1252\.$/,
  ],
  ['UTF-8 declared as us-ascii', html('US-ASCII'), utf8('Grüße'), 'Grüße', /read as utf-8\.$/],
  [
    'a charset that does not exist',
    html('klingon'),
    'Gr\xfc\xdfe',
    'Grüße',
    /^The HTML part is declared in a charset that does not exist, "klingon"; it was read as windows-1252\.$/,
  ],
  [
    'utf-8 that is none',
    html('utf-8'),
    'Gr\xfc\xdfe',
    'Grüße',
    /^The HTML part is declared as "utf-8", but its bytes are no valid UTF-8; it was read as windows-1252\.$/,
  ],
  [
    'utf-8 with one damaged byte',
    html('utf-8'),
    `${utf8('Grüße aus Köln')} \xff`,
    'Grüße aus Köln \ufffd',
    /^The HTML part has a place that is no valid utf-8/,
  ],
  [
    'a charset in meta only',
    html(''),
    '<meta charset="iso-8859-2">\xb1',
    '<meta charset="iso-8859-2">ą',
    /read as iso-8859-2\.$/,
  ],
  [
    'a charset in an old meta only',
    html(''),
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">\xcf',
    '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">П',
    /read as windows-1251\.$/,
  ],
  [
    'utf-8 in meta that is none',
    html(''),
    '<meta charset=utf-8>\xfc',
    '<meta charset=utf-8>ü',
    /read as windows-1252\.$/,
  ],
  ['a declaration against meta', html('windows-1252'), '<meta charset=utf-8>\xfc', '<meta charset=utf-8>ü', undefined],
  [
    'UTF-8 declared as iso-8859-1',
    html('iso-8859-1'),
    utf8('ü'),
    'Ã¼',
    /^The HTML part is declared as "iso-8859-1", but its bytes are UTF-8: readers see characters such as "Ã¼"\.$/,
  ],
  ['a byte order mark', html('us-ascii'), utf8('\ufeffü'), 'ü', undefined],
  ['ASCII without a charset', html(''), 'Hello', 'Hello', undefined],
  ['ASCII in a charset that does not exist', html('klingon'), 'Hello', 'Hello', undefined],
  ['iso-2022-jp', html('iso-2022-jp'), '\x1b$B8|\x1b(B', '厚', undefined],
  ['UTF-7', html('utf-7'), 'Gr+APwA3w-e', 'Grüße', undefined],
  [
    'quoted-printable without a charset',
    ['Content-Type: text/html', 'Content-Transfer-Encoding: quoted-printable'],
    'Gr=FC=DFe',
    'Grüße',
    /names no charset/,
  ],
  [
    'base64 declared as utf-8',
    ['Content-Type: text/html; charset=utf-8', 'Content-Transfer-Encoding: base64'],
    Buffer.from('Gr\xfc\xdfe', 'latin1').toString('base64'),
    'Grüße',
    /no valid UTF-8/,
  ],
];

describe('the charset of a part', () => {
  for (const [about, fields, body, text, problem] of TEXTS) {
    it(`is found for ${about}`, async () => {
      const mail = await parseMime(message(fields, body));
      assert.equal(mail.html?.trimEnd(), text);
      if (problem) assert.match(mail.charsetProblems[0] ?? '', problem);
      assert.equal(mail.charsetProblems.length, problem ? 1 : 0, mail.charsetProblems.join());
    });
  }

  it('is found for plain text, flowed too', async () => {
    for (const type of ['text/plain', 'text/plain; format=flowed; delsp=yes']) {
      const mail = await parseMime(message([`Content-Type: ${type}`], 'Gr\xfc\xdfe'));
      assert.equal(mail.text?.trimEnd(), 'Grüße');
      assert.match(mail.charsetProblems[0] ?? '', /^The text part names no charset/);
    }
  });
});

const SUBJECTS: [about: string, fields: string[], subject: string][] = [
  ['raw UTF-8', [`Subject: ${utf8('Grüße')}`], 'Grüße'],
  ['raw windows-1252', ['Subject: Gr\xfc\xdfe \x80'], 'Grüße €'],
  ['raw bytes in the charset of the message', ['Subject: \xb1', 'Content-Type: text/plain; charset=iso-8859-2'], 'ą'],
  ['a word in a charset that does not exist', ['Subject: =?klingon?Q?Gr=FC=DFe?='], 'Grüße'],
  ['a word in utf-8 that is none', ['Subject: =?utf-8?Q?Gr=FC=DFe?='], 'Grüße'],
  ['a word in us-ascii that is UTF-8', ['Subject: =?us-ascii?Q?Gr=C3=BC=C3=9Fe?='], 'Grüße'],
];

describe('the charset of a field', () => {
  for (const [about, fields, subject] of SUBJECTS) {
    it(`is found for ${about}`, async () => {
      assert.equal((await parseMime(message(fields, 'x'))).subject, subject);
    });
  }
});

describe('a message beyond the bounds of what is read', () => {
  it('names the bound', async () => {
    const parts = `${'--b\r\nContent-Type: application/x-one\r\n\r\n1\r\n'.repeat(20)}--b--`;
    const many = await parseMime(message(['Content-Type: multipart/mixed; boundary=b'], parts), { partsMax: 10 });
    assert.deepEqual(many.problems, ['The message has more than 10 parts, which is as many as are read.']);
    const long = await parseMime(message([`X-Long: ${'x'.repeat(5_000)}`], 'x'), { headerBytesMax: 1_000 });
    assert.deepEqual(long.problems, ['The header of a part is larger than 1000 bytes, which is as much as is read.']);
  });
});
