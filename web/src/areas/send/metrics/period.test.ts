import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bucketKey, periodBefore, periodName, periodOf, resolutionsOf, type PeriodSearch } from './period.ts';

const NOW = new Date('2026-03-31T10:20:30Z');
const spanOf = (search: PeriodSearch): string | undefined => {
  const period = periodOf(search, NOW);
  if (!period) return undefined;
  const keys = [period, periodBefore(period)].map(({ buckets, resolution }) =>
    [buckets[0], buckets.at(-1)].map((at) => bucketKey(at as Date, resolution)).join('..'),
  );
  return `${period.buckets.length} ${period.resolution}: ${keys.join(' after ')}`;
};

describe('periods of figures', () => {
  const periods: [PeriodSearch, string | undefined][] = [
    [{}, '30 day: 2026-03-02..2026-03-31 after 2026-01-31..2026-03-01'],
    [{ period: '24h' }, '24 hour: 2026-03-30 11:00..2026-03-31 10:00 after 2026-03-29 11:00..2026-03-30 10:00'],
    [{ period: '7d' }, '7 day: 2026-03-25..2026-03-31 after 2026-03-18..2026-03-24'],
    [{ period: '12m' }, '12 month: 2025-04..2026-03 after 2024-04..2025-03'],
    [
      { period: '7d', resolution: 'hour' },
      '155 hour: 2026-03-25 00:00..2026-03-31 10:00 after 2026-03-18 13:00..2026-03-24 23:00',
    ],
    [{ period: '90d', resolution: 'hour' }, '90 day: 2026-01-01..2026-03-31 after 2025-10-03..2025-12-31'],
    [{ period: '90d', resolution: 'month' }, '3 month: 2026-01..2026-03 after 2025-10..2025-12'],
    [{ from: '2026-02-01', to: '2026-02-03' }, '3 day: 2026-02-01..2026-02-03 after 2026-01-29..2026-01-31'],
    [{ from: '2026-03-30', to: '2030-01-01' }, '2 day: 2026-03-30..2026-03-31 after 2026-03-28..2026-03-29'],
    [{ to: '2026-03-01' }, '30 day: 2026-01-31..2026-03-01 after 2026-01-01..2026-01-30'],
    [{ from: '2026-03-05', to: '2026-03-04' }, undefined],
    [{ from: '2027-01-01' }, undefined],
    [{ from: '2001-01-01' }, undefined],
  ];
  for (const [search, wanted] of periods)
    it(`are whole hours, days or months: ${JSON.stringify(search)}`, () => assert.equal(spanOf(search), wanted));

  it('are divided only as finely as can be drawn', () => {
    assert.deepEqual(resolutionsOf({ period: '90d' }, NOW), ['day', 'month']);
    assert.deepEqual(resolutionsOf({ period: '30d' }, NOW), ['hour', 'day', 'month']);
  });

  it('are said as words', () => {
    assert.equal(periodName(periodOf({ from: '2026-02-01', to: '2026-02-03' }, NOW)!), '1 Feb 2026 to 3 Feb 2026');
    assert.equal(periodName(periodOf({ from: '2026-02-01', to: '2026-02-01' }, NOW)!), '1 Feb 2026');
  });
});
