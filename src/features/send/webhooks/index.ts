// Webhooks: events of the log, posted to the URLs that an account has named, signed.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'webhooks', endpoints, migrations: migrationsIn(import.meta.url) });
