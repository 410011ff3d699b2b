import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseFilter, type FilterTree } from './index.ts';

describe('parseFilter', () => {
  const [a, b, c] = ['a', 'b', 'c'].map((term) => ({ term })) as [FilterTree, FilterTree, FilterTree];
  const right: [text: string, tree: FilterTree][] = [
    ['a', a],
    ['a OR b OR c', { any: [a, b, c] }],
    ['a b', { all: [a, b] }],
    ['a AND b', { all: [a, b] }],
    ['a OR b c', { any: [a, { all: [b, c] }] }],
    ['(a OR b) c', { all: [{ any: [a, b] }, c] }],
    ['NOT a', { not: a }],
    ['NOT NOT a', a],
    ['NOT (a OR b)', { not: { any: [a, b] } }],
    ['a AND NOT b', { all: [a, { not: b }] }],
    ['"out of office"', { term: 'out of office' }],
    ['"AND"', { term: 'AND' }],
    [String.raw`"a \"b\""`, { term: 'a "b"' }],
    ["'it is'", { term: 'it is' }],
    ['and', { term: 'and' }],
    ['>100', { above: 100 }],
    ['> 100 <2000', { all: [{ above: 100 }, { below: 2000 }] }],
    ['bob@example.com', { term: 'bob@example.com' }],
  ];
  for (const [text, tree] of right) it(`reads ${text}`, () => assert.deepEqual(parseFilter(text), { tree }));

  const wrong: [text: string, fault: RegExp][] = [
    ['', /lacks a term/],
    ['a OR', /lacks a term/],
    ['AND a', /lacks a term/],
    ['NOT', /lacks a term/],
    ['(a', /bracket that is not closed/],
    ['a)', /closing bracket too many/],
    ['()', /lacks a term/],
    ['"a', /quotation mark at 1 that is not closed/],
    ['>x', /lacks a number after >/],
    ['a '.repeat(101), /more than 100 terms/],
    [`${'('.repeat(30)}a${')'.repeat(30)}`, /more than 20 deep/],
  ];
  for (const [text, fault] of wrong)
    it(`refuses ${text.slice(0, 20) || 'nothing'}`, () =>
      assert.match((parseFilter(text) as { fault: string }).fault, fault));
});
