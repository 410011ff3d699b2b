// What the pages of Send ask of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../ground/api.ts';
import { pollMs } from '../../ground/polling.ts';

type Logs = Reply<'POST /v1/analytics/logs'>;

/** What the receiver said, or Galley of it. */
export interface DeliveryStatus {
  code?: number;
  message?: string;
  description?: string;
  'mx-host'?: string;
  tls?: boolean;
  'certificate-verified'?: boolean;
  'session-seconds'?: number;
  'attempt-no'?: number;
  'retry-seconds'?: number;
  'bounce-type'?: string;
  'last-code'?: number;
  'last-message'?: string;
}

/** An event; what kinds of them have of their own may be absent. */
export type SendEvent = Logs['items'][number] & {
  message?: { headers?: { subject?: string; from?: string; to?: string; 'message-id'?: string } };
  storage?: { key: string };
  tags?: string[];
  severity?: string;
  reason?: string;
  method?: string;
  'originating-ip'?: string;
  /** Why it leaves when it does, where its sender asked for the hour at which the recipient reads. */
  'i-delivery-optimizer'?: string;
  'delivery-status'?: DeliveryStatus;
  reject?: { reason?: string; description?: string };
  flags?: { 'is-test-mode'?: boolean; 'is-delayed-bounce'?: boolean };
};

export type QueueDelivery = Reply<'GET /v1/galley/queue/deliveries'>['items'][number];
export type StoredMessage = Reply<'GET /v3/domains/{domain_name}/messages/{storage_key}'> & { 'Message-Id'?: string };

type LogsQuery = Parameters<typeof api.call<'POST /v1/analytics/logs'>>[1]['body'];
export type LogsBody = Exclude<LogsQuery, FormData>;
type Condition = NonNullable<NonNullable<LogsBody['filter']>['AND']>[number];

/** A condition of the filter. */
export function condition(attribute: string, value: string, comparator: Condition['comparator'] = '='): Condition {
  return { attribute, comparator, values: [{ value }] };
}

export const EVENTS_PER_PAGE = 50;

/** A page of events. */
export async function readEvents(
  body: LogsBody,
  { sort, token, limit = EVENTS_PER_PAGE }: { sort: 'asc' | 'desc'; token?: string | undefined; limit?: number },
  signal?: AbortSignal,
): Promise<Logs & { items: SendEvent[] }> {
  const pagination = { sort: `timestamp:${sort}` as const, limit, ...(token !== undefined && { token }) };
  return api.call('POST /v1/analytics/logs', { body: { ...body, pagination } }, signal && { signal });
}

/** How many events there are, of all kinds and of each. */
export function totalsQuery(body: LogsBody) {
  return queryOptions({
    queryKey: ['send-totals', body],
    queryFn: async ({ signal }) => {
      const { pagination, aggregates } = await api.call(
        'POST /v1/analytics/logs',
        { body: { ...body, include_totals: true, pagination: { sort: 'timestamp:desc', limit: 1 } } },
        { signal },
      );
      return {
        total: pagination.total ?? 0,
        isBound: pagination.total_is_bound === true,
        metrics: aggregates?.metrics ?? {},
      };
    },
    placeholderData: keepPreviousData,
  });
}

const QUEUE_POLL_MS = 5000;

/** What waits, by destination; and the mode. */
export const queueQuery = queryOptions({
  queryKey: ['queue'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/queue', {}, { signal }),
  refetchInterval: (query) => pollMs(query, () => true, QUEUE_POLL_MS),
});

/** The mode alone, which changes when the service is started again. */
export const modeQuery = queryOptions({ ...queueQuery, refetchInterval: false as const, staleTime: 60_000 });

export const QUEUED_PER_PAGE = 50;

interface QueueTest {
  domain?: string | undefined;
  destination?: string | undefined;
  recipient?: string | undefined;
  message?: string | undefined;
  page?: number | undefined;
}

/** A page of deliveries that wait. */
export function queuedQuery({ page = 1, ...test }: QueueTest) {
  return queryOptions({
    queryKey: ['queue', 'deliveries', { page, ...test }],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/queue/deliveries',
        { query: { ...test, limit: QUEUED_PER_PAGE, skip: (page - 1) * QUEUED_PER_PAGE } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: (query) => pollMs(query, () => true, QUEUE_POLL_MS),
  });
}

/** The content of a message as it was accepted. */
export function storedQuery(domain: string, storageKey: string) {
  return queryOptions({
    queryKey: ['stored-message', domain, storageKey],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v3/domains/{domain_name}/messages/{storage_key}',
        { path: { domain_name: domain, storage_key: storageKey } },
        { signal },
      ),
    staleTime: Infinity,
  });
}
