import { describe, it } from 'node:test';
import assert from 'node:assert/strict';
import { resolveConditionals } from './conditional-comments.ts';

/** Conditions that hold for Word's versions 12, 14, 15, 16, in this order. */
const CONDITIONS: [expression: string, y2007: boolean, y2010: boolean, y2013: boolean, y2016: boolean][] = [
  ['mso', true, true, true, true],
  ['MSO', true, true, true, true],
  [' mso ', true, true, true, true],
  ['!mso', false, false, false, false],
  ['! mso', false, false, false, false],
  ['!(mso)', false, false, false, false],
  ['(mso)', true, true, true, true],
  ['!!mso', true, true, true, true],
  ['true', true, true, true, true],
  ['false', false, false, false, false],
  ['!false', true, true, true, true],
  ['mso 12', true, false, false, false],
  ['mso 14', false, true, false, false],
  ['mso 15', false, false, true, false],
  ['mso 16', false, false, false, true],
  ['mso 16.0', false, false, false, true],
  ['mso 9', false, false, false, false],
  ['!mso 15', true, true, false, true],
  ['gte mso 9', true, true, true, true],
  ['GTE MSO 9', true, true, true, true],
  ['gt mso 14', false, false, true, true],
  ['gte mso 15', false, false, true, true],
  ['lt mso 16', true, true, true, false],
  ['lte mso 14', true, true, false, false],
  ['lte mso 11', false, false, false, false],
  ['!(gte mso 15)', true, true, false, false],
  ['IE', false, false, false, false],
  ['!IE', true, true, true, true],
  ['gte IE 7', false, false, false, false],
  ['lt IE 9', false, false, false, false],
  ['mso | IE', true, true, true, true],
  ['mso|IE', true, true, true, true],
  ['IE|mso 14', false, true, false, false],
  ['(gte mso 9)|(IE)', true, true, true, true],
  ['mso & IE', false, false, false, false],
  ['(gte mso 12)&(lte mso 15)', true, true, true, false],
  ['(gt mso 12)&(lt mso 16)', false, true, true, false],
  ['mso 12|mso 14&IE', true, false, false, false],
  ['(mso 12|mso 14)&!IE', true, true, false, false],
  ['((mso 16))', false, false, false, true],
  ['vml', true, true, true, true],
  ['gte vml 1', true, true, true, true],
  ['!vml', false, false, false, false],
  ['supportFields', false, false, false, false],
  ['!supportLists', true, true, true, true],
  // Not an expression: false, as in Internet Explorer.
  ['mso &', false, false, false, false],
  ['gte mso', false, false, false, false],
  ['gte 9', false, false, false, false],
  ['(mso', false, false, false, false],
  ['mso)', false, false, false, false],
  ['mso mso', false, false, false, false],
  ['mso = 16', false, false, false, false],
  [' ', false, false, false, false],
];

