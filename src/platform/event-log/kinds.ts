// The kinds of events, by their place: rows keep the place, so that a kind is never moved, only added at the end.

export const EVENT_KINDS = [
  'accepted',
  'rejected',
  'delivered',
  'failed',
  'opened',
  'clicked',
  'unsubscribed',
  'complained',
  'stored',
  'email_validation',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const SEVERITIES = ['temporary', 'permanent'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** The kind at a place. */
export const nameOfEvent = (place: number): EventKind => EVENT_KINDS[place] as EventKind;
/** The severity at a place, where there is one. */
export const nameOfSeverity = (place: number | null): Severity | null =>
  place === null ? null : (SEVERITIES[place] as Severity);

/** What a list is filtered by, and in what the database compares. */
const PLACES: Readonly<Record<string, readonly string[]>> = { event: EVENT_KINDS, severity: SEVERITIES };

/** A value as its column keeps it; undefined when no row can hold it. */
export function kept(field: string, value: string): string | undefined {
  const list = PLACES[field];
  if (!list) return value;
  const place = list.indexOf(value);
  return place < 0 ? undefined : String(place);
}
