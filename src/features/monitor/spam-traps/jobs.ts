import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineExpiry } from '../../../platform/feature/retention.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { listOpenIds } from '../../account/accounts/index.ts';
import { deleteOldRefused } from './refusals-store.ts';
import { followRefusals } from './refusals.ts';
import { deleteHits } from './store.ts';

/** As long as a query may reach back, and a day. */
const HITS_DAYS = 400;
const AT_ONCE = 1000;

/** Deletes hits whose time has ended, with their messages, and refusals that say nothing any more. */
const expire = defineExpiry({
  name: 'spam-traps.expire',
  everySeconds: 3600,
  async run({ db, blobs, clock }, signal) {
    const before = daysAfter(clock.now(), -HITS_DAYS);
    for (let count = AT_ONCE; count === AT_ONCE && !signal.aborted;) {
      const gone = await db.tx((tx) => deleteHits(tx, before, AT_ONCE));
      for (const key of gone) if (key !== null) await blobs.deleteAll(key);
      count = gone.length;
    }
    for (let count = AT_ONCE; count === AT_ONCE && !signal.aborted;)
      count = await db.tx((tx) => deleteOldRefused(tx, clock.now(), AT_ONCE));
  },
});

/** Reads on in the events of one account. */
const readRefusals = defineJob({
  name: 'spam-traps.read-refusals',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 300_000,
  sameAs: ({ accountId }) => accountId,
  run: (outside, { accountId }, { signal }) => followRefusals(outside, accountId, signal),
});

/** Has the events of every account read for recipients that refuse, and for those that accept again. */
const followAll = defineJob({
  name: 'spam-traps.follow-refusals',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 600,
  async run({ db, jobs }, _payload, { signal }) {
    for (const accountId of await listOpenIds(db)) {
      if (signal.aborted) return;
      await jobs.enqueue(db, readRefusals, { payloads: [{ accountId }], account: accountId });
    }
    jobs.wake();
  },
});

/** Of the feature. */
export const jobs = [expire, readRefusals, followAll];
