// What users prove besides their password: codes of an authenticator app, and recovery codes for who lost it. Asked for
// where users sign in by password, in features/account/sessions.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { waysOfUser } from '../users/index.ts';
import { endpoints } from './routes.ts';
import { deleteFactor } from './store.ts';

export { forgetFactor, proveSelf } from './actions.ts';
export { useCode } from './codes.ts';

export default defineFeature({
  name: 'second-factors',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  adds: [addTo(waysOfUser, deleteFactor)],
});
