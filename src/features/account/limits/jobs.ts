import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOldCounts } from './message-limits-store.ts';
import { deleteOldUses } from './store.ts';

/** Longer than the longest window. */
const DAYS_KEPT = 62;

/** Deletes counts whose windows are long over. */
export const expire = defineExpiry({
  name: 'limits.expire',
  everySeconds: 3600,
  async run({ db, clock }) {
    const before = daysAfter(clock.now(), -DAYS_KEPT);
    await deleteOldUses(db, before);
    await deleteOldCounts(db, before);
  },
});
