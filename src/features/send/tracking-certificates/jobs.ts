import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { checkEnding } from './ending.ts';
import { issue } from './issue-job.ts';
import { ORDERS_KEPT_DAYS } from './issue.ts';
import { deleteOld, listDue } from './store.ts';

const AT_ONCE = 500;

/** Finds what is due: first tries that were cut short, tries after a failure, renewals. */
const findDue = defineJob({
  name: 'tracking-certificates.find-due',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 300,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    await deleteOld(db, { now, before: daysAfter(now, -ORDERS_KEPT_DAYS) });
    const due = await listDue(db, now, AT_ONCE);
    for (const [accountId, payloads] of Map.groupBy(due, (one) => one.accountId))
      await jobs.enqueue(db, issue, { payloads, account: accountId });
    jobs.wake();
  },
});

/** Looks which certificates end soon. */
const findEnding = defineJob({
  name: 'tracking-certificates.find-ending',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 3600,
  run: checkEnding,
});

/** Of the feature. */
export const jobs = [issue, findDue, findEnding];
