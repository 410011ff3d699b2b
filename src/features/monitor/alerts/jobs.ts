import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import { listDueAccounts } from './outbox-store.ts';
import { deleteOld } from './store.ts';
import { tell } from './tell-job.ts';

/** How long alerts are kept that are over. */
const DAYS_KEPT = 30;
const AT_ONCE = 1000;

/** Finds accounts with something that has become due: retries, ends of quiet hours, digests. */
const find = defineJob({
  name: 'alerts.find',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 5,
  async run({ db, jobs, clock }) {
    for (const accountId of await listDueAccounts(db, clock.now(), AT_ONCE))
      await jobs.enqueue(db, tell, { payloads: [{ accountId }], account: accountId });
    jobs.wake();
  },
});

/** Deletes alerts that are over for long, with their deliveries. */
const expire = defineAging({ name: 'alerts', days: DAYS_KEPT, deleteOld });

/** Of the feature. */
export const jobs = [tell, find, expire];
