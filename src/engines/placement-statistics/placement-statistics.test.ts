import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareProportions, wilsonInterval } from './index.ts';

describe('wilsonInterval', () => {
  it('gives the published values', () => {
    // Newcombe 1998, Statistics in Medicine 17:857–872, table I, method 3.
    assert.deepEqual(wilsonInterval({ count: 81, of: 263 }), { low: 0.2553, high: 0.3662 });
    assert.deepEqual(wilsonInterval({ count: 15, of: 148 }), { low: 0.0624, high: 0.1605 });
    assert.deepEqual(wilsonInterval({ count: 0, of: 20 }), { low: 0, high: 0.1611 });
    assert.deepEqual(wilsonInterval({ count: 1, of: 29 }), { low: 0.0061, high: 0.1718 });
  });

  it('stays within 0 and 1 and says nothing about nothing', () => {
    assert.equal(wilsonInterval({ count: 7, of: 7 })?.high, 1);
    assert.equal(wilsonInterval({ count: 0, of: 0 }), null);
  });
});

describe('compareProportions', () => {
  it('gives the published values', () => {
    // Newcombe 1998, Statistics in Medicine 17:873–890, table II, method 10: 56/70 − 48/80 and 9/10 − 3/10.
    assert.deepEqual(compareProportions({ count: 48, of: 80 }, { count: 56, of: 70 })?.interval, {
      low: 0.0524,
      high: 0.3339,
    });
    assert.deepEqual(compareProportions({ count: 3, of: 10 }, { count: 9, of: 10 })?.interval, {
      low: 0.1705,
      high: 0.809,
    });
  });

  it('calls a change of few seeds noise and a change of many a change', () => {
    assert.equal(compareProportions({ count: 4, of: 5 }, { count: 3, of: 5 })?.verdict, 'within noise');
    assert.equal(compareProportions({ count: 80, of: 100 }, { count: 60, of: 100 })?.verdict, 'changed');
    assert.equal(compareProportions({ count: 0, of: 0 }, { count: 3, of: 5 }), null);
  });
});
