// Spam filters that an operator runs, behind one interface.
import { DEFAULT_PLACES, findSpamFilters, type FilterPlaces } from './find-filters.ts';
import { createRspamd } from './rspamd.ts';
import { createSpamd } from './spamd.ts';
import type { FilterLimits } from './failure.ts';
import type { FilterSource, SpamFilter } from './types.ts';

export { type FilterPlaces } from './find-filters.ts';
export { traceFields } from './envelope-text.ts';
export type { FilterEnvelope, FilterOutcome, FilterSource, FilterState, FilterVerdict, SpamFilter } from './types.ts';

interface SpamFilterAddresses {
  /** `host:port` of spamd. */
  spamd?: string | undefined;
  /** URL of Rspamd's normal worker. */
  rspamd?: string | undefined;
  limits?: Partial<FilterLimits>;
}

/** What is wrong with an address of spamd, or undefined. */
export function spamdAddressFault(text: string): string | undefined {
  return splitHostPort(text) ? undefined : 'give host:port, such as 127.0.0.1:783.';
}

function splitHostPort(text: string): { host: string; port: number } | undefined {
  const match = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9][a-z0-9._-]*)):(\d{1,5})$/i.exec(text);
  const port = Number(match?.[3]);
  return match && port >= 1 && port <= 65_535 ? { host: (match[1] ?? match[2])!, port } : undefined;
}

/**
 * The filters that are configured; an address that is left out is not tried. Throws a TypeError for one that cannot be
 * read.
 */
export function createSpamFilters({ spamd, rspamd, limits = {} }: SpamFilterAddresses): SpamFilter[] {
  const filters: SpamFilter[] = [];
  if (rspamd !== undefined) filters.push(createRspamd({ url: rspamd, limits }));
  if (spamd !== undefined) {
    const place = splitHostPort(spamd);
    if (!place) throw new TypeError(`"${spamd}" is no address of spamd: ${spamdAddressFault(spamd)}`);
    filters.push(createSpamd({ ...place, limits }));
  }
  return filters;
}

/** The filters of a configuration. `places`: where to look for filters that no setting names. */
export function openSpamFilters(
  { spamd, rspamd, isFinding }: { spamd: string | undefined; rspamd: string | undefined; isFinding: boolean },
  { places = DEFAULT_PLACES, nowMs }: { places?: FilterPlaces | undefined; nowMs?: () => number } = {},
): FilterSource {
  return findSpamFilters({
    configured: createSpamFilters({ spamd, rspamd }),
    places: isFinding ? places : undefined,
    ...(nowMs && { nowMs }),
  });
}
