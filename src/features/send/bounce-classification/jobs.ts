import { defineExpiry } from '../../../platform/feature/retention.ts';
import { keptSince } from '../_figures/index.ts';
import { deleteOld } from './store.ts';

const ROWS_AT_ONCE = 5000;

/** Deletes sums whose time has ended, as those of metrics. */
export const expire = defineExpiry({
  name: 'bounce-classification.expire',
  everySeconds: 3600,
  async run({ db, clock }, signal) {
    const now = clock.now();
    const before = { hours: keptSince('hour', now), days: keptSince('day', now), limit: ROWS_AT_ONCE };
    for (let count = ROWS_AT_ONCE; count >= ROWS_AT_ONCE && !signal.aborted;)
      count = await db.tx((tx) => deleteOld(tx, before));
  },
});
