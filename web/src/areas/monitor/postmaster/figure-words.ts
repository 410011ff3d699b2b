// Days and figures of providers, as the charts and tables of the page read them.
import type { Figures } from './postmaster-api.ts';

const DAY_MS = 86_400_000;

/** Every day of the last so many, the oldest first: `2026-11-22`, UTC. A day without a record is one of them. */
export function daysUntil(today: Date, days: number): string[] {
  return Array.from({ length: days + 1 }, (_, place) =>
    new Date(today.getTime() - (days - place) * DAY_MS).toISOString().slice(0, 10),
  );
}

const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);

/** Complaints that came back here, of what was delivered; null where Galley saw nothing delivered. */
export const ownComplaints = ({ own }: Figures): number | null => own && share(own.complaints, own.delivered);

/** Tries that were refused, for good or for now, of all. */
export const ownErrors = ({ own }: Figures): number | null =>
  own && share(own.refused + own.deferred, own.delivered + own.refused + own.deferred);

const REPUTATIONS: Readonly<Record<number, string>> = { 1: 'bad', 2: 'low', 3: 'medium', 4: 'high' };

/** A reputation, and who says so. */
export function reputationWords({ reputation, reputation_source: source }: Figures): string | null {
  if (reputation === null) return null;
  const word = REPUTATIONS[reputation] ?? String(reputation);
  return source === 'own_events' ? `${word}, by Galley` : word;
}
