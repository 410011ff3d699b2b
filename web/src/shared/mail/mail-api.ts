// What the pages of delivery ask of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../ground/api.ts';
import { pollMs } from '../../ground/polling.ts';

export type SpamTest = Reply<'GET /v1/inspect/spam/{spam_test_id}'>['item'];
export type SpamTestSummary = Reply<'GET /v1/inspect/spam'>['items'][number];
export type SpamAnalysis = NonNullable<SpamTest['analysis']>;
export type ReceiverResult = NonNullable<SpamTest['results']>['b2c']['results'][number];
export type FilterReport = SpamAnalysis['filters'][number];
export type RuleHit = FilterReport['rules'][number];
export type SpamContent = Reply<'GET /v1/inspect/spam/{spam_test_id}/content'>;
export type PlacementResult = Reply<'GET /v4/inbox/results/{result}'>['result'];
export type ProviderStats = PlacementResult['delivery_stats'][string];
export type SeedResult = PlacementResult['seed_results'][number];
export type SeedList = Reply<'GET /v4/inbox/seedlists'>['items'][number];
export type Provider = Reply<'GET /v4/inbox/providers'>['items'][number];
export type Mailbox = Reply<'GET /v1/seeds/mailboxes'>['items'][number];
export type MailboxTrial = Reply<'POST /v1/seeds/mailboxes/{mailbox_id}/test'>;
export type DomainReply = Reply<'GET /v4/domains/{name}'>;
export type SendingDomain = DomainReply['domain'];
export type DnsRecord = DomainReply['sending_dns_records'][number];

/** How often a test that is under way is asked about. */
const POLL_MS = 1200;
/** How often lists look for news. */
const LIST_POLL_MS = 5000;

export const PER_PAGE = 25;

export interface SpamSearch {
  status?: 'processing' | 'completed' | 'failed' | undefined;
  region?: 'us1' | 'eu1' | undefined;
  page?: number | undefined;
}

export function isUnderWay({ status }: { status: string }): boolean {
  return status === 'pending' || status === 'processing';
}

export function spamTestsQuery({ status, region, page = 1 }: SpamSearch) {
  return queryOptions({
    queryKey: ['spam-tests', { status, region, page }],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/inspect/spam',
        {
          query: { limit: PER_PAGE, skip: (page - 1) * PER_PAGE, ...(status && { status }), ...(region && { region }) },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query, ({ items }) => items.some(isUnderWay), LIST_POLL_MS),
  });
}

export function spamTestQuery(id: string) {
  return queryOptions({
    queryKey: ['spam-test', id],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v1/inspect/spam/{spam_test_id}', { path: { spam_test_id: id } }, { signal })).item,
    refetchInterval: (query) => pollMs(query, isUnderWay, POLL_MS),
  });
}

/** The message as it went out. */
export function spamContentQuery(id: string) {
  return queryOptions({
    queryKey: ['spam-content', id],
    queryFn: ({ signal }) =>
      api.call('GET /v1/inspect/spam/{spam_test_id}/content', { path: { spam_test_id: id } }, { signal }),
    staleTime: Infinity,
  });
}

export const providersQuery = queryOptions({
  queryKey: ['seed-providers'],
  queryFn: async ({ signal }) => (await api.call('GET /v4/inbox/providers', {}, { signal })).items,
  staleTime: 30_000,
});

export function seedListsQuery({ page = 1, limit = PER_PAGE }: { page?: number | undefined; limit?: number }) {
  return queryOptions({
    queryKey: ['seed-lists', { page, limit }],
    queryFn: ({ signal }) =>
      api.call('GET /v4/inbox/seedlists', { query: { limit, offset: (page - 1) * limit } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

export function seedListQuery(address: string) {
  return queryOptions({
    queryKey: ['seed-list', address],
    queryFn: ({ signal }) => api.call('GET /v4/inbox/seedlists/{address}', { path: { address } }, { signal }),
  });
}

interface ResultsSearch {
  page?: number | undefined;
  /** Address of a seed list. */
  list?: string | undefined;
  limit?: number;
}

export function placementResultsQuery({ page = 1, list, limit = PER_PAGE }: ResultsSearch) {
  return queryOptions({
    queryKey: ['placement-results', { page, list, limit }],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v4/inbox/results',
        { query: { limit, offset: (page - 1) * limit, ...(list && { target_email: list }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query, ({ items }) => items.some(isUnderWay), LIST_POLL_MS),
  });
}

export function placementResultQuery(id: string) {
  return queryOptions({
    queryKey: ['placement-result', id],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v4/inbox/results/{result}', { path: { result: id } }, { signal })).result,
    refetchInterval: (query) => pollMs(query, isUnderWay, POLL_MS),
  });
}

export function placementSharingQuery(id: string) {
  return queryOptions({
    queryKey: ['placement-sharing', id],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v4/inbox/sharing/{result}', { path: { result: id } }, { signal })).sharing,
  });
}

export function publicPlacementQuery(shareId: string) {
  return queryOptions({
    queryKey: ['public-placement', shareId],
    queryFn: async ({ signal }) =>
      (await api.call('GET /v4/inbox/sharing/public/{shareid}', { path: { shareid: shareId } }, { signal })).result,
    refetchInterval: (query) => pollMs(query, isUnderWay, POLL_MS * 2),
  });
}

export const mailboxesQuery = queryOptions({
  queryKey: ['mailboxes'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/seeds/mailboxes', {}, { signal })).items,
});

export const domainsQuery = queryOptions({
  queryKey: ['domains'],
  queryFn: async ({ signal }) => (await api.call('GET /v4/domains', { query: { limit: 1000 } }, { signal })).items,
});

export function domainQuery(name: string) {
  return queryOptions({
    queryKey: ['domain', name],
    queryFn: ({ signal }) => api.call('GET /v4/domains/{name}', { path: { name } }, { signal }),
    // The service looks for the records of a new domain by itself.
    refetchInterval: (query) => pollMs(query, ({ domain }) => domain.next_check_at !== null, LIST_POLL_MS),
  });
}
