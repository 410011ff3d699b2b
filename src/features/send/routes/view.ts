import { mailDate } from '../../../platform/times/index.ts';
import type { RouteDelivery } from './delivery-store.ts';
import type { Route } from './store.ts';

export function routeView({ id, priority, description, expression, actions, createdAt }: Route) {
  return { id, priority, description, expression, actions, created_at: mailDate(createdAt) };
}

export function deliveryView(delivery: RouteDelivery) {
  const { id, routeId, recipient, does, target, state, createdAt, dueAt, attempts } = delivery;
  return {
    id,
    route_id: routeId,
    recipient,
    does,
    target,
    state,
    created_at: createdAt.toISOString(),
    ...(state === 'waiting' && { next_attempt_at: dueAt.toISOString() }),
    attempts: attempts.map(({ at, code, message, tookMs, answer }) => ({
      at,
      ...(code !== null && { code }),
      message,
      took_ms: tookMs,
      answer,
    })),
  };
}
