import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { findClient } from '../catalog.ts';
import { emulate } from '../emulate.ts';
import { parseMessage, workOn } from '../parse-message.ts';
import { serialize } from '../serialize-document.ts';
import { word120DpiPlugin } from './word-120dpi.ts';
import { wordPlugin } from './word.ts';

interface Shown {
  html: string;
  body: string;
  /** The message's own style sheets. */
  css: string;
  notes: string[];
}

function inWord(html: string, options: { year?: string; dpi?: 120 } = {}): Shown {
  const client = { ...findClient('ol2021')!, version: options.year ?? '2021' };
  const doc = workOn(parseMessage(html), 16);
  wordPlugin(doc, client, { images: true });
  if (options.dpi) word120DpiPlugin(doc, client, { images: true });
  const text = serialize(doc);
  const css = /<style id="own">([^]*?)<\/style>/.exec(text)?.[1] ?? '';
  return { html: text, body: /<body[^>]*>([^]*)<\/body>/.exec(text)![1]!.trim(), css, notes: doc.notes };
}

function pairs(table: [promise: string, before: string, after: string][]): void {
  for (const [promise, before, after] of table) it(promise, () => assert.equal(inWord(before).body, after));
}

describe('images in Word', () =>
  pairs([
    [
      'are as wide as their attribute, whatever the CSS says',
      '<img src="a.png" width="300" style="color:red">',
      '<img src="a.png" width="300" style="color:red;width:300px!important;height:auto!important">',
    ],
    [
      'are as high as their attribute',
      '<img src="a.png" width="300" height="90">',
      '<img src="a.png" width="300" height="90" style="width:300px!important;height:90px!important;--word-h:90px">',
    ],
    [
      'take attributes with a unit',
      '<img width="300px">',
      '<img width="300px" style="width:300px!important;height:auto!important">',
    ],
    ['have their own size without attributes', '<img src="a.png">', '<img src="a.png">'],
    [
      'do not become as high as they are wide in percent',
      '<img style="height:50%">',
      '<img style="height:auto!important">',
    ],
    ['keep a height in CSS', '<img style="height:20px">', '<img style="height:20px">'],
    [
      'take a percentage of the file, not of the column',
      '<img width="50%">',
      '<img width="50%" style="zoom:0.5!important">',
    ],
    ['are the file itself at 100 %', '<img width="100%">', '<img width="100%">'],
    ['take a zero for no size', '<img width="0" height="">', '<img width="0" height="">'],
  ]));

