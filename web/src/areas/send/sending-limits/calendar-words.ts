// Hours of a calendar as words and as parts of a day.
import { nameOf, type Weekday } from '../../../ground/week.ts';
import type { Calendar } from './rules-api.ts';

export type Hours = Pick<Calendar, 'mode' | 'weekdays' | 'quiet_hours'>;

export const DAY_MINUTES = 1440;

/** `08:30` as minutes of the day. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/** `08:30`; the end of a day is `24:00`. */
const timeOf = (minutes: number): string =>
  `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;

const isTime = (text: string): boolean => /^\d\d:\d\d$/.test(text);

interface OpenPart {
  from: number;
  until: number;
}

/** When messages may leave on a day. */
export function openParts({ mode, weekdays, quiet_hours: quiet }: Hours, day: Weekday): OpenPart[] {
  const whole = [{ from: 0, until: DAY_MINUTES }];
  if (mode === 'off') return whole;
  if (!weekdays.includes(day)) return [];
  if (quiet === null || !isTime(quiet.from) || !isTime(quiet.until)) return whole;
  const [from, until] = [minutesOf(quiet.from), minutesOf(quiet.until)];
  const parts =
    from < until
      ? [
          { from: 0, until: from },
          { from: until, until: DAY_MINUTES },
        ]
      : [{ from: until, until: from }];
  return parts.filter((part) => part.from < part.until);
}

/** `Monday: messages leave from 08:00 to 20:00.` */
export function dayWords(hours: Hours, day: Weekday): string {
  const parts = openParts(hours, day);
  if (parts.length === 0) return `${nameOf(day)}: no messages leave.`;
  return `${nameOf(day)}: messages leave ${parts.map(({ from, until }) => `from ${timeOf(from)} to ${timeOf(until)}`).join(' and ')}.`;
}

/** What clocks of a time zone show now; undefined where this browser does not know the zone. */
export function wallClock(zone: string, now = new Date()): { day: Weekday; minutes: number } | undefined {
  try {
    const parts = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      weekday: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }).formatToParts(now);
    const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
    return { day: of('weekday').toLowerCase() as Weekday, minutes: minutesOf(`${of('hour')}:${of('minute')}`) };
  } catch {
    return undefined;
  }
}
