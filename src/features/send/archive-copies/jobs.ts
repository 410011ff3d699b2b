import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { deliver } from './deliver.ts';
import { listDue } from './store.ts';

const DUE_AT_ONCE = 500;

export const deliverCopy = defineJob({
  name: 'archive-copies.deliver',
  payload: Type.Object({ id: Type.String() }),
  lane: 'net',
  attempts: 5,
  timeoutMs: 120_000,
  sameAs: ({ id }) => id,
  run: (outside, { id }, { signal }) => deliver(outside, id, signal),
});

/** Queues what waited for its next attempt, and what a process left that died. */
export const retry = defineJob({
  name: 'archive-copies.retry',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 5,
  async run({ db, clock, jobs }) {
    const due = await listDue(db, clock.now(), DUE_AT_ONCE);
    for (const [account, own] of Map.groupBy(due, ({ accountId }) => accountId))
      await jobs.enqueue(db, deliverCopy, { payloads: own.map(({ id }) => ({ id })), account });
    if (due.length > 0) jobs.wake();
  },
});
