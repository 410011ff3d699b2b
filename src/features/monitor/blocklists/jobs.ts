import { Type } from 'typebox';
import { defineJob, SERVICE } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { sweeping } from './names.ts';
import { deleteOldEvents } from './store.ts';
import { sweepAll } from './sweep.ts';

const SWEEP_MS = 20 * 60_000;
const AT_ONCE = 1000;
/** Days that what came and went is kept. */
const HISTORY_DAYS = 400;

/** Asks about what is due. */
export const sweep = defineJob({
  ...sweeping,
  attempts: 1,
  timeoutMs: SWEEP_MS,
  run: (outside, _payload, { signal }) => sweepAll(outside, signal),
});

/** Queues a sweep each minute; one that waits already is enough. */
export const beginSweep = defineJob({
  name: 'blocklists.begin-sweep',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 60,
  async run({ db, jobs }) {
    await jobs.enqueue(db, sweeping, { payloads: [{}], account: SERVICE, urgency: 'bulk' });
    jobs.wake();
  },
});

export const expire = defineJob({
  name: 'blocklists.expire',
  payload: Type.Object({}),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 3600,
  async run({ db, clock }) {
    const before = daysAfter(clock.now(), -HISTORY_DAYS);
    while ((await deleteOldEvents(db, before, AT_ONCE)) === AT_ONCE);
  },
});
