import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMail } from '../read-mail.ts';
import type { ImageMotion, MailFacts, Spot } from '../types.ts';
import { filingOf } from '../wcag.ts';
import { EMAIL_RULES } from './index.ts';

/** HTML, or HTML with what else is known of the message. */
type Case = string | [html: string, facts: MailFacts];

interface RuleCases {
  passes: Case[];
  /** With a piece of each message that is expected, in order. */
  fails?: [Case, ...RegExp[]][];
  reviews?: [Case, ...RegExp[]][];
  /** Nothing that the rule is about. */
  nothing?: Case[];
}

const gif = (changes: Partial<ImageMotion>): MailFacts => ({
  images: new Map([['a.gif', { isAnimated: true, asPlayedDurationMs: 1_000, loops: 1, ...changes }]]),
});
const text = (length: number) =>
  'Every word of this text is here to make it long enough for the rule. '.repeat(50).slice(0, length).trim();
const row = (...cells: string[]) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`;
const receipt = `<table>${row('Item', 'Price')}${row('Shirt', '20.00')}${row('Socks', '5.00')}${row('Total', '25.00')}</table>`;

const RULES: Record<string, RuleCases> = {
  'html-has-lang': {
    passes: ['<html lang="en">Text', '<html lang="*|LANG|*">Text'],
    fails: [
      ['<html>Text', /no lang/],
      ['<html lang=" ">Text', /no lang/],
      ['Text', /no lang/],
    ],
  },
  'html-lang-valid': {
    passes: ['<html lang="en">', '<html lang="pt-BR">', '<html lang="zh-Hans-CN">', '<html lang="{{ lang }}">'],
    fails: [
      ['<html lang="und">', /“und” names no language/],
      ['<html lang="english">', /“english”/],
      ['<html lang="xq">', /“xq”/],
      ['<html lang="en_US">', /“en_US”/],
    ],
    nothing: ['<html>', '<html lang="">'],
  },
  'valid-lang': {
    passes: [
      '<p lang="en">',
      '<p lang="zh-cmn-Hans-CN">',
      '<p lang="zh-yue">',
      '<p lang="de-CH-1901">',
      '<p lang="sl-IT-nedis">',
      '<p lang="es-419">',
      '<p lang="en-u-ca-gregory-x-own">',
      '<p lang="i-klingon">',
      '<p lang="EN-us">',
      '<p lang="{{ lang }}">',
    ],
    fails: [
      ['<p lang="en-US-GB">', /“en-US-GB” names no language/],
      ['<p lang="en-">', /“en-”/],
      ['<p lang="en--US">', /“en--US”/],
      ['<p lang="de-419-DE">', /“de-419-DE”/],
      ['<p lang="de-1996-1996">', /“de-1996-1996”/],
      ['<p lang="en-a-bb-a-cc">', /“en-a-bb-a-cc”/],
      ['<p lang="en-a">', /“en-a”/],
      ['<p lang="en-US-Latn">', /“en-US-Latn”/],
      ['<p lang="x-mine">', /“x-mine”/],
      ['<p lang="xq">', /“xq”/],
      ['<p lang="en_US"><b lang="und">', /“en_US”/, /“und”/],
    ],
    nothing: ['<html lang="en-US-GB"><p>', '<p lang="">', '<p lang="en-US-GB" style="display:none">'],
  },
  'wrapper-lang': {
    passes: [
      '<body><div lang="en">Text</div></body>',
      '<body><center><table lang="de"><tr><td>Text</table></center></body>',
      '<body><div style="display:none">Preview</div><div lang="en">Text</div><img src="p.gif" alt="" ' +
        'width="1" height="1"></body>',
      '<body><div><p lang="en">One</p><p lang="fr">Deux</p></div></body>',
    ],
    fails: [
      ['<html lang="en"><body lang="en"><div>Text</div></body>', /inside the body/],
      ['<body><div lang="und">Text</div></body>', /inside the body/],
      ['<body><div lang="en">One</div><div>Two</div></body>', /inside the body/],
      ['<body>Text <div lang="en">more</div></body>', /inside the body/],
      ['<body><div>Text<p lang="en">One</p></div></body>', /inside the body/],
    ],
    nothing: ['<body><div></div></body>', '<body><img src="p.gif" alt=""></body>'],
  },
  'html-has-dir': {
    passes: ['<html dir="ltr">', '<html dir="RTL">', '<html dir="auto">'],
    fails: [
      ['<html>', /no dir/],
      ['<html dir="left">', /no dir/],
    ],
  },
  'wrapper-dir': {
    passes: ['<body><table dir="ltr"><tr><td>Text</table></body>'],
    fails: [['<html dir="ltr"><body><div>Text</div></body>', /No dir/]],
    nothing: ['<body></body>'],
  },
  'document-title': {
    passes: [
      '<title>Your order is on its way</title>',
      '<title>*|MC:SUBJECT|*</title>',
      '<svg><title>Star</title></svg><title>News</title>',
    ],
    fails: [
      ['<p>Text', /no title/],
      ['<title>  </title>', /empty/],
      ['<title>Email Template</title>', /says nothing/],
      ['<svg><title>Star</title></svg>', /no title/],
    ],
  },
  'title-subject': {
    passes: [['<title>Winter sale</title>', { subject: 'The winter sale is on' }]],
    reviews: [
      [['<title>Skyline Survey</title>', { subject: 'Your receipt' }], /no word of the subject “Your receipt”/],
    ],
    nothing: [
      '<title>Winter sale</title>',
      ['<p>x', { subject: 'Sale' }],
      ['<title>{{subject}}</title>', { subject: 'Sale' }],
    ],
  },
  'meta-viewport': {
    passes: [
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="viewport" content="maximum-scale=5">',
    ],
    fails: [
      ['<meta name="viewport" content="width=device-width, user-scalable=no">', /user-scalable=no/],
      [
        '<meta name="viewport" content="initial-scale=1; maximum-scale=1.0; user-scalable=0">',
        /maximum-scale=1\.0, user-scalable=0/,
      ],
    ],
    nothing: ['<meta charset="utf-8">'],
  },
  'plain-text': {
    passes: [['Text', { hasText: true }]],
    fails: [[['Text', { hasText: false }], /no text\/plain/]],
    nothing: ['Text'],
  },
  'subject-emoji': {
    passes: [
      ['Text', { subject: 'Sale 🎉' }],
      ['Text', { subject: 'Sale' }],
    ],
    fails: [[['Text', { subject: '🎉🎉 Sale 🔥' }], /3 emoji/]],
    nothing: ['Text'],
  },
  'image-alt': {
    passes: [
      '<img src="a.png" alt="A cat">',
      '<img src="a.png" alt="">',
      '<img src="a.png" role="presentation">',
      '<img src="a.png" aria-label="A cat">',
      '<img src="a.png" style="display:none">x',
      '<div aria-hidden="true"><img src="a.png"></div>',
      '<!--[if mso]><img src="a.png" alt=""><![endif]-->',
    ].map((html) => `${html}<img src="b.png" alt="B">`),
    fails: [
      ['<img src="https://a.test/i/cat.png?x=1">', /“cat\.png” has no alt/],
      ['<img src="p.gif" width="1" height="1">', /spacer/],
      ['<img src="data:image/gif;base64,AA">', /inline image/],
      ['<!--[if mso]><img src="a.png"><![endif]-->', /“a\.png” has no alt/],
    ],
    nothing: ['<p>Text'],
  },
  'image-alt-quality': {
    passes: [
      '<img src="a.png" alt="A cat on a mat">',
      '<img src="logo.png" alt="Logo">',
      '<img src="acme.png" alt="ACME">',
      '<img src="Summer%20sale.png" alt="Summer sale">',
      '<img src="hero_2.jpg" alt="hero_2" aria-label="A cat">',
      '<b id="n">A cat</b><img src="hero_2.jpg" alt="hero_2" aria-labelledby="n">',
      '<img src="a.png" alt="A cat" title="a.png">',
      '<img src="a.png" alt="100% off">',
      '<input type="image" src="go_1.gif" alt="Go">',
    ],
    fails: [
      ['<img src="x/hero_2.jpg" alt="hero_2.jpg">', /name of a file/],
      ['<img src="x/hero_2.jpg" alt="hero_2">', /name of a file/],
      ['<img src="a.png" alt="IMG_1234">', /name of a file/],
      ['<img src="a.png" alt="Image">', /says nothing/],
      ['<img src="a.png" alt="alt_text">', /says nothing/],
      ['<img src="a.png" alt="Bild">', /says nothing/],
      ['<img src="a.png" alt="https://a.test/a">', /an address/],
      ['<img src="x/Hero%20Sale_2.JPG?w=9" alt="HERO sale_2">', /name of a file/],
      ['<img src="x/hero sale_2.jpg" alt="hero%20sale_2">', /name of a file/],
      ['<img src="x/hero.php" alt="Hero.php">', /name of a file/],
      ['<img src="a.png" alt="Banner.JFIF">', /name of a file/],
      ['<picture><source srcset="hero_wide.webp 2x"><img src="a.png" alt="hero_wide"></picture>', /name of a file/],
      ['<img src="a.png" srcset="b_1.png, b_2.png 2x" alt="b_2">', /name of a file/],
      ['<input type="image" src="go_1.gif" alt="go_1">', /name of a file/],
      [
        '<img src="hero_2.jpg" alt="A cat" aria-label="hero_2">',
        /name that aria-label gives, “hero_2” is the name of a file/,
      ],
      ['<img src="hero_2.jpg" title="hero_2.jpg">', /name that title gives/],
      ['<b id="n">hero_2.jpg</b><img src="a.png" alt="A cat" aria-labelledby="n">', /name that aria-labelledby gives/],
      ['<!--[if mso]><v:image src="hero_2.jpg" alt="hero_2"></v:image><![endif]-->', /name of a file/],
    ],
    nothing: ['<img src="a.png" alt="">', '<img src="a.png">', '<img src="a.png" alt="{{ alt }}">'],
  },
  'spacer-alt': {
    passes: ['<img src="spacer.gif" alt="" width="600" height="1">', '<img src="a.gif" width="1" height="1">'],
    fails: [
      ['<img src="https://a.test/spacer.gif" alt="spacer" width="20" height="20">', /read out as “spacer”/],
      ['<img src="t.gif" alt="tracking" style="width:1px;height:1px">', /“tracking”/],
    ],
    nothing: ['<img src="a.png" alt="A cat">'],
  },
  'image-alt-length': {
    passes: ['<img src="a.png" alt="A cat">'],
    reviews: [[`<img src="a.png" alt="${text(180)}">`, /has 180 characters/]],
    nothing: ['<img src="a.png" alt="">'],
  },
  'image-redundant-alt': {
    passes: ['<a href="/a"><img src="a.png" alt="">Winter sale</a>', '<a href="/a"><img src="a.png" alt="A coat"></a>'],
    fails: [['<a href="/a"><img src="a.png" alt="Winter Sale"> Winter sale</a>', /repeats the link’s text/]],
    nothing: ['<a href="/a">Text</a>'],
  },
  'background-image-alt': {
    passes: [
      '<table><tr><td background="a.png">Text over it</table>',
      '<div style="background:url(a.png);width:20px;height:20px"></div>',
    ],
    reviews: [
      ['<table><tr><td background="a.png" width="600" height="300"></table>', /stands alone/],
      ['<div style="background-image:url(\'a.png\');height:300px"></div>', /stands alone/],
      [
        '<style>.h{background:#fff url(a.png) no-repeat}</style><div class="h" style="height:99px"></div>',
        /stands alone/,
      ],
    ],
    nothing: [
      '<div style="background:#fff">Text</div>',
      '<div style="background:linear-gradient(#fff,#000);height:99px"></div>',
    ],
  },
  'vml-alt': {
    passes: [
      '<!--[if mso]><v:image src="a.png" alt="A cat"/><![endif]-->',
      '<!--[if gte mso 9]><v:rect fill="true"><v:fill type="frame" src="a.png"/><v:textbox><![endif]--><p>Text</p>' +
        '<!--[if gte mso 9]></v:textbox></v:rect><![endif]-->',
    ],
    fails: [
      ['<!--[if mso]><v:image src="hero.png" /><![endif]-->', /hero\.png/],
      ['<!--[if mso]><v:rect><v:fill src="a.png"/></v:rect><![endif]-->', /no alt/],
    ],
    nothing: ['<!--[if mso]><v:roundrect><center>Buy</center></v:roundrect><![endif]-->'],
  },
  'image-only': {
    passes: [
      `<img src="a.png" width="600" alt="A"><p>${text(500)}</p>`,
      `<img src="a.png" width="600" alt="A"><p>${text(200)}</p>`,
    ],
    fails: [
      [
        '<img src="a.png" width="600" alt="Everything is said here"><p>Unsubscribe</p>',
        /11 characters of text and 1 large picture/,
      ],
    ],
    reviews: [
      [`<img src="a.png" width="600" alt="A"><img src="b.png" alt="B"><p>${text(120)}</p>`, /2 large pictures/],
    ],
    nothing: ['<p>Text', '<img src="a.png" width="24" height="24" alt="A">'],
  },
  'animated-image': {
    passes: [['<img src="a.gif" alt="x">', gif({ asPlayedDurationMs: 2_000, loops: 2 })]],
    fails: [
      [['<img src="a.gif" alt="Dancing cat">', gif({ loops: 'endless' })], /“Dancing cat” plays without end/],
      [['<img src="a.gif">', gif({ asPlayedDurationMs: 2_000, loops: 3 })], /6 seconds/],
    ],
    nothing: ['<img src="a.gif" alt="x">', ['<img src="a.gif" alt="x">', gif({ isAnimated: false })]],
  },
  'flashing-image': {
    passes: [['<img src="a.gif" alt="x">', gif({ flashesPerSecond: 3 })]],
    fails: [[['<img src="a.gif" alt="x">', gif({ flashesPerSecond: 8 })], /flashes 8 times/]],
    nothing: [['<img src="a.gif" alt="x">', gif({})]],
  },
  'layout-table-role': {
    passes: [
      '<table role="presentation"><tr><td>x</table>',
      '<table role="none"><tr><td>x</table>',
      '<!--[if mso]><table role="presentation"><tr><td><![endif]-->x',
      '<table style="display:none"><tr><td>x</table><table role="none"></table>',
    ],
    fails: [
      ['<table><tr><td>x</table>', /of 1 row /],
      ['<table><tr><td><table role="none"><tr><td>x</table></table>', /layout table/],
      ['<!--[if mso | IE]><table width="600"><tr><td><![endif]-->x', /for Outlook/],
      // Some frameworks build columns of th.
      ['<table><tr><th class="columns"><table role="none"><tr><td>x</table></th></tr></table>', /of 1 row/],
    ],
    nothing: ['<p>Text', '<table><caption>Prices</caption><tr><td>1</td></tr></table>', receipt],
  },
  'layout-table-markup': {
    passes: ['<table role="presentation" summary=""><tr><td>x</table>'],
    fails: [
      ['<table role="presentation" summary="Layout"><tr><td>x</table>', /summary/],
      ['<table role="presentation"><caption>x</caption><tr><td scope="row">y</table>', /caption, scope/],
      ['<table><tr><th><p>x</p></th></tr></table>', /has th/],
    ],
    reviews: [['<table role="presentation"><tr><th>x</th></tr></table>', /has th/]],
    nothing: ['<table><tr><th scope="col">Day</th><th scope="col">Hour</th></tr><tr><td>1</td><td>2</td></tr></table>'],
  },
  'data-table-headers': {
    passes: [
      '<table><tr><th>Day</th><th>Hour</th></tr><tr><td>Mon</td><td>8</td></tr></table>',
      '<table role="table"><tr><td role="columnheader">Day</td></tr></table>',
    ],
    fails: [['<table><caption>Prices</caption><tr><td>Shirt</td><td>20</td></tr></table>', /no th.*“Prices Shirt 20”/]],
    reviews: [[receipt, /looks like data.*“Item Price/]],
    nothing: [
      '<table><tr><td>Home</td><td>Shop</td><td>About</td></tr></table>',
      `<table>${row('<img src="a.png">', '1')}${row('<img src="b.png">', '2')}${row('x', '3')}</table>`,
    ],
  },
  'th-scope': {
    passes: ['<table><tr><th scope="col">Day</th><th scope="col">Hour</th></tr><tr><td>1</td><td>2</td></tr></table>'],
    fails: [
      [
        '<table><tr><th scope="col">Day</th><th>Hour</th></tr><tr><td>1</td><td>2</td></tr></table>',
        /“Hour” has no scope/,
      ],
    ],
    nothing: ['<table role="presentation"><tr><th>x</th></tr></table>'],
  },
  'heading-missing': {
    passes: [`<h2>News</h2><p>${text(600)}</p>`, `<div role="heading">News</div><p>${text(600)}</p>`],
    fails: [
      [`<p>${text(600)}</p>`, /characters of text have no heading/],
      [`<h1 style="display:none">x</h1><p>${text(600)}</p>`, /no heading/],
    ],
    nothing: ['<p>Short'],
  },
  'page-has-heading-one': {
    passes: ['<h1>News</h1><h2>One</h2>', '<div role="heading" aria-level="1">News</div>'],
    fails: [['<h2>News</h2><h3>One</h3>', /highest heading is of level 2/]],
    nothing: ['<p>Text'],
  },
  'heading-order': {
    passes: ['<h1>A</h1><h2>B</h2><h2>C</h2><h1>D</h1>', '<h3>A</h3>'],
    fails: [['<h1>A</h1><h3>B</h3>', /“B” is of level 3, after one of level 1/]],
    nothing: ['<p>Text'],
  },
  'empty-heading': {
    passes: ['<h1>A</h1>', '<h1><img src="a.png" alt="Acme"></h1>', '<h1>A</h1><h2 aria-hidden="true"></h2>'],
    fails: [
      ['<h1>A</h1><h2>&nbsp;</h2>', /h2 has no text/],
      ['<h1><img src="a.png" alt=""></h1>', /no text/],
    ],
    nothing: ['<p>Text'],
  },
  'heading-fake': {
    passes: [
      '<h1 style="font-size:30px">News</h1><p>Text',
      '<p style="font-size:30px"><a href="/">News</a></p><p>Text of some length, so that it counts',
      '<div style="font-size:30px">$20</div><p>Text',
    ],
    reviews: [
      [
        `<table><tr><td style="font-size:28px">Winter sale</table><p>${text(80)}`,
        /“Winter sale” looks like a heading \(28 px\)/,
      ],
      [`<p><strong style="font-size:20px">Our story</strong></p><p>${text(80)}`, /\(20 px, bold\)/],
      [`<style>.t{font:bold 32px/1.2 Arial}</style><div class="t">Hello</div><p>${text(80)}`, /32 px, bold/],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'paragraph-breaks': {
    passes: [
      '<p>One</p><p>Two</p>',
      'One<br>Two',
      '<img src="a.png"><br><br>Text',
      'Text<br><br><table><tr><td>x</table>',
    ],
    fails: [
      ['<div>One<br><br>Two</div>', /Two line breaks stand between/],
      ['One<br> <br/>Two <b>three</b><br><br><br>four', /stand 2 times/],
    ],
    nothing: ['<img src="a.png">'],
  },
  'list-fake': {
    passes: [
      '<ul><li>One</li><li>Two</li></ul>',
      '<p>• Only one</p>',
      '<p>- </p><p>Text</p>',
      '<ul><li>• One</li><li>• Two</li></ul>',
    ],
    fails: [
      ['<p>• Apples<br>• Pears</p>', /2 lines begin.*“• Apples”/],
      ['<table><tr><td>1. Sign in<tr><td>2. Pay</table>', /2 lines/],
    ],
    nothing: ['<img src="a.png">'],
  },
  'link-name': {
    passes: [
      '<a href="/a">Shop</a>',
      '<a href="/a"><img src="a.png" alt="Shop"></a>',
      '<a href="/a" aria-label="Shop"></a>',
      '<a href="/a" style="display:none"></a><a href="/b">B</a>',
      '<a href="/a" title="Shop"></a>',
    ],
    fails: [
      ['<a href="/a"><img src="a.png" alt=""></a>', /“\/a” has no name: its image/],
      ['<a href="/a">&zwnj;&nbsp;</a>', /has no name\./],
    ],
    nothing: ['<a name="top"></a>'],
  },
  'link-text-generic': {
    passes: [
      '<a href="/a">Read the winter story</a>',
      '<a href="/a" aria-label="Read more about winter">Read more</a>',
    ],
    fails: [
      ['<a href="/a">Click here</a>', /“Click here” says nothing/],
      ['<a href="/a">Read more »</a>', /“Read more »”/],
      ['<a href="/a">Mehr erfahren</a>', /Mehr/],
      ['<a href="/a">En savoir plus !</a>', /savoir/],
      ['<a href="/a"><img src="a.png" alt="Learn more"></a>', /Learn more/],
    ],
    nothing: ['<p>Click here'],
  },
  'identical-links-same-purpose': {
    passes: ['<a href="/a?utm_source=x">Shop</a><a href="/a#top">Shop</a>', '<a href="/a">One</a><a href="/b">Two</a>'],
    reviews: [
      ['<a href="/a">Shop</a><a href="/b">shop →</a>', /2 links are called “Shop”, and lead to 2 places/, /“shop →”/],
    ],
    nothing: ['<p>Text', '<a href="/a">Click here</a><a href="/b">Click here</a>'],
  },
  'link-text-address': {
    passes: ['<a href="/a">Shop</a>', '<a href="https://a.test">https://a.test</a>'],
    fails: [['<a href="/a">https://www.example.test/a/long/path/to/something?x=1</a>', /an address of 53 characters/]],
    nothing: ['<p>Text'],
  },
  'link-without-target': {
    passes: ['<a href="https://a.test">Shop</a>', '<a href="#top">Up</a>', '<a href="{{ url }}">Shop</a>'],
    fails: [
      ['<a href="#">Shop</a>', /“Shop” leads nowhere/],
      ['<a href="">Shop</a>', /leads nowhere/],
      ['<a href="javascript:void(0)">Shop</a>', /leads nowhere/],
    ],
    nothing: ['<p>Text'],
  },
  'link-in-text-block': {
    passes: [
      '<p>Some text with a <a href="/a">link</a> in it.</p>',
      '<p style="color:#000">Some text with a <a href="/a" style="text-decoration:none;font-weight:bold;' +
        'color:#333">link</a> in it.</p>',
      '<p>Some text with a <a href="/a" style="text-decoration:none;border-bottom:1px solid">link</a> in it.</p>',
      '<p style="color:#000">Some text with a <a href="/a" style="text-decoration:none;color:#d33">link</a> in it.</p>',
    ],
    fails: [
      [
        '<p style="color:#333">Some text with a <a href="/a" style="text-decoration:none;' +
          'color:#555">link</a> in it.</p>',
        /“link” differs.*1\.69:1/,
      ],
      [
        '<style>a{text-decoration:none;color:inherit}</style><p>Some text with a <a href="/a">' +
          '<span>link</span></a> in it.</p>',
        /1:1/,
      ],
    ],
    nothing: ['<p><a href="/a" style="text-decoration:none">Alone</a></p>'],
  },
  'target-size': {
    passes: [
      '<a href="/a"><img src="a.png" alt="A" width="32" height="32"></a>',
      '<a href="/a" style="display:inline-block;padding:12px 20px">Shop</a>',
      '<a href="/a" style="padding:6px"><img src="a.png" alt="A" width="16" height="16"></a>',
    ],
    reviews: [
      ['<a href="/a"><img src="a.png" alt="Twitter" width="16"></a>', /“Twitter” can be hit on 16 × 16/],
      ['<a href="/a" style="display:inline-block;font-size:12px">Shop now</a>', /48 × 14/],
    ],
    nothing: ['<p>Some <a href="/a">link</a>', '<a href="/a"><img src="a.png" alt="A"></a>'],
  },
  'target-size-enhanced': {
    passes: ['<a href="/a"><img src="a.png" alt="A" width="44" height="44"></a>'],
    reviews: [['<a href="/a"><img src="a.png" alt="A" width="32" height="32"></a>', /32 × 32/]],
    nothing: ['<p>Text'],
  },
  'color-contrast': {
    passes: [
      '<p>Text',
      '<p style="color:#767676">Text',
      '<p style="color:#949494;font-size:24px">Large',
      '<p style="color:#949494;font-size:19px"><b>Bold',
      '<div style="background:#000"><p style="color:#fff">Text',
      '<span style="display:none;color:#eee">x</span>Text',
    ],
    fails: [
      ['<p style="color:#777">Text', /“Text” has 4\.47:1 \(#777777 on #ffffff\), and needs 4\.5:1/],
      ['<p style="color:#999;font-size:24px">Large', /2\.84:1.*needs 3:1/],
      ['<table bgcolor="#336699"><tr><td style="color:#ccc">Text</table>', /#cccccc on #336699/],
      ['<body bgcolor="#000000"><p><font color="#333333">Text</font>', /#333333 on #000000/],
      ['<style>.a{color:#888}</style><p class="a" style="color:#999">Text', /#999999/],
      ['<style>.a{color:#888!important}</style><p class="a" style="color:#000">Text', /#888888/],
      ['<div style="background:rgba(0,0,0,.5)"><p style="color:#fff">Text', /3\.9\d:1 \(#ffffff on #808080\)/],
      ['<style>@media (max-width:600px){p{color:#000}}</style><p style="color:#999">Text', /#999999/],
      ['<html><body text="#999999"><table><tr><td>Text</table>', /#999999/],
      ['<a href="/a" style="background:#00f">Text</a>', /#0000ee on #0000ff/],
    ],
    reviews: [
      ['<div style="background:#fff url(a.png)">Text', /on a picture/],
      ['<table><tr><td background="a.png">Text</table>', /on a picture/],
      ['<div style="background-image:linear-gradient(red,blue)"><p>Text', /gradient/],
      ['<p style="color:#fff">Hidden', /color of its background/],
      ['<p style="color:#999">x', /2\.84:1/],
    ],
    nothing: ['<img src="a.png" alt="x">', '<p style="color:#999">|</p>'],
  },
  'contrast-images-blocked': {
    passes: ['<table><tr><td background="a.png" bgcolor="#000000" style="color:#fff">Text</table>'],
    fails: [
      [
        '<table><tr><td background="a.png" style="color:#fff">Text</table>',
        /Without the picture.*#ffffff on #ffffff.*no color under it/,
      ],
      ['<div style="background:#eee url(a.png);color:#fff">Text', /#ffffff on #eeeeee\), and needs 4\.5:1\.$/],
    ],
    nothing: ['<p>Text'],
  },
  'text-size': {
    passes: [
      '<p style="font-size:14px">Text',
      '<p>Text<sup style="font-size:9px">1</sup>',
      '<p style="font-size:0.875rem">Text',
      '<p style="font-size:10.5pt">Text',
    ],
    fails: [
      ['<p style="font-size:12px">Small', /“Small” is 12 px/],
      ['<font size="1">Tiny</font>', /10 px/],
      ['<div style="font-size:10px"><p style="font-size:80%">Tiny', /8 px/],
      ['<p style="font:11px Arial">Small', /11 px/],
    ],
    nothing: ['<img src="a.png" alt="x">', '<p style="font-size:0">x'],
  },
  'line-height': {
    passes: [
      `<p style="line-height:1.5">${text(200)}`,
      '<p style="line-height:1">Short',
      `<p style="font-size:16px;line-height:24px">${text(200)}`,
      `<div style="line-height:150%;font-size:16px"><p>${text(200)}`,
    ],
    fails: [
      [`<p>${text(200)}`, /no line-height/],
      [`<p style="font-size:16px;line-height:20px">${text(200)}`, /line height of 1\.25/],
      [`<div style="line-height:150%;font-size:16px"><p style="font-size:20px">${text(200)}`, /1\.2\./],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'text-justify': {
    passes: [`<p>${text(200)}`, '<p style="text-align:justify">Short'],
    fails: [
      [`<p style="text-align:justify">${text(200)}`, /justified/],
      [`<td align="justify">${text(200)}</td>`.replace('<td', '<table><tr><td'), /justified/],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'text-centred': {
    passes: [
      `<p style="text-align:center">${text(150)}`,
      `<p>${text(400)}`,
      `<center><p style="text-align:left">${text(400)}`,
    ],
    fails: [
      [`<center><p>${text(400)}</p></center>`, /centered and has \d+ characters/],
      [`<p align="center">${text(400)}`, /centered/],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'text-spacing': {
    passes: [
      '<p>Some text that is long enough.',
      '<h1 style="letter-spacing:2px">NEWS</h1>',
      '<p style="letter-spacing:0.1em">Some text that is long enough.',
    ],
    fails: [
      ['<p style="letter-spacing:-2px">Some text that is long enough.', /letter-spacing of -0\.12 em/],
      [`<p style="letter-spacing:6px">${text(100)}`, /0\.38 em/],
      ['<p style="word-spacing:20px">Some text that is long enough.', /word-spacing of 1\.25 em/],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'text-all-caps': {
    passes: ['<p>SHOP NOW</p>', `<p>${text(200)}`, '<p style="text-transform:uppercase">Shop now'],
    fails: [
      ['<p>THIS IS A WHOLE SENTENCE IN CAPITALS', /all in capitals\./],
      [`<p style="text-transform:uppercase">${text(200)}`, /by text-transform/],
    ],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'preheader-hidden': {
    passes: [
      '<body><div style="display:none">Preview</div><p>Text',
      '<body><div style="max-height:0;overflow:hidden" aria-hidden="true">Preview</div><p>Text',
      '<body><p>Text</p><span style="position:absolute;width:1px;height:1px;overflow:hidden">for screen readers</span>',
    ],
    fails: [
      ['<body><div style="max-height:0;overflow:hidden"><span>Preview</span></div><p>Text', /“Preview” is read out/],
      ['<body><div style="font-size:1px;color:#fff">Preview</div><p>Text', /Preview/],
      ['<body><div style="opacity:0">Preview</div><p>Text', /Preview/],
      [`<body><p>Text</p><div style="font-size:0">${'&nbsp;&zwnj;'.repeat(20)}x</div>`, /read out/],
    ],
    nothing: ['<body><img src="a.png" alt="x">'],
  },
  'aria-hidden-content': {
    passes: [
      '<div aria-hidden="true">Decoration</div>',
      '<div aria-hidden="true"><a href="/a" tabindex="-1">x</a></div>',
    ],
    fails: [
      ['<div aria-hidden="true">See <a href="/a">the shop</a></div>', /hides the link “the shop”/],
      ['<a href="/a" aria-hidden="true">x</a>', /hides the link/],
    ],
    nothing: ['<a href="/a">x</a>'],
  },
  'title-attribute': {
    passes: ['<a href="/a">x</a>', '<img src="a.png" alt="x"><abbr title="Cascading">CSS</abbr>'],
    fails: [
      ['<a href="/a" title="Shop">Shop</a>', /“Shop” of this a repeats its text/],
      ['<img src="a.png" alt="A cat" title="Our shop">', /reaches mouse users only/],
    ],
    nothing: ['<p>Text'],
  },
  tabindex: {
    passes: ['<a href="/a" tabindex="0">x</a>', '<a href="/a" tabindex="-1">x</a>'],
    fails: [['<a href="/a" tabindex="3">x</a>', /tabindex="3" takes this a/]],
    nothing: ['<a href="/a">x</a>'],
  },
  marquee: {
    passes: ['<p>Text'],
    fails: [['<marquee>Sale today</marquee>', /“Sale today” moves/]],
    nothing: ['<img src="a.png" alt="x">'],
  },
  blink: {
    passes: ['<p>Text'],
    fails: [['<blink>Sale</blink>', /“Sale” blinks/]],
    nothing: ['<img src="a.png" alt="x">'],
  },
  'no-autoplay': {
    passes: ['<video src="a.mp4" controls></video>'],
    fails: [
      ['<video src="a.mp4" autoplay></video>', /plays by itself, with sound/],
      ['<video src="a.mp4" autoplay muted></video>', /plays by itself\./],
    ],
    nothing: ['<p>Text'],
  },
  'endless-animation': {
    passes: ['<p style="animation:fade 1s">Text'],
    reviews: [['<style>.x{animation:spin 1s infinite}</style><p class="x">Text', /p is animated without end/]],
    nothing: ['<p>Text'],
  },
};

for (const rule of EMAIL_RULES) {
  describe(rule.id, () => {
    const { passes, fails = [], reviews = [], nothing = [] } = RULES[rule.id] ?? { passes: [] };
    const check = (given: Case) => {
      const [html, facts] = typeof given === 'string' ? [given, {}] : given;
      return rule.check(readMail(html), facts);
    };
    const nameOf = (given: Case) => JSON.stringify(typeof given === 'string' ? given : given[0]).slice(0, 160);
    const expect = (spots: Spot[], messages: RegExp[]) => {
      assert.equal(spots.length, messages.length, spots.map(({ message }) => message).join('\n'));
      spots.forEach(({ message }, index) => assert.match(message, messages[index]!));
    };
    it('has a case that passes and one that does not', () =>
      assert.ok(passes.length > 0 && fails.length + reviews.length > 0));
    for (const given of passes) {
      it(`passes ${nameOf(given)}`, () => {
        const { applies, failures, review } = check(given);
        assert.deepEqual(
          [applies, failures.map(({ message }) => message), review.map(({ message }) => message)],
          [true, [], []],
        );
      });
    }
    for (const [given, ...messages] of fails)
      it(`fails ${nameOf(given)}`, () => expect(check(given).failures, messages));
    for (const [given, ...messages] of reviews) {
      it(`leaves to a person ${nameOf(given)}`, () => {
        const { failures, review } = check(given);
        expect(review, messages);
        assert.deepEqual(failures, []);
      });
    }
    for (const given of nothing)
      it(`has nothing to say about ${nameOf(given)}`, () =>
        assert.deepEqual(check(given), { applies: false, failures: [], review: [] }));
  });
}

describe('the rules', () => {
  it('have names of their own', () => assert.equal(new Set(EMAIL_RULES.map(({ id }) => id)).size, EMAIL_RULES.length));
  it('are all tested, and no others', () =>
    assert.deepEqual(Object.keys(RULES).sort(), EMAIL_RULES.map(({ id }) => id).sort()));
  it('file under criteria that exist, by the sentences that the report shows', () => {
    for (const rule of EMAIL_RULES) {
      const { compliance, standards, pour } = filingOf(rule);
      assert.equal(compliance.length, rule.criteria.length, rule.id);
      assert.ok(
        standards.length > 0 && pour.length > 0 && rule.description.endsWith('.') && rule.fix.endsWith('.'),
        rule.id,
      );
    }
  });
});
