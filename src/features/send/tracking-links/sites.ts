// Whose link it is: a link ends with its domain, and with its account.
import type { Db } from '../../../platform/db/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { Recent } from '../../../platform/recent/index.ts';
import { isAccountOpen } from '../../account/accounts/index.ts';
import { findAnyDomain, findTrackingDomain } from '../sending-domains/index.ts';

interface Site {
  accountId: string;
  domain: string;
}

/** What is known of a domain, or of a host, may be so old. */
const KNOWN_MS = 10_000;
const KNOWN_MAX = 10_000;

/** Answers kept for a moment, for each database. */
function remembering<Value>(read: (outside: Pick<Outside, 'db'>, key: string) => Promise<Value>) {
  const known = new WeakMap<Db, Recent<{ until: number; value: Promise<Value> }>>();
  return (outside: Pick<Outside, 'db' | 'clock'>, key: string): Promise<Value> => {
    const { db, clock } = outside;
    const own = known.get(db) ?? new Recent(KNOWN_MAX);
    known.set(db, own);
    const now = clock.now().getTime();
    const found = own.get(key);
    if (found && found.until > now) return found.value;
    const value = read(outside, key);
    own.set(key, { until: now + KNOWN_MS, value });
    value.catch(() => own.delete(key));
    return value;
  };
}

/** By the id of a domain. Undefined when it is gone or disabled, or its account is not open. */
export const siteOf = remembering(async ({ db }, domainId: string): Promise<Site | undefined> => {
  const domain = await findAnyDomain(db, domainId);
  if (!domain || domain.state === 'disabled' || !(await isAccountOpen({ db }, domain.accountId))) return undefined;
  return { accountId: domain.accountId, domain: domain.name };
});

const ownerOf = remembering(async (outside, host: string) => (await findTrackingDomain(outside, host))?.id);

const HOST_LENGTH_MAX = 260;

/** Whether a host answers for the links of a domain: all do but the tracking hosts of others. */
export async function isHostOf(
  outside: Pick<Outside, 'db' | 'clock'>,
  host: string,
  domainId: string,
): Promise<boolean> {
  if (host.length > HOST_LENGTH_MAX) return false;
  const owner = await ownerOf(outside, host.toLowerCase());
  return owner === undefined || owner === domainId;
}
