// Schedules: gates, placement tests and watched pages that run by themselves, at a time of the day on some weekdays.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { jobs, listensTo } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'schedules',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  listensTo,
});
