import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { lookAgain } from './checks.ts';
import { checkNew } from './first-checks.ts';
import { rotate } from './rotation.ts';
import { listDueRotations } from './rotation-store.ts';
import { listDueFirstChecks, listUnchecked } from './store.ts';

const AGAIN_MS = 3_600_000;
const AT_ONCE = 1000;

/** Looks whether the records of one domain are still there. */
const look = defineJob({
  name: 'sending-domains.look',
  payload: Type.Object({ accountId: Type.String(), domain: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  sameAs: ({ accountId, domain }) => `${accountId} ${domain}`,
  attempts: 3,
  timeoutMs: 60_000,
  run: (outside, { accountId, domain }) => lookAgain(outside, accountId, domain),
});

/** Finds domains that were verified and not looked at for an hour. */
const findUnchecked = defineJob({
  name: 'sending-domains.find-unchecked',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 300,
  async run({ db, jobs, clock }) {
    const due = await listUnchecked(db, new Date(clock.now().getTime() - AGAIN_MS), AT_ONCE);
    for (const [accountId, own] of Map.groupBy(due, (one) => one.accountId)) {
      const payloads = own.map(({ name: domain }) => ({ accountId, domain }));
      await jobs.enqueue(db, look, { payloads, account: accountId });
    }
    jobs.wake();
  },
});

/** Looks whether the records of one domain are there for the first time. */
const lookFirst = defineJob({
  name: 'sending-domains.look-first',
  payload: Type.Object({ accountId: Type.String(), domain: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  sameAs: ({ accountId, domain }) => `${accountId} ${domain}`,
  attempts: 3,
  timeoutMs: 60_000,
  run: (outside, { accountId, domain }) => checkNew(outside, accountId, domain),
});

/** Finds domains that were never verified and are due to be looked for. */
const findNew = defineJob({
  name: 'sending-domains.find-new',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs, clock }) {
    const due = await listDueFirstChecks(db, clock.now(), AT_ONCE);
    for (const [accountId, own] of Map.groupBy(due, (one) => one.accountId)) {
      const payloads = own.map(({ name: domain }) => ({ accountId, domain }));
      await jobs.enqueue(db, lookFirst, { payloads, account: accountId });
    }
    if (due.length > 0) jobs.wake();
  },
});

/** Does what is due for the keys of one domain. */
const rotateKeys = defineJob({
  name: 'sending-domains.rotate',
  payload: Type.Object({ accountId: Type.String(), domain: Type.String() }),
  lane: 'net',
  urgency: 'bulk',
  sameAs: ({ accountId, domain }) => `${accountId} ${domain}`,
  attempts: 3,
  timeoutMs: 60_000,
  run: (outside, { accountId, domain }) => rotate(outside, accountId, domain),
});

/** Finds domains whose keys have something due. */
const findRotations = defineJob({
  name: 'sending-domains.find-rotations',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 300,
  async run({ db, jobs, clock }) {
    const due = await listDueRotations(db, clock.now(), AT_ONCE);
    for (const [accountId, own] of Map.groupBy(due, (one) => one.accountId)) {
      const payloads = own.map(({ name: domain }) => ({ accountId, domain }));
      await jobs.enqueue(db, rotateKeys, { payloads, account: accountId });
    }
    jobs.wake();
  },
});

/** Of the feature. */
export const jobs = [look, findUnchecked, lookFirst, findNew, rotateKeys, findRotations];
