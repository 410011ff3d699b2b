import type { Outside } from '../../../platform/feature/index.ts';
import { isTrackingHostSeen, linkHostOf, trackingHostOf, type SendingDomain } from '../sending-domains/index.ts';
import { findOwnCertificate } from './own-files.ts';
import { findCertificate } from './store.ts';

type Doors = Pick<Outside, 'config' | 'db' | 'clock' | 'log'>;

async function isCertified(outside: Doors, { id: domainId, accountId, ...domain }: SendingDomain): Promise<boolean> {
  const host = trackingHostOf(domain);
  if (await findOwnCertificate(outside, host)) return true;
  const asked = await findCertificate(outside.db, { accountId, domainId, host });
  return asked?.validTo !== null && asked?.validTo !== undefined && asked.validTo > outside.clock.now();
}

/**
 * What starts the links of a domain: its own host once DNS leads here, else the service's; empty without one. Where
 * this service serves https for tracking hosts, a host without a certificate starts no https link.
 */
export async function linkBaseOf(outside: Doors, domain: SendingDomain): Promise<string> {
  const { config } = outside;
  if (linkHostOf({ config }) === undefined || !isTrackingHostSeen(domain)) return config.publicUrl;
  const host = trackingHostOf(domain);
  const isServed = config.trackingTls.port !== undefined && domain.settings.webScheme === 'https';
  // Readers come at port 443, which is forwarded to the port of the settings.
  if (isServed) return (await isCertified(outside, domain)) ? `https://${host}` : config.publicUrl;
  const { port } = new URL(config.publicUrl);
  return `${domain.settings.webScheme}://${host}${port === '' ? '' : `:${port}`}`;
}
