// Dashboard sessions: an API key is exchanged for a cookie that scripts cannot read. A session is a row, and ends with
// it: by signing out, by being revoked, with its key or its account, and after twelve hours.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export { authenticateSession } from './actions.ts';

export default defineFeature({
  name: 'sessions',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
});
