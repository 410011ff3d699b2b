// What the page of dynamic pools asks of the service, and the words for it.
import type { Reply } from '@galley/sdk';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Pools = Reply<'GET /v3/dynamic_pools'>;
export type PooledDomain = Reply<'GET /v1/dynamic_pools/domains'>['items'][number];
export type Move = Reply<'GET /v1/dynamic_pools/history'>['items'][number];

/** What one page of the service's lists has; the page says when there is more. */
const SHOWN = 200;
const POLL_MS = 30_000;

export const poolsQuery = queryOptions({
  queryKey: ['dynamic-pools', 'pools'],
  queryFn: ({ signal }) => api.call('GET /v3/dynamic_pools', {}, { signal }),
});

export const domainsQuery = queryOptions({
  queryKey: ['dynamic-pools', 'domains'],
  queryFn: ({ signal }) => api.call('GET /v1/dynamic_pools/domains', { query: { limit: SHOWN } }, { signal }),
  refetchInterval: POLL_MS,
});

export const historyQuery = queryOptions({
  queryKey: ['dynamic-pools', 'history'],
  queryFn: ({ signal }) =>
    api.call('GET /v1/dynamic_pools/history', { query: { limit: 50, include_subaccounts: true } }, { signal }),
  refetchInterval: POLL_MS,
});

export const assignableQuery = queryOptions({
  queryKey: ['dynamic-pools', 'assignable'],
  queryFn: ({ signal }) => api.call('GET /v3/domains/dynamic_pools/assignable', {}, { signal }),
});

/** The addresses of the account, and the shared ones. */
export const addressesQuery = queryOptions({
  queryKey: ['dynamic-pools', 'addresses'],
  queryFn: async ({ signal }) => {
    const dedicated = await api.call('GET /v3/ips', { query: { dedicated: true } }, { signal });
    const shared = await api.call('GET /v3/ips', { query: { dedicated: false } }, { signal });
    return { dedicated: dedicated.items, free: dedicated.assignable_to_pools, hasShared: shared.items.length > 0 };
  },
});

export const dedicatedPoolsQuery = queryOptions({
  queryKey: ['dynamic-pools', 'dedicated'],
  queryFn: ({ signal }) => api.call('GET /v3/ip_pools', {}, { signal }),
});

export const BANDS = [
  { pool: 'dynamic_good', label: 'Good', field: 'good_reputation', tone: 'good' },
  { pool: 'dynamic_new', label: 'New', field: 'new_senders', tone: undefined },
  { pool: 'dynamic_poor', label: 'Poor', field: 'poor_reputation', tone: 'bad' },
] as const;

export const bandOf = (pool: string) => BANDS.find((band) => band.pool === pool);

/** A share of the service as people read it; a dash where there is none. */
export function percent(share: number | null | undefined): string {
  if (share === null || share === undefined) return '–';
  const value = share * 100;
  return `${Number(value.toFixed(value < 1 ? 3 : 1))} %`;
}

/** What a domain sends from when not from a dynamic pool: `shared`, `ip 192.0.2.1`, `pool 64a…`. */
export function replacementQuery(choice: string): { replacement_ip?: string; replacement_pool_id?: string } {
  const [kind, value = ''] = choice.split(' ');
  if (kind === 'shared') return { replacement_ip: 'shared' };
  return kind === 'ip' ? { replacement_ip: value } : { replacement_pool_id: value };
}

/** Everything of the page is read anew. */
export function useRenew(): () => Promise<void> {
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: ['dynamic-pools'] });
}
