// What the page asks of the service.
import type { Operations, Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type DmarcDomain = Reply<'GET /v1/dmarc/domains/{domain}'>;
export type DmarcSource = DmarcDomain['sources'][number];
export type DmarcRecord = Reply<'GET /v1/dmarc/records/{domain}'>;
export type SourceReply = Reply<'GET /v1/dmarc/domains/{domain}/s/{source}'>;
export type HostReply = Reply<'GET /v1/dmarc/domains/{domain}/s/{source}/h/{host}'>;
export type AddressReply = Reply<'GET /v1/dmarc/domains/{domain}/s/{source}/h/{host}/ip/{ip}'>;

/** Tags of a record that somebody chose. */
export interface WantedTags {
  p?: string;
  sp?: string;
  np?: string;
  adkim?: string;
  aspf?: string;
  t?: string;
}
export type Report = Reply<'GET /v1/dmarc/reports'>['items'][number];
export type Uploaded = Reply<'POST /v1/dmarc/reports'>;

export type ReportMailbox = Reply<'GET /v1/dmarc/mailboxes'>['items'][number];

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

/** The record to publish; while another one is asked for, the last one stays. */
export const recordQuery = (domain: string, wanted: WantedTags = {}) =>
  queryOptions({
    queryKey: [key, 'record', domain, wanted],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/dmarc/records/{domain}',
        { path: { domain }, query: wanted as Operations['GET /v1/dmarc/records/{domain}']['query'] },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

export const sourceQuery = (domain: string, source: string) =>
  queryOptions({
    queryKey: [key, 'source', domain, source],
    queryFn: ({ signal }) =>
      api.call('GET /v1/dmarc/domains/{domain}/s/{source}', { path: { domain, source } }, { signal }),
  });

export const hostQuery = (path: { domain: string; source: string; host: string }) =>
  queryOptions({
    queryKey: [key, 'host', path],
    queryFn: ({ signal }) => api.call('GET /v1/dmarc/domains/{domain}/s/{source}/h/{host}', { path }, { signal }),
  });

export const addressQuery = (path: { domain: string; source: string; host: string; ip: string }) =>
  queryOptions({
    queryKey: [key, 'address', path],
    queryFn: ({ signal }) =>
      api.call('GET /v1/dmarc/domains/{domain}/s/{source}/h/{host}/ip/{ip}', { path }, { signal }),
  });

export const setupQuery = queryOptions({
  queryKey: [key, 'setup'],
  queryFn: ({ signal }) => api.call('GET /v1/dmarc/setup', {}, { signal }),
});

export const mailboxesQuery = queryOptions({
  queryKey: [key, 'mailboxes'],
  queryFn: ({ signal }) => api.call('GET /v1/dmarc/mailboxes', {}, { signal }),
});

/** The latest reports of a kind. */
export const reportsQuery = (kind: 'tls' | 'failure' | 'refused', domain?: string) =>
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
