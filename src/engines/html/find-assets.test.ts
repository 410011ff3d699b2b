import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findAssets, findStyleAssets } from './index.ts';

const at = (name: string) => `https://a.example/${name}`;
const list = (html: string, base?: string) =>
  findAssets(html, base).map(({ kind, url, where }) => `${kind} ${url} ${where}`);

describe('findAssets', () => {
  const rows: [string, string, string[]][] = [
    ['an image', '<img src="https://a.example/x.png">', ['image https://a.example/x.png img src']],
    ['entities in a URL', '<img src="https://a.example/?a=1&amp;b=2">', ['image https://a.example/?a=1&b=2 img src']],
    [
      'the form that browsers ask for',
      '<img src=" HTTPS://A.example:443/ü x.png#top\n">',
      ['image https://a.example/%C3%BC%20x.png img src'],
    ],
    ['a URL without scheme', '<img src="//a.example/x.png">', ['image https://a.example/x.png img src']],
    ['an inline image', '<img src="CID:logo@mail">', ['image cid:logo@mail img src']],
    [
      'candidates',
      '<img srcset="https://a.example/1 1x,https://a.example/2 2x, https://a.example/3,4 3x,https://a.example/5,">',
      ['1', '2', '3,4', '5'].map((name) => `image ${at(name)} img srcset`),
    ],
    [
      'picture sources',
      '<picture><source srcset="https://a.example/d 600w"><img src="https://a.example/m"></picture>',
      ['image https://a.example/d source srcset', 'image https://a.example/m img src'],
    ],
    [
      'an image button, not a text field',
      '<input type=IMAGE src="https://a.example/b"><input src="https://a.example/no">',
      ['image https://a.example/b input src'],
    ],
    [
      'backgrounds',
      '<body background="https://a.example/1"><table background="https://a.example/2"><tr>' +
        '<td background="https://a.example/3">',
      [
        'image https://a.example/1 body background',
        'image https://a.example/2 table background',
        'image https://a.example/3 td background',
      ],
    ],
    [
      'style attributes',
      `<p style="background:url('https://a.example/1') no-repeat, url(https://a.example/2)">`,
      ['image https://a.example/1 p style', 'image https://a.example/2 p style'],
    ],
    [
      'list bullets, not cursors',
      '<ul style="cursor:url(https://a.example/c); list-style: square url(https://a.example/l)">',
      ['image https://a.example/l ul style'],
    ],
    [
      'style sheets',
      '<style>@import url("https://a.example/i.css") screen; @import \'https://a.example/j.css\'; ' +
        '.a{background-image:url(https://a.example/b)}</style>',
      ['style https://a.example/i.css style', 'style https://a.example/j.css style', 'image https://a.example/b style'],
    ],
    [
      'fonts',
      '<style>@media screen{@font-face{font-family:x;src:local("y"),url(https://a.example/f.woff2) ' +
        'format("woff2")}}</style>',
      ['font https://a.example/f.woff2 style'],
    ],
    [
      'a style sheet hidden in a comment',
      '<style><!-- a{background:url(https://a.example/b)} --></style>',
      ['image https://a.example/b style'],
    ],
    [
      'linked style sheets, not icons',
      '<link rel="Alternate StyleSheet" href="https://a.example/s.css"><link rel=icon href="https://a.example/i.ico">',
      ['style https://a.example/s.css link href'],
    ],
    [
      'image sets',
      "<p style=\"background:image-set('https://a.example/1' 1x, url(https://a.example/2) " +
        "type('image/png'));background:-webkit-image-set(url(https://a.example/3) 1x)\">",
      ['image https://a.example/1 p style', 'image https://a.example/2 p style', 'image https://a.example/3 p style'],
    ],
    [
      'VML in conditional comments',
      '<!--[if gte mso 9]><v:rect><v:fill type="frame" src="https://a.example/v.jpg"/></v:rect>' +
        '<v:image SRC="https://a.example/w.jpg"/><![endif]-->',
      ['image https://a.example/v.jpg v:fill src', 'image https://a.example/w.jpg v:image src'],
    ],
    [
      'table cells and styles in conditional comments',
      '<table><tr><!--[if mso]><td background="https://a.example/1"><style>a{background:url(https://a.example/2)}' +
        '</style><![endif]--></tr></table>',
      ['image https://a.example/1 td background', 'image https://a.example/2 style'],
    ],
    [
      'what is shown to all but Outlook',
      '<!--[if !mso]><!--><img src="https://a.example/1"><!--<![endif]-->',
      ['image https://a.example/1 img src'],
    ],
    ['nothing in a plain comment', '<!-- <img src="https://a.example/1"> -->', []],
    [
      'noscript and template',
      '<noscript><img src="https://a.example/1"></noscript><template><img src="https://a.example/2"></template>',
      ['image https://a.example/1 img src', 'image https://a.example/2 img src'],
    ],
    [
      'video and audio',
      '<video poster="https://a.example/p" src="https://a.example/v"><source src="https://a.example/w"></video>' +
        '<audio src="https://a.example/a">',
      [
        'image https://a.example/p video poster',
        'media https://a.example/v video src',
        'media https://a.example/w source src',
        'media https://a.example/a audio src',
      ],
    ],
    [
      'SVG images',
      '<svg><image href="https://a.example/1"/><image xlink:href="https://a.example/2"/>' +
        '<feImage href="https://a.example/3"/></svg>',
      [
        'image https://a.example/1 image href',
        'image https://a.example/2 image href',
        'image https://a.example/3 feImage href',
      ],
    ],
    [
      'no links, scripts, frames or embedded data',
      '<a href="https://a.example/1"></a><script src="https://a.example/2"></script>' +
        '<iframe src="https://a.example/3"></iframe><img src="data:image/gif;base64,R0lGOD">' +
        '<p style="background:url(data:image/png,x);filter:url(#f)">',
      [],
    ],
    [
      'no other schemes or merge tags',
      '<img src="javascript:alert(1)"><img src="file:///etc/passwd"><img src="{{ logo }}"><img src=""><img>',
      [],
    ],
    [
      'each asset once, by kind',
      '<img src="https://a.example/1#a"><img src="https://a.example/1#b"><td background="https://a.example/1">',
      ['image https://a.example/1 img src'],
    ],
  ];
  for (const [what, html, expected] of rows) {
    it(`finds ${what}`, () => assert.deepEqual(list(html), expected));
  }

  it('resolves relative URLs by the given base', () => {
    assert.deepEqual(list('<img src="i/x.png"><img src="/y.png">', 'https://a.example/mail/1.html'), [
      'image https://a.example/mail/i/x.png img src',
      'image https://a.example/y.png img src',
    ]);
  });
  it('resolves relative URLs by the first base element, also those before it', () => {
    const html = '<link rel=stylesheet href=s.css><base href="/other/"><base href="https://b.example/"><img src=x.png>';
    assert.deepEqual(list(html, 'https://a.example/mail/'), [
      'style https://a.example/other/s.css link href',
      'image https://a.example/other/x.png img src',
    ]);
    assert.deepEqual(list('<base href="https://c.example/d/"><img src=x.png>'), [
      'image https://c.example/d/x.png img src',
    ]);
  });
  it('leaves out relative URLs that have no base', () => assert.deepEqual(list('<img src="x.png">'), []));
  it('finds nothing in text that only looks like a declaration', () => {
    assert.deepEqual(
      list(
        '<p>background:url(https://a.example/1)</p><style>/* url(https://a.example/2) */ ' +
          'a{content:"url(https://a.example/3)"}</style>',
      ),
      [],
    );
  });
  it('undoes CSS escapes', () => {
    assert.deepEqual(list(String.raw`<p style="background:url(https://a.example/\31 .png)">`), [
      'image https://a.example/1.png p style',
    ]);
  });
  it('survives broken CSS and still finds what browsers load', () => {
    assert.deepEqual(
      list(
        '<style>} a{ {{tag}} background:url(https://a.example/1) } @media{ ' +
          'b{background:url("https://a.example/2</style>',
      ),
      ['image https://a.example/1 style', 'image https://a.example/2 style'],
    );
  });
  it('is not brought down by depth, number or length', () => {
    const deep = findAssets(`${'<div>'.repeat(100_000)}<img src="https://a.example/1">`);
    assert.equal(deep.length, 1);
    assert.equal(
      findAssets(Array.from({ length: 6_000 }, (_, index) => `<img src="https://a.example/${index}">`).join('')).length,
      5_000,
    );
    assert.deepEqual(list(`<!--[if mso]>${'<!--[if mso]>'.repeat(10_000)}<img src="https://a.example/1">`), []);
    assert.deepEqual(list(`<img srcset="${', '.repeat(200_000)}">`), []);
    assert.deepEqual(list(`<p style="${'url('.repeat(100_000)}">`).length, 0);
    assert.deepEqual(
      list('<constructor src="https://a.example/1"></constructor><__proto__ src="https://a.example/2">'),
      [],
    );
  });
});

describe('findStyleAssets', () => {
  it('resolves by where the sheet came from', () => {
    const css =
      '@charset "utf-8";@import "more.css";@namespace svg url(http://www.w3.org/2000/svg);' +
      '@font-face{src:url(../f.woff)}a{background:url(i.png)}';
    assert.deepEqual(findStyleAssets(css, 'https://a.example/css/s.css'), [
      { url: at('css/more.css'), kind: 'style', where: 'import' },
      { url: at('f.woff'), kind: 'font', where: 'src' },
      { url: at('css/i.png'), kind: 'image', where: 'background' },
    ]);
  });
});
