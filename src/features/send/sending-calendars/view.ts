import { WEEKDAYS } from './contract.ts';
import type { Calendar } from './store.ts';

const two = (number: number): string => String(number).padStart(2, '0');
const timeOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;

export function calendarView({
  domain,
  mode,
  timeZone,
  weekdays,
  quietFrom,
  quietUntil,
}: Calendar & { domain: string }) {
  return {
    domain,
    mode,
    time_zone: timeZone,
    weekdays: weekdays.map((day) => WEEKDAYS[day]!),
    quiet_hours:
      quietFrom === null || quietUntil === null ? null : { from: timeOf(quietFrom), until: timeOf(quietUntil) },
  };
}
