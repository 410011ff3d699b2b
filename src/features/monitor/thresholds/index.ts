// Thresholds: limits on what accounts use, which features/account/limits holds and enforces, and alerts on how sending
// goes.
import { whenTold } from '../../../platform/facts/index.ts';
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { limitReached, messageLimitReached } from '../../account/limits/index.ts';
import { tellLimit, tellMessageLimit } from './jobs.ts';
import { endpoints } from './routes.ts';
import { sendJobs } from './send-jobs.ts';

export default defineFeature({
  name: 'thresholds',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [tellLimit, tellMessageLimit, ...sendJobs],
  listensTo: [whenTold(limitReached, tellLimit), whenTold(messageLimitReached, tellMessageLimit)],
});
