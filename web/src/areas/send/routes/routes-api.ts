// What the page of routes asks of the service.
import type { Reply } from '@galley/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '../../../ground/api.ts';

export type Route = Reply<'GET /v3/routes'>['items'][number];
export type Delivery = Reply<'GET /v1/galley/routes/deliveries'>['items'][number];
export type DeliveryState = Delivery['state'];
export type Trial = Reply<'POST /v1/galley/routes/test'>;

export const ROUTES_PER_PAGE = 50;
export const DELIVERIES_PER_PAGE = 25;
const POLL_MS = 5000;

/** In the order in which they are looked at. */
export function routesQuery(page: number) {
  return queryOptions({
    queryKey: ['routes', page],
    queryFn: ({ signal }) =>
      api.call('GET /v3/routes', { query: { limit: ROUTES_PER_PAGE, skip: (page - 1) * ROUTES_PER_PAGE } }, { signal }),
    placeholderData: keepPreviousData,
  });
}

/** What routes did, newest first. */
export function deliveriesQuery({ state, page }: { state: DeliveryState | null; page: number }) {
  return queryOptions({
    queryKey: ['route-deliveries', state, page],
    queryFn: ({ signal }) =>
      api.call(
        'GET /v1/galley/routes/deliveries',
        { query: { limit: DELIVERIES_PER_PAGE, skip: (page - 1) * DELIVERIES_PER_PAGE, ...(state && { state }) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchInterval: POLL_MS,
  });
}

interface WrittenRoute {
  description: string;
  priority: number;
  expression: string;
  action: string[];
}

/** Makes a route, or changes the one that is given. */
export function saveRoute(body: WrittenRoute, given: Route | undefined): Promise<{ message: string }> {
  return given
    ? api.call('PUT /v3/routes/{id}', { path: { id: given.id }, body })
    : api.call('POST /v3/routes', { body });
}
