import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { CALENDAR, makeAllHeldBackDue } from '../messages/index.ts';

/** What waits for the hours of a calendar that was changed is looked at again. */
export const recheck = defineJob({
  name: 'sending-calendars.recheck',
  payload: Type.Object({ accountId: Type.String(), domain: Type.String() }),
  lane: 'quick',
  sameAs: ({ accountId, domain }) => `${accountId} ${domain}`,
  attempts: 5,
  timeoutMs: 300_000,
  run: (outside, { accountId, domain }, { signal }) =>
    makeAllHeldBackDue(outside, { accountId, domain, by: CALENDAR }, signal),
});

export const jobs = [recheck];
