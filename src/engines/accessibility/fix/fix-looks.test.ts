import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contrastOf, parseColor } from '../../color/index.ts';
import { fixAccessibility } from '../index.ts';
import { nearestColor } from './nearest-color.ts';
import { withDeclaration, withGround } from './style-attribute.ts';

const head = '<!doctype html><html lang="en" dir="ltr"><title>Winter sale</title><body><div lang="en" dir="ltr">';
const adjust = (inside: string) => fixAccessibility(head + inside, { looks: 'adjust' });
const adjusted = (inside: string) => adjust(inside).html.slice(head.length);
const long =
  'Warm coats, soft scarves and good boots: what is left of the winter goes at half its price, as long as ' +
  'there is some of it in stock.';
const words = 'Warm coats and soft scarves.';

const REPAIRS: [what: string, before: string, after: string][] = [
  [
    'pale text, where its color is written',
    `<p style="margin:0; color: #999999; font-size:16px">${words}</p>`,
    `<p style="margin:0; color: #767676; font-size:16px">${words}</p>`,
  ],
  [
    'pale text, where several have the color from',
    `<div style="color:#999"><p>${words}</p><p>${words}</p></div>`,
    `<div style="color:#767676"><p>${words}</p><p>${words}</p></div>`,
  ],
  [
    'pale text of a font element',
    `<p><font color="#999999">${words}</font></p>`,
    `<p><font color="#767676">${words}</font></p>`,
  ],
  [
    'pale text of a style sheet, at the text',
    `<style>.a{color:#999}</style><p class=a>${words}</p>`,
    `<style>.a{color:#999}</style><p style="color:#767676" class=a>${words}</p>`,
  ],
  [
    'pale text that a style sheet insists on',
    `<style>.a{color:#999!important}</style><p class="a" style="margin:0">${words}</p>`,
    `<style>.a{color:#999!important}</style><p class="a" style="margin:0;color:#767676 !important">${words}</p>`,
  ],
  [
    'pale text alone, where the same color is right elsewhere',
    `<div style="color:#999"><p>${words}</p><p style="background:#000">${words}</p></div>`,
    `<div style="color:#999"><p style="color:#6c6c6c">${words}</p><p style="background:#000">${words}</p></div>`,
  ],
  [
    'dim text on a dark ground',
    `<p style='background:#161616;color:#666666'>${words}</p>`,
    `<p style='background:#161616;color:#808080'>${words}</p>`,
  ],
  [
    'large text, as far as large text needs',
    '<h1 style="font-size:32px;color:#aaaaaa">Winter</h1>',
    '<h1 style="font-size:32px;color:#949494">Winter</h1>',
  ],
  [
    'a button whose text is white, by its ground and border',
    '<a href="/a" style="background:#d2973b;border:9px solid #D2973B;color:#ffffff">Shop now</a>',
    '<a href="/a" style="background:#a16b00;border:9px solid #a16b00;color:#ffffff">Shop now</a>',
  ],
  [
    'the cell that is a button’s ground',
    '<table role="none"><tr><td bgcolor="#d2973b"><a href="/a" style="color:#fff">Shop now</a></table>',
    '<table role="none"><tr><td bgcolor="#a16b00"><a href="/a" style="color:#fff">Shop now</a></table>',
  ],
  ['small text', `<p style="font-size:12px">${words}</p>`, `<p style="font-size:14px">${words}</p>`],
  [
    'small text, and its lines with it',
    `<p style="font-size:12px;line-height:14px">${words}</p>`,
    `<p style="font-size:14px;line-height:17px">${words}</p>`,
  ],
  [
    'small text behind a font shorthand',
    `<p style="font-size:20px;font:12px/20px Arial">${words}</p>`,
    `<p style="font-size:20px;font:12px/20px Arial;font-size:14px">${words}</p>`,
  ],
  [
    'small text alone, where larger text is relative to it',
    `<div style="font-size:10px"><p>${words}</p><p style="font-size:2em">${words}</p></div>`,
    `<div style="font-size:10px"><p style="font-size:14px">${words}</p><p style="font-size:2em">${words}</p></div>`,
  ],
  [
    'lines that stand close, in their unit',
    `<p style="font-size:16px;line-height:20px">${long}</p>`,
    `<p style="font-size:16px;line-height:24px">${long}</p>`,
  ],
  ['lines of which nothing is said', `<p>${long}</p>`, `<p style="line-height:1.5">${long}</p>`],
  [
    'justified text',
    `<p style="text-align:justify;line-height:1.5">${long}</p>`,
    `<p style="text-align:left;line-height:1.5">${long}</p>`,
  ],
  [
    'justified text that runs from right to left',
    `<div dir="rtl"><p style="text-align:justify;line-height:1.5">${long}</p></div>`,
    `<div dir="rtl"><p style="text-align:right;line-height:1.5">${long}</p></div>`,
  ],
  [
    'capitals that are only a style',
    `<p style="text-transform:uppercase;line-height:1.5">${long}</p>`,
    `<p style="text-transform:none;line-height:1.5">${long}</p>`,
  ],
  [
    'a link that only its color tells',
    '<p>All that is left of the winter: <a href="/a" style="color:#000;text-decoration:none">coats</a></p>',
    '<p>All that is left of the winter: <a href="/a" style="color:#000;text-decoration:underline">coats</a></p>',
  ],
];

