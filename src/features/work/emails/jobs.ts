import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { releaseMessages } from '../../proof/_message/index.ts';
import { isThere } from './store.ts';
import { holderOf } from './versions-store.ts';

/** Lets go of the bytes of a deleted email. */
export const erase = defineJob({
  name: 'emails.erase',
  payload: Type.Object({ id: Type.String() }),
  lane: 'quick',
  urgency: 'bulk',
  attempts: 10,
  timeoutMs: 60_000,
  async run(outside, { id }) {
    if (!(await isThere(outside.db, id))) await releaseMessages(outside, holderOf(id));
  },
});
