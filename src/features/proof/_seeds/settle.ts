// The end of a delivery, and the news of it to the test it belongs to.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import * as store from './store.ts';
import type { Settlement } from './store.ts';

const SettlePayload = Type.Object({ testId: Type.String() });

/** The job by which a kind of test hears that all its deliveries have ended. */
export function settleJob(kind: string, run: (outside: Outside, testId: string) => Promise<void>) {
  return defineJob({
    name: `${kind}.settle`,
    payload: SettlePayload,
    lane: 'quick',
    attempts: 20,
    timeoutMs: 60_000,
    run: (outside, { testId }) => run(outside, testId),
  });
}

/** Only the name counts when a job is queued. */
async function notHere(): Promise<void> {
  throw new Error('This job runs where its kind is declared.');
}

/** Ends a delivery. False: it had ended before, and stays as it was. */
export async function settleDelivery(outside: Outside, token: string, settlement: Settlement): Promise<boolean> {
  const ended = await outside.db.tx(async (tx) => {
    const done = await store.settle(tx, token, { settlement, at: outside.clock.now() });
    if (done?.isLast)
      await outside.jobs.enqueue(tx, settleJob(done.kind, notHere), {
        payloads: [{ testId: done.testId }],
        account: done.accountId,
      });
    return done !== undefined;
  });
  if (ended) outside.jobs.wake();
  return ended;
}
