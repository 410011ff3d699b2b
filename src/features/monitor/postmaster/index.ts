// What mailbox providers say of the account's mail: Google's Postmaster Tools, Microsoft's SNDS, and exports of these
// and of Yahoo's Sender Hub, of which no interface is documented publicly (its performance feeds are for partners, see
// senders.yahooinc.com, November 2026).
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { countFigures, expire, queueDue, sync } from './jobs.ts';
import { endpoints } from './routes.ts';

export { readUrl } from './actions.ts';
export { ask, Refusal, type RefusalKind } from './ask.ts';

export default defineFeature({
  name: 'postmaster',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [sync, countFigures, queueDue, expire],
});
