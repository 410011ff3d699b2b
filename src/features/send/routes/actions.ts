import { isMailAddress } from '../../../engines/mime/index.ts';
import type { RouteAction } from '../../../engines/routes/index.ts';
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { newId } from '../../../platform/ids/index.ts';
import { readTarget } from '../../../platform/posting/index.ts';
import { admitStored } from '../../account/accounts/index.ts';
import { checkWritten, findMatch } from './computations.ts';
import { ACTIONS_MAX } from './contract.ts';
import { TAKEN_MS } from './deliver.ts';
import { ATTEMPTS_MAX } from './delivery-contract.ts';
import { findDelivery, makeDue, type RouteDelivery } from './delivery-store.ts';
import { deliverOne } from './jobs.ts';
import { wasForwardedBy } from './loops.ts';
import { readRaw } from './raw.ts';
import * as store from './store.ts';
import type { Route } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'compute'>;

/** Of all routes of an account together, so that no message takes long to be looked at. */
const COSTS_MAX = 40_000;
/** In place of what an expression will have found. */
const SAMPLE = 'x';

interface WrittenRoute {
  priority?: number | undefined;
  description?: string | undefined;
  expression?: string | undefined;
  action?: string | string[] | undefined;
}

const listed = (action: string | string[]): string[] =>
  [action].flat().flatMap((one) => (one.trim() === '' ? [] : [one.trim()]));

/** Throws `invalid_request` where nothing can be sent to the target of an action. */
function checkTarget({ config }: Pick<Outside, 'config'>, action: RouteAction): void {
  if (action.does === 'stop' || (action.does === 'store' && action.notify === undefined)) return;
  const isUrl = action.does === 'store' || action.to === 'url';
  const target = (action.does === 'store' ? (action.notify as string) : action.target).replaceAll(
    /\\g<\w{1,100}>|\\\d{1,2}/g,
    SAMPLE,
  );
  if (isUrl) readTarget(target, { allowHosts: config.fetch.allowHosts, field: 'action', prefix: 'action: ' });
  else if (!isMailAddress(target))
    throw invalid('action', `has "${target.slice(0, 100)}", which is neither a URL nor an address.`);
}

/** What a route is made of, checked. Throws `invalid_request` naming the field. */
async function check(doors: Doors, { expression, actions }: { expression: string; actions: readonly string[] }) {
  if (actions.length > ACTIONS_MAX)
    throw invalid('action', `is given ${actions.length} times; a route has at most ${ACTIONS_MAX} actions.`);
  const checked = await doors.compute.run(checkWritten, { expression, actions }, { urgency: 'answer' });
  if (checked.fault) throw invalid(checked.fault.field, `is not understood: ${checked.fault.message}.`);
  for (const action of checked.actions) checkTarget(doors, action);
  return { expression, actions: [...actions], cost: checked.cost };
}

/** Throws `invalid_request` when the routes of the account would take too long together. */
function admitCost(others: number, { cost }: { cost: number }): void {
  if (others + cost > COSTS_MAX)
    throw invalid(
      'expression',
      `makes the routes of this account too costly together: ${others + cost} steps of at most ${COSTS_MAX}. Shorten ` +
        'repetitions such as {100}.',
    );
}

/** Throws `invalid_request`, `too_many_requests`. */
export async function createRoute(
  doors: Doors & { baseUrl: string },
  accountId: string,
  written: WrittenRoute,
): Promise<Route> {
  const { priority = 0, description = '', expression = '', action = [] } = written;
  const checked = await check(doors, { expression, actions: listed(action) });
  const route = {
    id: newId(),
    priority,
    description,
    ...checked,
    baseUrl: doors.baseUrl,
    createdAt: doors.clock.now(),
  };
  await admitStored(doors, accountId, { quota: 'routes', count: () => store.countRoutes(doors.db, accountId) });
  await doors.db.tx(async (tx) => {
    await tx.lock(`routes ${accountId}`);
    admitCost(await store.sumCosts(tx, accountId, ''), checked);
    await store.insertRoute(tx, accountId, route);
  });
  return { ...route, accountId };
}

