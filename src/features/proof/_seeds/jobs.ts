// The safety net: deadlines end what is still open, and what a dead process left behind goes on.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { findMailboxOfAnyone } from './mailboxes-store.ts';
import { sendJobOf } from './send-job.ts';
import { settleDelivery } from './settle.ts';
import type { SeedDelivery, Settlement } from './store.ts';
import * as store from './sweep-store.ts';
import { visitMailbox } from './visit.ts';

export { visitMailbox } from './visit.ts';

const AT_ONCE = 500;
/** A delivery without news for this long is checked: it may still wait, or its job was lost. */
const UNHEARD_OF_MS = 30_000;

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
export async function sweepOnce(outside: Pick<Outside, 'db' | 'jobs' | 'clock'>): Promise<void> {
  const { db, clock, jobs } = outside;
  const now = clock.now();
  for (const delivery of await store.listOverdue(db, now, AT_ONCE))
    await settleDelivery(outside, delivery.token, await overdue(outside, delivery));
  const forgotten = await store.listForgotten(db, new Date(now.getTime() - UNHEARD_OF_MS), AT_ONCE);
  const known = new Set((await jobs.listParts(db, forgotten.map(workedOnAs))).map(({ partOf }) => partOf));
  for (const delivery of forgotten.filter((one) => !known.has(workedOnAs(one)))) {
    const { token, kind, state, seedKind, seedId, accountId: account } = delivery;
    known.add(workedOnAs(delivery));
    if (state !== 'sent') await jobs.enqueue(db, sendJobOf(kind), { payloads: [{ token }], account });
    else if (seedKind === 'mailbox')
      await jobs.enqueue(db, visitMailbox, { payloads: [{ mailboxId: seedId }], account });
  }
  await store.deleteExpiredDeliveries(db, now);
  if (forgotten.length) jobs.wake();
}

/** What the jobs that work on a delivery now are part of. */
function workedOnAs({ state, seedKind, token, seedId }: SeedDelivery): string {
  return state === 'sent' && seedKind === 'mailbox' ? seedId : token;
}

async function overdue({ db }: Pick<Outside, 'db'>, delivery: SeedDelivery): Promise<Settlement> {
  if (delivery.state !== 'sent')
    return {
      state: 'missing',
      reason: `It was not accepted until the deadline${delivery.reason === null ? '' : `: ${delivery.reason}`}.`,
    };
  const box = delivery.seedKind === 'mailbox' ? await findMailboxOfAnyone(db, delivery.seedId) : undefined;
  // A mailbox that cannot be read says nothing about the message.
  if (box?.status === 'failing')
    return {
      state: 'unknown',
      reason: `The mailbox could not be read until the deadline: ${box.statusMessage ?? 'it did not answer'}`,
    };
  // Whether it was ever taken is not known either.
  if (delivery.seedKind === 'mailbox' && delivery.handover?.outcome !== 'delivered')
    return { state: 'unknown', reason: delivery.reason };
  return {
    state: 'missing',
    reason: delivery.reason ?? 'It was accepted, but did not appear in any folder until the deadline.',
  };
}
