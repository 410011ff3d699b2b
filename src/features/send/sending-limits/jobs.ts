import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { LIMITS, makeAllHeldBackDue } from '../messages/index.ts';
import { deleteOldWindows } from './store.ts';

/** Longer than the longest window. */
const DAYS_KEPT = 3;

/** What waits for limits that were changed is looked at again. */
export const recheck = defineJob({
  name: 'sending-limits.recheck',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'quick',
  sameAs: ({ accountId }) => accountId,
  attempts: 5,
  timeoutMs: 300_000,
  run: (outside, { accountId }, { signal }) => makeAllHeldBackDue(outside, { accountId, by: LIMITS }, signal),
});

const expire = defineExpiry({
  name: 'sending-limits.expire',
  everySeconds: 3600,
  run: ({ db, clock }) => deleteOldWindows(db, daysAfter(clock.now(), -DAYS_KEPT)),
});

export const jobs = [recheck, expire];
