// Another try of what a route did, because somebody asks for it.
import { AppError } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { TAKEN_MS } from './deliver.ts';
import { ATTEMPTS_MAX } from './delivery-contract.ts';
import { findDelivery, makeDue, type RouteDelivery } from './delivery-store.ts';
import { deliverOne } from './jobs.ts';
import { wasForwardedBy } from './loops.ts';
import { readRaw } from './raw.ts';

/** Of a bigint. */
const ID = /^\d{1,18}$/;

const conflict = (message: string): AppError => new AppError('conflict', message);

/** Throws `conflict` where there is nothing to try. */
async function admit(doors: Pick<Outside, 'db' | 'blobs'>, delivery: RouteDelivery): Promise<void> {
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
  doors: Pick<Outside, 'db' | 'blobs' | 'clock' | 'jobs'>,
  accountId: string,
  id: string,
): Promise<RouteDelivery> {
  const { db, clock, jobs } = doors;
  const delivery = ID.test(id) ? await findDelivery(db, accountId, id) : undefined;
  if (!delivery) throw new AppError('not_found', 'Route delivery not found');
  await admit(doors, delivery);
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
