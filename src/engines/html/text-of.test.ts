import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { textOf } from './index.ts';

describe('textOf', () => {
  it('writes blocks, links, pictures and lists', () => {
    const html = `<html><head><title>no</title><style>no</style></head><body><h1>Big  news</h1><p>Read <a href="https://a.example/x">this</a> &amp; that<br>now</p>
      <a href="https://a.example/">https://a.example/</a><ul><li>one<li>two</ul><img src="l.png" alt="Logo"><img src="p.gif" alt=""><!-- no --><script>no</script></body></html>`;
    assert.equal(
      textOf(html),
      'Big news\n\nRead this [https://a.example/x] & that\nnow\n\nhttps://a.example/\n * one\n * two\n\nLogo',
    );
  });
  it('leaves no holes where layout tables and padded preheaders were', () => {
    assert.equal(
      textOf(
        '<div>Hi&zwnj;&nbsp;&zwnj;</div><table><tr><td>&nbsp;</td></tr><tr><td><table><tr><td>A</td></tr></table>' +
          '</td></tr><tr><td>&nbsp;&#8203;</td></tr><tr><td>B</td></tr></table>',
      ),
      'Hi\n\nA\n\nB',
    );
  });
  it('wraps lines and survives depth', () => {
    assert.ok(
      textOf(`<p>${'word '.repeat(100)}</p>`)
        .split('\n')
        .every((line) => line.length <= 78),
    );
    assert.equal(typeof textOf('<div>'.repeat(50_000)), 'string');
    assert.equal(textOf(''), '');
  });
});
