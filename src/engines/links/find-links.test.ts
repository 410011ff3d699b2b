import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findLinks, findTextLinks, LINKS_MAX } from './index.ts';

describe('findLinks', () => {
  const html = [
    '<html><body>',
    '<p>Hello <a href=" https://shop.example/sale?a=1&amp;b=2 ">Shop <b>now</b></a></p>',
    '<a href="https://shop.example/logo"><img src="l.png" alt="Shop"></a><a href="/x"><img src="x.png"></a>',
    '<map><area href="https://a.example/" alt="Left"></map>',
    '<form action="https://f.example/go"><button formaction="https://f.example/other">Send</button></form>',
    '<!--[if mso]><v:roundrect href="https://v.example/"><center>Buy</center></v:roundrect><![endif]-->',
    '<a name="only-a-place">x</a><h2 id="offers"></h2><a href="#offers">Down</a>',
    '<svg><a xlink:href="https://s.example/"><text>Vector</text></a></svg>',
    '</body></html>',
  ].join('\n');
  const { links, anchors, isCut } = findLinks(html);

  it('finds every kind in document order, with what it shows', () => {
    assert.deepEqual(
      links.map(({ kind, url, text, isImageOnly }) => [kind, url, text, isImageOnly]),
      [
        ['a', 'https://shop.example/sale?a=1&b=2', 'Shop now', false],
        ['a', 'https://shop.example/logo', 'Shop', true],
        ['a', '/x', '', true],
        ['area', 'https://a.example/', 'Left', false],
        ['form', 'https://f.example/go', 'Send', false],
        ['form', 'https://f.example/other', 'Send', false],
        ['vml', 'https://v.example/', 'Buy', false],
        ['a', '#offers', 'Down', false],
        ['svg', 'https://s.example/', 'Vector', false],
      ],
    );
    assert.equal(isCut, false);
  });
  it('says where each stands', () => {
    const [first, , , area] = links;
    assert.deepEqual([first!.line, first!.column, first!.offset, first!.selector], [2, 10, 22, 'html > body > p > a']);
    assert.equal(html.slice(first!.offset, first!.offset + 2), '<a');
    assert.equal(first!.snippet, '<a href=" https://shop.example/sale?a=1&amp;b=2 ">');
    assert.deepEqual([area!.line, area!.selector], [4, 'html > body > map > area']);
    const vml = links.find(({ kind }) => kind === 'vml')!;
    assert.deepEqual([vml.line, vml.condition, vml.selector], [6, 'mso', undefined]);
    assert.equal(html.slice(vml.offset, vml.offset + 12), '<v:roundrect');
  });
  it('knows the places that links into the message may lead to', () =>
    assert.deepEqual([...anchors], ['only-a-place', 'offers']));
  it('makes relative addresses absolute where the message says to what, and no others', () => {
    const source =
      '<base href="https://b.example/mail/"><a href="page?x">1</a><a href="//c.example/">2</a><a href="http://">3' +
      '</a><a href="#a">4</a><a href="">5</a><a href="mailto:x">6</a>';
    assert.deepEqual(
      findLinks(source).links.map(({ target }) => target),
      ['https://b.example/mail/page?x', 'https://c.example/', 'http://', '#a', '', 'mailto:x'],
    );
    assert.equal(findLinks('<a href="page">1</a>').links[0]!.target, 'page');
    assert.equal(
      findLinks('<a href="page">1</a>', 'https://p.example/a/').links[0]!.target,
      'https://p.example/a/page',
    );
  });
  it('takes the name for assistive technology where there is no text, and no padding for text', () => {
    const texts = findLinks(
      '<a href="x" aria-label="Home">\u200c&nbsp;</a><a href="x" title="Top"></a><a href="x">\u200b</a>' +
        '<a href="x"><style>p{}</style></a>',
    ).links.map(({ text }) => text);
    assert.deepEqual(texts, ['Home', 'Top', '', '']);
  });
  it('stays within bounds, whatever comes', () => {
    const many = findLinks('<a href="https://a.example/">x</a>'.repeat(LINKS_MAX + 5));
    assert.deepEqual([many.links.length, many.isCut], [LINKS_MAX, true]);
    const [deep] = findLinks(`<a href="x">${'<b>'.repeat(20_000)}end`).links;
    assert.equal(deep!.text, '');
    const [long] = findLinks(`<a href="${'x'.repeat(100_000)}">${'y'.repeat(100_000)}</a>`).links;
    assert.deepEqual([long!.url.length, long!.text.length], [8_192, 300]);
  });
});

describe('findTextLinks', () => {
  it('finds what mail programs make clickable, without the stops of the sentence', () => {
    const text =
      'See https://a.example/x, or (www.b.example/y).\n' +
      'Write mailto:me@c.example! Wiki: https://w.example/A_(b)\nnothing.example';
    assert.deepEqual(
      findTextLinks(text).links.map(({ url, target, line, column }) => [url, target, line, column]),
      [
        ['https://a.example/x', 'https://a.example/x', 1, 5],
        ['www.b.example/y', 'http://www.b.example/y', 1, 30],
        ['mailto:me@c.example', 'mailto:me@c.example', 2, 7],
        ['https://w.example/A_(b)', 'https://w.example/A_(b)', 2, 34],
      ],
    );
  });
});
