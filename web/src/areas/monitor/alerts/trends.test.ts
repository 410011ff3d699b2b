import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { worsened } from './trends.ts';

type Period = Parameters<typeof worsened>[0];

function period(sent: number, delivered: number, bounced: number, isMeasured = true): Period {
  const bounce = { name: 'bounce', count: bounced, of: sent, is_measured: isMeasured } as Period['components'][number];
  return { counters: { sent, delivered }, components: [bounce] };
}

describe('what got worse', () => {
  it('is named with its numbers, where chance does not explain it', () =>
    assert.deepEqual(worsened(period(40_000, 39_600, 200), period(10_000, 9500, 300)), [
      { name: 'delivered', now: { count: 9500, of: 10_000 }, before: { count: 39_600, of: 40_000 } },
      { name: 'bounce', now: { count: 300, of: 10_000 }, before: { count: 200, of: 40_000 } },
    ]));

  for (const [what, before, now, expected] of [
    ['little more', period(40_000, 39_600, 200), period(10_000, 9895, 52), []],
    ['nothing, where all is better', period(40_000, 38_000, 2000), period(10_000, 9990, 5), []],
    ['nothing that is not measured', period(40_000, 39_600, 0, false), period(10_000, 9900, 300, false), []],
    ['not said of a few messages', period(40_000, 39_600, 200), period(150, 75, 75), undefined],
    ['not said where little was sent before', period(100, 100, 0), period(10_000, 5000, 5000), undefined],
    ['not said where nothing was sent', period(0, 0, 0), period(0, 0, 0), undefined],
  ] as const)
    it(`is ${what}`, () => assert.deepEqual(worsened(before, now), expected));
});
