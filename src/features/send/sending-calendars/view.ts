import { timeOfDay, WEEKDAYS } from '../../../platform/times/index.ts';
import type { Calendar } from './store.ts';

export interface ShownCalendar extends Calendar {
  domain: string;
  /** Of a recipient. */
  zone: string;
  /** When it was looked at. */
  now: Date;
  /** What it does with a message for this recipient then; undefined: it may leave. */
  hold: { reason: string; until: Date } | undefined;
}

const nowView = ({ zone, now, hold }: ShownCalendar) => ({
  time_zone: zone,
  may_leave: hold === undefined,
  leaves_at: (hold?.until ?? now).toISOString(),
  reason: hold ? `${hold.reason}.` : null,
});

export function calendarView(calendar: ShownCalendar) {
  const { domain, mode, timeZone, weekdays, quietFrom, quietUntil } = calendar;
  return {
    domain,
    mode,
    time_zone: timeZone,
    weekdays: weekdays.map((day) => WEEKDAYS[day]!),
    quiet_hours:
      quietFrom === null || quietUntil === null ? null : { from: timeOfDay(quietFrom), until: timeOfDay(quietUntil) },
    now: nowView(calendar),
  };
}
