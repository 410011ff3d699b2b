// What the page of addresses and pools asks of the service.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type SendingIp = Reply<'GET /v3/ips'>['details'][number];
export type IpPool = Reply<'GET /v3/ip_pools'>['ip_pools'][number];
export type PoolDetails = Reply<'GET /v3/ip_pools/{pool_id}'>['details'];

const SHOWN = 1000;
const POLL_MS = 30_000;

export const ipsQuery = queryOptions({
  queryKey: ['ips'],
  queryFn: ({ signal }) => api.call('GET /v3/ips', { query: { limit: SHOWN } }, { signal }),
  refetchInterval: POLL_MS,
});

/** Subaccounts by the address that each was given. */
export const givenQuery = queryOptions({
  queryKey: ['ips', 'given'],
  queryFn: async ({ signal }) => {
    const { items } = await api.call('GET /v3/ips/subaccounts', { query: { limit: SHOWN } }, { signal });
    return items;
  },
});

export const poolsQuery = queryOptions({
  queryKey: ['ips', 'pools'],
  queryFn: async ({ signal }) => (await api.call('GET /v3/ip_pools', {}, { signal })).ip_pools,
});

export const poolQuery = (id: string) =>
  queryOptions({
    queryKey: ['ips', 'pools', id],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v3/ip_pools/{pool_id}', { path: { pool_id: id } }, { signal })).details,
  });
