// Single sign-on by OpenID Connect, where the operator has set a provider: whoever it vouches for is one of the users.
// At the first time they are found by a verified address, from then on by who they are at the provider.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'sso',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire],
});
