import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteHits } from './store.ts';

/** As long as a query may reach back, and a day. */
const HITS_DAYS = 400;
const AT_ONCE = 1000;

/** Deletes hits whose time has ended, with their messages. */
export const expire = defineExpiry({
  name: 'spam-traps.expire',
  everySeconds: 3600,
  async run({ db, blobs, clock }, signal) {
    const before = daysAfter(clock.now(), -HITS_DAYS);
    for (let count = AT_ONCE; count === AT_ONCE && !signal.aborted;) {
      const gone = await db.tx((tx) => deleteHits(tx, before, AT_ONCE));
      for (const key of gone) if (key !== null) await blobs.deleteAll(key);
      count = gone.length;
    }
  },
});
