// Days of the week and time zones, as forms show them.

/** As a week is shown: from Monday on. */
export const WEEK = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;
export type Weekday = (typeof WEEK)[number];

export const nameOf = (day: Weekday): string => day.charAt(0).toUpperCase() + day.slice(1);

/** Options of a list of time zones that are drawn at once. */
export const ZONES_SHOWN = 60;

/** Time zones to choose from, this one among them. */
export const zonesWith = (zone: string): string[] => [...new Set([zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])];
