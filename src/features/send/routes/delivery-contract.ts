// What routes did, another try of it, and which routes a message would have.
import { Type } from 'typebox';
import { contract } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';
import { common, Route } from './contract.ts';

/** Attempts that a delivery keeps; nobody starts another one by hand then. */
export const ATTEMPTS_MAX = 50;
/** Of a header that is tried out. */
const HEADER_LENGTH_MAX = 100_000;

const Attempt = Type.Object({
  at: Type.String({ description: 'RFC 3339.' }),
  code: Type.Optional(Type.Integer({ description: 'Of the answer; missing where there was none.' })),
  message: Type.String(),
  took_ms: Type.Integer(),
  answer: Type.String({ description: 'The beginning of its body.' }),
});

const State = Type.Enum(['waiting', 'delivered', 'rejected', 'failed'], {
  description:
    '`rejected`: the answer was 406, which ends it. `failed`: seven attempts within some eight hours, or a circle.',
});

const Delivery = Type.Object(
  {
    id: Type.String(),
    route_id: Type.String(),
    recipient: Type.String({ description: 'Whom the message came in for.' }),
    does: Type.Union([Type.Literal('forward_url'), Type.Literal('forward_address'), Type.Literal('notify')], {
      description: 'What the action is.',
    }),
    target: Type.String({ description: 'A URL, or an address.' }),
    state: State,
    created_at: Type.String({ description: 'RFC 3339.' }),
    next_attempt_at: Type.Optional(Type.String({ description: 'RFC 3339, while it waits.' })),
    attempts: Type.Array(Attempt),
  },
  { title: 'RouteDelivery' },
);

export const listRouteDeliveries = contract({
  ...common,
  method: 'GET',
  operationId: 'listRouteDeliveries',
  path: '/v1/galley/routes/deliveries',
  summary: 'List what routes did',
  description:
    'Newest first: what was posted to URLs, and what was handed to the queue for other addresses, with every attempt. ' +
    'Kept for as long as the message.',
  query: Type.Object({
    ...skipFields(),
    route_id: Type.Optional(Type.String({ maxLength: 100, description: 'Only what this route did.' })),
    state: Type.Optional(State),
  }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Delivery) }),
});

export const resendRouteDelivery = contract({
  ...common,
  method: 'POST',
  operationId: 'resendRouteDelivery',
  path: '/v1/galley/routes/deliveries/{delivery_id}/retry',
  summary: 'Try again what a route did',
  description:
    'What waits is tried now, what failed or was rejected once more. What was delivered is not done again, and neither ' +
    'is what goes in a circle.',
  params: Type.Object({ delivery_id: Type.String({ maxLength: 100 }) }),
  reply: Delivery,
  errors: ['not_found', 'conflict'],
});

export const testRoutes = contract({
  ...common,
  method: 'POST',
  isQuery: true,
  operationId: 'testRoutes',
  path: '/v1/galley/routes/test',
  summary: 'Test which routes a message has',
  description:
    'The routes that are about a message, in their order, up to the one that says `stop()`, with what each would do. ' +
    'Nothing is done. `GET /v3/routes/match` knows an address alone; this knows the header, too.',
  sample: { recipient: 'orders+7@shop.example.com', message: 'Subject: Where is it?' },
  body: Type.Object({
    recipient: Type.String({ maxLength: 320, description: 'Whom the message is for.' }),
    message: Type.Optional(
      Type.String({
        maxLength: HEADER_LENGTH_MAX,
        description: 'Its header, a field a line, or the whole of it. Without one, the message has no header.',
      }),
    ),
  }),
  reply: Type.Object({
    domain: Type.Union([Type.String(), Type.Null()], {
      description:
        'The domain of the account that takes mail for the recipient. Null: there is none, so such mail does not come ' +
        'in for this account.',
    }),
    is_taken: Type.Boolean({ description: 'A route is about it. What no route is about is refused.' }),
    routes: Type.Array(
      Type.Object({
        route: Route,
        actions: Type.Array(
          Type.Object({
            does: Type.Enum(['forward_url', 'forward_address', 'notify', 'store', 'stop']),
            target: Type.Optional(Type.String({ description: 'With what groups found.' })),
          }),
        ),
      }),
    ),
  }),
  errors: ['invalid_request'],
});
