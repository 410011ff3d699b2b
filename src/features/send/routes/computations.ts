// What users' expressions compute: never in the process that answers.
import {
  costOf,
  couldMatch,
  fillAction,
  matchRoute,
  readAction,
  readExpression,
  RouteFault,
  type Captures,
  type RouteAction,
  type RouteExpression,
} from '../../../engines/routes/index.ts';
import { parseMime } from '../../../engines/mime/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

interface Written {
  expression: string;
  actions: readonly string[];
}

interface Checked {
  cost: number;
  actions: RouteAction[];
  fault?: { field: 'expression' | 'action'; message: string };
}

/** What a route is made of, or what is wrong with it. */
export const checkWritten = defineComputation(here, 'checkWritten', ({ expression, actions }: Written): Checked => {
  const read: RouteAction[] = [];
  let field: 'expression' | 'action' = 'expression';
  try {
    const cost = costOf(readExpression(expression));
    field = 'action';
    for (const action of actions) read.push(readAction(action));
    return { cost, actions: read };
  } catch (error) {
    if (!(error instanceof RouteFault)) throw error;
    return { cost: 0, actions: [], fault: { field, message: error.message } };
  }
});

type Routed = Written & { id: string };

/** The first of these routes that is about every message to an address. */
export const findMatch = defineComputation(
  here,
  'findMatch',
  ({ routes, recipient }: { routes: readonly Pick<Routed, 'id' | 'expression'>[]; recipient: string }) =>
    routes.find(({ expression }) => matchRoute(readExpression(expression), { recipient, headers: [] }))?.id,
);

/** Whether one of them could be about a message to an address, whatever its header is. */
export const couldAnyMatch = defineComputation(
  here,
  'couldAnyMatch',
  ({ expressions, recipient }: { expressions: readonly string[]; recipient: string }): boolean =>
    expressions.some((expression) => couldMatch(readExpression(expression), recipient)),
);

interface Applied {
  routeId: string;
  recipient: string;
  /** Filled. */
  action: Exclude<RouteAction, { does: 'stop' }>;
}

interface Applying {
  raw: Uint8Array;
  routes: readonly Routed[];
  recipients: readonly string[];
}

function filled(action: Applied['action'], captures: Captures): Applied['action'] {
  if (action.does === 'forward') return { ...action, target: fillAction(action.target, captures, action.to) };
  const { notify } = action;
  return { ...action, notify: notify === undefined ? undefined : fillAction(notify, captures, 'url') };
}

interface Reached {
  routeId: string;
  /** Filled. */
  actions: RouteAction[];
}

/** The routes that are about a message for one recipient, in their order, up to the one that stops. */
function reachedBy(
  recipient: string,
  { routes, headers }: { routes: readonly ReadRoute[]; headers: readonly { name: string; value: string }[] },
): Reached[] {
  const reached: Reached[] = [];
  for (const { id, expression, actions } of routes) {
    const captures = matchRoute(expression, { recipient, headers });
    if (!captures) continue;
    const done = actions.map((action) => (action.does === 'stop' ? action : filled(action, captures)));
    reached.push({ routeId: id, actions: done });
    if (actions.some(({ does }) => does === 'stop')) break;
  }
  return reached;
}

interface ReadRoute {
  id: string;
  expression: RouteExpression;
  actions: RouteAction[];
}

const readRoute = ({ id, expression, actions }: Routed): ReadRoute => ({
  id,
  expression: readExpression(expression),
  actions: actions.map(readAction),
});

const headersOf = async (raw: Uint8Array) =>
  (await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength))).headerList;

/** What routes do with a message, in their order; recipients that none is about are missing in `taken`. */
export const applyRoutes = defineComputation(
  here,
  'applyRoutes',
  async ({ raw, routes, recipients }: Applying): Promise<{ applied: Applied[]; taken: string[] }> => {
    const headers = await headersOf(raw);
    const read = routes.map(readRoute);
    const applied: Applied[] = [];
    const taken: string[] = [];
    for (const recipient of new Set(recipients)) {
      const reached = reachedBy(recipient, { routes: read, headers });
      if (reached.length > 0) taken.push(recipient);
      for (const { routeId, actions } of reached)
        for (const action of actions) if (action.does !== 'stop') applied.push({ routeId, recipient, action });
    }
    return { applied, taken };
  },
);

type Does = 'forward_url' | 'forward_address' | 'notify' | 'store' | 'stop';

function shownAction(action: RouteAction): { does: Does; target: string | undefined } {
  if (action.does === 'forward') return { does: `forward_${action.to}`, target: action.target };
  if (action.does === 'store' && action.notify !== undefined) return { does: 'notify', target: action.notify };
  return { does: action.does, target: undefined };
}

/** What routes would do with a message for one recipient. */
export const explainRoutes = defineComputation(
  here,
  'explainRoutes',
  async ({ raw, routes, recipient }: Omit<Applying, 'recipients'> & { recipient: string }) => {
    const reached = reachedBy(recipient, { routes: routes.map(readRoute), headers: await headersOf(raw) });
    return reached.map(({ routeId, actions }) => ({ routeId, actions: actions.map(shownAction) }));
  },
);
