import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTime } from './next-time.ts';

const ALL = [0, 1, 2, 3, 4, 5, 6];
const BERLIN = 'Europe/Berlin';

describe('the next time of a schedule', () => {
  const cases: [what: string, weekdays: number[], time: [number, number], zone: string, now: string, next: string][] = [
    ['later today', ALL, [9, 0], 'UTC', '2026-11-26T08:59:59.999Z', '2026-11-26T09:00:00.000Z'],
    ['tomorrow, at the moment itself', ALL, [9, 0], 'UTC', '2026-11-26T09:00:00.000Z', '2026-11-27T09:00:00.000Z'],
    ['on the next Monday', [1], [9, 0], 'UTC', '2026-11-26T12:00:00.000Z', '2026-11-30T09:00:00.000Z'],
    ['by the clocks of its zone', [1], [0, 30], BERLIN, '2026-11-26T12:00:00.000Z', '2026-11-29T23:30:00.000Z'],
    ['by summer time', ALL, [9, 0], BERLIN, '2026-06-01T08:00:00.000Z', '2026-06-02T07:00:00.000Z'],
    ['later where clocks skip it', ALL, [2, 30], BERLIN, '2026-03-28T12:00:00.000Z', '2026-03-29T01:30:00.000Z'],
    ['first where clocks show it twice', ALL, [2, 30], BERLIN, '2026-10-24T12:00:00.000Z', '2026-10-25T00:30:00.000Z'],
    ['once where clocks show it twice', ALL, [2, 30], BERLIN, '2026-10-25T00:30:00.000Z', '2026-10-26T01:30:00.000Z'],
    ['a week later', [4], [9, 0], 'UTC', '2026-11-26T09:00:00.000Z', '2026-12-03T09:00:00.000Z'],
  ];
  for (const [what, weekdays, [hour, minute], timeZone, now, next] of cases)
    it(`is ${what}`, () =>
      assert.equal(nextTime(new Date(now), { weekdays, minutes: hour * 60 + minute, timeZone }).toISOString(), next));
});
