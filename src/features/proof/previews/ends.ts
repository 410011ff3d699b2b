// What follows when no client of a test is in processing any more.
import { Type } from 'typebox';
import type { Sql } from '../../../platform/db/index.ts';
import { defineJob, type Outside } from '../../../platform/feature/index.ts';
import { previewEnded } from './facts.ts';
import { compareLooks } from './look-jobs.ts';
import { isProcessing, markEnded, type PreviewTest } from './store.ts';

/** Publishes the end of a test, once; what is still under way then queues it again. */
export const noteEnd = defineJob({
  name: 'previews.note-end',
  payload: Type.Object({ testId: Type.String() }),
  lane: 'quick',
  sameAs: ({ testId }) => testId,
  attempts: 5,
  timeoutMs: 30_000,
  async run({ db, clock, facts, jobs }, { testId }) {
    await db.tx(async (tx) => {
      if (await isProcessing(tx, testId)) return;
      const accountId = await markEnded(tx, testId, clock.now());
      if (accountId === undefined) return;
      await facts.tell(tx, previewEnded, { account: accountId, payload: { accountId, testId } });
    });
    jobs.wake();
  },
});

/** Queues it, in the transaction that may have ended the test. */
export async function queueEnd(
  { jobs }: Pick<Outside, 'jobs'>,
  tx: Sql,
  { id: testId, accountId: account }: Pick<PreviewTest, 'id' | 'accountId'>,
): Promise<void> {
  await jobs.enqueue(tx, noteEnd, { payloads: [{ testId }], account });
  await jobs.enqueue(tx, compareLooks, { payloads: [{ testId }], account });
}
