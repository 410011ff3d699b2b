/** As `Date.getUTCDay` numbers them. */
export const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;

export type Weekday = (typeof WEEKDAYS)[number];

/** Their numbers, each once, from Sunday (0) to Saturday (6). */
export function weekdayNumbers(names: readonly Weekday[]): number[] {
  return [...new Set(names.map((name) => WEEKDAYS.indexOf(name)))].sort((one, other) => one - other);
}

/** `08:30` is 510 minutes after midnight. */
export function minutesOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
}

/** 510 minutes after midnight are `08:30`. */
export function timeOfDay(minutes: number): string {
  const two = (number: number): string => String(number).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
