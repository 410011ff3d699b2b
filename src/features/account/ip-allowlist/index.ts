// The addresses from which an account is used: by its keys, in the dashboard and by SMTP; and its subaccounts.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { changeAsOperator } from './actions.ts';
export { admitFrom, isAdmittedFrom } from './admit.ts';
export { listAllowlist } from './store.ts';

export default defineFeature({ name: 'ip-allowlist', endpoints, migrations: migrationsIn(import.meta.url) });
