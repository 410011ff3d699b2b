// Alerts: other features say what is the matter and when it is over, and the channels of the account's settings are
// told: webhooks, emails, Slack. What is raised again is counted; what flaps is told once an hour; people sleep in
// their quiet hours.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { jobs } from './jobs.ts';
import { listenerJobs, listensTo } from './listeners.ts';
import { endpoints } from './routes.ts';

export type { AlertEvent } from './contract.ts';
export { raiseAlert } from './raise.ts';

export default defineFeature({
  name: 'alerts',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [...jobs, ...listenerJobs],
  listensTo,
});
