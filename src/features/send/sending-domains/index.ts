// Domains that an account sends as: their DKIM keys, the DNS records to publish, and whether the world sees them.
import { defineFeature, migrationsIn } from '../../../platform/feature/index.ts';
import { domainChecked, domainRecordsChanged } from './facts.ts';
import { jobs } from './jobs.ts';
import { sendersOfTests } from './provides.ts';
import { domainLogins } from './logins.ts';
import { keyEndpoints } from './key-routes.ts';
import { rotationEndpoints } from './rotation-routes.ts';
import { endpoints } from './routes.ts';
import { settingEndpoints } from './settings-routes.ts';

export { isTrackingHostLeadingHere } from './checks.ts';
export { domainChecked, domainRecordsChanged } from './facts.ts';
export { domainLogins } from './logins.ts';
export { findTrackingDomain, isTrackingHostSeen, linkHostOf, trackingHostOf } from './tracking-hosts.ts';
export { deliveryModeOf, type DeliveryMode } from './view.ts';
export { admitSender, declaredZoneOf, findVerifiedDomain } from './actions.ts';
export { getDomain, sandboxNameOf, setTrackingHost } from './domains.ts';
export { dkimKeysOf } from './keys.ts';
export { returnHostOf } from './return-hosts.ts';
export { findReceivingDomain } from './receiving.ts';
export {
  findAnyDomain,
  findDomain,
  findDomainById,
  findOwner,
  listOwned,
  type RecordCheck,
  type SendingDomain,
} from './store.ts';

export default defineFeature({
  name: 'sending-domains',
  endpoints: [...endpoints, ...keyEndpoints, ...rotationEndpoints, ...settingEndpoints],
  migrations: migrationsIn(import.meta.url),
  jobs,
  tells: [domainChecked, domainRecordsChanged],
  ports: [domainLogins],
  provides: [sendersOfTests],
});
