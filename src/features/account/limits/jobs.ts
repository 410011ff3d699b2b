import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOldUses } from './store.ts';

/** Longer than the longest window. */
const DAYS_KEPT = 62;

/** Deletes counts whose windows are long over. */
export const expire = defineExpiry({
  name: 'limits.expire',
  everySeconds: 3600,
  run: ({ db, clock }) => deleteOldUses(db, daysAfter(clock.now(), -DAYS_KEPT)),
});
