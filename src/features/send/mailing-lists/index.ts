// Mailing lists: what is sent to the address of one goes to each of its members.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire, writeUpload } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'mailing-lists',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [writeUpload, expire],
});