describe('declarations in Word', () => {
  const sheet = (css: string): string => inWord(`<style id="own">${css}</style>`).css;

  pairs([
    [
      'with !important do not count in a style attribute',
      '<p style="color:red!important;margin:1px">a</p>',
      '<p style="margin:1px">a</p>',
    ],
    ['hide with mso-hide', '<p style="mso-hide:all">a</p>', '<p style="display:none!important;mso-hide:all">a</p>'],
    ['hide only with all', '<p style="mso-hide:none">a</p>', '<p style="mso-hide:none">a</p>'],
    ['raise text', '<b style="mso-text-raise:6pt">a</b>', '<b style="vertical-align:6pt;mso-text-raise:6pt">a</b>'],
    [
      'raise text by a part of its size',
      '<b style="mso-text-raise:10%">a</b>',
      '<b style="vertical-align:0.1em;mso-text-raise:10%">a</b>',
    ],
    [
      'know the space beside a table',
      '<table style="mso-table-lspace:0pt"></table>',
      '<table style="--word-lspace:0px;mso-table-lspace:0pt"></table>',
    ],
    [
      'come on top of the gap beside an aligned picture',
      '<img align="left" style="margin-right:7px">',
      '<img align="left" style="margin-right:7px;--word-rspace:10px">',
    ],
  ]);

  it('tell of a table that is longer than a page', () => {
    const long = (cells: string) => inWord(`<table><tr>${cells}</tr></table>`).notes.filter((n) => /1,800/.test(n));
    const text = 'words '.repeat(2000);
    assert.equal(long(`<td>${text}</td><td>b</td>`).length, 1);
    assert.deepEqual([long(`<td>${text}</td>`), long('<td>a</td><td>b</td>')], [[], []]);
  });

  const table: [promise: string, before: string, after: string][] = [
    ['take the alternative padding', 'td{mso-padding-alt:1px;padding:2px;padding-left:3px}', 'td{padding:1px}'],
    ['take one alternative side', 'td{padding:2px;mso-padding-top-alt:5px}', 'td{padding:2px;padding-top:5px}'],
    [
      'keep an important padding beside an alternative',
      'td{mso-padding-alt:1px;padding:2px!important}',
      'td{padding:2px!important}',
    ],
    [
      'take the alternative border',
      'a{border:1px solid red;mso-border-alt:8px solid blue;border-collapse:collapse}',
      'a{border-collapse:collapse;border:8px solid blue}',
    ],
    ['take the alternative font size in points', 'a{mso-ansi-font-size:12;font-size:10px}', 'a{font-size:12pt}'],
    ['keep paragraph spacing that is automatic', 'p{mso-margin-top-alt:auto;margin-right:0}', 'p{margin-right:0}'],
    ['know no automatic margins', 'p{margin:0 auto}', 'p{margin-top:0;margin-bottom:0}'],
    ['know no automatic margin on one side', 'p{margin-left:auto;color:red}', 'p{color:red}'],
    [
      'know no negative margins',
      'p{margin:-5px 1px;margin-top:-2px}',
      'p{margin-top:0;margin-right:1px;margin-bottom:0;margin-left:1px;margin-top:0}',
    ],
    [
      'have borders of 8 px at most',
      'a{border:12px solid red;border-left-width:9pt;border-top:6pt solid}',
      'a{border:8px solid red;border-left-width:8px;border-top:6pt solid}',
    ],
    [
      'take a line height for the least',
      'p{line-height:20px}',
      'p{--word-line:max(20px,calc(1.15em*(1 - var(--word-exactly,0))))}',
    ],
    [
      'take a line height as multiple of a line',
      'p{line-height:150%}',
      'p{--word-line:calc(1.5em*(1.15 - 0.15*var(--word-exactly,0)))}',
    ],
    ['know exact line heights', 'p{mso-line-height-rule:exactly}', 'p{--word-exactly:1;mso-line-height-rule:exactly}'],
    [
      'take the line height out of a font',
      'p{font:bold 12px/18px Arial}',
      'p{--word-line:max(18px,calc(1.15em*(1 - var(--word-exactly,0))));font:bold 12px Arial}',
    ],
    [
      'fill text over its color',
      'a{mso-style-textfill-type:gradient;mso-style-textfill-fill-gradientfill-stoplist:"0 #FFFFFF 0 ' +
        '100000";color:#000!important}',
      'a{mso-style-textfill-type:gradient;mso-style-textfill-fill-gradientfill-stoplist:"0 #FFFFFF 0 ' +
        '100000";color:#000!important;color:#FFFFFF!important}',
    ],
    ['reach into other blocks', '@media screen{p{margin:auto}}', '@media screen{p{}}'],
    ['pass over fonts that Windows does not have', 'p{font-family:Roboto,"Open Sans",Arial}', 'p{font-family:Arial}'],
    ['end at Times New Roman', 'p{font-family:Roboto}', 'p{font-family:"Times New Roman"}'],
    [
      'leave what they do not know',
      'p{margin:calc(1px + -2px);border:thin solid;line-height:var(--a)}',
      'p{margin:calc(1px + -2px);border:thin solid;line-height:var(--a)}',
    ],
  ];
  for (const [promise, before, after] of table) it(promise, () => assert.equal(sheet(before), after));
});

describe('web fonts in Word', () => {
  const face = (more = ''): string => `<style>@font-face{font-family:Inter;src:url(i.woff2);${more}}</style>`;
  const text = '<p style="font-family:Inter,Verdana">a</p>';

  it('end the font stack until 2016', () => {
    const shown = inWord(face() + text, { year: '2016' });
    assert.equal(shown.body, '<p style="font-family:&quot;Times New Roman&quot;,&quot;Times New Roman&quot;">a</p>');
    assert.deepEqual(shown.notes, [
      'The web font Inter is shown as Times New Roman: this version does not look at the rest of its font stack.',
    ]);
  });
  it('are replaced as their face says', () => {
    assert.equal(
      inWord(face('mso-generic-font-family:swiss') + text, { year: '2016' }).body,
      '<p style="font-family:Arial,Arial">a</p>',
    );
    assert.equal(
      inWord(face('mso-font-alt:"Tahoma"') + text, { year: '2013' }).body,
      '<p style="font-family:&quot;Tahoma&quot;,&quot;Times New Roman&quot;">a</p>',
    );
  });
  it('are passed over since 2019', () => assert.equal(inWord(face() + text).body, text));
  it('matter only when they come first and are declared', () => {
    for (const family of ['Verdana,Inter', 'Lato,Verdana']) {
      const plain = `<p style="font-family:${family}">a</p>`;
      assert.equal(inWord(face() + plain, { year: '2016' }).body, plain);
    }
  });
});

