import { Type } from 'typebox';
import { contract, readByItself } from '../../../platform/http/index.ts';
import { skipFields } from '../../../platform/paging/index.ts';

export const common = { tag: 'Routes', errorShape: 'message', rights: 'routes' } as const;
const PRIORITY_MAX = 1_000_000;
export const ACTIONS_MAX = 20;

const One = Type.Object({ id: Type.String({ maxLength: 100, description: 'Of the route.' }) });
const priority = Type.Integer({
  minimum: -PRIORITY_MAX,
  maximum: PRIORITY_MAX,
  description: 'The route with the lowest is looked at first.',
});
const description = Type.String({ maxLength: 1000 });
const expression = Type.String({
  description:
    '`match_recipient("…")`, `match_header("…", "…")` and `catch_all()`, joined by `and`, `or`, `not` and brackets. ' +
    'Patterns are regular expressions of RE2, which match from the beginning of a text on; of recipients, capitals do ' +
    'not count.',
});
const action = Type.Union([Type.Array(Type.String()), Type.String()], {
  description:
    'Repeated: `forward("…")` to a URL or an address, `store()`, `store(notify="…")`, `stop()`. `\\g<name>` and `\\1` ' +
    `stand for what groups of the expression found. At most ${ACTIONS_MAX}.`,
});

const fields = {
  id: Type.String(),
  priority: Type.Integer(),
  description: Type.String(),
  expression: Type.String(),
  actions: Type.Array(Type.String()),
  created_at: Type.String({ description: 'RFC 2822, GMT.' }),
};
export const Route = Type.Object(fields, { title: 'Route' });

const SAMPLE = {
  priority: 0,
  description: 'Replies to orders',
  expression: 'match_recipient("orders\\+(?P<order>[0-9]+)@.*")',
  action: ['forward("https://shop.example.com/mail/\\g<order>")', 'stop()'],
};

export const createRoute = contract({
  ...common,
  method: 'POST',
  operationId: 'createRoute',
  path: '/v3/routes',
  summary: 'Create a route',
  description:
    'Mail that comes in for a domain of the account, and that the expression is about, is kept, and the actions are ' +
    'carried out. Every route that is about a message counts, until one says `stop()`. What no route is about is ' +
    'refused while it is delivered.',
  sample: SAMPLE,
  body: Type.Object({
    priority: Type.Optional(priority),
    description: Type.Optional(description),
    expression,
    action: Type.Optional(action),
  }),
  reply: Type.Object({ message: Type.String(), route: Route }),
  errors: ['invalid_request'],
});

export const listRoutes = contract({
  ...common,
  method: 'GET',
  operationId: 'listRoutes',
  path: '/v3/routes',
  summary: 'List routes',
  description: 'In the order in which they are looked at.',
  query: Type.Object({ ...skipFields(), limit: Type.Optional(readByItself(skipFields().limit)) }),
  reply: Type.Object({ total_count: Type.Integer(), items: Type.Array(Route) }),
  errors: ['invalid_request'],
});

export const getRoute = contract({
  ...common,
  method: 'GET',
  operationId: 'getRoute',
  path: '/v3/routes/{id}',
  summary: 'Get a route',
  description: 'Its expression and its actions as they were given.',
  params: One,
  reply: Type.Object({ route: Route }),
  errors: ['not_found'],
});

export const updateRoute = contract({
  ...common,
  method: 'PUT',
  operationId: 'updateRoute',
  path: '/v3/routes/{id}',
  summary: 'Change a route',
  description: 'What is not given stays. `action` replaces all actions. The route stands in the answer twice.',
  params: One,
  sample: { priority: 10 },
  body: Type.Object({
    id: Type.Optional(Type.String({ description: 'Existing clients send it; the path counts.' })),
    priority: Type.Optional(priority),
    description: Type.Optional(description),
    expression: Type.Optional(expression),
    action: Type.Optional(action),
  }),
  reply: Type.Object({ message: Type.String(), ...fields, route: Route }),
  errors: ['invalid_request', 'not_found'],
});

export const deleteRoute = contract({
  ...common,
  method: 'DELETE',
  operationId: 'deleteRoute',
  path: '/v3/routes/{id}',
  summary: 'Delete a route',
  description: 'What it began for earlier messages goes on.',
  params: One,
  reply: Type.Object({ message: Type.String(), id: Type.String() }),
  errors: ['not_found'],
});

export const matchRoute = contract({
  ...common,
  method: 'GET',
  operationId: 'getMatchingRoute',
  path: '/v3/routes/match',
  summary: 'Find the route of an address',
  description: 'The first that is about every message to it: conditions on headers count as not met.',
  query: Type.Object({ address: Type.String({ maxLength: 320, description: 'A recipient.' }) }),
  reply: Type.Object({ route: Route }),
  errors: ['invalid_request', 'not_found'],
});
