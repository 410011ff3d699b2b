// Routes and what they did, as rows of files.
import { api } from '../../../ground/api.ts';
import { csvTime } from '../../../ground/csv.ts';
import { skipPages, type ListExport } from '../../../shared/send/list-pages.ts';
import type { Delivery, DeliveryState, Route } from './routes-api.ts';

export const routesExport: ListExport = {
  columns: ['priority', 'description', 'expression', 'actions', 'created', 'id'],
  pages: (signal) =>
    skipPages<Route>(
      async (query) => (await api.call('GET /v3/routes', { query }, { signal })).items,
      ({ priority, description, expression, actions, created_at: created, id }) => [
        priority,
        description,
        expression,
        actions.join(' '),
        created,
        id,
      ],
    ),
};

const COLUMNS = ['begun (UTC)', 'recipient', 'does', 'target', 'state', 'attempts', 'last code', 'last message'];

/** What routes did, newest first. */
export const deliveriesExport = (state: DeliveryState | null): ListExport => ({
  columns: [...COLUMNS, 'last answer', 'next attempt (UTC)', 'route', 'id'],
  pages: (signal) =>
    skipPages<Delivery>(
      async (page) => {
        const query = { ...page, ...(state && { state }) };
        return (await api.call('GET /v1/galley/routes/deliveries', { query }, { signal })).items;
      },
      ({ attempts, ...one }) => {
        const last = attempts.at(-1);
        return [
          csvTime(one.created_at),
          one.recipient,
          one.does,
          one.target,
          one.state,
          attempts.length,
          last?.code ?? null,
          last?.message ?? null,
          last?.answer ?? null,
          csvTime(one.next_attempt_at),
          one.route_id,
          one.id,
        ];
      },
    ),
});
