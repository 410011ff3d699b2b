import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Turns } from './turns.ts';

/** Works that end when they are told to, and the order in which they began. */
function works(turns: Turns) {
  const [begun, ends]: [string[], (() => void)[]] = [[], []];
  const add = (account: string, name: string, fails = false): Promise<string> =>
    turns.run(account, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (fails) throw new Error(name);
      return name;
    });
  const endOne = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, add, endOne };
}

describe('turns', () => {
  it('run so much at once, and let accounts follow each other', async () => {
    const { begun, add, endOne } = works(new Turns({ atOnce: 2, waitingMax: 10 }));
    const all = [
      ...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add('a', name)),
      ...['b1', 'b2'].map((name) => add('b', name)),
    ];
    assert.deepEqual(begun, ['a1', 'a2']);
    for (const _ of all) await endOne();
    assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'a4', 'b2', 'a5']);
    assert.equal((await Promise.all(all)).length, 7);
  });

  it('go on after one that failed, and refuse what is too much of one account', async () => {
    const { begun, add, endOne } = works(new Turns({ atOnce: 1, waitingMax: 1 }));
    const failing = assert.rejects(add('a', 'a1', true), /a1/);
    const second = add('a', 'a2');
    await assert.rejects(add('a', 'a3'), { code: 'unavailable' });
    const other = add('b', 'b1');
    for (const _ of [1, 2, 3]) await endOne();
    await failing;
    assert.deepEqual([await second, await other, begun], ['a2', 'b1', ['a1', 'a2', 'b1']]);
  });
});
