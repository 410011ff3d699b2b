import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { daysAfter } from '../../../platform/times/index.ts';
import { deleteOldUses } from './store.ts';

/** Longer than the longest window. */
const DAYS_KEPT = 62;

/** Deletes counts whose windows are long over. */
export const expire = defineJob({
  name: 'limits.expire',
  payload: Type.Object({}),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 3600,
  run: ({ db, clock }) => deleteOldUses(db, daysAfter(clock.now(), -DAYS_KEPT)),
});
