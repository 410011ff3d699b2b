// The host of a domain on which readers follow its links: `web_prefix` before its name, a CNAME to the service.
import type { Outside } from '../../../platform/feature/index.ts';
import { findActiveDomain, type SendingDomain } from './store.ts';

/** The service's own host for links; undefined without `GALLEY_PUBLIC_URL`, or where that names no host. */
export function linkHostOf({ config }: Pick<Outside, 'config'>): string | undefined {
  if (config.publicUrl === '') return undefined;
  const { hostname } = new URL(config.publicUrl);
  return /^\[|^[\d.]+$/.test(hostname) || !hostname.includes('.') ? undefined : hostname;
}

export const trackingHostOf = ({ name, settings }: Pick<SendingDomain, 'name' | 'settings'>): string =>
  `${settings.webPrefix}.${name}`;

/** Whether DNS, when it answered last, led from the host to the service. */
export function isTrackingHostSeen(domain: SendingDomain): boolean {
  const check = domain.checks.tracking;
  return domain.state === 'active' && check?.standing === 'seen' && check.name === trackingHostOf(domain);
}

/** Whose tracking host a host is; undefined for the service's own, and any that is nobody's. */
export async function findTrackingDomain(
  { db }: Pick<Outside, 'db'>,
  host: string,
): Promise<SendingDomain | undefined> {
  const name = host.toLowerCase().replace(/:\d+$/, '').replace(/\.$/, '');
  const domain = await findActiveDomain(db, name.slice(name.indexOf('.') + 1));
  return domain && trackingHostOf(domain) === name && isTrackingHostSeen(domain) ? domain : undefined;
}
