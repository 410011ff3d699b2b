import { Type } from 'typebox';
import { defineJob } from '../../../platform/feature/index.ts';
import { deleteExpiredSessions } from './store.ts';

/** Deletes expired sessions. */
export const expire = defineJob({
  name: 'sessions.expire',
  payload: Type.Object({}),
  lane: 'quick',
  attempts: 1,
  timeoutMs: 60_000,
  everySeconds: 600,
  run: ({ db, clock }) => deleteExpiredSessions(db, clock.now()),
});
