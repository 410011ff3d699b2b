import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { listFacts } from '../messages/index.ts';
import { applyRoutes } from './computations.ts';
import { deliver } from './deliver.ts';
import { insertDeliveries, listDue, type RouteDelivery } from './delivery-store.ts';
import { wasForwardedBy } from './loops.ts';
import { readRaw } from './raw.ts';
import { listRoutes } from './store.ts';

const DUE_AT_ONCE = 500;

export const deliverOne = defineJob({
  name: 'routes.deliver',
  payload: Type.Object({ id: Type.String() }),
  lane: 'net',
  attempts: 5,
  timeoutMs: 120_000,
  sameAs: ({ id }) => id,
  run: (outside, { id }, { signal }) => deliver(outside, id, signal),
});

/** Queues what waited for its next attempt, and what a process left that died. */
export const retry = defineJob({
  name: 'routes.retry',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 5,
  async run({ db, clock, jobs }) {
    const due = await listDue(db, clock.now(), DUE_AT_ONCE);
    for (const [account, own] of Map.groupBy(due, ({ accountId }) => accountId))
      await jobs.enqueue(db, deliverOne, { payloads: own.map(({ id }) => ({ id })), account });
    if (due.length > 0) jobs.wake();
  },
});

type Planned = Pick<RouteDelivery, 'routeId' | 'recipient' | 'does' | 'target'>;

/** What the account's routes do with a message for these recipients. */
async function planFor(
  { db, compute }: Pick<Outside, 'db' | 'compute'>,
  accountId: string,
  { raw, recipients }: { raw: Uint8Array; recipients: readonly string[] },
): Promise<(Planned & { baseUrl: string })[]> {
  const routes = await listRoutes(db, accountId);
  const read = routes.map(({ id, expression, actions }) => ({ id, expression, actions }));
  const { applied } = await compute.run(applyRoutes, { raw, routes: read, recipients });
  return applied.flatMap(({ routeId, recipient, action }): (Planned & { baseUrl: string })[] => {
    const baseUrl = routes.find(({ id }) => id === routeId)?.baseUrl ?? '';
    if (action.does === 'forward')
      return [{ routeId, recipient, baseUrl, does: `forward_${action.to}` as const, target: action.target }];
    return action.notify === undefined
      ? []
      : [{ routeId, recipient, baseUrl, does: 'notify' as const, target: action.notify }];
  });
}

const LOOP = 'The message has been forwarded by this address before: it goes in a circle.';

/** Decides what is done with a message that came in, and begins it. */
export const apply = defineJob({
  name: 'routes.apply',
  payload: Type.Object({ messageId: Type.String(), recipients: Type.Array(Type.String()) }),
  lane: 'quick',
  attempts: 10,
  timeoutMs: 120_000,
  async run(outside, { messageId, recipients }) {
    const { db, jobs, clock } = outside;
    const [message] = await listFacts(db, [messageId]);
    const raw = message && (await readRaw(outside, messageId));
    if (!message || !raw) return;
    const { accountId } = message;
    const planned = await planFor(outside, accountId, { raw, recipients });
    const now = clock.now();
    const rows = planned.map((one) => {
      const isLoop = one.does === 'forward_address' && wasForwardedBy(raw, one.recipient);
      const stopped = { at: now.toISOString(), code: null, message: LOOP, tookMs: 0, answer: '' };
      return {
        ...one,
        messageId,
        state: isLoop ? ('failed' as const) : ('waiting' as const),
        attempts: isLoop ? [stopped] : [],
        dueAt: now,
        createdAt: now,
      };
    });
    await db.tx(async (tx) => {
      const ids = await insertDeliveries(tx, accountId, rows);
      await jobs.enqueue(tx, deliverOne, { payloads: ids.map((id) => ({ id })), account: accountId });
    });
    jobs.wake();
  },
});
