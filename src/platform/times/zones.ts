// Clocks of other places: when one of them shows a time of day.

/** Names in lower case; there are some six hundred, and offsets such as +05:30. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const CLOCKS_MAX = 2000;
const DAY_MS = 86_400_000;

function clockOf(zone: string): Intl.DateTimeFormat {
  const name = zone.toLowerCase();
  const known = clocks.get(name);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  if (clocks.size < CLOCKS_MAX) clocks.set(name, made);
  return made;
}

/** Whether it names a time zone, such as `Europe/Berlin`. */
export function isTimeZone(zone: string): boolean {
  try {
    return clockOf(zone) !== undefined;
  } catch {
    return false;
  }
}

/** By country code in upper case; null: it has several clocks, or there is none of that code. */
const zonesOfCountries = new Map<string, string | null>();

function onlyZoneOf(code: string): string | null {
  // In Node 24, and not yet in TypeScript's library.
  const locale = new Intl.Locale(`und-${code}`) as Intl.Locale & { getTimeZones(): string[] };
  const [first, ...others] = locale.getTimeZones();
  const year = new Date().getUTCFullYear();
  const moments = [0, 3, 6, 9].map((month) => Date.UTC(year, month, 1));
  const isSame = others.every((zone) =>
    moments.every((moment) => shownAt(moment, zone) === shownAt(moment, first as string)),
  );
  return first !== undefined && isSame ? first : null;
}

/**
 * The time zone of a country (ISO 3166-1, two letters) whose clocks all show the same through this year, as CLDR has
 * its zones. Undefined where they differ, as in the United States, and for what is no country.
 */
export function zoneOfCountry(country: string): string | undefined {
  if (!/^[a-z]{2}$/i.test(country)) return undefined;
  const code = country.toUpperCase();
  const known = zonesOfCountries.get(code);
  const zone = known === undefined ? onlyZoneOf(code) : known;
  zonesOfCountries.set(code, zone);
  return zone ?? undefined;
}

/** What the clock shows at that moment, written as if it were UTC; milliseconds. */
function shownAt(moment: number, zone: string): number {
  const parts = new Map(
    clockOf(zone)
      .formatToParts(moment)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const of = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/** What the clocks of a zone show: the day of the week (0 is Sunday) and the minutes of the day. */
export function wallClockAt(moment: Date, zone: string): { weekday: number; minutes: number } {
  const shown = new Date(shownAt(moment.getTime(), zone));
  return { weekday: shown.getUTCDay(), minutes: shown.getUTCHours() * 60 + shown.getUTCMinutes() };
}

/** When the clock shows this: twice where it is set back; where it is set forward over it, as much later as it is set. */
function momentsOf(shown: number, zone: string): number[] {
  const [before, behind] = [shown - DAY_MS, shown + DAY_MS].map((at) => shownAt(at, zone) - at) as [number, number];
  const moments = [shown - before, shown - behind].filter((moment) => shownAt(moment, zone) === shown);
  return moments.length > 0 ? moments.sort((a, b) => a - b) : [shown - before];
}

/**
 * The first moment, `after` or later, at which the clocks of a time zone show a time of day. Throws a RangeError for a
 * zone that {@link isTimeZone} does not know.
 */
export function nextTimeOfDay(after: Date, { hour, minute }: { hour: number; minute: number }, zone: string): Date {
  const shown = new Date(shownAt(after.getTime(), zone));
  for (let day = 0; ; day += 1) {
    const wanted = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth(), shown.getUTCDate() + day, hour, minute);
    const moment = momentsOf(wanted, zone).find((one) => one >= after.getTime());
    if (moment !== undefined) return new Date(moment);
  }
}
