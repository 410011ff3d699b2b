// The audit log: who changed what, from where. platform/http hands on every successful change, so that no feature
// writes entries of its own.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { expire } from './jobs.ts';
import { endpoints } from './routes.ts';
import { jobs, listensTo } from './users.ts';

export { noteChange, noteOperator, signingIn } from './actions.ts';

export default defineFeature({
  name: 'audit-log',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [expire, ...jobs],
  listensTo,
});
