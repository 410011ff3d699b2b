import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { DAYS_KEPT } from './delivery-contract.ts';
import { deleteOld, deleteUnusedUrls } from './log-store.ts';

const AT_ONCE = 1000;

/** Deletes deliveries whose time has ended, and URLs that nobody names any more. */
export const expire = defineJob({
  name: 'webhooks.expire',
  payload: Type.Object({}),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  async run({ db, clock }) {
    const before = daysAfter(clock.now(), -DAYS_KEPT);
    while ((await db.tx((tx) => deleteOld(tx, before, AT_ONCE))) === AT_ONCE);
    await deleteUnusedUrls(db, before);
  },
});
