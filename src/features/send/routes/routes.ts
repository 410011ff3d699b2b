import { AppError, invalid } from '../../../platform/errors/index.ts';
import { endpoint } from '../../../platform/feature/index.ts';
import { createRoute, deleteRoute, getRoute, retryDelivery, routeOf, updateRoute } from './actions.ts';
import * as contracts from './contract.ts';
import * as deliveries from './delivery-contract.ts';
import { pageRoutes } from './store.ts';
import { pageDeliveries } from './delivery-store.ts';
import { testRoutes } from './trial.ts';
import { deliveryView, routeView } from './view.ts';

const LIMIT_MAX = 1000;

/** As many as a page has. Throws `invalid_request` with the sentence of the interface. */
function readLimit(given: unknown): number {
  const limit = given === undefined ? 100 : /^\d{1,15}$/.test(String(given)) ? Number(given) : Number.NaN;
  if (limit > LIMIT_MAX)
    throw new AppError('invalid_request', `The 'limit' parameter can't be larger than ${LIMIT_MAX}`, {
      details: { field: 'limit' },
    });
  if (!(limit >= 1)) throw invalid('limit', `must be a whole number from 1 to ${LIMIT_MAX}.`);
  return limit;
}

export const endpoints = [
  endpoint(contracts.createRoute, async (ctx, { body }) => ({
    message: 'Route has been created',
    route: routeView(await createRoute(ctx, ctx.principal.accountId, body)),
  })),
  endpoint(contracts.listRoutes, async (ctx, { query }) => {
    const page = { limit: readLimit(query.limit), skip: query.skip };
    const { items, total } = await pageRoutes(ctx.db, ctx.principal.accountId, page);
    return { total_count: total, items: items.map(routeView) };
  }),
  endpoint(contracts.matchRoute, async (ctx, { query }) => ({
    route: routeView(await routeOf(ctx, ctx.principal.accountId, query.address)),
  })),
  endpoint(contracts.getRoute, async (ctx, { params }) => ({
    route: routeView(await getRoute(ctx, ctx.principal.accountId, params.id)),
  })),
  endpoint(contracts.updateRoute, async (ctx, { params, body }) => {
    const route = routeView(await updateRoute(ctx, ctx.principal.accountId, { id: params.id, written: body }));
    return { message: 'Route has been updated', ...route, route };
  }),
  endpoint(deliveries.testRoutes, async (ctx, { body }) => testRoutes(ctx, ctx.principal.accountId, body)),
  endpoint(deliveries.resendRouteDelivery, async (ctx, { params }) =>
    deliveryView(await retryDelivery(ctx, ctx.principal.accountId, params.delivery_id)),
  ),
  endpoint(deliveries.listRouteDeliveries, async (ctx, { query }) => {
    const { route_id: routeId, state, ...page } = query;
    const { items, total } = await pageDeliveries(ctx.db, ctx.principal.accountId, { ...page, routeId, state });
    return { total_count: total, items: items.map(deliveryView) };
  }),
  endpoint(contracts.deleteRoute, async (ctx, { params }) => {
    await deleteRoute(ctx, ctx.principal.accountId, params.id);
    return { message: 'Route has been deleted', id: params.id };
  }),
];
