// The keys of an account with which receivers of its webhooks, and of its alerts, check where they come from.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { getSigningKey, rotateSigningKey, signingKeyOf } from './actions.ts';
export { signatureOf } from './signature.ts';

export default defineFeature({ name: 'signing-keys', endpoints, migrations: migrationsIn(import.meta.url) });
