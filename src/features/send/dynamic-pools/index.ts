// Dynamic pools: three pools of addresses, for good, poor and new reputation. A domain that is enrolled sends from the
// pool of its band, and a health check moves it by its bounces and complaints.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { addTo } from '../../../platform/ports/index.ts';
import { domainPools } from '../ip-pools/index.ts';
import { jobs } from './jobs.ts';
import { endpoints } from './routes.ts';
import { findPoolOf } from './store.ts';

export default defineFeature({
  name: 'dynamic-pools',
  endpoints,
  migrations: migrationsIn(import.meta.url),
  jobs,
  adds: [addTo(domainPools, ({ db }, domain) => findPoolOf(db, domain))],
});
