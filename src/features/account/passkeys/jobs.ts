import { defineExpiry } from '../../../platform/feature/retention.ts';
import { deleteExpiredChallenges } from './store.ts';

/** Deletes challenges that nobody could use again. */
export const expire = defineExpiry({
  name: 'passkeys.expire',
  everySeconds: 3600,
  run: ({ db, clock }) => deleteExpiredChallenges(db, clock.now()),
});
