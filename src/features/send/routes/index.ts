// Routes: what an account does with mail that comes in for its domains. What they match, they post to URLs, hand to the
// queue for other addresses, or tell of; each of these is tried until it is done, or for good not.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { inboundTakers } from '../_inbound/index.ts';
import { apply, deliverOne, retry } from './jobs.ts';
import { endpoints } from './routes.ts';
import { routedMail } from './provides.ts';

export default defineFeature({
  name: 'routes',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs: [apply, deliverOne, retry],
  adds: [addTo(inboundTakers, routedMail)],
});
