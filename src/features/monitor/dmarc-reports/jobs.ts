import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOld, KEPT_DAYS } from './store.ts';

/** How long refusals are kept. */
const REFUSED_DAYS = 30;
const DELETED_AT_ONCE = 200;

/** Deletes what is older than it is kept. */
export const expire = defineJob({
  name: 'dmarc-reports.expire',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 3600,
  async run({ db, clock }, _payload, { signal }) {
    const now = clock.now();
    const wanted = {
      ended: daysAfter(now, -KEPT_DAYS),
      refused: daysAfter(now, -REFUSED_DAYS),
      limit: DELETED_AT_ONCE,
    };
    while (!signal.aborted && (await db.tx((tx) => deleteOld(tx, wanted))) === DELETED_AT_ONCE);
  },
});
