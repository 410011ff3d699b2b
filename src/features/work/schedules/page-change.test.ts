import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOfPage } from './page-change.ts';

describe('the change of a page', () => {
  it('is none where the same lines stand, in any order and with other spaces around them', () =>
    assert.equal(changeOfPage('Roses\n\n  from 5 €\n', 'from 5 €\nRoses'), undefined));

  it('names lines that came and went, each as often', () =>
    assert.deepEqual(changeOfPage('Roses\nfrom 5 €\nSold out', 'Roses\nfrom 6 €\nfrom 6 €\nSold out'), {
      added: ['from 6 €'],
      removed: ['from 5 €'],
      added_count: 2,
      removed_count: 1,
    }));

  it('shows twenty lines of each kind, cut, and counts all', () => {
    const lines = Array.from({ length: 30_000 }, (_, place) => `${place} ${'x'.repeat(400)}`).join('\n');
    const change = changeOfPage('', lines);
    assert.deepEqual([change?.added.length, change?.added[0]?.length, change?.added_count], [20, 300, 30_000]);
  });
});
