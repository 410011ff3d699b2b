// How many messages may leave in an hour or a day: of an account, a domain, for a provider.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { deliveryHolds } from '../deliveries/index.ts';
import { limitsHolder } from './hold.ts';
import { jobs } from './jobs.ts';
import { endpoints } from './routes.ts';

export default defineFeature({
  name: 'sending-limits',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  adds: [addTo(deliveryHolds, limitsHolder)],
});
