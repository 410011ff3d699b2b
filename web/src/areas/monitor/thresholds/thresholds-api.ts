// What the page of thresholds asks of the service, and the words for it.
import type { Reply } from '@galley/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

type Limits = Reply<'GET /v1/thresholds/limits'>;
type Uses = Reply<'GET /v1/galley/thresholds/uses'>;
type SendAlerts = Reply<'GET /v1/thresholds/alerts/send'>;
type Hits = Reply<'GET /v1/thresholds/hits'>;
export type Limit = Limits['items'][number];
export type LimitUse = Uses['items'][number];
export type SendAlert = SendAlerts['items'][number];
export type Hit = Hits['items'][number];

/** What one page of the service's lists has; the page of thresholds says when there is more. */
const SHOWN = 1000;
const POLL_MS = 10_000;
const all = { query: { limit: SHOWN } };

export const limitsQuery = queryOptions({
  queryKey: ['thresholds', 'limits'],
  queryFn: ({ signal }) => api.call('GET /v1/thresholds/limits', all, { signal }),
});

export const usesQuery = queryOptions({
  queryKey: ['thresholds', 'uses'],
  queryFn: ({ signal }) => api.call('GET /v1/galley/thresholds/uses', all, { signal }),
  refetchInterval: POLL_MS,
});

export const sendAlertsQuery = queryOptions({
  queryKey: ['thresholds', 'send-alerts'],
  queryFn: ({ signal }) => api.call('GET /v1/thresholds/alerts/send', all, { signal }),
  refetchInterval: POLL_MS,
});

export const hitsQuery = queryOptions({
  queryKey: ['thresholds', 'hits'],
  queryFn: ({ signal }) => api.call('GET /v1/thresholds/hits', all, { signal }),
  refetchInterval: POLL_MS,
});

/** The most that a limit can be. */
export const LIMIT_MAX = 1e9;

export const LIMIT_METRICS: readonly { value: Limit['metric']; label: string; one: string }[] = [
  { value: 'email_preview_success_count', label: 'Preview tests', one: 'preview test' },
  { value: 'seed_test_count', label: 'Seed tests', one: 'seed test' },
  { value: 'email_validation_count', label: 'Email validations', one: 'email validation' },
];

export const PERIODS: readonly { value: string; label: string }[] = [
  { value: '1h', label: 'hour' },
  { value: '1d', label: 'day' },
  { value: '', label: 'month' },
];

export const SEND_METRICS: readonly { value: SendAlert['metric']; label: string }[] = [
  { value: 'hard_bounce_rate', label: 'Hard bounces' },
  { value: 'temporary_fail_rate', label: 'Temporary failures' },
  { value: 'delivered_rate', label: 'Deliveries' },
  { value: 'complained_rate', label: 'Complaints' },
];

export const DIMENSIONS: readonly { value: SendAlert['dimension']; label: string }[] = [
  { value: 'domain', label: 'Domain' },
  { value: 'ip', label: 'IP address' },
  { value: 'ip_pool', label: 'IP pool' },
  { value: 'recipient_provider', label: 'Recipient provider' },
  { value: 'subaccount', label: 'Subaccount' },
];

/** What a value of one of these lists is called. */
export const labelIn = (list: readonly { value: string; label: string }[], value: string): string =>
  list.find((one) => one.value === value)?.label ?? value;

/** A share of the service as people read it: `0.025` is `2.5`. */
export const percentOf = (share: string): string => String(Number((Number(share) * 100).toFixed(6)));

/** What people write as a share of the service; undefined for what is none. */
export function shareOf(percent: string): string | undefined {
  const text = percent.trim().replace(',', '.').replace(/\s*%$/, '');
  const share = /^\d{1,3}(\.\d{1,6})?$/.test(text) ? Number(text) / 100 : Infinity;
  return share <= 1 ? String(Number(share.toFixed(8))) : undefined;
}
