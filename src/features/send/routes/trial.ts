// Which routes a message would have: nothing is done with it.
import { isMailAddress } from '../../../engines/mime/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { findReceivingDomain } from '../sending-domains/index.ts';
import { explainRoutes } from './computations.ts';
import { listRoutes } from './store.ts';
import { routeView } from './view.ts';

/** Throws `invalid_request`. */
export async function testRoutes(
  doors: Pick<Outside, 'config' | 'db' | 'compute'>,
  accountId: string,
  given: { recipient: string; message?: string | undefined },
) {
  const recipient = given.recipient.trim();
  if (!isMailAddress(recipient)) throw invalid('recipient', 'must be one address such as ann@example.com.');
  const found = await findReceivingDomain(doors, recipient.slice(recipient.lastIndexOf('@') + 1));
  const routes = await listRoutes(doors.db, accountId);
  const read = routes.map(({ id, expression, actions }) => ({ id, expression, actions }));
  const raw = Buffer.from(given.message ?? '');
  const reached = await doors.compute.run(explainRoutes, { raw, routes: read, recipient }, { urgency: 'answer' });
  return {
    domain: found?.accountId === accountId ? found.name : null,
    is_taken: reached.length > 0,
    routes: reached.flatMap(({ routeId, actions }) => {
      const route = routes.find(({ id }) => id === routeId);
      return route
        ? [
            {
              route: routeView(route),
              actions: actions.map(({ does, target }) => ({ does, ...(target !== undefined && { target }) })),
            },
          ]
        : [];
    }),
  };
}
