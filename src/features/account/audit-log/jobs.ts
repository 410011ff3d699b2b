import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOldEntries } from './store.ts';

const DELETED_AT_ONCE = 1000;

/** Deletes entries that are older than the days of the setting. */
export const expire = defineExpiry({
  name: 'audit-log.expire',
  everySeconds: 3600,
  async run({ config, db, clock }, signal) {
    const before = daysAfter(clock.now(), -config.auditDays);
    let count = DELETED_AT_ONCE;
    while (count === DELETED_AT_ONCE && !signal.aborted)
      count = await db.tx((tx) => deleteOldEntries(tx, before, DELETED_AT_ONCE));
  },
});
