import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { markWords } from './mark-words.ts';

const place = (source: string, words: string) => ({ offset: source.indexOf(words), length: words.length });
const SPAN = /<span data-galley-at="([\d ]+)" style="[^"]*">([^<]*)<\/span>/g;

describe('words marked in a message', () => {
  it('surrounds the words of the text, and nothing else', () => {
    const source = '<p>Buy now and win</p>';
    const marked = markWords(source, [place(source, 'Buy now')]);
    assert.deepEqual(
      [...marked.matchAll(SPAN)].map(([, numbers, words]) => [numbers, words]),
      [['0', 'Buy now']],
    );
    assert.equal(marked.replaceAll(/<\/?span[^>]*>/g, ''), source);
  });

  it('puts the number into the tag for a place within one', () => {
    const source = '<p><a href="http://x.test/a>b">go</a></p>';
    assert.equal(
      markWords(source, [undefined, place(source, 'x.test')]),
      '<p><a data-galley-at="1" href="http://x.test/a>b">go</a></p>',
    );
  });

  it('leaves out the tags between words that reach over them', () => {
    const source = '<p>Act <b>right</b> now</p>';
    const marked = markWords(source, [{ offset: 3, length: 'Act <b>right</b> now'.length }]);
    assert.deepEqual(
      [...marked.matchAll(SPAN)].map(([, , words]) => words),
      ['Act ', 'right', ' now'],
    );
  });

  it('joins what overlaps, so that marks do not cross', () => {
    const source = '<p>free money today</p>';
    const marked = markWords(source, [
      place(source, 'free money'),
      place(source, 'money today'),
      place(source, 'free money'),
    ]);
    assert.deepEqual(
      [...marked.matchAll(SPAN)].map(([, numbers, words]) => [numbers, words]),
      [['0 1 2', 'free money']],
    );
  });

  it('does not touch styles, titles and comments', () => {
    const source = '<title>win</title><style>.win{}</style><!-- win --><p>ok</p>';
    for (const { index } of source.matchAll(/win/g))
      assert.equal(markWords(source, [{ offset: index, length: 3 }]), source);
  });
});
