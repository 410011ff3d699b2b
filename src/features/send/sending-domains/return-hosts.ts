// The host of a domain's return paths: bounces come back to it, and receivers look up SPF for it.
import { AppError, invalid } from '../../../platform/errors/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import type { SendingDomain } from './store.ts';
import { trackingHostOf } from './tracking-hosts.ts';

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const BELOW = new RegExp(String.raw`^(?:${LABEL}\.)+$`);
const HOST_LENGTH_MAX = 253;

/**
 * The host that was given; null: the installation's own. Throws `invalid_request` for one that is not below the domain,
 * where neither SPF nor the bounces could be the domain's.
 */
export function readReturnHost(
  { config }: Pick<Outside, 'config'>,
  domain: Pick<SendingDomain, 'name' | 'type' | 'settings'>,
  given: string | undefined,
): string | null | undefined {
  if (given === undefined) return undefined;
  const host = given.trim().toLowerCase().replace(/\.$/, '');
  const own = config.smtp.domain.toLowerCase();
  if (host === '' || host === own) return null;
  const field = 'mailfrom_host';
  if (domain.type === 'sandbox')
    throw new AppError('invalid_request', 'A sandbox domain has no records in DNS, so mailfrom_host has no effect.', {
      details: { field },
    });
  const isBelow = host.endsWith(`.${domain.name}`) && BELOW.test(host.slice(0, -domain.name.length));
  if (!isBelow || host.length > HOST_LENGTH_MAX)
    throw invalid(field, `must be a host below ${domain.name}, such as bounces.${domain.name}, or ${own}, or empty.`);
  if (host === trackingHostOf(domain))
    throw invalid(field, `must not be ${host}: that is the host of links, whose CNAME record leads elsewhere.`);
  return host;
}

/** The host that return paths have now: that of the domain while DNS leads from it to this installation. */
export function returnHostOf({ settings, checks }: Pick<SendingDomain, 'settings' | 'checks'>): string | undefined {
  const { mailfromHost } = settings;
  const { return_path: check } = checks;
  return mailfromHost && check?.standing === 'seen' && check.name === mailfromHost ? mailfromHost : undefined;
}
