// The addresses that mail leaves from: what the operator configured, which of them a running process can bind, and what
// reverse DNS says of them. Which of them a message leaves from is decided in ip-pools.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { endpoints } from './routes.ts';

export { getIp } from './actions.ts';
export { openSendingIps, type BoundIps } from './binding.ts';
export { forgetRoutes, routeChanges } from './changes.ts';
export {
  findGiven,
  findUse,
  giveIps,
  listGivenTo,
  listOwnIps,
  listReceivers,
  pageOfGiven,
  takeIpsBack,
} from './given-store.ts';
export { listHeldBack, sendingGates, takeTurn, type SendingGate } from './gates.ts';
export { lookUpReverse } from './reverse-dns.ts';
export { findIp, listAllIps, listMembers, putIntoPool, type SendingIp } from './store.ts';

export default defineFeature({
  name: 'sending-ips',
  endpoints,
  migrations: migrationsIn(import.meta.url),
});
