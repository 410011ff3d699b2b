// What the page of statistics asks of the service.
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, statusOf } from '../../../ground/api.ts';
import { COUNTS, DIMENSION_NAMES, DIMENSIONS, NOTHING, type Counts, type DimensionName } from './measures.ts';
import type { Period } from './period.ts';
import type { StatisticsSearch } from './statistics-search.ts';

/** So many groups are listed at most, the largest. */
export const GROUPS_MAX = 200;

type Filters = Pick<StatisticsSearch, DimensionName>;

export const filtersOf = (search: StatisticsSearch): Filters =>
  Object.fromEntries(DIMENSION_NAMES.flatMap((name) => (search[name] === undefined ? [] : [[name, search[name]]])));

function bodyOf({ resolution, buckets, end }: Period, filters: Filters) {
  return {
    start: (buckets[0] as Date).toUTCString(),
    end: end.toUTCString(),
    resolution,
    metrics: [...COUNTS],
    include_subaccounts: false,
    include_aggregates: false,
    filter: {
      AND: DIMENSION_NAMES.flatMap((name) => {
        const value = filters[name];
        if (value === undefined) return [];
        return [{ attribute: DIMENSIONS[name].dimension, comparator: '=' as const, values: [{ value }] }];
      }),
    },
  };
}

const countsOf = (metrics: object): Counts => ({ ...NOTHING, ...metrics });

/** By hour, day or month, each at its place; undefined for what is no longer kept. */
export function seriesQuery(period: Period, filters: Filters, enabled = true) {
  const body = { ...bodyOf(period, filters), dimensions: ['time' as const], pagination: { limit: 1000, skip: 0 } };
  return queryOptions({
    queryKey: ['metrics', 'series', body],
    queryFn: async ({ signal }) => {
      const { items } = await api.call('POST /v1/analytics/metrics', { body }, { signal });
      const found = new Map(items.map(({ dimensions: [time], metrics }) => [Date.parse(time?.value ?? ''), metrics]));
      return period.buckets.map((at) => {
        const metrics = found.get(at.getTime());
        return metrics && countsOf(metrics);
      });
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** The largest groups of a period, and how many there are. */
export function groupsQuery(
  { period, by, count }: { period: Period; by: DimensionName; count: keyof Counts },
  filters: Filters,
  { limit = GROUPS_MAX, enabled = true } = {},
) {
  const { dimension } = DIMENSIONS[by];
  const pagination = { sort: `${count}:desc`, limit, skip: 0 };
  const body = { ...bodyOf(period, filters), dimensions: [dimension], pagination };
  return queryOptions({
    queryKey: ['metrics', 'groups', body],
    queryFn: async ({ signal }) => {
      const { items, pagination: page } = await api.call('POST /v1/analytics/metrics', { body }, { signal });
      const groups = items.map(({ dimensions: [group], metrics }) => ({
        value: group?.value ?? '',
        counts: countsOf(metrics),
      }));
      return { groups, total: page.total };
    },
    enabled,
    placeholderData: keepPreviousData,
  });
}

/** What is tracked of the mail of a domain now; null where that cannot be said, as of a domain that was deleted. */
export const trackingQuery = (name: string) =>
  queryOptions({
    queryKey: ['tracking', name],
    queryFn: async ({ signal }) => {
      try {
        const { tracking } = await api.call('GET /v3/domains/{name}/tracking', { path: { name } }, { signal });
        return { open: tracking.open.active, click: tracking.click.active !== false };
      } catch (error) {
        if (statusOf(error) === 404 || statusOf(error) === 403) return null;
        throw error;
      }
    },
    staleTime: 60_000,
  });