/** Source text and what remains of it for Word 16. */
const WORD: [promise: string, source: string, expected: string][] = [
  ['shows a hidden block', 'a<!--[if mso]>b<![endif]-->c', 'abc'],
  ['drops a false hidden block', 'a<!--[if !mso]>b<![endif]-->c', 'ac'],
  ['drops what other clients see', 'a<!--[if !mso]><!-->b<!--<![endif]-->c', 'ac'],
  ['drops it with a spaced comment', 'a<!--[if !mso]><!-- -->b<!--<![endif]-->c', 'ac'],
  ['drops it with spaces everywhere', 'a<!--[if !mso]> <!-- --> b <!-- <![endif]-->c', 'ac'],
  ['drops it with a closed first comment', 'a<!--[if !mso]>-->b<!--<![endif]-->c', 'ac'],
  ['keeps a block for every client that is true', 'a<!--[if gte mso 9]><!-->b<!--<![endif]-->c', 'a<!-->bc'],
  ['shows a revealed block', 'a<![if mso]>b<![endif]>c', 'abc'],
  ['drops a false revealed block', 'a<![if !mso]>b<![endif]>c', 'ac'],
  ['takes either closing marker', 'a<!--[if mso]>b<![endif]>c<![if !mso]>d<![endif]-->e', 'abce'],
  ['reads markers in any case', 'a<!--[IF MSO]>b<![ENDIF]-->c', 'abc'],
  ['resolves a block in a true block', '<!--[if mso]>a<!--[if mso 16]>b<![endif]-->c<![endif]-->d', 'abcd'],
  ['drops a block in a true block', '<!--[if mso]>a<!--[if mso 12]>b<![endif]-->c<![endif]-->d', 'acd'],
  ['drops a false block with blocks inside', '<![if !mso]>a<!--[if mso]>b<![endif]-->c<![endif]>d', 'd'],
  ['keeps ordinary comments', 'a<!-- [if mso]>b<![endif]-->c', 'a<!-- [if mso]>b<![endif]-->c'],
  ['leaves conditions inside comments', '<!-- x <![if !mso]> -->a', '<!-- x <![if !mso]> -->a'],
  ['knows empty comments', '<!--><!--[if !mso]>a<![endif]--><!--->b', '<!--><!--->b'],
  ['knows the other comment end', '<!-- a --!><!--[if !mso]>b<![endif]-->c', '<!-- a --!>c'],
  ['needs the closing bracket', '<!--[if mso>a-->b', '<!--[if mso>a-->b'],
  ['drops a stray closing marker', 'a<![endif]-->b<!--<![endif]-->c<![endif]>d', 'abcd'],
  ['shows a true block without end', 'a<!--[if mso]>b', 'ab'],
  ['drops all after a false block without end', 'a<!--[if !mso]><!-->b', 'a'],
  ['ends a false block at the next end when ends are missing', '<!--[if !mso]>a<!--[if !mso]>b<![endif]-->c', 'c'],
  ['leaves conditions in style text', '<style><![if !mso]>a</style>b', '<style><![if !mso]>a</style>b'],
  ['leaves conditions in titles', '<title><!--[if !mso]></title>b', '<title><!--[if !mso]></title>b'],
  ['leaves conditions in attributes', '<a title="<![if !mso]>">b</a>', '<a title="<![if !mso]>">b</a>'],
  ['leaves a lone less-than sign', 'a < b <!--[if mso]>c<![endif]-->', 'a < b c'],
  ['leaves other declarations', '<![CDATA[a]]>b', '<![CDATA[a]]>b'],
  [
    'opens an element in one comment and closes it in another',
    '<!--[if mso]><table><tr><td><![endif]--><p>a</p><!--[if mso]></td></tr></table><![endif]-->',
    '<table><tr><td><p>a</p></td></tr></table>',
  ],
];

