// The sandbox: inboxes that programs under development send to, by SMTP and by HTTP. What comes here is kept for a
// while, shown and searched, and delivered to nobody.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { check } from './checks.ts';
import { forward } from './forward.ts';
import { erase, expire } from './retention.ts';
import { endpoints } from './routes.ts';
import { tell } from './webhook.ts';

export { readSandboxMessage } from './actions.ts';
export { createChaos } from './chaos.ts';
export { keepInInbox } from './keep.ts';
export { findInboxLogin, isInboxLogin } from './login.ts';
export { openInbox } from './mailbox.ts';

export default defineFeature({
  name: 'sandbox-inboxes',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [check, erase, expire, forward, tell],
});
