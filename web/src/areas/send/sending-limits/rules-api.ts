// What the page of sending rules asks of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import { announce } from '../../../ground/shell/announce.ts';

export type Calendar = Reply<'GET /v1/galley/domains/{name}/calendar'>;
export type Limit = Reply<'GET /v1/galley/sending_limits'>['items'][number];
export type Breaker = Reply<'GET /v1/galley/domains/{name}/breaker'>;
export type CalendarSettings = Pick<Calendar, 'mode' | 'time_zone' | 'weekdays' | 'quiet_hours'>;
type BreakerSettings = Omit<Breaker, 'domain'>;

const POLL_MS = 10_000;
/** As many as an account has. */
const LIMITS_MAX = 100;

/** `zone`: of a recipient; undefined: that of the calendar. */
export const calendarQuery = (name: string, zone?: string) =>
  queryOptions({
    queryKey: ['calendar', name, zone],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/domains/{name}/calendar',
        { path: { name }, query: { ...(zone !== undefined && { time_zone: zone }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const limitsQuery = queryOptions({
  queryKey: ['sending-limits'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/sending_limits', { query: { limit: LIMITS_MAX } }, { signal }),
  refetchInterval: POLL_MS,
});

/** Addresses that the account sends from. */
export const ipsQuery = queryOptions({
  queryKey: ['sending-limits-ips'],
  queryFn: async ({ signal }) =>
    (await api.call('GET /v3/ips', { query: { limit: 1000 } }, { signal })).details.map(({ ip }) => ip),
});

export const breakerQuery = (name: string) =>
  queryOptions({
    queryKey: ['breaker', name],
    queryFn: ({ signal }) => api.call('GET /v1/galley/domains/{name}/breaker', { path: { name } }, { signal }),
  });

export function useSaveCalendar(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CalendarSettings) =>
      api.call('PUT /v1/galley/domains/{name}/calendar', { path: { name }, body }),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['calendar', name] });
      announce('Saved. What waits is looked at again.');
    },
  });
}

export function useSaveBreaker(name: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: BreakerSettings) => api.call('PUT /v1/galley/domains/{name}/breaker', { path: { name }, body }),
    onSuccess: (reply) => {
      queries.setQueryData(breakerQuery(name).queryKey, reply);
      announce('Saved. This applies to batches that begin from now on.');
    },
  });
}
