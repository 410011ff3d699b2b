import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOld, KEPT_DAYS } from './store.ts';

/** How long refusals are kept. */
const REFUSED_DAYS = 30;
const DELETED_AT_ONCE = 200;

/** Deletes what is older than it is kept. */
export const expire = defineExpiry({
  name: 'dmarc-reports.expire',
  everySeconds: 3600,
  async run({ db, clock }, signal) {
    const now = clock.now();
    const wanted = {
      ended: daysAfter(now, -KEPT_DAYS),
      refused: daysAfter(now, -REFUSED_DAYS),
      limit: DELETED_AT_ONCE,
    };
    while (!signal.aborted && (await db.tx((tx) => deleteOld(tx, wanted))) === DELETED_AT_ONCE);
  },
});
