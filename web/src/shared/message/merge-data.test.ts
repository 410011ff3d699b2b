import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dataField, readMergeData } from './merge-data.ts';

describe('merge data as it is typed', () => {
  it('is an object, or nothing', () => {
    assert.deepEqual(readMergeData(' { "first_name": "Ada", "order": { "total": 3 } } '), {
      data: { first_name: 'Ada', order: { total: 3 } },
      fault: undefined,
    });
    assert.deepEqual(['', '  \n'].map(dataField), [{}, {}]);
    assert.deepEqual(dataField('{}'), { data: {} });
  });

  for (const text of ['[]', '"Ada"', '1', 'null', 'true']) {
    it(`asks for an object of names and values: ${text}`, () =>
      assert.match(readMergeData(text).fault ?? '', /^Enter a JSON object with names and values/));
  }

  it('says that it is not JSON yet', () => {
    assert.match(readMergeData('{ "first_name": ').fault ?? '', /^This is not valid JSON: /);
    assert.deepEqual(dataField('{ "first_name": '), {});
  });
});
