import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { defineAging } from '../../../platform/feature/retention.ts';
import { closeStages } from './stages.ts';
import { deleteOldDecisions } from './store.ts';

/** Days that decisions are kept. */
const DECISIONS_DAYS = 400;

/** Ends stages that are over. */
export const close = defineJob({
  name: 'ip-warmups.close-stages',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 60,
  run: (outside) => closeStages(outside),
});

export const expire = defineAging({ name: 'ip-warmups', days: DECISIONS_DAYS, deleteOld: deleteOldDecisions });