describe('boxes in Word', () =>
  pairs([
    [
      'give all cells of a row the largest vertical padding',
      '<table><tbody><tr><td style="padding:20px 5px">a</td>' +
        '<td style="padding-bottom:30px">b</td></tr></tbody></table>',
      '<table><tbody><tr><td style="padding:20px 5px;padding-bottom:30px">a</td>' +
        '<td style="padding-bottom:30px;padding-top:20px">b</td></tr></tbody></table>',
    ],
    [
      'show tables in hidden elements',
      '<div style="display:none">a<b>c</b><p><table><tbody><tr><td>b</td></tr></tbody></table></p></div>',
      '<div><p><table><tbody><tr><td>b</td></tr></tbody></table></p></div>',
    ],
    [
      'hide tables that hide themselves',
      '<div style="display:none"><table style="display:none"></table></div>',
      '<div style="display:none"><table style="display:none"></table></div>',
    ],
    [
      'hide everything with mso-hide',
      '<div style="mso-hide:all"><table></table></div>',
      '<div style="display:none!important;mso-hide:all"><table></table></div>',
    ],
    [
      'color their margins',
      '<p style="background-color:red;margin:5px 0">a</p>',
      '<p style="background-color:red;margin:5px 0;padding-top:5px!important;margin-top:0!important;' +
        'padding-bottom:5px!important;margin-bottom:0!important">a</p>',
    ],
    ['have no background image but the page', '<table background="a.png"></table>', '<table></table>'],
  ]));

describe('text in Word', () => {
  pairs([
    [
      'knows no HTML5 elements',
      '<section class="a" style="color:red">a<mark>b</mark></section>',
      '<span>a<span>b</span></span>',
    ],
    [
      'is what remains of form controls',
      '<form><input value="a"><button>b</button><select><option>c<option selected>d</select>' +
        '<input type="hidden" value="e"></form>',
      '<span><span>a</span><span>b</span><span>d</span><span></span></span>',
    ],
    ['is what remains of videos', '<video src="a.mp4"><source src="b">c</video>', '<span><span></span>c</span>'],
    ['is not hidden by the attribute', '<i hidden>a</i>', '<i>a</i>'],
    [
      'pads links by stretched spaces',
      '<a style="color:red"><i style="mso-font-width:150%;mso-text-raise:18px">&emsp;</i>b</a>',
      '<a style="color:red;display:inline-block"><i style="mso-font-width:150%;vertical-align:18px;' +
        'mso-text-raise:18px;display:inline-block;width:calc(1.5em + 0px)!important">\u2003</i>b</a>',
    ],
    [
      'pads links by letter spacing',
      '<i style="letter-spacing:25px;mso-font-width:-100%">&nbsp;</i>',
      '<i style="mso-font-width:-100%;display:inline-block;width:calc(0.003em + 25px)!important">&nbsp;</i>',
    ],
    ['is not stretched', '<i style="mso-font-width:200%">ab</i>', '<i style="mso-font-width:200%">ab</i>'],
  ]);

  it("loses the quirks of the sender's doctype", () => {
    assert.match(
      inWord('<!DOCTYPE html><p>a').html,
      /^<!DOCTYPE html PUBLIC "-\/\/W3C\/\/DTD XHTML 1\.0 Transitional\/\/EN"/,
    );
  });
  it('leaves no trace of the Office settings', () => {
    const { html } = inWord(
      '<xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><style>' +
        '@import url(//fonts.googleapis.com/css?family=A)</style><p>a',
    );
    assert.doesNotMatch(html, /office-|96</);
  });
});

