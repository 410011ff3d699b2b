import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AnalyzedFeature } from '../../../shared/report/report-api.ts';
import { levelOf, supportOf } from './support.ts';

function feature(support: Record<string, string[]>): AnalyzedFeature {
  return {
    support: Object.fromEntries(
      Object.entries(support).map(([level, ids]) => [level, ids.map((id) => ({ id, notes: [] }))]),
    ),
  } as unknown as AnalyzedFeature;
}

describe('the support of a feature by family', () => {
  it('counts the newest version of each platform, by number and not by letter', () => {
    const support = supportOf(
      feature({
        n: ['outlook.windows.2007', 'apple-mail.ios.9.3'],
        y: ['outlook.windows.2019', 'apple-mail.ios.12.4'],
      }),
    );
    assert.deepEqual(
      support.get('outlook')?.map(({ version, level }) => [version, level]),
      [['2019', 'y']],
    );
    assert.deepEqual(
      support.get('apple-mail')?.map(({ version, level }) => [version, level]),
      [['12.4', 'y']],
    );
  });

  it('calls a family partly supported when its platforms differ, and untested when nobody knows', () => {
    const support = supportOf(
      feature({
        y: ['gmail.ios.2020'],
        n: ['gmail.android.2020', 'yahoo.ios.2020'],
        u: ['yahoo.android.2020', 'aol.ios.2020'],
      }),
    );
    assert.deepEqual(
      ['gmail', 'yahoo', 'aol', 'hey'].map((family) => levelOf(support.get(family))),
      ['a', 'n', 'u', 'u'],
    );
  });
});
