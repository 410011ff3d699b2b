// Exports: the screenshots of some clients of a test as one zip file, made by a job. States: Processing, Complete,
// Failed.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { zipExport } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'preview-exports',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [zipExport],
});
