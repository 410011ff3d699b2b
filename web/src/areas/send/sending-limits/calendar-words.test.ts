import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { WEEK } from '../../../ground/week.ts';
import { dayWords, openParts, wallClock, type Hours } from './calendar-words.ts';

const ON: Hours = { mode: 'on', weekdays: ['monday', 'tuesday'], quiet_hours: { from: '20:00', until: '08:00' } };

describe('the week of a calendar', () => {
  const cases: [what: string, hours: Hours, words: string][] = [
    ['that is off', { ...ON, mode: 'off' }, 'Monday: messages leave from 00:00 to 24:00.'],
    ['with quiet nights', ON, 'Monday: messages leave from 08:00 to 20:00.'],
    [
      'with quiet hours by day',
      { ...ON, quiet_hours: { from: '12:00', until: '13:30' } },
      'Monday: messages leave from 00:00 to 12:00 and from 13:30 to 24:00.',
    ],
    [
      'with quiet hours from midnight on',
      { ...ON, quiet_hours: { from: '00:00', until: '06:00' } },
      'Monday: messages leave from 06:00 to 24:00.',
    ],
    ['without the day', { ...ON, weekdays: ['friday'] }, 'Monday: no messages leave.'],
    ['without quiet hours', { ...ON, quiet_hours: null }, 'Monday: messages leave from 00:00 to 24:00.'],
  ];
  for (const [what, hours, words] of cases)
    it(`is said in words, ${what}`, () => assert.equal(dayWords(hours, 'monday'), words));

  it('has seven days, and no hours on those that are left out', () => {
    assert.deepEqual(
      WEEK.map((day) => openParts(ON, day).length),
      [1, 1, 0, 0, 0, 0, 0],
    );
  });

  it('knows what clocks show, and no clocks of what is no zone', () => {
    const now = new Date('2026-11-23T23:30:00Z');
    assert.deepEqual(wallClock('Asia/Tokyo', now), { day: 'tuesday', minutes: 510 });
    assert.deepEqual(wallClock('UTC', now), { day: 'monday', minutes: 1410 });
    assert.equal(wallClock('Mars/Olympus', now), undefined);
  });
});
