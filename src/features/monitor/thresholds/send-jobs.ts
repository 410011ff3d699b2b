import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { LOOK_MS, lookAt } from './look.ts';
import { deleteExpiredHits, listDueAccounts } from './send-store.ts';

const ACCOUNTS_AT_ONCE = 1000;

/** Looks at what an account has sent. */
const look = defineJob({
  name: 'thresholds.look',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  sameAs: ({ accountId }) => accountId,
  attempts: 1,
  timeoutMs: LOOK_MS,
  run: (outside, { accountId }, { signal }) => lookAt(outside, accountId, signal),
});

/** Finds accounts whose alerts on sending are due; accounts share the looks fairly, as all jobs. */
const find = defineJob({
  name: 'thresholds.find',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 10,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    for (const accountId of await listDueAccounts(db, now, ACCOUNTS_AT_ONCE))
      await jobs.enqueue(db, look, { payloads: [{ accountId }], account: accountId });
    jobs.wake();
    await deleteExpiredHits(db, now);
  },
});

/** Of alerts on sending. */
export const sendJobs = [look, find];
