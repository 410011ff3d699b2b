// Dashboard sessions: an API key, or what a user proves to be, is exchanged for a cookie that scripts cannot read. A
// session is a row, and ends with it: by signing out, by being revoked, with its key, its user or its account, and after
// twelve hours.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { provide } from '../../../platform/ports/index.ts';
import { endSessionsOfUser } from '../users/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { deleteSessionsOfUser } from './store.ts';

export { authenticateSession } from './actions.ts';
export { cookie, cookieIn, tokenIn } from './cookies.ts';
export { deleteSessionsOfUser } from './store.ts';
export { placeOf, type Place } from './place.ts';
export { letIn, noteFailure, refusalOfProvider, refuseWhereSsoIsAsked } from './sign-in.ts';
export type { BegunSession } from './tokens.ts';

export default defineFeature({
  name: 'sessions',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
  provides: [provide(endSessionsOfUser, deleteSessionsOfUser)],
});
