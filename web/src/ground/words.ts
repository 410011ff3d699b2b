// Times, sizes and counts as words.

/** What an email is called where it has no name but its subject, which may be empty. */
export function nameBySubject(subject: string): string {
  return subject || 'Untitled email';
}

const RELATIVE = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
const STEPS: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
];

/** `3 hours ago`, `in 2 days`, `just now`. */
export function ago(date: Date, now = new Date()): string {
  const seconds = (date.getTime() - now.getTime()) / 1000;
  for (const [unit, size] of STEPS)
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit);
  return seconds > 0 ? 'in a moment' : 'just now';
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric' };
const TIME: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' };

/** `22 Nov 2026`: the day in the reader's zone. */
export function day(date: Date): string {
  return date.toLocaleDateString('en-GB', DAY);
}

/** `08:24 CET`. */
export function timeOfDay(date: Date): string {
  return date.toLocaleTimeString('en-GB', TIME);
}

/** `22 Nov 2026, 08:24 CET`: the reader's own time, with its zone. */
export function moment(date: Date): string {
  return date.toLocaleString('en-GB', { ...DAY, ...TIME });
}

/** `2026-11-22 07:24:09 UTC`. */
export function inUtc(date: Date): string {
  return date
    .toISOString()
    .replace('T', ' ')
    .replace(/\.\d+Z$/, ' UTC');
}

/** A day of the calendar without a time of day, `2026-05-01` or `2026-05`, as `1 May 2026`. */
export function calendarDay(date: string): string {
  if (!/^\d{4}-\d\d(?:-\d\d)?$/.test(date)) return date;
  const parts: Intl.DateTimeFormatOptions = date.length > 7 ? DAY : { month: 'short', year: 'numeric' };
  return new Date(`${date}${date.length > 7 ? '' : '-01'}T00:00:00Z`).toLocaleDateString('en-GB', {
    ...parts,
    timeZone: 'UTC',
  });
}

export function fromUnix(seconds: number): Date {
  return new Date(seconds * 1000);
}

/** `48.2 KB`; 1 KB is 1000 bytes as in file managers. */
export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  if (count < 1e6) return `${(count / 1000).toFixed(count < 1e5 ? 1 : 0)} KB`;
  return `${(count / 1e6).toFixed(1)} MB`;
}

/** A share from 0 to 1 as `8.29 %`; never `0 %` for something. */
export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.01) return 'less than 0.01 %';
  return `${value.toFixed(value < 10 ? 2 : 1)} %`;
}

/** `1,234`. */
export function figure(number: number): string {
  return number.toLocaleString('en');
}

/** `1 client`, `12 clients`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${figure(number)} ${number === 1 ? one : many}`;
}

/** `chromium Chromium 156.0` says it twice. */
export function engineName(text: string): string {
  return text.replace(/^(\w+) (?=\1 )/i, '');
}
