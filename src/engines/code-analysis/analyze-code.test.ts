import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { analyzeCode, type AnalyzedFeature, type CodeAnalysis } from './index.ts';

const slugs = ({ features }: CodeAnalysis) => features.map(({ slug }) => slug);
const used = (html: string) => slugs(analyzeCode(html));
const feature = (html: string, slug: string): AnalyzedFeature => {
  const found = analyzeCode(html).features.find((one) => one.slug === slug);
  assert.ok(found, `${slug} not found`);
  return found;
};
const snippets = (html: string, slug: string) => feature(html, slug).instances.map(({ snippet }) => snippet);

describe('analyzeCode', () => {
  it('finds in a plain message only what is there', () => {
    const html =
      '<!doctype html><html><head><title>Hello</title></head><body><p style="color:#333333">' +
      'Hello, <a href="https://x.test/">read on</a>.</p></body></html>';
    assert.deepEqual(used(html), ['html-body', 'html-doctype', 'html-p']);
    assert.deepEqual(used('Hello'), []);
    assert.deepEqual(used(''), []);
  });

  const exact: [string, string, string[]][] = [
    ['a background shorthand is no background-color', '<b style="background:red">', ['css-background']],
    [
      'an XHTML doctype is no HTML5 doctype',
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" ' +
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">x',
      [],
    ],
    [
      'descriptors of a font are no properties',
      '<style>@font-face{font-family:x;font-weight:700;font-stretch:50%;src:url(a.woff2)}</style>',
      ['css-at-font-face', 'html-style'],
    ],
    [
      'what @supports asks for is no use',
      '<style>@supports (display:grid){}</style>',
      ['css-at-supports', 'html-style'],
    ],
    ["a query's lengths are no units", '<style>@media (max-width:30em){}</style>', ['css-at-media', 'html-style']],
    [
      'selectors of keyframes are no selectors',
      '<style>@keyframes x{from{opacity:0}50%{opacity:1}}</style>',
      ['css-at-keyframes', 'css-opacity', 'html-style'],
    ],
    [
      "text in a style sheet's strings is no value",
      '<style>q{quotes:"10px" "calc(1vh)"}</style>',
      ['css-selector-type', 'html-style'],
    ],
    ['declarations in comments are no declarations', '<b style="/*width:1px*/">', ['css-comments']],
    ['another type of style element is no CSS', '<style type="text/less">a{width:1px}</style>', ['html-style']],
    ['HTML in a script is no HTML', '<script>"<table>"</script>', []],
    ['HTML in a text field is text', '<textarea><table></textarea>', ['html-textarea']],
    [
      'VML follows rules of its own',
      '<!--[if mso]><v:rect style="width:1px;position:absolute" width="2"></v:rect><![endif]-->',
      ['html-comments'],
    ],
    [
      'drawings have attributes of their own',
      '<svg width="1" height="1"><rect width="1" align="x"/></svg>',
      ['html-svg'],
    ],
    ['a comment that no client reads', '<!--[if IE]><table width="1"><![endif]-->', ['html-comments']],
    ['a vendor prefix makes no difference', '<b style="-webkit-user-select:none">', ['css-user-select']],
    ['a property is known in any case', '<b style="COLUMN-COUNT:2">', ['css-column-count']],
    ['an escaped property', '<b style="col\\75mn-count:2">', ['css-column-count']],
    ['a word without colon is no declaration', '<b style="column-count">', []],
    ['a template in a style attribute', '<b style="{{ style }}">', []],
    [
      'a nested rule that starts with an element',
      '<style>p{b{opacity:1}}</style>',
      ['css-nesting', 'css-opacity', 'css-selector-type', 'html-style'],
    ],
    [
      'a custom property that holds a block',
      '<b style="--x:{opacity:1};column-count:2">',
      ['css-column-count', 'css-variables'],
    ],
    [
      'rules after a broken one',
      '<style>p[{opacity:1} .a{column-count:2}</style>',
      ['css-column-count', 'css-opacity', 'css-selector-class', 'html-style'],
    ],
    [
      'a selector inside :not()',
      '<style>:not(.a > p){}</style>',
      ['css-pseudo-class-not', 'css-selector-child', 'css-selector-class', 'css-selector-type', 'html-style'],
    ],
    [
      'the old spelling of a pseudo-element',
      '<style>p:before{}</style>',
      ['css-pseudo-element-before', 'css-selector-type', 'html-style'],
    ],
    [
      'queries of a source in a picture',
      '<picture><source media="(prefers-color-scheme:dark)" srcset="a.webp 1x, b.avif 2x"></picture>',
      ['css-at-media-prefers-color-scheme', 'html-picture', 'html-srcset', 'image-avif', 'image-webp'],
    ],
    [
      "an image's address in CSS",
      '<b style="background-image:url(  \'a.svg?b=c.png\' )">',
      ['css-background-image', 'image-svg'],
    ],
    [
      'an address with the picture inside',
      '<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
      ['html-img', 'image-base64', 'image-gif'],
    ],
  ];
  for (const [promise, html, expected] of exact) it(`tells: ${promise}`, () => assert.deepEqual(used(html), expected));

  it('counts misnested elements and those that a parser adds as they are written', () => {
    assert.deepEqual(snippets('<table><tr><td><strong>1<p>2</strong>3</table>', 'html-strong'), ['<strong>']);
    assert.ok(!used('<td>x').includes('html-table'));
  });

  it('knows every place of a feature, in order, with its selector', () => {
    const html =
      '<style>\n.a{margin:0}\n@media print{.a{margin:1px}}</style>\n<p style="margin:2px">x</p>\n' +
      '<div id="main"><p>1</p><p style="color:red; margin : 3px">x</p></div>';
    const { instances, instanceCount, inStyleSheets, inMediaQueries } = feature(html, 'css-margin');
    assert.deepEqual(
      instances.map(({ line, column, snippet, selector }) => [line, column, snippet, selector]),
      [
        [2, 4, 'margin:0', undefined],
        [3, 17, 'margin:1px', undefined],
        [4, 11, 'margin:2px', 'body > p'],
        [5, 45, 'margin : 3px', '#main > p:nth-of-type(2)'],
      ],
    );
    assert.deepEqual([instanceCount, inStyleSheets, inMediaQueries], [4, 2, 1]);
  });

  it('keeps as many places as it is asked to, and counts the others', () => {
    const { features } = analyzeCode('<p>x</p>'.repeat(10), { instancesMax: 3 });
    assert.deepEqual([features[0]?.instances.length, features[0]?.instanceCount], [3, 10]);
  });

  it('keeps its place through entities, carriage returns and unquoted values', () => {
    const html =
      "<p\r\n  title=a&amp;b\r\n  style='font-family:&quot;A&amp;B&quot;,&notin;;\r\n" +
      " column-count:&#50;;tab-size:3'>x</p>\r<b style=column-count:4>";
    const columns = feature(html, 'css-column-count').instances;
    assert.deepEqual(
      columns.map(({ line, column, snippet }) => [line, column, snippet]),
      [
        [4, 2, 'column-count:&#50;'],
        [5, 10, 'column-count:4'],
      ],
    );
    assert.deepEqual(html.slice(feature(html, 'css-tab-size').instances[0]!.offset).slice(0, 10), 'tab-size:3');
  });

  it('shortens what it quotes', () => {
    const [snippet] = snippets(`<p title="${'a\n  b '.repeat(100)}">`, 'html-p');
    assert.equal(snippet?.length, 120);
    assert.match(snippet, /^<p title="a b a b .*…$/);
  });
});

describe('conditional comments', () => {
  const readers = (html: string, slug: string) =>
    feature(html, slug).instances.map((instance) => instance.readers ?? 'everybody');

  it('tell what only Word reads', () => {
    const html = '<!--[if mso]><table width="600"><tr><td><![endif]--><div width="1">x</div>';
    const { instances } = feature(html, 'html-width');
    assert.deepEqual(
      instances.map(({ column, selector }) => [column, selector]),
      [
        [21, undefined],
        [58, 'body > div'],
      ],
    );
    assert.deepEqual(readers(html, 'html-width'), [{ word: [12, 14, 15, 16], others: false }, 'everybody']);
    assert.deepEqual(feature(html, 'html-width').readers, { word: [12, 14, 15, 16], others: true });
  });
  it('tell which versions', () => {
    assert.deepEqual(readers('<!--[if (gte mso 12)&(lt mso 16)]><p>x</p><![endif]-->', 'html-p'), [
      { word: [12, 14, 15], others: false },
    ]);
  });
  it('tell what Word does not read', () => {
    assert.deepEqual(readers('<!--[if !mso]><!--><p>x</p><!--<![endif]--><p>y</p>', 'html-p'), [
      { word: [], others: true },
      'everybody',
    ]);
    assert.deepEqual(readers('<![if !mso]><p>x</p><![endif]><p>y</p>', 'html-p'), [
      { word: [], others: true },
      'everybody',
    ]);
    assert.deepEqual(readers('<!--[if mso 15]><!--><p>x</p><!--<![endif]-->', 'html-p'), [
      { word: [15], others: true },
    ]);
  });
  it('count in style sheets as in HTML', () => {
    const html =
      '<head><!--[if mso]><style>\np{column-count:2}</style><![endif]--><!--[if !mso]><!--><style>p{column-count:3}' +
      '</style><!--<![endif]--></head>';
    assert.deepEqual(
      feature(html, 'css-column-count').instances.map(({ line, column, readers }) => [line, column, readers]),
      [
        [2, 3, { word: [12, 14, 15, 16], others: false }],
        [2, 66, { word: [], others: true }],
      ],
    );
  });
  it('may be inside each other', () => {
    assert.deepEqual(readers('<!--[if mso]><![if gte mso 15]><p>x</p><![endif]><![endif]-->', 'html-p'), [
      { word: [12, 14, 15, 16], others: false },
    ]);
  });
  it('may never end', () => {
    assert.deepEqual(used('<p>x</p><!--[if !mso]><!--><p>y</p>'), ['html-comments', 'html-p']);
    assert.deepEqual(used('<p>x</p><!--[if mso]><hr>'), ['html-comments', 'html-p']);
  });
});

describe('notes of the data', () => {
  const met = (html: string, slug: string) =>
    feature(html, slug).notesMet.map((number) => feature(html, slug).notes[number]);

  it('are met by what the message does', () => {
    assert.match(met('<p style="margin:-1px">x</p>', 'css-margin').join(), /[Nn]egative/);
    assert.doesNotMatch(met('<p style="margin:1px">x</p>', 'css-margin').join(), /[Nn]egative/);
  });
  it('are met at the very place', () => {
    const html = '<p style="margin:1px">x</p><p style="margin:-1px">y</p>';
    const [first, second] = feature(html, 'css-margin').instances;
    assert.deepEqual(first?.notes, undefined);
    assert.deepEqual(
      second?.notes?.map((number) => feature(html, 'css-margin').notes[number]),
      ['Partial. Negative values are not supported.'],
    );
  });
  it('that depend on the element look at what a rule is for', () => {
    const paddings = (css: string, body: string) => feature(`<style>${css}</style>${body}`, 'css-padding').notesMet;
    const [onCellsOnly] = paddings('p{padding:1px}', '<p>x</p>');
    assert.ok(onCellsOnly);
    assert.deepEqual(paddings('td{padding:1px}', ''), []);
    assert.deepEqual(paddings('.a{padding:1px}', '<table><tr><td class="b a">x</table>'), []);
    assert.deepEqual(paddings('.a{padding:1px}', '<p class="a">x</p>'), [onCellsOnly]);
    assert.deepEqual(paddings('#a td:hover{padding:1px}', '<p id="a">x</p>'), []);
    assert.deepEqual(paddings('p{padding:0 0}', '<p>x</p>'), [], 'a reset is no loss');
  });
});

describe('hostile messages', () => {
  const hostile: [string, string][] = [
    ['elements nested without end', '<div>'.repeat(30_000)],
    ['misnested tables', '<table><b><p>'.repeat(5_000)],
    ['brackets without end', `<style>p{a:${'('.repeat(100_000)}`],
    ['selectors nested without end', `<style>${':not('.repeat(20_000)}`],
    ['blocks nested without end', `<style>${'@media x{'.repeat(50_000)}`],
    ['rules nested without end', `<style>${'a{'.repeat(50_000)}`],
    ['a long query', `<style>@media ${'(a:'.repeat(50_000)}{}`],
    ['comments without end', `<style>${'/*'.repeat(50_000)}`],
    ['entities in an attribute', `<p style="${'width:1px;&amp;'.repeat(5_000)}">`],
    ['many attributes', `<p ${Array.from({ length: 5_000 }, (_, n) => `a${n}=1`).join(' ')}>`],
    ['very many siblings', '<b style="width:1px">'.repeat(3_000)],
    ['conditional comments without end', '<!--[if mso]><!-->'.repeat(10_000)],
    ['nothing but a null', '\0<style>\0{\0:\0}'],
  ];
  for (const [what, html] of hostile) {
    it(`are read in bounds: ${what}`, () => {
      const { features, sourceBytes } = analyzeCode(html);
      assert.ok(features.length < 30);
      assert.equal(sourceBytes, Buffer.byteLength(html));
    });
  }
  it('are said to be read in part', () => {
    assert.equal(analyzeCode('<i>'.repeat(20_000)).complete, false);
    assert.equal(analyzeCode('<i>').complete, true);
  });
});

describe("what HTML can't show", () => {
  it('is named with the reason when it was not given', () => {
    assert.deepEqual(
      analyzeCode('x').notLookedFor.map(({ slug }) => slug),
      ['amp', 'bimi'],
    );
    assert.deepEqual(
      analyzeCode('x', { headers: [{ name: 'Subject', value: 'bimi=pass' }], ampHtml: '' }).notLookedFor,
      [],
    );
  });
});
