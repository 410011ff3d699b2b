import { defineExpiry } from '../../../platform/feature/retention.ts';
import { sendInvitation, sendReset } from './send-links.ts';
import { deleteExpiredLinks } from './store.ts';

/** Deletes links that work no more. */
const expire = defineExpiry({
  name: 'users.expire',
  everySeconds: 3600,
  run: ({ db, clock }) => deleteExpiredLinks(db, clock.now()),
});

/** Of the feature. */
export const jobs = [sendInvitation, sendReset, expire];