/** Throws `not_found`. */
export async function getRoute({ db }: Pick<Outside, 'db'>, accountId: string, id: string): Promise<Route> {
  const route = await store.findRoute(db, accountId, id);
  if (!route) throw new AppError('not_found', 'Route not found');
  return route;
}

/** Throws `invalid_request`, `not_found`. */
export async function updateRoute(
  doors: Doors,
  accountId: string,
  { id, written }: { id: string; written: WrittenRoute },
): Promise<Route> {
  const before = await getRoute(doors, accountId, id);
  const { priority, description, expression = before.expression, action } = written;
  const checked = await check(doors, { expression, actions: action === undefined ? before.actions : listed(action) });
  const change = {
    cost: checked.cost,
    ...(priority !== undefined && { priority }),
    ...(description !== undefined && { description }),
    ...(written.expression !== undefined && { expression }),
    ...(action !== undefined && { actions: checked.actions }),
  };
  const saved = await doors.db.tx(async (tx) => {
    await tx.lock(`routes ${accountId}`);
    admitCost(await store.sumCosts(tx, accountId, id), checked);
    return store.changeRoute(tx, accountId, { id, change });
  });
  if (!saved) throw new AppError('not_found', 'Route not found');
  return saved;
}

/** Throws `not_found`. */
export async function deleteRoute({ db }: Pick<Outside, 'db'>, accountId: string, id: string): Promise<void> {
  if (!(await store.deleteRoute(db, accountId, id))) throw new AppError('not_found', 'Route not found');
}

/** The first route that is about every message to an address. Throws `invalid_request`, `not_found`. */
export async function routeOf(doors: Doors, accountId: string, address: string): Promise<Route> {
  const recipient = address.trim();
  if (!isMailAddress(recipient)) throw invalid('address', 'must be one address such as ann@example.com.');
  const routes = await store.listRoutes(doors.db, accountId);
  const asked = routes.map(({ id, expression }) => ({ id, expression }));
  const id = await doors.compute.run(findMatch, { routes: asked, recipient }, { urgency: 'answer' });
  const route = routes.find((one) => one.id === id);
  if (!route) throw new AppError('not_found', 'Route not found');
  return route;
}

/** Of a bigint. */
const ID = /^\d{1,18}$/;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Throws `conflict` where there is nothing to try. */
async function admitRetry(doors: Pick<Outside, 'db' | 'blobs' | 'secrets'>, delivery: RouteDelivery): Promise<void> {
  const { state, attempts, does, messageId, recipient } = delivery;
  if (state === 'delivered') throw conflict('The delivery is done: it is not repeated.');
  if (attempts.length >= ATTEMPTS_MAX)
    throw conflict(`The delivery was tried ${attempts.length} times: it has no more.`);
  const raw = await readRaw(doors, messageId);
  if (!raw) throw conflict('The message is no longer kept.');
  if (does === 'forward_address' && wasForwardedBy(raw, recipient))
    throw conflict('The message has been forwarded by this address before: it goes in a circle.');
}

/** Tries at once what waits, failed or was rejected. Throws `not_found`, `conflict`. */
export async function retryDelivery(
  doors: Pick<Outside, 'db' | 'blobs' | 'clock' | 'jobs' | 'secrets'>,
  accountId: string,
  id: string,
): Promise<RouteDelivery> {
  const { db, clock, jobs } = doors;
  const delivery = ID.test(id) ? await findDelivery(db, accountId, id) : undefined;
  if (!delivery) throw new AppError('not_found', 'Route delivery not found');
  await admitRetry(doors, delivery);
  const now = clock.now();
  const begun = await db.tx(async (tx) => {
    const due = await makeDue(tx, delivery, { now, after: new Date(now.getTime() + TAKEN_MS) });
    if (due) await jobs.enqueue(tx, deliverOne, { payloads: [{ id }], account: accountId });
    return due;
  });
  if (!begun) throw conflict('The delivery is being tried, or will be within five minutes.');
  jobs.wake();
  return begun;
}
