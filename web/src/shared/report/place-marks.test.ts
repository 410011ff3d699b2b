import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lengthOf, lineStarts, markSource, offsetOf } from './place-marks.ts';

const SOURCE = '<p class="a">One</p>\r\n<a href="x>y"\n title="t">Two</a>';

describe('the place of a finding', () => {
  it('begins at its line and column, whatever ends the lines', () => {
    const starts = lineStarts(SOURCE);
    assert.deepEqual(starts, [0, 22, 36]);
    assert.equal(SOURCE.slice(offsetOf({ line: 2, column: 4 }, starts)).startsWith('href'), true);
    assert.equal(offsetOf({ line: 3 }, starts), 36);
    assert.equal(offsetOf({ offset: 7, line: 3 }, starts), 7);
    assert.equal(offsetOf({ line: 9 }, starts), undefined);
    assert.equal(offsetOf({ selector: 'p' }, starts), undefined);
  });

  it('ends with its snippet, with the tag where the snippet is cut, and with the attribute, declaration or word where there is none', () => {
    assert.equal(lengthOf(SOURCE, 3, { snippet: 'class="a"' }), 9);
    assert.equal(lengthOf(SOURCE, 0, { snippet: '<p cl…' }), 13);
    assert.equal(lengthOf(SOURCE, 3, {}), 'class="a"'.length);
    assert.equal(lengthOf('h1 { color: red; }', 5, {}), 'color: red'.length);
    assert.equal(lengthOf('.card, p { }', 0, {}), '.card,'.length);
  });

  it('is marked in the start tag that holds it, also when an attribute or a quoted > comes before', () => {
    assert.equal(
      markSource(SOURCE, [{ offset: 0 }, undefined, { line: 1, column: 4 }, { line: 3, column: 2 }]),
      '<p data-galley-at="0 2" class="a">One</p>\r\n<a data-galley-at="3" href="x>y"\n title="t">Two</a>',
    );
  });

  it('marks nothing for text, comments and end tags', () => {
    const source = '<p>text</p><!-- <b>no</b> -->';
    assert.equal(markSource(source, [{ offset: 5 }, { offset: 8 }, { offset: 11 }]), source);
  });
});
