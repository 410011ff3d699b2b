// Logins of submission by SMTP, each for one domain of an account. Passwords are kept as scrypt makes them.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { provide } from '../../../platform/ports/index.ts';
import { domainLogins } from '../sending-domains/index.ts';
import { preparePostmaster } from './actions.ts';
import { endpoints } from './routes.ts';

export { findLogin } from './login.ts';

export default defineFeature({
  name: 'credentials',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  provides: [provide(domainLogins, { prepare: preparePostmaster })],
});
