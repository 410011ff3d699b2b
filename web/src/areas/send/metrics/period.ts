// The hours, days or months that are shown, and those before them. All of them are UTC, as the figures are kept.

export const RESOLUTIONS = ['hour', 'day', 'month'] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** Periods that end now. */
export const PRESETS = {
  '24h': { label: '24 hours', resolution: 'hour', count: 24 },
  '7d': { label: '7 days', resolution: 'day', count: 7 },
  '30d': { label: '30 days', resolution: 'day', count: 30 },
  '90d': { label: '90 days', resolution: 'day', count: 90 },
  '12m': { label: '12 months', resolution: 'month', count: 12 },
} as const satisfies Record<string, { label: string; resolution: Resolution; count: number }>;
export type Preset = keyof typeof PRESETS;
export const DEFAULT_PRESET: Preset = '30d';

/** So many at most are drawn; an answer has no more than 1,000. */
const BUCKETS_MAX: Readonly<Record<Resolution, number>> = { hour: 744, day: 400, month: 14 };

export interface PeriodSearch {
  period?: Preset;
  /** `2026-11-21`, UTC; both ends included. */
  from?: string;
  to?: string;
  resolution?: Resolution;
}

export interface Period {
  resolution: Resolution;
  /** The beginnings of its hours, days or months, the oldest first. */
  buckets: readonly Date[];
  end: Date;
}

/** The beginning of the hour, day or month of a moment, or of one so many later. */
function bucketOf(at: Date, resolution: Resolution, later = 0): Date {
  const [year, month, day, hour] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours()];
  if (resolution === 'month') return new Date(Date.UTC(year, month + later, 1));
  if (resolution === 'day') return new Date(Date.UTC(year, month, day + later));
  return new Date(Date.UTC(year, month, day, hour + later));
}

function bucketsIn(from: Date, to: Date, resolution: Resolution): Date[] | undefined {
  const found: Date[] = [];
  for (let at = bucketOf(from, resolution); at < to; at = bucketOf(at, resolution, 1)) {
    if (found.length === BUCKETS_MAX[resolution]) return undefined;
    found.push(at);
  }
  return found;
}

/** Stands where there is none, so that nothing is asked. */
export const NO_PERIOD: Period = { resolution: 'day', buckets: [new Date(0)], end: new Date(0) };

/** From when and until when; what has not come yet is no part of it. */
function rangeOf({ period = DEFAULT_PRESET, from, to }: PeriodSearch, now: Date): [Date, Date] {
  const next = new Date(now.getTime() + 1);
  if (!from && !to) {
    const { resolution, count } = PRESETS[period];
    return [bucketOf(now, resolution, 1 - count), next];
  }
  const until = to ? bucketOf(new Date(`${to}T00:00:00Z`), 'day', 1) : next;
  const end = until < next ? until : next;
  return [from ? new Date(`${from}T00:00:00Z`) : bucketOf(end, 'day', -30), end];
}

/** What the period may be divided into. */
export function resolutionsOf(search: PeriodSearch, now: Date): Resolution[] {
  const [from, to] = rangeOf(search, now);
  return RESOLUTIONS.filter((resolution) => bucketsIn(from, to, resolution) !== undefined);
}

/** The period that the address asks for; undefined when it is longer than figures are kept, or has no day. */
export function periodOf(search: PeriodSearch, now: Date): Period | undefined {
  const [from, to] = rangeOf(search, now);
  const possible = resolutionsOf(search, now);
  const usual = search.from || search.to ? 'day' : PRESETS[search.period ?? DEFAULT_PRESET].resolution;
  const resolution =
    [search.resolution, usual, 'day' as const].find((one) => one && possible.includes(one)) ?? possible[0];
  const buckets = resolution && bucketsIn(from, to, resolution);
  if (!resolution || !buckets || buckets.length === 0) return undefined;
  return { resolution, buckets, end: bucketOf(buckets.at(-1) as Date, resolution, 1) };
}

/** As many hours, days or months, right before. */
export function periodBefore({ resolution, buckets }: Period): Period {
  const first = buckets[0] as Date;
  return {
    resolution,
    buckets: buckets.map((_, place) => bucketOf(first, resolution, place - buckets.length)),
    end: first,
  };
}

const DAY: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' };
const MONTH: Intl.DateTimeFormatOptions = { month: 'short', year: 'numeric', timeZone: 'UTC' };

/** `22 Nov 2026, 07:00`, `22 Nov 2026`, `Nov 2026`. */
export function bucketName(at: Date, resolution: Resolution): string {
  if (resolution === 'month') return at.toLocaleDateString('en-GB', MONTH);
  const day = at.toLocaleDateString('en-GB', DAY);
  return resolution === 'day' ? day : `${day}, ${at.toISOString().slice(11, 16)}`;
}

/** `2026-11-22 07:00`, `2026-11-22`, `2026-11`: as spreadsheets sort and read it. */
export function bucketKey(at: Date, resolution: Resolution): string {
  const text = at.toISOString();
  return resolution === 'month'
    ? text.slice(0, 7)
    : resolution === 'day'
      ? text.slice(0, 10)
      : text.slice(0, 16).replace('T', ' ');
}

/** `24 Oct to 22 Nov 2026`. */
export function periodName({ resolution, buckets }: Period): string {
  const [first, last] = [buckets[0] as Date, buckets.at(-1) as Date];
  const end = bucketName(last, resolution);
  return first.getTime() === last.getTime() ? end : `${bucketName(first, resolution)} to ${end}`;
}
