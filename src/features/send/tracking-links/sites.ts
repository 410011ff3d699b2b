// Whose link it is: a link ends with its domain, and with its account.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findAnyDomain } from '../sending-domains/index.ts';

interface Site {
  accountId: string;
  domain: string;
}

/** What is known of a domain may be so old. */
const KNOWN_MS = 10_000;
const KNOWN_MAX = 10_000;
const known = new WeakMap<Db, Recent<{ until: number; site: Promise<Site | undefined> }>>();

async function readSite({ db }: Pick<Outside, 'db'>, domainId: string): Promise<Site | undefined> {
  const domain = await findAnyDomain(db, domainId);
  if (!domain || domain.state === 'disabled' || !(await isAccountOpen({ db }, domain.accountId))) return undefined;
  return { accountId: domain.accountId, domain: domain.name };
}

/** Undefined when the domain is gone or disabled, or its account is not open. */
export function siteOf(outside: Pick<Outside, 'db' | 'clock'>, domainId: string): Promise<Site | undefined> {
  const { db, clock } = outside;
  const sites = known.get(db) ?? new Recent(KNOWN_MAX);
  known.set(db, sites);
  const now = clock.now().getTime();
  const found = sites.get(domainId);
  if (found && found.until > now) return found.site;
  const site = readSite(outside, domainId);
  sites.set(domainId, { until: now + KNOWN_MS, site });
  site.catch(() => sites.delete(domainId));
  return site;
}
