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

/** What routes do with a message, in their order; recipients that none is about are missing in `taken`. */
export const applyRoutes = defineComputation(
  here,
  'applyRoutes',
  async ({ raw, routes, recipients }: Applying): Promise<{ applied: Applied[]; taken: string[] }> => {
    const { headerList: headers } = await parseMime(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength));
    const read = routes.map(({ id, expression, actions }) => ({
      id,
      expression: readExpression(expression),
      actions: actions.map(readAction),
    }));
    const applied: Applied[] = [];
    const taken = new Set<string>();
    for (const recipient of recipients)
      for (const { id, expression, actions } of read) {
        const captures = matchRoute(expression, { recipient, headers });
        if (!captures) continue;
        taken.add(recipient);
        for (const action of actions)
          if (action.does !== 'stop') applied.push({ routeId: id, recipient, action: filled(action, captures) });
        if (actions.some(({ does }) => does === 'stop')) break;
      }
    return { applied, taken: [...taken] };
  },
);
