import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { listOpenIds } from '../../account/accounts/index.ts';
import { tellHealth } from './watch.ts';

/** Looks at the health of one account. */
const look = defineJob({
  name: 'health-score.look',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 3,
  timeoutMs: 300_000,
  sameAs: ({ accountId }) => accountId,
  run: (outside, { accountId }) => tellHealth(outside, accountId),
});

/** Has the health of every account looked at. */
export const watch = defineJob({
  name: 'health-score.watch',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 300_000,
  everySeconds: 3600,
  async run({ db, jobs }, _payload, { signal }) {
    for (const accountId of await listOpenIds(db)) {
      if (signal.aborted) return;
      await jobs.enqueue(db, look, { payloads: [{ accountId }], account: accountId });
    }
    jobs.wake();
  },
});

/** Of the feature. */
export const jobs = [look, watch];
