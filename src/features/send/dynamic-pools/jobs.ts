import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { checkDue } from './check.ts';
import { enter } from './enrollment.ts';
import { deleteOldMoves } from './history-store.ts';
import { judge } from './rates.ts';
import { listAssignable, listDueOwners } from './store.ts';

const OWNERS_AT_ONCE = 1000;
const DOMAINS_AT_ONCE = 100;
/** Days that the history is kept. */
const HISTORY_DAYS = 400;

/** Checks domains in the pools of an account. */
const check = defineJob({
  name: 'dynamic-pools.check',
  payload: Type.Object({ ownerId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  sameAs: ({ ownerId }) => ownerId,
  attempts: 1,
  timeoutMs: 300_000,
  async run(outside, { ownerId }, { signal }) {
    await checkDue(outside, ownerId, signal);
  },
});

/** Finds accounts whose domains are due; accounts share the checks fairly, as all jobs. */
const find = defineJob({
  name: 'dynamic-pools.find',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const now = clock.now();
    for (const ownerId of await listDueOwners(db, now, OWNERS_AT_ONCE))
      await jobs.enqueue(db, check, { payloads: [{ ownerId }], account: ownerId });
    jobs.wake();
    await deleteOldMoves(db, daysAfter(now, -HISTORY_DAYS));
  },
});

/** Enrolls the domains of accounts that are in no pool yet. */
export const enrollAll = defineJob({
  name: 'dynamic-pools.enroll-all',
  payload: Type.Object({ ownerId: Type.String(), accountIds: Type.Array(Type.String()), initiatedBy: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 600_000,
  async run(outside, { ownerId, accountIds, initiatedBy }, { signal }) {
    const at = outside.clock.now();
    for (let after = ''; !signal.aborted;) {
      const domains = await listAssignable(outside.db, accountIds, { limit: DOMAINS_AT_ONCE, after });
      if (domains.length === 0) return;
      const places = domains.map(({ accountId, name }) => ({ accountId, name, band: null, bandedAt: null }));
      const verdicts = await judge(outside, places, at);
      for (const [place, domain] of domains.entries())
        await enter(outside, { ownerId, domain, verdict: verdicts[place]!, initiatedBy, at });
      const last = domains.at(-1)!;
      after = `${last.name} ${last.id}`;
    }
  },
});

export const jobs = [check, find, enrollAll];
