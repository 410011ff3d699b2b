import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { trendsOf } from './trends.ts';

type Period = Parameters<typeof trendsOf>[0];
const NONE = { inbox: 0, decided: 0, addresses: 0 };

function period(sent: number, delivered: number, bounced: number, isMeasured = true): Period {
  const bounce = { name: 'bounce', count: bounced, of: sent, is_measured: isMeasured } as Period['components'][number];
  const placement = { tests: 0, real: NONE, simulated: NONE, is_bound: false };
  return { counters: { sent, delivered }, components: [bounce], placement };
}

const worsened = (before: Period, now: Period): unknown[] =>
  trendsOf(before, now)
    .filter(({ verdict }) => verdict === 'worse')
    .map(({ name, now: later, before: earlier }) => ({ name, now: later, before: earlier }));

describe('what got worse', () => {
  it('is named with its numbers, where chance does not explain it', () =>
    assert.deepEqual(worsened(period(40_000, 39_600, 200), period(10_000, 9500, 300)), [
      { name: 'delivered', now: { count: 9500, of: 10_000 }, before: { count: 39_600, of: 40_000 } },
      { name: 'bounce', now: { count: 300, of: 10_000 }, before: { count: 200, of: 40_000 } },
    ]));

  for (const [what, before, now] of [
    ['little more', period(40_000, 39_600, 200), period(10_000, 9895, 52)],
    ['nothing, where all is better', period(40_000, 38_000, 2000), period(10_000, 9990, 5)],
    ['nothing that is not measured', period(40_000, 39_600, 0, false), period(10_000, 9900, 300, false)],
    ['not said of a few messages', period(40_000, 39_600, 200), period(150, 75, 75)],
    ['not said where little was sent before', period(100, 100, 0), period(10_000, 5000, 5000)],
    ['not said where nothing was sent', period(0, 0, 0), period(0, 0, 0)],
  ] as const)
    it(`is ${what}`, () => assert.deepEqual(worsened(before, now), []));
});

describe('placement', () => {
  type Placed = Period['placement']['real'];
  const placed = (real: Placed, simulated: Placed = NONE): Period => ({
    ...period(0, 0, 0),
    placement: { tests: 4, real, simulated, is_bound: false },
  });
  const of = (inbox: number, decided: number, addresses = decided): Placed => ({ inbox, decided, addresses });
  const verdict = (before: Placed, now: Placed): string | undefined =>
    trendsOf(placed(before), placed(now)).find(({ name }) => name === 'inbox')?.verdict;

  for (const [what, before, now, expected] of [
    ['fell', of(44, 48), of(20, 48), 'worse'],
    ['rose', of(20, 48), of(44, 48), 'better'],
    ['fell a little', of(44, 48), of(41, 48), 'same'],
    ['fell at few mailboxes that were written to again and again', of(44, 48, 4), of(30, 48, 4), 'same'],
    ['was not tested before', NONE, of(30, 48), 'few'],
    ['was not tested lately', of(30, 48), NONE, 'few'],
    ['was never tested', NONE, NONE, undefined],
  ] as const)
    it(`that ${what} is ${expected ?? 'left out'}`, () => assert.equal(verdict(before, now), expected));

  it('at simulated receivers follows rules, and is neither better nor worse', () =>
    assert.deepEqual(trendsOf(placed(NONE, of(12, 12)), placed(NONE, of(1, 12))), [
      {
        name: 'inbox_simulated',
        now: { count: 1, of: 12 },
        before: { count: 12, of: 12 },
        verdict: 'rules',
      },
    ]));
});
