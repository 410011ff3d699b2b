import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { periodsOf, type Change } from './periods.ts';

const day = (number: number): Date => new Date(Date.UTC(2026, 9, number));
const change = (text: string): Change => {
  const [asset = '', list = '', what, number] = text.split(' ');
  return { asset, list, name: list.toUpperCase(), isListed: what === 'on', at: day(Number(number)) };
};

describe('periods on lists', () => {
  const cases: [changes: string[], expected: [asset: string, list: string, ...from: (number | null)[]][]][] = [
    [[], []],
    [['a x on 3', 'a x off 5'], [['a', 'x', 3, 5]]],
    [['a x off 5', 'a x on 3'], [['a', 'x', 3, 5]]],
    [['a x off 5'], [['a', 'x', 1, 5]]],
    [['a x on 3'], [['a', 'x', 3, null]]],
    [['a x on 3', 'a x on 4', 'a x off 5', 'a x off 6', 'a x on 9'], [['a', 'x', 3, 5, 9, null]]],
    [
      ['a x on 3', 'a x off 5', 'b x on 2', 'a y on 8', 'a y off 9'],
      [
        ['b', 'x', 2, null],
        ['a', 'y', 8, 9],
        ['a', 'x', 3, 5],
      ],
    ],
  ];
  for (const [changes, expected] of cases)
    it(`are made of ${changes.join(', ') || 'nothing'}`, () => {
      const lines = periodsOf(changes.map(change), { standing: [], start: day(1) });
      assert.deepEqual(
        lines.map(({ asset, list, periods }) => [
          asset,
          list,
          ...periods.flatMap(({ from, to }) => [from.getUTCDate(), to?.getUTCDate() ?? null]),
        ]),
        expected,
      );
    });

  it('begin with the month where a listing is older, and are not told twice', () => {
    const standing = [
      { asset: 'a', list: 'x', name: 'X', since: new Date(Date.UTC(2026, 5, 1)) },
      { asset: 'b', list: 'x', name: 'X', since: day(4) },
    ];
    const lines = periodsOf([change('b x on 4')], { standing, start: day(1) });
    assert.deepEqual(lines, [
      { asset: 'b', list: 'x', name: 'X', periods: [{ from: day(4), to: undefined }] },
      { asset: 'a', list: 'x', name: 'X', periods: [{ from: day(1), to: undefined }] },
    ]);
  });
});
