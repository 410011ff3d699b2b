// Pools of addresses, what domains and subaccounts send from, and which addresses a message may leave from.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { changeRoutes, freeIps, getPool, maySendFrom } from './pools.ts';
export { createRouting, domainPools, type Routing, type SendingSet } from './routing.ts';
export { addDomainIps, deletePool, insertPool, linkDomain, listPools, unlinkDomain, type IpPool } from './store.ts';

export default defineFeature({
  name: 'ip-pools',
  endpoints,
  migrations: migrationsIn(import.meta.url),
});
