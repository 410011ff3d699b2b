// The key of an account with which receivers of its webhooks check where they come from.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { signingKeyOf } from './actions.ts';

export default defineFeature({ name: 'signing-keys', endpoints, migrations: migrationsIn(import.meta.url) });
