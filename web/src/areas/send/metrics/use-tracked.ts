// Whether what readers do was measured: only a domain that tracks it tells.
import { useQueries, useQuery } from '@tanstack/react-query';
import { measureOf, type Counts, type MeasureName } from './measures.ts';
import { NO_PERIOD, type Period } from './period.ts';
import { groupsQuery, trackingQuery } from './statistics-api.ts';

/** So many domains are asked about, the largest. */
const DOMAINS_MAX = 20;

export interface Tracked {
  /** Whether a figure was measured; what is above nothing was, whatever the settings say now. */
  isMeasured: (name: MeasureName, about: { domain: string | undefined; now: Counts }) => boolean;
  /** Domains with mail in the period that do not track it now. */
  untracked: Readonly<Record<'open' | 'click', readonly string[]>>;
  /** They are the whole of the domains that were asked about. */
  isNone: Readonly<Record<'open' | 'click', boolean>>;
}

/** What the domains that sent in a period track now. */
export function useTracked(period: Period | undefined, domain: string | undefined): Tracked {
  const asked = { period: period ?? NO_PERIOD, by: 'domain', count: 'accepted_count' } as const;
  const enabled = period !== undefined && domain === undefined;
  const { data } = useQuery(groupsQuery(asked, {}, { limit: DOMAINS_MAX, enabled }));
  const names = domain === undefined ? (data?.groups ?? []).map(({ value }) => value) : [domain];
  const answers = useQueries({ queries: names.map((name) => trackingQuery(name)) });
  const known = names.flatMap((name, place) => {
    const settings = answers[place]?.data;
    return settings ? [{ name, ...settings }] : [];
  });
  const without = (kind: 'open' | 'click'): string[] => known.filter((one) => !one[kind]).map(({ name }) => name);
  const untracked = { open: without('open'), click: without('click') };
  const isNone = (kind: 'open' | 'click'): boolean => names.length > 0 && untracked[kind].length === names.length;
  return {
    untracked,
    isNone: { open: isNone('open'), click: isNone('click') },
    isMeasured(name, { domain: of, now }) {
      const { needs, count } = measureOf(name);
      if (!needs || now[count] > 0) return true;
      return of === undefined ? !isNone(needs) : !untracked[needs].includes(of);
    },
  };
}