describe('resolveConditionals', () => {
  for (const [expression, ...expected] of CONDITIONS) {
    it(`evaluates [if ${expression}] for 2007, 2010, 2013 and 2016`, () => {
      const shown = [12, 14, 15, 16].map((mso) => resolveConditionals(`<!--[if ${expression}]>x<![endif]-->`, { mso }));
      assert.deepEqual(
        shown,
        expected.map((isShown) => (isShown ? 'x' : '')),
      );
    });
  }

  for (const [promise, source, expected] of WORD) {
    it(promise, () => assert.equal(resolveConditionals(source, { mso: 16 }), expected));
  }

  it('changes nothing for clients that read no conditions', () => {
    for (const [, source] of WORD) assert.equal(resolveConditionals(source, { mso: null }), source);
  });

  it('never shows the text of office settings', () => {
    const settings =
      '<o:OfficeDocumentSettings><o:AllowPNG/><o:PixelsPerInch>96</o:PixelsPerInch></o:OfficeDocumentSettings>';
    const marker = '<meta name="office-pixels-per-inch" content="96">';
    for (const source of [
      `<!--[if gte mso 9]><xml>${settings}</xml><![endif]-->a`,
      `<!--[if gte mso 9]><XML>${settings}</XML><![endif]-->a`,
      `<!--[if gte mso 9]>${settings}<![endif]-->a`,
      `<!--[if gte mso 9]><xml>${settings}<![endif]-->a`,
      `<xml xmlns:o="urn:schemas-microsoft-com:office:office">${settings}</xml>a`,
    ])
      assert.equal(resolveConditionals(source, { mso: 15 }), `a${marker}`);
    assert.equal(resolveConditionals(`<!--[if !mso]><xml>${settings}</xml><![endif]-->a`, { mso: 15 }), 'a');
    assert.equal(
      resolveConditionals(`<noscript><xml>${settings}</xml></noscript>`, { mso: 15 }),
      `<noscript></noscript>${marker}`,
    );
  });

  it('gives self-closing Office tags their end tag and keeps VML styles apart', () => {
    assert.equal(
      resolveConditionals(
        '<!--[if mso]><v:rect style="width:9px"><v:fill src="a.png" /><w:anchorlock/></v:rect><![endif]-->',
        { mso: 16 },
      ),
      '<v:rect vml-style="width:9px"><v:fill src="a.png" ></v:fill><w:anchorlock></w:anchorlock></v:rect>',
    );
    assert.equal(
      resolveConditionals('<V:Rect title=" style=\'a\'" STYLE=b>', { mso: 16 }),
      '<v:rect title=" style=\'a\'" vml-style=b>',
    );
    assert.equal(resolveConditionals('<br/><p style="a"/>', { mso: 16 }), '<br/><p style="a"/>');
  });

  it('keeps a button label inside its shape, also in a paragraph', () => {
    assert.equal(
      resolveConditionals('<p><v:roundrect><center style="a">b</center></v:roundrect></p><center>c</center>', {
        mso: 16,
      }),
      '<p><v:roundrect><vml-center style="a">b</vml-center></v:roundrect></p><center>c</center>',
    );
    const background = '<v:rect><v:textbox><center>a</center></v:textbox></v:rect>';
    assert.equal(resolveConditionals(background, { mso: 16 }), background);
  });

  it('remembers the web fonts that Word would look for', () => {
    const marker = (name: string, generic = '', alternative = ''): string =>
      `<meta name="office-web-font" content="${name}" data-generic="${generic}" data-alternative="${alternative}">`;
    const link = '<link href="https://fonts.googleapis.com/css?family=Open+Sans:400,700|Lato" rel="stylesheet">';
    assert.equal(resolveConditionals(link, { mso: 15 }), link + marker('Open Sans') + marker('Lato'));
    const hidden = `<!--[if !mso]><!-->${link}<!--<![endif]-->`;
    assert.equal(resolveConditionals(hidden, { mso: 15 }), '');
    const face =
      "<style>@font-face{font-family:'Inter';src:url(i.woff);mso-generic-font-family:swiss;" +
      'mso-font-alt:"Arial"}</style>';
    assert.equal(resolveConditionals(face, { mso: 15 }), face + marker('Inter', 'swiss', 'Arial'));
    const inMedia =
      '<style>/* @font-face{font-family:A;src:b} */@media screen{@font-face{font-family:C;src:d}}</style>';
    assert.equal(resolveConditionals(inMedia, { mso: 15 }), inMedia);
    const table = '<style>@font-face{font-family:Calibri;panose-1:2 15 5 2;mso-generic-font-family:swiss}</style>';
    assert.equal(resolveConditionals(table, { mso: 15 }), table);
  });

  it('survives hostile repetition with nothing left open', () => {
    const n = 20_000;
    for (const piece of [
      '<!--[if !mso]>',
      '<!--[if mso]>',
      '<!--[if !mso]><!--[if !mso]><![endif]-->',
      '<![if ',
      '<!--[if mso',
      '<xml>',
      '<a ="',
      '<v:rect  ',
      '<!--',
      '<style>/*',
      '<',
      '<![endif]',
      '<!--[if ((((((((((mso]>',
      '<style>@font-face{',
    ])
      assert.equal(typeof resolveConditionals(piece.repeat(n), { mso: 16 }), 'string');
    assert.equal(resolveConditionals(`<!--[if ${'!'.repeat(390)}mso]>x<![endif]-->`, { mso: 16 }), '');
  });
});
