// The end of a delivery, and the news of it to the test it belongs to.
import { Type } from 'typebox';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import type { JobName } from '../../../platform/jobs/index.ts';
import * as store from './store.ts';
import type { Settlement } from './store.ts';

const SettlePayload = Type.Object({ testId: Type.String() });

function settleJobOf(kind: string): JobName<typeof SettlePayload> {
  return { name: `${kind}.settle`, payload: SettlePayload, lane: 'quick' };
}

/** The job that notifies a kind of test that all deliveries of a test have ended. */
export function settleJob(kind: string, run: (outside: Outside, testId: string) => Promise<void>) {
  return defineJob({
    ...settleJobOf(kind),
    attempts: 20,
    timeoutMs: 60_000,
    run: (outside, { testId }) => run(outside, testId),
  });
}

/** Ends a delivery. False: it had ended before, and stays as it was. */
export async function settleDelivery(
  outside: Pick<Outside, 'db' | 'jobs' | 'clock'>,
  token: string,
  settlement: Settlement,
): Promise<boolean> {
  const ended = await outside.db.tx(async (tx) => {
    const done = await store.settle(tx, token, { settlement, at: outside.clock.now() });
    if (done?.isLast)
      await outside.jobs.enqueue(tx, settleJobOf(done.kind), {
        payloads: [{ testId: done.testId }],
        account: done.accountId,
      });
    return done !== undefined;
  });
  if (ended) outside.jobs.wake();
  return ended;
}
