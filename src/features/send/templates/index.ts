// Templates of domains and accounts: texts in versions, from which messages and tests are made.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { templatesOfTests } from './provides.ts';
import { endpoints } from './routes.ts';

export { findStored, renderStored } from './rendering.ts';

export default defineFeature({
  name: 'templates',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  provides: [templatesOfTests],
});