describe('notes on Word', () => {
  it('say what becomes of animated GIFs', () => {
    assert.deepEqual(inWord('<img src="a.GIF?x">', { year: '2016' }).notes, [
      'Animated GIFs do not move in this version: only the first frame is shown.',
    ]);
    assert.deepEqual(inWord('<img src="a.gif">').notes, [
      'Animated GIFs play three times at most here, then stop; the picture shows the first frame.',
    ]);
  });
  it('say what becomes of tall images', () => {
    assert.deepEqual(inWord('<img height="1728">').notes, []);
    assert.deepEqual(inWord('<img height="1729">').notes, [
      'Images taller than 1,728 px are cut by Word, in some versions scaled down; here they are cut.',
    ]);
  });
});

describe('notes on colors', () => {
  it('warn of three digits', () => {
    assert.deepEqual(inWord('<table bgcolor="#ccf">').notes, [
      'Some Outlook versions show a bgcolor of three digits, such as #ccf, as black; six digits are safe.',
    ]);
    assert.deepEqual(inWord('<table bgcolor="#ccccff"><font color="#fff">').notes, []);
  });
});

describe('Word at 120 dpi', () => {
  it('enlarges CSS sizes but not attributes', () => {
    const { body, css, notes } = inWord(
      '<style id="own">td{font-size:12px;padding:4px 1.5pt;color:#123px}</style><table width="600"><tbody><tr>' +
        '<td style="width:100px"><img width="300"></td></tr></tbody></table>',
      { dpi: 120 },
    );
    assert.equal(css, 'td{font-size:15px;padding:5px 1.875pt;color:#123px}');
    assert.equal(
      body,
      '<table width="600"><tbody><tr><td style="width:125px">' +
        '<img width="300" style="width:300px!important;height:auto!important"></td></tr></tbody></table>',
    );
    assert.equal(notes.length, 1);
  });
  it('enlarges everything alike when the message says 96 pixels per inch', () => {
    const { html, body, notes } = inWord(
      '<!--[if mso]><xml><o:OfficeDocumentSettings><o:PixelsPerInch>96</o:PixelsPerInch>' +
        '</o:OfficeDocumentSettings></xml><![endif]--><p style="width:100px">a</p>',
      { dpi: 120 },
    );
    assert.match(html, /<style>html\{zoom:1\.25\}<\/style>/);
    assert.equal(body, '<p style="width:100px">a</p>');
    assert.deepEqual(notes, []);
  });
});

describe('a message in Outlook for Windows', () => {
  const button =
    '<div><!--[if mso]><v:roundrect style="height:40px;v-text-anchor:middle;width:200px;" arcsize="10%" ' +
    'fillcolor="#556270" stroke="f">' +
    '<w:anchorlock/><center style="color:#ffffff;">Go</center></v:roundrect><![endif]-->' +
    '<a href="http://a.test" style="background-color:#556270;border-radius:4px;color:#fff;mso-hide:all;">Go</a></div>';
  const show = (html: string, id: string): string =>
    emulate(parseMessage(html), findClient(id)!, { images: true }).html;

  it('shows the drawn button and hides the other', () => {
    const html = show(button, 'ol2021');
    assert.match(
      html,
      /<vml-shape style="[^"]*width:200px;height:40px;[^"]*background-color:#556270;border-radius:4px">/,
    );
    assert.match(html, /<a href="http:\/\/a\.test" style="[^"]*display:none!important/);
  });
  it('shows the other button in other clients', () => {
    const html = show(button, 'gmail_chrome');
    assert.doesNotMatch(html, /<vml-shape/);
    assert.match(html, /<a href="http:\/\/a\.test" style="[^"]*border-radius:4px/);
  });
  it('loses the color of a background with an image', () => {
    assert.doesNotMatch(
      show('<div style="background:#123456 url(\'a;b.png\') center;color:#654321">a</div>', 'ol2021'),
      /123456|a;b/,
    );
    assert.match(show('<div style="background:#123456">a</div>', 'ol2021'), /background:#123456/);
  });
  it('shows no picture in the fills of Windows Mail', () => {
    const fill =
      '<!--[if mso]><v:rect style="width:9px"><v:fill type="tile" src="a.png" color="#123456"/></v:rect><![endif]-->';
    assert.match(show(fill, 'ol2021'), /a\.png/);
    assert.doesNotMatch(show(fill, 'winmail10'), /a\.png/);
  });
});
