// When a schedule runs next; pure.
import { nextTimeOfDay, wallClockAt } from '../../../platform/times/index.ts';

interface Timetable {
  /** 0 is Sunday; at least one. */
  weekdays: readonly number[];
  /** Minutes of the day, by the clocks of the time zone. */
  minutes: number;
  timeZone: string;
}

/** Times of day that are looked at: those of a week, and two for days on which clocks are set. */
const TIMES_MAX = 9;
/** Clocks are set back by two hours at most. */
const SET_BACK_MS = 2 * 3_600_000;

/**
 * The first moment after one of its moments, or after any other, at which the clocks of the time zone show this time on
 * one of these weekdays. A time that clocks skip is as much later as they are set forward; one that they show twice
 * comes once.
 */
export function nextTime(last: Date, { weekdays, minutes, timeZone }: Timetable): Date {
  const time = { hour: Math.floor(minutes / 60), minute: minutes % 60 };
  const isSameTimeAgain = (next: Date): boolean =>
    next.getTime() - last.getTime() <= SET_BACK_MS && wallClockAt(last, timeZone).minutes === minutes;
  let after = last;
  for (let seen = 0; seen < TIMES_MAX; seen += 1) {
    const next = nextTimeOfDay(new Date(after.getTime() + 1), time, timeZone);
    if (weekdays.includes(wallClockAt(next, timeZone).weekday) && !isSameTimeAgain(next)) return next;
    after = next;
  }
  throw new Error('A schedule has no weekday.');
}
