import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import { deliverDue } from './deliver.ts';
import { listDueAccounts } from './outbox-store.ts';
import { deleteOld } from './store.ts';
import { tellDue } from './tell.ts';

/** How long alerts are kept that are over. */
const DAYS_KEPT = 30;
const AT_ONCE = 1000;

/** Tells the channels of an account what is due. */
export const tell = defineJob({
  name: 'alerts.tell',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'net',
  sameAs: ({ accountId }) => accountId,
  attempts: 3,
  timeoutMs: 540_000,
  async run(outside, { accountId }, { signal }) {
    await tellDue(outside, accountId);
    await deliverDue(outside, accountId, signal);
  },
});

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
