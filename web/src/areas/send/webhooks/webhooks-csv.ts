// Webhooks and what was posted to them, as rows of files.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { onePage, pivotPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { Delivery, DeliveryState, UrlState, Webhook } from './webhooks-api.ts';

export const webhooksExport = (webhooks: readonly Webhook[], states: readonly UrlState[]): ListExport => ({
  columns: ['url', 'events', 'state', 'id'],
  pages: () =>
    onePage(
      webhooks.map(({ url, kinds, id }) => [
        url,
        kinds.join(' '),
        states.find((one) => one.url === url)?.state ?? null,
        id ?? null,
      ]),
    ),
});

const COLUMNS = ['posted (UTC)', 'url', 'event', 'domain', 'state', 'attempts', 'last code', 'last message'];

/** The deliveries of a state, newest first. */
export const deliveriesExport = (state: DeliveryState | null): ListExport => ({
  columns: [...COLUMNS, 'last answer', 'next attempt (UTC)', 'test', 'event id', 'id'],
  pages: (signal) =>
    pivotPages<Delivery>(
      async (after, limit) => {
        const query = {
          limit,
          page: after ? ('next' as const) : ('first' as const),
          ...(after && { delivery_id: after.id }),
          ...(state && { state }),
        };
        return (await api.call('GET /v1/galley/webhooks/deliveries', { query }, { signal })).items;
      },
      ({ attempts, ...one }) => {
        const last = attempts.at(-1);
        return [
          csvTime(one.created_at),
          one.url,
          one.event_type,
          one.domain,
          one.state,
          attempts.length,
          last?.code ?? null,
          last?.message ?? null,
          last?.answer ?? null,
          csvTime(one.next_attempt_at),
          one.is_test ? 'yes' : 'no',
          one.event_id,
          one.id,
        ];
      },
    ),
});
