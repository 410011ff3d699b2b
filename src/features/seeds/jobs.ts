// The safety net: deadlines end what is still open, and what a dead process left behind goes on.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../platform/feature/index.ts';
import { findMailboxOfAnyone } from './mailboxes-store.ts';
import { sendJobNamed } from './send-job.ts';
import { settleDelivery } from './settle.ts';
import * as store from './store.ts';
import type { SeedDelivery, Settlement } from './store.ts';
import { visitMailbox } from './visit.ts';

export { visitMailbox } from './visit.ts';

const AT_ONCE = 500;
/** Longer than any attempt takes. */
const FORGOTTEN_AFTER_MS = 180_000;

export const sweep = defineJob({
  name: 'seeds.sweep',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 5,
  run: sweepOnce,
});

/** Ends overdue deliveries, takes up forgotten ones, deletes expired ones. */
export async function sweepOnce(outside: Outside): Promise<void> {
  const { db, clock, jobs } = outside;
  const now = clock.now();
  for (const delivery of await store.listOverdue(db, now, AT_ONCE)) await settleDelivery(outside, delivery.token, await overdue(outside, delivery));
  const forgotten = await store.listForgotten(db, new Date(now.getTime() - FORGOTTEN_AFTER_MS), AT_ONCE);
  for (const { token, kind, state, seedKind, seedId } of forgotten) {
    if (state !== 'sent') await jobs.enqueue(db, sendJobNamed(kind), { payloads: [{ token }] });
    else if (seedKind === 'mailbox') await jobs.enqueue(db, visitMailbox, { payloads: [{ mailboxId: seedId }] });
  }
  await store.deleteExpiredDeliveries(db, now);
  if (forgotten.length) jobs.wake();
}

async function overdue({ db }: Outside, delivery: SeedDelivery): Promise<Settlement> {
  if (delivery.state !== 'sent') return { state: 'missing', reason: `It was not accepted until the deadline${delivery.reason === null ? '' : `: ${delivery.reason}`}.` };
  const box = delivery.seedKind === 'mailbox' ? await findMailboxOfAnyone(db, delivery.seedId) : undefined;
  // A mailbox that cannot be read says nothing about the message.
  if (box?.status === 'failing') return { state: 'unknown', reason: `The mailbox could not be read until the deadline: ${box.statusMessage ?? 'it did not answer'}` };
  // Whether it was ever taken is not known either.
  if (delivery.seedKind === 'mailbox' && delivery.handover?.outcome !== 'delivered') return { state: 'unknown', reason: delivery.reason };
  return { state: 'missing', reason: delivery.reason ?? 'It was accepted, but did not appear in any folder until the deadline.' };
}
