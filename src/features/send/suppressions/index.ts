// Addresses that a domain does not write to: those that bounced, unsubscribed or complained; and the allowlist, which is
// stronger than a bounce. They are looked up right before each attempt.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { deliveryChecks, eventReactions } from '../deliveries/index.ts';
import { check } from './check.ts';
import { writeImport } from './jobs.ts';
import { listFromEvents } from './reaction.ts';
import { endpoints } from './routes.ts';

export { listOfAddresses, type KnownSuppression } from './match-store.ts';
export { addTags } from './store.ts';

export default defineFeature({
  name: 'suppressions',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [writeImport],
  adds: [addTo(deliveryChecks, check), addTo(eventReactions, listFromEvents)],
});
