// What the page of postmaster data asks of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';
import type { Provider } from './postmaster-search.ts';

export type Connection = Reply<'GET /v1/galley/postmaster/connections'>['items'][number];
export type Figures = Reply<'GET /v1/galley/postmaster/records'>['items'][number];
export type SndsFigures = Reply<'GET /v1/reputationanalytics/snds'>['summary'][number];
export type Compliance = NonNullable<Reply<'GET /v1/galley/postmaster/compliance/{domain}'>['organizational']>;
type Uploaded = Reply<'POST /v1/galley/postmaster/uploads'>;

/** Providers whose figures are of domains. */
export type DomainProvider = Exclude<Provider, 'snds'>;

const key = 'postmaster';
/** Everything that readings and uploads change. */
export const everything = { queryKey: [key] };
/** The most that one answer lists. */
export const LISTED_MAX = 1000;

export const connectionsQuery = queryOptions({
  queryKey: [key, 'connections'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/postmaster/connections', {}, { signal }),
});

/** Names of the domains of the newest records of two years. */
export const domainsQuery = (provider: DomainProvider) =>
  queryOptions({
    queryKey: [key, 'domains', provider],
    queryFn: async ({ signal }) => {
      const query = { provider, days: 730, limit: LISTED_MAX };
      const { items, meta } = await api.call('GET /v1/galley/postmaster/records', { query }, { signal });
      const names = [...new Set(items.map(({ domain }) => domain))].toSorted();
      return { names, isAll: meta.count <= items.length };
    },
  });

/** Figures of one domain, the newest day first. */
export const figuresQuery = (provider: DomainProvider, domain: string, days: number) =>
  queryOptions({
    queryKey: [key, 'figures', provider, domain, days],
    queryFn: async ({ signal }) => {
      const query = { provider, domain, days, limit: LISTED_MAX };
      return (await api.call('GET /v1/galley/postmaster/records', { query }, { signal })).items;
    },
    placeholderData: keepPreviousData,
  });

/** Whether a domain meets Google's requirements, as it said last. */
export const complianceQuery = (domain: string) =>
  queryOptions({
    queryKey: [key, 'compliance', domain],
    queryFn: ({ signal }) =>
      api.call('GET /v1/galley/postmaster/compliance/{domain}', { path: { domain } }, { signal }),
  });

/** Sending addresses, each with its last day. */
export const addressesQuery = queryOptions({
  queryKey: [key, 'addresses'],
  queryFn: ({ signal }) => api.call('GET /v1/reputationanalytics/snds', { query: { limit: LISTED_MAX } }, { signal }),
});

/** Days of one address, the newest first. */
export const addressQuery = (ip: string) =>
  queryOptions({
    queryKey: [key, 'address', ip],
    queryFn: async ({ signal }) => {
      const query = { limit: LISTED_MAX };
      return (await api.call('GET /v1/reputationanalytics/snds/{ip}', { path: { ip }, query }, { signal })).summary;
    },
  });

/** What Galley delivered to Microsoft from one address, and the complaints that came back, by day of UTC. */
export const ownByAddressQuery = (ip: string, days: number) =>
  queryOptions({
    queryKey: [key, 'address', ip, 'own', days],
    queryFn: async ({ signal }) => {
      const is = (attribute: 'ip' | 'recipient_provider', value: string) => ({
        attribute,
        comparator: '=' as const,
        values: [{ label: value, value }],
      });
      const body = {
        resolution: 'day' as const,
        duration: `${days}d`,
        dimensions: ['time' as const],
        metrics: ['delivered_count' as const, 'complained_count' as const],
        filter: { AND: [is('ip', ip), is('recipient_provider', 'outlook')] },
        pagination: { limit: LISTED_MAX },
      };
      const { items } = await api.call('POST /v1/analytics/metrics', { body }, { signal });
      return new Map(
        items.map(({ dimensions, metrics }) => [
          new Date(dimensions[0]?.value ?? '').toISOString().slice(0, 10),
          { delivered: Number(metrics['delivered_count']), complained: Number(metrics['complained_count']) },
        ]),
      );
    },
  });

export function uploadExport({
  provider,
  domain,
  file,
}: {
  provider: Provider;
  domain: string;
  file: File;
}): Promise<Uploaded> {
  const form = new FormData();
  form.append('provider', provider);
  if (domain.trim() !== '' && provider !== 'snds') form.append('domain', domain.trim());
  form.append('file', file);
  return api.call('POST /v1/galley/postmaster/uploads', { body: form });
}
