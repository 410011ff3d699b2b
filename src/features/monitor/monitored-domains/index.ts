// Domains that are watched: an account adds one and shows by a TXT record that it is its own; then lists are asked.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { verifyRecord } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'monitored-domains',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [verifyRecord],
});
