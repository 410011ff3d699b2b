import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { emulate } from './emulate.ts';
import { supportCoverage, undecidedCells } from './filter-features.ts';
import { parseMessage } from './parse-message.ts';
import { bareProfile } from './table-probes/check-cell.ts';

const clients = {
  gmail: bareProfile({ family: 'gmail', platform: 'desktop-webmail', version: '' }),
  gmailIos: bareProfile({ family: 'gmail', platform: 'ios', version: '' }),
  gmailIosImap: bareProfile({ family: 'gmail', platform: 'ios', version: '' }, 'other'),
  word: bareProfile({ family: 'outlook', platform: 'windows', version: '2019' }),
  outlookWeb: bareProfile({ family: 'outlook', platform: 'outlook-com', version: '' }),
  apple: bareProfile({ family: 'apple-mail', platform: 'macos', version: '' }),
  fastmail: bareProfile({ family: 'fastmail', platform: 'desktop-webmail', version: '' }),
  yahoo: bareProfile({ family: 'yahoo', platform: 'desktop-webmail', version: '' }),
  sfr: bareProfile({ family: 'sfr', platform: 'desktop-webmail', version: '' }),
};

/** The document without the client's default styles. */
const shown = (html: string, client: keyof typeof clients) =>
  emulate(parseMessage(html), clients[client], { images: true }).html.replace(
    /<style>:root\{color-scheme[^<]*<\/style>/,
    '',
  );
const bodyOf = (html: string, client: keyof typeof clients) =>
  /<body[^>]*>(.*)<\/body>/s.exec(shown(html, client))?.[1];

describe('the support filter', () => {
  it('takes a declaration out of a style attribute and leaves the others as they were', () => {
    assert.equal(
      bodyOf('<p style="color : red; box-shadow:0 0 2px #000; margin:0 auto">x</p>', 'word'),
      '<p style="color:red;margin:0 0">x</p>',
    );
    assert.equal(
      bodyOf('<p style="color : red; margin:0 auto">x</p>', 'apple'),
      '<p style="color : red; margin:0 auto">x</p>',
    );
    assert.equal(bodyOf('<p style="box-shadow:0 0 2px #000">x</p>', 'word'), '<p>x</p>');
  });

  it('limits a declaration of a sheet to the elements that it works on', () => {
    const html = shown('<style>.a,td.b::before{padding:4px;color:red}</style><p class="a">x', 'word');
    assert.match(html, /\.a\{color:red\}\.a:where\(td,th\)\{padding:4px\}/);
  });

  it('drops a selector from its list and a rule with its last selector', () => {
    const html = shown('<style>p,a:hover,b{color:red} i:hover{color:blue}</style><p>x', 'word');
    assert.match(html, /<style>p,b\{color:red\}<\/style>/);
  });

  it('drops the whole style attribute or sheet where the client does', () => {
    assert.equal(bodyOf('<p style="margin:0;color:rgb(0 128 0)">x</p>', 'gmail'), '<p>x</p>');
    assert.doesNotMatch(
      shown('<style>a{color:red} b{color:rgb(0 128 0)}</style><style>i{color:red}</style><p>x', 'gmail'),
      /a\{color|b\{/,
    );
    assert.match(
      shown('<style>a{color:red} b{color:rgb(0 128 0)}</style><style>i{color:red}</style><p>x', 'gmail'),
      /i\{color:red\}/,
    );
  });

  it('unwraps what a sanitizer strips, and removes what shows nothing without its element', () => {
    const page = '<section>a<video src="v.mp4"><source src="w.mp4"><b>b</b></video><svg><text>c</text></svg></section>';
    assert.equal(bodyOf(page, 'yahoo'), 'a<b>b</b>');
    assert.equal(
      bodyOf('<form><input type="text"><select><option>d</option></select></form>', 'sfr'),
      '<noform><noinput type="text"></noinput><noselect><option>d</option></noselect></noform>',
    );
  });

  it('breaks pictures of formats that the client cannot show, in CSS too', () => {
    assert.match(
      bodyOf('<img src="https://x.test/a.webp?w=2" alt="A"><img src="https://x.test/b.png">', 'word')!,
      /<img src="data:," alt="A"><img src="https:\/\/x\.test\/b\.png">/,
    );
    assert.match(
      bodyOf(
        '<picture><source srcset="https://x.test/a.avif" type="image/avif"><img src="https://x.test/a.jpg"></picture>',
        'word',
      )!,
      /^<img src="https:\/\/x\.test\/a\.jpg">$/,
    );
    const sheet = '<style>p{background:red url( "https://x.test/a)b.avif" ) top,url(c.png)}</style><p>x';
    assert.match(shown(sheet, 'fastmail'), /p\{background:red url\("data:,"\) top,url\(c\.png\)\}/);
    assert.match(shown(sheet, 'apple'), /url\( "https:\/\/x\.test\/a\)b\.avif" \) top/);
  });

  it('asks for the account where the client treats accounts differently', () => {
    const page = '<style>p{color:red}</style><p style="display:flex">x</p>';
    assert.match(shown(page, 'gmailIos'), /<style>p\{color:red\}<\/style>.*<p style="display:flex">/s);
    assert.doesNotMatch(shown(page, 'gmailIosImap'), /color:red|display:flex/);
  });

  it('moves what the body said into a div where webmail has no body of the message', () => {
    const page = '<style>body{color:red}p{color:blue}</style><body bgcolor="#fafafa"><p>x</p></body>';
    const html = shown(page, 'gmail');
    assert.match(html, /<body><div style="background-color:#fafafa"><p>x<\/p><\/div><\/body>/);
    assert.doesNotMatch(html, /[}>]body\{/);
    assert.match(shown(page, 'apple'), /<body bgcolor="#fafafa"><p>x<\/p><\/body>/);
  });

  it('leaves no text of an office block behind', () => {
    const page =
      '<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings>' +
      '</xml><![endif]--><p>x</p>';
    for (const client of ['word', 'gmail', 'apple'] as const)
      assert.doesNotMatch(shown(page, client).replace(/<!--.*?-->/gs, ''), />\s*96/);
  });

  it('leaves clients alone that the data has no rows for', () => {
    const client = { ...clients.apple, support: null };
    const html = emulate(parseMessage('<blink style="x:y">z</blink>'), client, { images: true }).html;
    assert.match(html, /<blink style="x:y">z<\/blink>/);
    assert.deepEqual(undecidedCells(client), []);
    assert.equal(supportCoverage(client), undefined);
  });

  it('says how much of what is known of a client it shows', () => {
    const { cells, decided, testedFrom, testedTo } = supportCoverage(clients.gmail)!;
    assert.ok(cells > 280 && decided > 0.9 * cells && decided < cells, `${decided} of ${cells}`);
    assert.ok(testedFrom < testedTo, `${testedFrom} ${testedTo}`);
  });

  it('says what it cannot tell, with the reason and the date of the test', () => {
    const cell = undecidedCells(clients.gmail).find(({ slug }) => slug === 'image-bmp');
    assert.equal(cell?.title, 'BMP image format');
    assert.equal(cell?.reason, 'the picture shows with other colors');
    assert.match(cell?.lastTestDate ?? '', /^\d{4}-\d\d-\d\d$/);
  });
});
