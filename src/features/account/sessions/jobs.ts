import { defineExpiry } from '../../../platform/feature/retention.ts';
import { deleteExpiredHalfSessions } from './half-store.ts';
import { deleteExpiredSessions } from './store.ts';

/** Deletes expired sessions. */
export const expire = defineExpiry({
  name: 'sessions.expire',
  everySeconds: 600,
  async run({ db, clock }) {
    const now = clock.now();
    await deleteExpiredSessions(db, now);
    await deleteExpiredHalfSessions(db, now);
  },
});
