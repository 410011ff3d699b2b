// IP addresses that an account sends from, watched on blocklists.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export default defineFeature({ name: 'monitored-ips', endpoints, migrations: migrationsIn(import.meta.url) });
