// What somebody looked for in a list of the dashboard, kept under a name: filters and an order. Each user has their own.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { waysOfUser } from '../users/index.ts';
import { endpoints } from './routes.ts';
import { deleteViewsOfUser } from './store.ts';

export default defineFeature({
  name: 'saved-views',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  adds: [addTo(waysOfUser, deleteViewsOfUser)],
});
