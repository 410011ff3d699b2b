// What the page asks of the service.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type DmarcDomain = Reply<'GET /v1/dmarc/domains/{domain}'>;
export type Report = Reply<'GET /v1/dmarc/reports'>['items'][number];
export type Uploaded = Reply<'POST /v1/dmarc/reports'>;

const key = 'dmarc';

export const domainsQuery = queryOptions({
  queryKey: [key, 'domains'],
  queryFn: ({ signal }) => api.call('GET /v1/dmarc/domains', {}, { signal }),
});

export const domainQuery = (domain: string) =>
  queryOptions({
    queryKey: [key, 'domain', domain],
    queryFn: ({ signal }) => api.call('GET /v1/dmarc/domains/{domain}', { path: { domain } }, { signal }),
  });

export const recordQuery = (domain: string) =>
  queryOptions({
    queryKey: [key, 'record', domain],
    queryFn: ({ signal }) => api.call('GET /v1/dmarc/records/{domain}', { path: { domain } }, { signal }),
  });

export const setupQuery = queryOptions({
  queryKey: [key, 'setup'],
  queryFn: ({ signal }) => api.call('GET /v1/dmarc/setup', {}, { signal }),
});

/** The latest reports of a kind. */
export const reportsQuery = (kind: 'tls' | 'refused', domain?: string) =>
  queryOptions({
    queryKey: [key, 'reports', kind, domain],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/dmarc/reports',
        { query: { kind, limit: 20, ...(domain !== undefined && { domain }) } },
        { signal },
      ),
  });

export function uploadReport(file: File): Promise<Uploaded> {
  const form = new FormData();
  form.append('file', file);
  return api.call('POST /v1/dmarc/reports', { body: form });
}

export const everything = { queryKey: [key] };
