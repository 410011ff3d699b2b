import { Type } from 'typebox';
import { defineJob, SERVICE } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import { sweeping } from './names.ts';
import { deleteOldEvents } from './store.ts';
import { sweepAll } from './sweep.ts';

const SWEEP_MS = 20 * 60_000;
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

/** Deletes the history of what came and went. */
export const expire = defineAging({ name: 'blocklists', days: HISTORY_DAYS, deleteOld: deleteOldEvents });
