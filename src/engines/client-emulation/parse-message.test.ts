import assert from 'node:assert/strict';
import { generate } from 'css-tree';
import { describe, it } from 'node:test';
import { parseMessage, workOn } from './parse-message.ts';
import { serialize } from './serialize-document.ts';
import { elementsOf, removeNode, setAttribute } from './working-document.ts';

const again = (html: string) => serialize(workOn(parseMessage(html)));

describe('parsing a message', () => {
  it('gives every client a copy of its own', () => {
    const message = parseMessage('<style>p{color:red}</style><p class="a">x</p>');
    const before = serialize(workOn(message));
    const doc = workOn(message);
    doc.styles[0]!.ast.children.clear();
    for (const el of elementsOf(doc.body)) setAttribute(el, 'class', 'changed');
    removeNode(elementsOf(doc.body).at(-1)!);
    assert.notEqual(serialize(doc), before);
    assert.equal(serialize(workOn(message)), before);
  });

  it('always has html, head and body, and knows its size in bytes', () => {
    for (const html of ['', 'text', '<frameset><frame></frameset>', '<!doctype html>', '<p>ä']) {
      const doc = workOn(parseMessage(html));
      assert.deepEqual([doc.html.tagName, doc.head.tagName, doc.body.tagName], ['html', 'head', 'body'], html);
    }
    assert.equal(workOn(parseMessage('<p>ä')).sourceBytes, 5);
  });

  it('finds the style sheets of the message, in order, and no others', () => {
    const doc = workOn(
      parseMessage(
        '<style>a{b:c}</style><p>x<style media="print">d{e:f}</style><style type="text/x">g{h:i}</style><template>' +
          '<style>j{k:l}</style></template><noscript><style>m{n:o}</style></noscript>',
      ),
    );
    assert.deepEqual(
      doc.styles.map((style) => generate(style.ast)),
      ['a{b:c}', 'd{e:f}', 'm{n:o}'],
    );
    assert.deepEqual(
      doc.styles.map((style) => style.sourceBytes),
      [6, 6, 6],
    );
  });

  it('reads conditional comments with the version it is asked for', () => {
    const message = parseMessage(
      '<!--[if mso 16]><b>word</b><![endif]--><!--[if !mso]><!--><i>other</i><!--<![endif]-->',
    );
    assert.match(serialize(workOn(message, 16)), /<b>word<\/b>/);
    assert.doesNotMatch(serialize(workOn(message, 15)), /<b>word<\/b>/);
    assert.match(serialize(workOn(message)), /<i>other<\/i>/);
    assert.doesNotMatch(serialize(workOn(message)), /<b>word<\/b><\/body>/);
  });
});

describe('serializing a document', () => {
  it('writes what parses to the same document', () => {
    const pages = [
      '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" ' +
        '"http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd"><p>x',
      '<p title="a &amp; &quot;b&quot; < c">1 &lt; 2 &amp; 3&nbsp;4</p><!-- note --><br><img src=x>',
      '<pre>\n\nx</pre><textarea>\n\ny</textarea><script>if (a < b && c) d("</p>")</script>' +
        '<noscript><p>z</p></noscript>',
      '<svg viewBox="0 0 1 1"><a xlink:href="#x"><title>t</title></a></svg><math><mi>x</mi></math>' +
        '<template><p>t</p></template>',
      '<style>p > a::after{content:"<b>"}</style>',
    ];
    for (const page of pages) assert.equal(again(again(page)), again(page), page);
  });

  it('keeps the whole doctype, because its identifiers choose the rendering mode', () => {
    assert.match(
      again('<!DOCTYPE html PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN"><p>x'),
      /^<!DOCTYPE html PUBLIC "-\/\/W3C\/\/DTD HTML 4\.01 Transitional\/\/EN"><html>/,
    );
    assert.match(again('<!doctype html><p>x'), /^<!DOCTYPE html><html>/);
    assert.match(again('<p>x'), /^<html>/);
  });

  it('never lets a style sheet end its own element', () => {
    const html = again('<style>a[title="\\3c/style><script>x</script>"]{color:red}</style><p>safe</p>');
    assert.match(html, /<style>a\[title="\\3c \/style>/);
    assert.deepEqual(
      elementsOf(workOn(parseMessage(html)).body).map((el) => el.tagName),
      ['p'],
    );
    assert.match(html, /<p>safe<\/p>/);
  });
});
