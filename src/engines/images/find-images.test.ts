import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findImages, IMAGES_MAX, type FoundImage } from './find-images.ts';
import { parseSrcset } from '../html/index.ts';

const one = (html: string, baseUrl?: string): FoundImage => {
  const found = findImages(html, baseUrl);
  assert.equal(found.length, 1, JSON.stringify(found.map(({ where, url }) => `${where} ${url}`)));
  return found[0]!;
};
const urls = (html: string) => findImages(html).map(({ kind, url }) => `${kind} ${url}`);

describe('findImages', () => {
  it('finds images in all their forms, in document order', () => {
    const html = `<style>.a{background:url(css.png)} @font-face{src:url(font.woff)}</style>
      <img src="a.png" srcset="b.png 2x, c.png 3x"><picture><source srcset="d.webp 640w"><img src="e.jpg"></picture>
      <table background="f.png"><tr><td style="background-image:url('g.png')"></td></tr></table>
      <input type="image" src="h.png"><input src="no.png"><video poster="i.png" src="no.mp4"></video>
      <svg><image xlink:href="j.png"/></svg><audio src="no.mp3"></audio>`;
    assert.deepEqual(urls(html), [
      'css css.png',
      'img a.png',
      'srcset b.png',
      'srcset c.png',
      'srcset d.webp',
      'img e.jpg',
      'background f.png',
      'css g.png',
      'input h.png',
      'poster i.png',
      'svg j.png',
    ]);
  });
  it('counts a background that is written as an attribute and as a property once', () => {
    assert.deepEqual(urls('<table background=" f.png " style="background:#fff url(f.png)">'), ['background f.png']);
    assert.deepEqual(urls('<table background="f.png" style="background:url(g.png)">'), [
      'background f.png',
      'css g.png',
    ]);
  });
  it('finds VML in conditional comments, with its condition and no selector', () => {
    const image = one(
      '<p>x</p>\r\n<!--[if gte mso 9]>\r\n<v:rect><v:fill type="frame" src="a&amp;b.png"/></v:rect>\r\n<![endif]-->',
    );
    assert.deepEqual(
      [image.kind, image.url, image.condition, image.selector, image.line, image.column],
      ['vml', 'a&b.png', 'gte mso 9', undefined, 3, 9],
    );
  });
  it('says where an image stands in the source as given', () => {
    const html = '<!doctype html>\r\n<body>\r\n  <div><p>a</p><p>\u{1F4F7} <img src=" x.png "></p></div>';
    const { line, column, offset, selector, snippet, url } = one(html);
    assert.deepEqual(
      [line, column, offset, selector, snippet, url],
      [3, 22, 46, 'html > body > div > p:nth-of-type(2) > img', '<img src=" x.png ">', 'x.png'],
    );
    assert.equal(html.slice(offset, offset + 4), '<img');
  });
  it('places a URL of a style sheet at the URL', () => {
    const html = '<style>\na { color: red }\n.b { background: url(x.png) }</style>';
    const image = one(html);
    assert.deepEqual([image.line, image.column, html.slice(image.offset, image.offset + 5)], [3, 22, 'x.png']);
  });
  it('makes addresses absolute where something says what to', () => {
    assert.equal(one('<img src="a.png">').resolvedUrl, undefined);
    assert.equal(one('<img src="a.png#x">', 'https://e.example/m/').resolvedUrl, 'https://e.example/m/a.png');
    assert.equal(
      one('<base href="https://b.example/"><img src="a.png">', 'https://e.example/').resolvedUrl,
      'https://b.example/a.png',
    );
    assert.equal(one('<img src="//c.example/a.png">').resolvedUrl, 'https://c.example/a.png');
    assert.equal(one('<img src="CID:part1">').resolvedUrl, 'cid:part1');
    assert.equal(one('<img src="data:image/gif;base64,R0lG">').resolvedUrl, 'data:image/gif;base64,R0lG');
    assert.equal(one('<img src="file:///a.png">').resolvedUrl, undefined);
  });
  it('tells a missing, an empty and a written alt, by whatever name', () => {
    const states = ['', 'alt', 'alt=""', 'alt="  "', 'alt="A"', 'aria-label="B"', 'alt="" aria-label="B"'].map(
      (attribute) => one(`<img src="a.png" ${attribute}>`).alt,
    );
    assert.deepEqual(
      states.map((alt) => `${alt?.state}:${alt?.text}`),
      ['missing:', 'empty:', 'empty:', 'empty:', 'text:A', 'text:B', 'text:B'],
    );
    assert.equal(one('<td><table background="a.png"></table>').alt, undefined);
  });
  it('reports an image without any source', () => {
    assert.deepEqual(urls('<img alt="x"><img src=""><img srcset="a.png">'), ['img ', 'img ', 'srcset a.png']);
  });
  it('reads the shown size from attributes, styles and style sheets, CSS first', () => {
    const size = (attributes: string, css = '') => {
      const { width, height, isFluid } = one(`<style>${css}</style><img src="a.png" ${attributes}>`).size;
      return [width, height, isFluid];
    };
    assert.deepEqual(size('width="300" height="200px"'), [300, 200, false]);
    assert.deepEqual(size('width="600" style="width:300px;height:auto"'), [300, undefined, false]);
    assert.deepEqual(size('width="600" height="20" style="width:100%;max-width:580px"'), [580, 20, true]);
    assert.deepEqual(size('width="100%"'), [undefined, undefined, true]);
    assert.deepEqual(size('width="600" class="a"', '.a { width: 200px } img.a { height: 30pt }'), [200, 40, false]);
    assert.deepEqual(size('width="600"', '@media (max-width:600px) { img { width: 100px !important } }'), [
      600,
      undefined,
      false,
    ]);
    assert.deepEqual(size('width="600" style="width:auto"'), [undefined, undefined, false]);
    assert.deepEqual(size('width="600" style="width:200px;width:wide"'), [200, undefined, false]);
  });
  it('knows the color behind an image, and where it cannot be known', () => {
    const behind = (html: string) => findImages(html).at(-1)!.behind;
    assert.equal(behind('<p><img src="a.png">'), '#ffffff');
    assert.equal(
      behind('<table bgcolor="222222"><tr><td style="background:rgba(0,0,0,0)"><img src="a.png">'),
      '#222222',
    );
    assert.equal(
      behind('<style>.d{background:#123 none}</style><table bgcolor="white"><tr><td class="d"><img src="a.png">'),
      '#112233',
    );
    assert.equal(behind('<div style="background:#000 url(b.png)"><p><img src="a.png">'), undefined);
    assert.equal(
      behind('<div style="background:linear-gradient(red,blue)"><p style="background:#fff"><img src="a.png">'),
      '#ffffff',
    );
    assert.equal(behind('<body bgcolor="#eeeeee"><!--[if mso]><img src="a.png"><![endif]-->'), '#eeeeee');
    assert.equal(
      behind(
        '<style>.a{color:red}</style><template><b>x</b></template><style>.q{background:red}</style>' +
          '<p class="q"><img src="a.png">',
      ),
      '#ff0000',
    );
  });
  it('knows the link around an image, and whether it has another name', () => {
    const link = (html: string) => findImages(html).at(-1)!.link;
    assert.equal(link('<img src="a.png">'), undefined);
    assert.deepEqual(link('<a href="/x"><span><img src="a.png"></span></a>'), { href: '/x', hasOtherText: false });
    assert.deepEqual(link('<a href="/x">Read <img src="a.png"></a>'), { href: '/x', hasOtherText: true });
    assert.deepEqual(link('<a href="/x"><img src="b.png" alt="B"><img src="a.png"></a>'), {
      href: '/x',
      hasOtherText: true,
    });
    assert.deepEqual(link('<a href="/x" aria-label="Home"><img src="a.png"></a>'), { href: '/x', hasOtherText: true });
    assert.equal(link('<a name="x"><img src="a.png"></a>'), undefined);
  });
  it('bounds what it lists, and survives deep nesting', () => {
    assert.deepEqual(
      [
        findImages('<img src="a.png">'.repeat(3_000)).length,
        findImages('<img src="a.png">'.repeat(IMAGES_MAX + 5)).length,
      ],
      [3_000, IMAGES_MAX],
    );
    const deep = findImages(`${'<div>'.repeat(20_000)}<img src="a.png">`);
    assert.equal(deep.length, 1);
    assert.ok(deep[0]!.selector!.length < 300);
  });
});

describe('parseSrcset', () => {
  it('reads descriptors, and URLs with commas in them', () => {
    assert.deepEqual(parseSrcset(' a,b.png 2x,c.png, d.png 640w , e.png 1.5x'), [
      { url: 'a,b.png', density: 2, width: undefined },
      { url: 'c.png', density: 1, width: undefined },
      { url: 'd.png', density: 1, width: 640 },
      { url: 'e.png', density: 1.5, width: undefined },
    ]);
    assert.deepEqual(parseSrcset(' , '), []);
  });
});
