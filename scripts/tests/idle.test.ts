import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hasRoom, watchIdle } from './idle.ts';

describe('room for one more test file', () => {
  for (const [what, state, expected] of [
    ['each has one and is busy', { running: 2, processors: 2, idle: 0.4 }, false],
    ['each has one, and they mostly wait', { running: 2, processors: 2, idle: 0.7 }, true],
    ['each has two, however much they wait', { running: 4, processors: 2, idle: 2 }, false],
  ] as const)
    it(`is ${expected ? '' : 'not '}there when ${what}`, () => assert.equal(hasRoom(state), expected));

  it('is counted since the last look', () => {
    const times = [
      { idle: 100, total: 1000 },
      { idle: 150, total: 1100 },
      { idle: 150, total: 1200 },
      { idle: 150, total: 1200 },
    ];
    const idle = watchIdle(4, () => times.shift()!);
    assert.deepEqual([idle(), idle(), idle()], [2, 0, 0]);
  });
});
