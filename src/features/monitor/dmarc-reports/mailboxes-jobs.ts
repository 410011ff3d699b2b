import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { readMailbox, takeDue, VISIT_TIMEOUT_MS } from './mailboxes-read.ts';

/** Visits one mailbox. */
export const readOne = defineJob({
  name: 'dmarc-reports.read-mailbox',
  payload: Type.Object({ accountId: Type.String(), id: Type.String() }),
  lane: 'mail',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: VISIT_TIMEOUT_MS + 30_000,
  partOf: ({ accountId }) => accountId,
  sameAs: ({ id }) => id,
  run: (outside, { accountId, id }, { signal, isLast }) => readMailbox(outside, { accountId, id }, { signal, isLast }),
});

/** Queues mailboxes that are due. */
export const queueMailboxes = defineJob({
  name: 'dmarc-reports.due-mailboxes',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    await db.tx(async (tx) => {
      for (const { id, accountId } of await takeDue(tx, now))
        await jobs.enqueue(tx, readOne, { payloads: [{ accountId, id }], account: accountId });
    });
    jobs.wake();
  },
});
