import { WEEKDAYS } from './contract.ts';
import { holdUntil } from './hold.ts';
import type { ShownCalendar } from './actions.ts';

const two = (number: number): string => String(number).padStart(2, '0');
const timeOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

function nowView(calendar: ShownCalendar, zone: string) {
  const { mode, domain, now } = calendar;
  const hold = mode === 'on' ? holdUntil(domain, calendar, { zone, now }) : undefined;
  return {
    time_zone: zone,
    may_leave: hold === undefined,
    leaves_at: (hold?.until ?? now).toISOString(),
    reason: hold ? `${hold.reason}.` : null,
  };
}

/** `zone`: of a recipient; default: that of the calendar. */
export function calendarView(calendar: ShownCalendar, zone: string = calendar.timeZone) {
  const { domain, mode, timeZone, weekdays, quietFrom, quietUntil } = calendar;
  return {
    domain,
    mode,
    time_zone: timeZone,
    weekdays: weekdays.map((day) => WEEKDAYS[day]!),
    quiet_hours:
      quietFrom === null || quietUntil === null ? null : { from: timeOf(quietFrom), until: timeOf(quietUntil) },
    now: nowView(calendar, zone),
  };
}
