// Emails, each one object with versions: what was given is kept, and tests, checks and gates are started from a version.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { erase } from './jobs.ts';
import { reviewStates } from './review-state.ts';
import { endpoints } from './routes.ts';

export { getEmail, getVersion } from './actions.ts';
export { At, ofVersion, PATH, ReviewState, type ReviewStateView } from './contract.ts';
export { overviewOf } from './overview.ts';
export { reviewStates } from './review-state.ts';
export { findEmail, lockEmail, type Email } from './store.ts';
export { findVersion, listStarted, listVersions, type OfEmail, type Version } from './versions-store.ts';

export default defineFeature({
  name: 'emails',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [erase],
  ports: [reviewStates],
});
