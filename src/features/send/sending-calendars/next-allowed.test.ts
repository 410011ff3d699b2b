// Hours by the clocks of recipients, over both changes of clocks in two zones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextAllowed, type Hours } from './next-allowed.ts';

const ALL = [0, 1, 2, 3, 4, 5, 6];
const WORKDAYS = [1, 2, 3, 4, 5];
const quiet = (from: string, until: string, weekdays = ALL): Hours => {
  const [quietFrom, quietUntil] = [from, until].map((text) => {
    const [hour, minute] = text.split(':').map(Number) as [number, number];
    return hour * 60 + minute;
  }) as [number, number];
  return { weekdays, quietFrom, quietUntil };
};
const NIGHT = quiet('20:00', '08:00');
const days = (...weekdays: number[]): Hours => ({ weekdays, quietFrom: null, quietUntil: null });

const [BERLIN, NEW_YORK] = ['Europe/Berlin', 'America/New_York'];

describe('the next minute at which a message may leave', () => {
  const cases: [what: string, zone: string, hours: Hours, now: string, next: string][] = [
    ['is now by day', BERLIN, NIGHT, '2026-07-01T10:00:30Z', '2026-07-01T10:00:30.000Z'],
    ['is now in the first open minute', BERLIN, NIGHT, '2026-07-01T06:00:00Z', '2026-07-01T06:00:00.000Z'],
    ['is in the morning', BERLIN, NIGHT, '2026-07-01T18:00:00Z', '2026-07-02T06:00:00.000Z'],
    ['is the same morning after midnight', BERLIN, NIGHT, '2026-07-01T22:30:00Z', '2026-07-02T06:00:00.000Z'],
    [
      'is behind quiet hours of the day',
      BERLIN,
      quiet('12:00', '13:30'),
      '2026-07-01T10:15:00Z',
      '2026-07-01T11:30:00.000Z',
    ],
    ['is on Monday', BERLIN, days(...WORKDAYS), '2026-07-04T10:00:00Z', '2026-07-05T22:00:00.000Z'],
    [
      'is on Monday morning',
      BERLIN,
      quiet('20:00', '08:00', WORKDAYS),
      '2026-07-03T18:30:00Z',
      '2026-07-06T06:00:00.000Z',
    ],
    [
      'is a week later at most',
      BERLIN,
      quiet('08:00', '07:59', [3]),
      '2026-07-01T06:00:00Z',
      '2026-07-08T05:59:00.000Z',
    ],
    // Clocks go from 02:00 to 03:00 on 29 March 2026 at 01:00 UTC.
    ['when clocks are set forward in the night', BERLIN, NIGHT, '2026-03-28T20:00:00Z', '2026-03-29T06:00:00.000Z'],
    [
      'when clocks are set forward over it',
      BERLIN,
      quiet('20:00', '02:30'),
      '2026-03-28T20:00:00Z',
      '2026-03-29T01:00:00.000Z',
    ],
    [
      'when clocks are set forward over the beginning',
      BERLIN,
      quiet('02:30', '08:00'),
      '2026-03-29T01:00:00Z',
      '2026-03-29T06:00:00.000Z',
    ],
    // Clocks go from 03:00 to 02:00 on 25 October 2026 at 01:00 UTC.
    ['when clocks are set back in the night', BERLIN, NIGHT, '2026-10-24T19:00:00Z', '2026-10-25T07:00:00.000Z'],
    ['when it comes twice', BERLIN, quiet('20:00', '02:30'), '2026-10-24T19:00:00Z', '2026-10-25T00:30:00.000Z'],
    [
      'when quiet hours come a second time',
      BERLIN,
      quiet('20:00', '02:30'),
      '2026-10-25T01:10:00Z',
      '2026-10-25T01:30:00.000Z',
    ],
    // Clocks go from 02:00 to 03:00 on 8 March 2026 at 07:00 UTC, and back on 1 November at 06:00 UTC.
    ['when clocks are set forward in the night', NEW_YORK, NIGHT, '2026-03-08T02:00:00Z', '2026-03-08T12:00:00.000Z'],
    [
      'when clocks are set forward over it',
      NEW_YORK,
      quiet('20:00', '02:30'),
      '2026-03-08T02:00:00Z',
      '2026-03-08T07:00:00.000Z',
    ],
    ['when clocks are set back in the night', NEW_YORK, NIGHT, '2026-11-01T01:00:00Z', '2026-11-01T13:00:00.000Z'],
    ['when it comes twice', NEW_YORK, quiet('20:00', '01:30'), '2026-11-01T01:00:00Z', '2026-11-01T05:30:00.000Z'],
    [
      'on a Sunday that begins at one o’clock',
      'Africa/Cairo',
      days(5),
      '2026-04-23T12:00:00Z',
      '2026-04-23T22:00:00.000Z',
    ],
    ['by an offset of half an hour', 'Asia/Kolkata', NIGHT, '2026-07-01T15:00:00Z', '2026-07-02T02:30:00.000Z'],
  ];
  for (const [what, zone, hours, now, next] of cases)
    it(`${what} (${zone}, ${now})`, () => {
      assert.equal(nextAllowed(new Date(now), hours, zone).toISOString(), next);
    });
});
