import { defineExpiry } from '../../../platform/feature/retention.ts';
import { deleteExpiredUses } from './store.ts';

/** Forgets sign-ins that could not be completed again anyway. */
export const expire = defineExpiry({
  name: 'sso.expire',
  everySeconds: 3600,
  run: ({ db, clock }) => deleteExpiredUses(db, clock.now()),
});
