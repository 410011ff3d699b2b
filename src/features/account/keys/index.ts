// API keys: several per account, each with a role, a description and an expiry. Stored as digests, shown once.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { accountFor, authenticateKeyId, authenticateSecret, createKey, recallKey, revokeKey } from './actions.ts';
export { listKeys, type ApiKey, type KeyRole } from './store.ts';

export default defineFeature({ name: 'keys', endpoints, migrations: migrationsIn(import.meta.url) });
