// What the page of webhooks asks of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Delivery = Reply<'GET /v1/galley/webhooks/deliveries'>['items'][number];
export type UrlState = Reply<'GET /v1/galley/webhooks/urls'>['items'][number];
export type Kind = Delivery['event_type'];
export type DeliveryState = Delivery['state'];

/** In the order of a message's life. */
export const KINDS: readonly { kind: Kind; label: string }[] = [
  { kind: 'accepted', label: 'Accepted' },
  { kind: 'delivered', label: 'Delivered' },
  { kind: 'temporary_fail', label: 'Temporary failure' },
  { kind: 'permanent_fail', label: 'Permanent failure' },
  { kind: 'opened', label: 'Opened' },
  { kind: 'clicked', label: 'Clicked' },
  { kind: 'unsubscribed', label: 'Unsubscribed' },
  { kind: 'complained', label: 'Complained' },
];

/** A URL with its kinds: of the account, or of one domain. */
export interface Webhook {
  url: string;
  kinds: Kind[];
  /** Of a webhook of the account. */
  id?: string;
}

const POLL_MS = 5000;

/** The webhooks of a domain; without one, those of the account. */
export function webhooksQuery(domain: string | null) {
  return queryOptions({
    queryKey: ['webhooks', domain],
    queryFn: async ({ signal }): Promise<Webhook[]> => {
      if (domain === null) {
        const { webhooks } = await api.call('GET /v1/webhooks', { query: {} }, { signal });
        return webhooks.map(({ webhook_id: id, url, event_types: kinds }) => ({ id, url, kinds }));
      }
      const { webhooks } = await api.call('GET /v3/domains/{domain}/webhooks', { path: { domain } }, { signal });
      const byUrl = new Map<string, Kind[]>();
      for (const { kind } of KINDS)
        for (const url of webhooks[kind]?.urls ?? []) byUrl.set(url, [...(byUrl.get(url) ?? []), kind]);
      return [...byUrl].map(([url, kinds]) => ({ url, kinds }));
    },
  });
}

export const urlsQuery = queryOptions({
  queryKey: ['webhook-urls'],
  queryFn: async ({ signal }) => (await api.call('GET /v1/galley/webhooks/urls', {}, { signal })).items,
  refetchInterval: POLL_MS,
});

export const signingKeyQuery = queryOptions({
  queryKey: ['signing-key'],
  queryFn: async ({ signal }) => (await api.call('GET /v5/accounts/http_signing_key', {}, { signal })).http_signing_key,
});

export const DELIVERIES_PER_PAGE = 25;

/** A page of the log: `before` is the id of the last delivery of the page before. */
export function deliveriesQuery({ state, before }: { state: DeliveryState | null; before: string | undefined }) {
  return queryOptions({
    queryKey: ['webhook-deliveries', state, before],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/webhooks/deliveries',
        {
          query: {
            limit: DELIVERIES_PER_PAGE,
            page: before === undefined ? 'first' : 'next',
            ...(before !== undefined && { delivery_id: before }),
            ...(state && { state }),
          },
        },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

/** Saves the kinds of a URL; `given` is what stands there now. */
export async function saveWebhook(
  domain: string | null,
  { url, kinds }: { url: string; kinds: Kind[] },
  given: Webhook | undefined,
): Promise<void> {
  const body = { url, event_types: kinds };
  if (domain === null) {
    if (given?.id === undefined) await api.call('POST /v1/webhooks', { body: { ...body, description: '' } });
    else
      await api.call('PUT /v1/webhooks/{webhook_id}', {
        path: { webhook_id: given.id },
        body: { ...body, description: '' },
      });
    return;
  }
  const path = { domain };
  if (given) await api.call('PUT /v4/domains/{domain}/webhooks', { path, body });
  else await api.call('POST /v4/domains/{domain}/webhooks', { path, body });
}

export async function deleteWebhook(domain: string | null, { url, id }: Webhook): Promise<void> {
  if (domain !== null) await api.call('DELETE /v4/domains/{domain}/webhooks', { path: { domain }, query: { url } });
  else if (id !== undefined) await api.call('DELETE /v1/webhooks/{webhook_id}', { path: { webhook_id: id } });
}
