// Times as the wire has them: read strictly, written in each group's own form. All are UTC where they name no zone.
import { invalid } from '../errors/index.ts';

export { minutesOfDay, timeOfDay, WEEKDAYS, weekdayNumbers, type Weekday } from './week.ts';
export { isTimeZone, nextTimeOfDay, wallClockAt, zoneOfCountry } from './zones.ts';

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** `days` days of 24 hours later. */
export function daysAfter(date: Date, days: number): Date {
  return new Date(date.getTime() + days * DAY_MS);
}

/** Unix seconds, whole. */
export function unixSeconds(date: Date): number {
  return Math.floor(date.getTime() / 1000);
}

/** Unix seconds, with the milliseconds behind the point. */
export function unixMoment(date: Date): number {
  return date.getTime() / 1000;
}

/** `Fri, 20 Nov 2015 10:00:00 GMT` (RFC 2822 §3.3 with the zone of RFC 9110). */
export function mailDate(date: Date): string {
  return date.toUTCString();
}

/** `2015-11-20T10:00:00`, without a zone. */
export function plainTime(date: Date): string {
  return date.toISOString().slice(0, 19);
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** RFC 2822 §4.3; other letters say nothing. */
const ZONE_HOURS: Readonly<Record<string, number>> = {
  est: -5,
  edt: -4,
  cst: -6,
  cdt: -5,
  mst: -7,
  mdt: -6,
  pst: -8,
  pdt: -7,
};

// A plus that was not encoded arrives as a space.
const OFFSET = String.raw`[+ -]\d{2}:?\d{2}`;
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>\d{2})(?::(?<second>\d{2})(?:[.,](?<fraction>\d+))?)?`;
const ISO = new RegExp(
  String.raw`^(?<year>\d{4})-(?<month>\d{2})(?:-(?<day>\d{2})(?:[T ]${CLOCK} ?(?<zone>Z|${OFFSET})?)?)?$`,
  'i',
);
const WEEKDAY = '(?:mon|tue|wed|thu|fri|sat|sun)';
const MONTH = `(?<name>${MONTHS.join('|')})`;
const MAIL = new RegExp(
  String.raw`^(?:${WEEKDAY}\s*,?\s+)?(?<day>\d{1,2})[\s-]${MONTH}[\s-](?<year>\d{4}|\d{2})\s+${CLOCK}` +
    String.raw`(?:\s*(?<zone>${OFFSET}|[a-z]{1,5}))?$`,
  'i',
);
/** As programs in JavaScript write a date that they were not told to format. */
const SCRIPT = new RegExp(
  String.raw`^${WEEKDAY}\s${MONTH}\s(?<day>\d{2})\s(?<year>\d{4})\s${CLOCK}\sGMT(?<zone>${OFFSET})$`,
  'i',
);

function offsetMsOf(zone: string): number {
  const [, sign, hours = '', minutes = ''] = /^([+ -])(\d{2}):?(\d{2})$/.exec(zone) ?? [];
  if (sign === undefined) return (ZONE_HOURS[zone.toLowerCase()] ?? 0) * 60 * MINUTE_MS;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/** RFC 2822 §4.3: two digits are of 1950 to 2049. */
function yearOf(digits: string): number {
  const year = Number(digits);
  return digits.length === 4 ? year : year + (year < 50 ? 2000 : 1900);
}

function dateOf(parts: Record<string, string | undefined>): Date | undefined {
  const { year = '', month, name, day = '1', hour = '0', minute = '0', second = '0', fraction = '', zone = '' } = parts;
  const monthIndex = name === undefined ? Number(month) - 1 : MONTHS.indexOf(name.toLowerCase());
  const midnight = new Date(0);
  midnight.setUTCFullYear(yearOf(year), monthIndex, Number(day));
  // A date that there is not, such as 30 February, is another one by now.
  if (midnight.getUTCMonth() !== monthIndex || midnight.getUTCDate() !== Number(day)) return undefined;
  const [hours, minutes, seconds] = [Number(hour), Number(minute), Number(second)];
  const isClock = minutes < 60 && seconds <= 60 && (hours < 24 || (hours === 24 && minutes === 0 && seconds === 0));
  if (!isClock) return undefined;
  const ms = Math.floor(Number(`0.${fraction || 0}`) * 1000);
  return new Date(midnight.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000 + ms - offsetMsOf(zone));
}

/** No time takes more. */
const LENGTH_MAX = 100;

/** Unix seconds, ISO 8601 (a month, a day or a time of a day) or RFC 2822; undefined for what is no time. */
export function parseTime(text: string): Date | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const words = text.trim().replace(/\s*\([^()]*\)$/, '');
  if (/^\d{1,11}(?:\.\d{1,9})?$/.test(words)) return new Date(Math.floor(Number(words) * 1000));
  const found = ISO.exec(words) ?? MAIL.exec(words) ?? SCRIPT.exec(words);
  return found ? dateOf(found.groups ?? {}) : undefined;
}

/** The time in a field that may be left out. Throws `invalid_request`. */
export function readTime(field: string, text: string | undefined): Date | undefined {
  if (text === undefined || text === '') return undefined;
  const time = parseTime(text);
  if (!time) throw invalid(field, `"${text.slice(0, 100)}" is not a time; give it as RFC 2822 or ISO 8601.`);
  return time;
}

/** A time from which to which something is asked for. Throws `invalid_request`. */
export function readRange(
  { start, end }: { start?: string | undefined; end?: string | undefined },
  { now, days, daysMax }: { now: Date; days: number; daysMax: number },
): { from: Date; to: Date } {
  const to = readTime('end', end) ?? now;
  return checkRange({ from: readTime('start', start) ?? daysAfter(to, -days), to }, daysMax);
}

/** Throws `invalid_request`. */
export function checkRange(range: { from: Date; to: Date }, daysMax: number): { from: Date; to: Date } {
  const { from, to } = range;
  if (from > to) throw invalid('start', 'must not be later than end.');
  if (to.getTime() - from.getTime() > daysMax * DAY_MS)
    throw invalid('start', `must be at most ${daysMax} days before end.`);
  return range;
}
