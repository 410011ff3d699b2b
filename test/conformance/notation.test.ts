// The comparison that the conformance list stands on: what it must notice, as a table.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Comparison, parseShape } from './notation.ts';

const comparison = new Comparison(new Map([['Key', parseShape('{id: text, until?: rfc3339|null}')]]));

/** Shape, value, and the differences as `place kind`. */
const CASES: readonly [shape: string, value: unknown, differences: readonly string[]][] = [
  ['{id: text, count: int}', { id: 'a', count: 1 }, []],
  ['{id: text}', {}, ['id missing']],
  ['{id?: text}', {}, []],
  ['{id?: text}', { id: null }, ['id type']],
  ['{id: text|null}', { id: null }, []],
  ['{id: text}', { id: 7 }, ['id type']],
  ['{count: int}', { count: 1.5 }, ['count type']],
  ['{rate: number}', { rate: '0.98' }, ['rate type']],
  ['{id: text}', { id: 'a', more: 1 }, ['more extra']],
  ["{state: 'open'|'closed'}", { state: 'open' }, []],
  ["{state: 'open'|'closed'}", { state: 'ajar' }, ['state type']],
  ['{items: [{id: text}]}', { items: [{ id: 'a' }, {}, {}] }, ['items[].id missing']],
  ['{items: [{id: text}]}', { items: [] }, ['items[] empty']],
  ['{items: [text]}', { items: [] }, []],
  ['{items: [{of: [{id: text}]}]}', { items: [{ of: [] }] }, []],
  ['{items: [{id: text}]}', { items: { id: 'a' } }, ['items type']],
  ['[Key]', [{ id: 'a', until: '2026-11-22T10:00:00Z' }], []],
  ['[Key]', [{ id: 'a', until: 'tomorrow' }], ['[].until type']],
  ['{<key>: Key}', { one: { until: null } }, ['{}.id missing']],
  ['{<key>: Key}', {}, ['{} empty']],
  ['{paging: {next?: url}}', { paging: { next: 'http://127.0.0.1/v3?page=2' } }, []],
  ['{paging: {next?: url}}', { paging: { next: '' } }, ['paging.next type']],
  ['{at: rfc2822}', { at: 'Sun, 22 Nov 2026 10:00:00 +0000' }, []],
  ['{at: rfc2822}', { at: '2026-11-22T10:00:00Z' }, ['at type']],
  ['{one: {id: text}|{errors: [text]}|null}', { one: { errors: ['a'] } }, []],
  ['{one: {id: text}|null}', { one: {} }, ['one.id missing']],
  ['{o:tag?: [text], h:X-My-Header: text}', { 'h:X-My-Header': 'a' }, []],
  ['{id: text}', 'gone', ['the answer type']],
];

describe('a field table', () => {
  for (const [shape, value, wanted] of CASES)
    it(`${shape} and ${JSON.stringify(value)}: ${wanted.join(', ') || 'no difference'}`, () => {
      const differences = comparison.differences(value, parseShape(shape));
      assert.deepEqual(
        differences.map(({ at, kind }) => `${at} ${kind}`),
        wanted,
      );
    });

  it('is refused where it does not follow the notation', () => {
    for (const text of ['{id text}', '{id: text', '[text', '{id: text} more', ''])
      assert.throws(() => parseShape(text), /Expected /);
    assert.throws(() => comparison.differences({}, parseShape('Unheard')), /No shape is named Unheard/);
  });
});
