// Reviews: people comment on places of an email's pictures and approve a version, or request changes. Reviewers by link
// need no account and see nothing else.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { publicEndpoints } from './public-routes.ts';
import { reportEndpoints } from './report-routes.ts';
import { endpoints } from './routes.ts';
import { providesStates } from './states.ts';

export default defineFeature({
  name: 'reviews',
  endpoints: [...endpoints, ...reportEndpoints, ...publicEndpoints],
  migrations: migrationsIn(import.meta.url),
  provides: [providesStates],
});
