import assert from 'node:assert/strict';
import { it } from 'node:test';
import { allowance } from './places.ts';

it('an account may have 250 calls that wait, and no more than are free', () => {
  const table = [
    [0, 250],
    [1750, 250],
    [1751, 249],
    [1999, 1],
    [2000, 0],
  ] as const;
  assert.deepEqual(
    table.map(([taken]) => [taken, allowance(taken)]),
    table,
  );
});
