import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { verify } from './verification.ts';

/** Looks a record up. */
export const verifyRecord = defineJob({
  name: 'monitored-domains.verify',
  payload: Type.Object({ id: Type.String() }),
  lane: 'net',
  attempts: 3,
  timeoutMs: 60_000,
  sameAs: ({ id }) => id,
  run: (outside, { id }) => verify(outside, id),
});
