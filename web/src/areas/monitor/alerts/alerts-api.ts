// What the pages of alerts ask of the service, and the words for it.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Alert = Reply<'GET /v1/galley/alerts'>['items'][number];
type AlertSettings = Reply<'GET /v1/alerts/settings'>;
export type AlertSetting = AlertSettings['events'][number];
export type Channel = AlertSetting['channel'];

const POLL_MS = 5000;
export const ALERTS_PER_PAGE = 25;

const LABELS: Readonly<Record<string, string>> = {
  ip_listed: 'IP address listed',
  ip_delisted: 'IP address removed from a blocklist',
  domain_listed: 'Domain listed',
  domain_delisted: 'Domain removed from a blocklist',
  validation_job: 'Validation finished',
  validation_preview: 'Validation preview finished',
  threshold_hit: 'Threshold crossed',
  limit_reached: 'Limit reached',
  spam_trap_hit: 'Spam trap hit',
  postmaster_rate_high: 'Postmaster rate too high',
  postmaster_access_expired: 'Postmaster access expired',
  authentication_broken: 'Authentication broken',
  certificate_expiring: 'Certificate expiring',
  placement_fell: 'Inbox placement fell',
  health_fell: 'Health score fell',
  gate_failed: 'Gate failed',
  batch_held: 'Batch held',
  page_changed: 'Watched page changed',
  schedule_failed: 'Schedule could not run',
  review_given: 'Email approved, or changes requested',
  review_commented: 'Comment on an email',
  preview_finished: 'Preview test finished',
  gate_finished: 'Gate finished',
  spam_test_finished: 'Spam test finished',
  placement_finished: 'Placement test finished',
};

/** An event type in words. */
export const eventLabel = (event: string): string => LABELS[event] ?? event;

export const CHANNELS: readonly { value: Channel; label: string }[] = [
  { value: 'email', label: 'Email' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'slack', label: 'Slack' },
];

/** A page of alerts, the newest first. */
export function alertsQuery({ state, skip = 0 }: { state?: 'open' | 'over' | undefined; skip?: number }) {
  return queryOptions({
    queryKey: ['alerts', state, skip],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/alerts',
        { query: { limit: ALERTS_PER_PAGE, skip, ...(state && { state }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

export const settingsQuery = queryOptions({
  queryKey: ['alert-settings'],
  queryFn: ({ signal }): Promise<AlertSettings> => api.call('GET /v1/alerts/settings', {}, { signal }),
});

export const eventsQuery = queryOptions({
  queryKey: ['alert-events'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/alerts/events', {}, { signal })).events,
  staleTime: Infinity,
});

export const quietQuery = queryOptions({
  queryKey: ['alert-quiet-hours'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/galley/alerts/quiet_hours', {}, { signal })).quiet_hours,
});

type SlackChannel = Reply<'GET /v1/alerts/slack/channels'>['items'][number];

/** As many as Slack gives at once. */
const CHANNELS_AT_ONCE = 999;
const CHANNEL_PAGES_MAX = 3;
const CHANNELS_FRESH_MS = 300_000;

/** The channels of the workspace that is connected, without archived ones, and whether there are more. */
export const slackChannelsQuery = queryOptions({
  queryKey: ['alert-slack-channels'],
  queryFn: async ({ signal }): Promise<{ channels: SlackChannel[]; hasMore: boolean }> => {
    const channels: SlackChannel[] = [];
    let hasMore = true;
    for (let page = 1; hasMore && page <= CHANNEL_PAGES_MAX; page += 1) {
      const query = { limit: CHANNELS_AT_ONCE, page };
      const { items, paging } = await api.call('GET /v1/alerts/slack/channels', { query }, { signal });
      channels.push(...items.filter(({ is_archived: isArchived }) => !isArchived));
      hasMore = paging.next !== undefined;
    }
    return { channels, hasMore };
  },
  staleTime: CHANNELS_FRESH_MS,
  retry: false,
});

/** Where a setting leads, in words. */
export function targetsOf({ settings }: Pick<AlertSetting, 'settings'>): string[] {
  return settings.emails ?? settings.channel_ids ?? (settings.url === undefined ? [] : [settings.url]);
}
