import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ago, calendarDay, inUtc, moment, timeOfDay } from './words.ts';

const AT = new Date('2026-11-22T07:24:09.512Z');

describe('moments in words', () => {
  for (const [zone, whole, time] of [
    ['UTC', '22 Nov 2026, 07:24 UTC', '07:24 UTC'],
    ['Europe/Berlin', '22 Nov 2026, 08:24 CET', '08:24 CET'],
    ['Asia/Kathmandu', '22 Nov 2026, 13:09 GMT+5:45', '13:09 GMT+5:45'],
    ['America/Los_Angeles', '21 Nov 2026, 23:24 GMT-8', '23:24 GMT-8'],
  ] as const) {
    it(`name the reader's zone: ${zone}`, () => {
      const before = process.env['TZ'];
      process.env['TZ'] = zone;
      try {
        assert.deepEqual([moment(AT), timeOfDay(AT)], [whole, time]);
      } finally {
        if (before === undefined) delete process.env['TZ'];
        else process.env['TZ'] = before;
      }
    });
  }

  it('are in UTC to the second, whatever the zone', () => assert.equal(inUtc(AT), '2026-11-22 07:24:09 UTC'));

  it('are told from now', () =>
    assert.deepEqual([ago(AT, new Date(AT.getTime() + 7_300_000)), ago(AT, AT)], ['2 hours ago', 'just now']));

  it('are days of the calendar where there is no time, in no zone', () =>
    assert.deepEqual(['2026-05-01', '2026-05', 'unknown'].map(calendarDay), ['1 May 2026', 'May 2026', 'unknown']));
});
