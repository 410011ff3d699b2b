import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOfShare } from './share-change.ts';

/** Wilson intervals at 95 %, as published with the method. */
const OF_56_IN_70 = { share: 0.8, low: 0.6918, high: 0.8769 };
const OF_48_IN_80 = { share: 0.6, low: 0.4904, high: 0.7004 };
const OF_9_IN_10 = { share: 0.9, low: 0.5958, high: 0.9821 };
const OF_3_IN_10 = { share: 0.3, low: 0.1078, high: 0.6032 };
const OF_6_IN_10 = { share: 0.6, low: 0.3127, high: 0.8318 };

describe('a share beside an earlier one', () => {
  it('changed when the interval of the difference leaves out 0', () => {
    // Newcombe 1998, example (a): 0.0524 to 0.3339.
    assert.deepEqual(changeOfShare(OF_48_IN_80, OF_56_IN_70).verdict, 'changed');
    assert.equal(changeOfShare(OF_9_IN_10, OF_3_IN_10).verdict, 'changed');
  });

  it('is within noise when few seeds explain the difference', () => {
    assert.equal(changeOfShare(OF_9_IN_10, OF_6_IN_10).verdict, 'within noise');
    assert.deepEqual(changeOfShare(OF_6_IN_10, OF_6_IN_10), { change: 0, verdict: 'within noise' });
  });
});
