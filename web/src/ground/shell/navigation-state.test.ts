import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOpen, readNavigation } from './navigation-state.ts';

describe('what the browser keeps of the sidebar', () => {
  const cases: [string | null, object][] = [
    [null, { isHidden: false, open: {} }],
    ['', { isHidden: false, open: {} }],
    ['[1', { isHidden: false, open: {} }],
    ['null', { isHidden: false, open: {} }],
    ['{"isHidden":"yes","open":{"Send":"no","Proof":false}}', { isHidden: false, open: { Proof: false } }],
    ['{"isHidden":true,"open":{"Monitor":true}}', { isHidden: true, open: { Monitor: true } }],
  ];
  for (const [kept, read] of cases) {
    it(`reads ${kept}`, () => assert.deepEqual(readNavigation(kept), read));
  }

  it('opens what is used every day and where the reader is, unless the reader said otherwise', () => {
    assert.equal(isOpen({ isHidden: false, open: {} }, 'Send', 'Start'), true);
    assert.equal(isOpen({ isHidden: false, open: {} }, 'Monitor', 'Start'), false);
    assert.equal(isOpen({ isHidden: false, open: {} }, 'Monitor', 'Monitor'), true);
    assert.equal(isOpen({ isHidden: false, open: { Monitor: false } }, 'Monitor', 'Monitor'), false);
    assert.equal(isOpen({ isHidden: false, open: { Send: false } }, 'Send', 'Start'), false);
  });
});
