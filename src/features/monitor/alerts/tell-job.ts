import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { deliverDue } from './deliver.ts';
import { tellDue } from './tell.ts';

/** Tells the channels of an account what is due. */
export const tell = defineJob({
  name: 'alerts.tell',
  payload: Type.Object({ accountId: Type.String() }),
  lane: 'net',
  sameAs: ({ accountId }) => accountId,
  attempts: 3,
  timeoutMs: 540_000,
  async run(outside, { accountId }, { signal }) {
    await tellDue(outside, accountId);
    await deliverDue(outside, accountId, signal);
  },
});
