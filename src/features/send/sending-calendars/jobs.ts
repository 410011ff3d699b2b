import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { CALENDAR, makeHeldBackDue, wakeQueue } from '../messages/index.ts';

const AT_ONCE = 5000;

/** What waits for the hours of a calendar that was changed is looked at again. */
export const recheck = defineJob({
  name: 'sending-calendars.recheck',
  payload: Type.Object({ accountId: Type.String(), domain: Type.String() }),
  lane: 'quick',
  sameAs: ({ accountId, domain }) => `${accountId} ${domain}`,
  attempts: 5,
  timeoutMs: 300_000,
  async run({ db, clock }, { accountId, domain }, { signal }) {
    const about = { domain, by: CALENDAR, now: clock.now(), limit: AT_ONCE };
    while (!signal.aborted && (await makeHeldBackDue(db, accountId, about)) === AT_ONCE);
    wakeQueue(db);
  },
});

export const jobs = [recheck];
