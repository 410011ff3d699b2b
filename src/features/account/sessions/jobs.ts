import { defineExpiry } from '../../../platform/feature/retention.ts';
import { deleteExpiredSessions } from './store.ts';

/** Deletes expired sessions. */
export const expire = defineExpiry({
  name: 'sessions.expire',
  everySeconds: 600,
  run: ({ db, clock }) => deleteExpiredSessions(db, clock.now()),
});