const LEFT: [what: string, inside: string, rule: string, reason: RegExp][] = [
  [
    'a panel that holds more than the text',
    '<div style="background:#d2973b"><h1 style="color:#fff;font-size:32px">Winter</h1>' +
      `<p style="color:#000">${words}</p></div>`,
    'color-contrast',
    /its ground #d2973b holds more/,
  ],
  [
    'a color that is filled in later',
    `<div style="background:{{ brand }}"><p style="color:#999">${words}</p></div>`,
    'color-contrast',
    /filled in later/,
  ],
  [
    'a style that the style sheet selects by',
    `<style>p[style*="12px"]{margin:0}</style><p style="font-size:12px">${words}</p>`,
    'text-size',
    /selects by \[style\]/,
  ],
  [
    'capitals that were typed',
    `<p style="line-height:1.5">${long.toUpperCase()}</p>`,
    'text-all-caps',
    /written in capitals/,
  ],
];

describe('fixAccessibility that may adjust the looks', () => {
  for (const [what, before, after] of REPAIRS) {
    it(`repairs ${what}`, () => {
      const fixed = adjust(before);
      assert.equal(fixed.html.slice(head.length), after);
      assert.deepEqual(
        [...new Set(fixed.changes.map(({ changesLook, check }) => [changesLook, check].join()))],
        ['true,false'],
      );
      assert.equal(fixed.after.fixable, 0, JSON.stringify(fixed.remaining));
      assert.equal(adjusted(after), after);
    });
    it(`leaves it when the looks are to be kept: ${what}`, () =>
      assert.equal(fixAccessibility(head + before).html, head + before));
  }
  for (const [what, inside, rule, reason] of LEFT) {
    it(`leaves ${what}, and says why`, () => {
      const { html, left } = adjust(inside);
      assert.equal(html, head + inside);
      assert.match(left.find((one) => one.rule === rule)?.reason ?? '', reason);
    });
  }
  it('leaves text over a picture to people, and text of the ground’s color hidden', () => {
    const inside =
      `<div style="background:#fff url(a.png)"><p style="color:#ccc">${words}</p></div>` +
      `<p style="color:#fff">${words}</p>`;
    assert.equal(adjusted(inside), inside);
  });
  it('recolors the shape that Word draws for a button', () => {
    const button = (color: string) =>
      `<div><!--[if mso]><v:roundrect href="/a" fillcolor="${color}" strokecolor="${color}">` +
      '<center style="color:#ffffff">Shop now</center></v:roundrect><![endif]-->' +
      `<a href="/a" style="background-color:${color};color:#ffffff;mso-hide:all">Shop now</a></div>`;
    assert.equal(adjusted(button('#d2973b')), button('#a16b00'));
  });
  it('takes dark text where a button’s ground would have to become another color', () => {
    const fixed = adjusted('<a href="/a" style="background:#feae39;color:#ffffff">Shop now</a>');
    const text = /;color:(#\w+)/.exec(fixed)?.[1] ?? '';
    assert.match(fixed, /background:#feae39/);
    assert.ok(contrastOf(parseColor(text)!, parseColor('#feae39')!) >= 4.5, fixed);
  });
  it('does not undo colors that the message has for dark mode', () => {
    const dark =
      '<style>.a{color:#999}@media (prefers-color-scheme:dark){body{background:#222}.a{color:#aaa}}</style>' +
      `<p class="a">${words}</p>`;
    const { html, left } = adjust(dark);
    assert.equal(html, head + dark);
    assert.match(left.find(({ rule }) => rule === 'color-contrast')?.reason ?? '', /dark mode/);
    // With !important, the colors of dark mode win over what is set.
    const firm = dark.replace('#aaa', '#aaa!important');
    assert.equal(adjusted(firm), firm.replace('<p ', '<p style="color:#767676" '));
  });
});

describe('nearestColor', () => {
  for (const [color, other, ratio, towards, nearest] of [
    ['#999999', '#ffffff', 4.5, 'darker', '#767676'],
    ['#ff0000', '#ffffff', 4.5, 'darker', '#ee0000'],
    ['#feae39', '#ffffff', 3, 'darker', '#cc8500'],
    ['#0000ff', '#000000', 4.5, 'lighter', '#2c68ff'],
  ] as const) {
    it(`keeps the hue of ${color}, and moves its lightness no further than it must`, () => {
      const found = nearestColor(parseColor(color)!, parseColor(other)!, { ratio, towards })!;
      const contrast = contrastOf(found.color, parseColor(other)!);
      assert.deepEqual(found.color, parseColor(nearest));
      assert.ok(contrast >= ratio && contrast < ratio + 0.15, `${contrast}`);
    });
  }
  it('knows when nothing is enough', () =>
    assert.equal(
      nearestColor(parseColor('#aaa')!, parseColor('#888')!, { ratio: 4.5, towards: 'lighter' }),
      undefined,
    ));
});

describe('edits of a style', () => {
  for (const [style, property, value, after] of [
    ['', 'color', '#111', 'color:#111'],
    ['margin:0', 'color', '#111', 'margin:0;color:#111'],
    ['margin: 0; padding: 0;', 'color', '#111', 'margin: 0; padding: 0; color: #111;'],
    ['COLOR : Red ;margin:0', 'color', '#111', 'COLOR : #111 ;margin:0'],
    ['color:red!important;color:blue', 'color', '#111', 'color:#111!important;color:blue'],
    ['background:url("a;color:red");color:red', 'color', '#111', 'background:url("a;color:red");color:#111'],
    ['/*color:red;*/color:red', 'color', '#111', '/*color:red;*/color:#111'],
    ['color:red;-webkit-text-fill-color:red', 'color', '#111', 'color:#111;-webkit-text-fill-color:#111'],
    ['background-color:red', 'color', '#111', 'background-color:red;color:#111'],
  ] as const)
    it(`sets ${property} in “${style}”`, () => assert.equal(withDeclaration(style, property, { value }), after));
  it('changes grounds and borders of one color, and no other', () => {
    assert.equal(
      withGround(
        'background:#F00 none;border-top:1px solid red;border-left:1px solid blue;color:red',
        parseColor('red')!,
        parseColor('#900')!,
      ),
      'background:#990000 none;border-top:1px solid #990000;border-left:1px solid blue;color:red',
    );
  });
});
