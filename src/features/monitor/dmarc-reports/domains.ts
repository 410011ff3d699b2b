// Whose domain a report is about: of the account, or one whose own record asks for reports at the account's address.
import { readPolicyRecord } from '../../../engines/dmarc-reports/index.ts';
import { isNoSuchName, type Dns } from '../../../platform/dns/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { listOwned } from '../../send/sending-domains/index.ts';

/** The domain itself and those above it. */
function upwards(domain: string): string[] {
  const labels = domain.split('.');
  return labels.slice(0, -1).map((_label, place) => labels.slice(place).join('.'));
}

/** The records of DMARC at `_dmarc.<domain>`, as published. Undefined: DNS did not say. */
async function recordsAt(dns: Dns, domain: string): Promise<string[] | undefined> {
  try {
    const records = await dns.resolve(`_dmarc.${domain}`, 'TXT');
    return records.map((pieces) => pieces.join('')).filter((text) => readPolicyRecord(text) !== undefined);
  } catch (error) {
    return isNoSuchName(error) ? [] : undefined;
  }
}

/**
 * Why reports about a domain are not kept, in one sentence; undefined where they are. `address` is where the account's
 * reports arrive.
 */
export async function whyForeign(
  { db, dns }: Pick<Outside, 'db' | 'dns'>,
  accountId: string,
  { domain, address }: { domain: string; address: string },
): Promise<string | undefined> {
  if ((await listOwned(db, accountId, upwards(domain))).length > 0) return undefined;
  const records = await recordsAt(dns, domain);
  if (records?.some((text) => readPolicyRecord(text)?.reportAddresses.includes(address))) return undefined;
  return (
    `${domain} is no domain of this account, nor below one` +
    `${records === undefined ? ', and DNS did not say whether its record' : ', and its record does not'} ` +
    `ask${records === undefined ? 's' : ''} for reports at ${address}.`
  );
}

/** How an address of a record outside of the domain is allowed to get its reports (RFC 9990 §3). */
interface Authorization {
  address: string;
  /** The TXT record that its domain publishes, and what it says. */
  name: string;
  value: string;
  state: 'published' | 'missing' | 'unknown';
}

/** Checks the addresses that do not belong to the domain's organization. */
export async function checkAuthorizations(
  dns: Dns,
  {
    domain,
    addresses,
    isInside,
  }: { domain: string; addresses: readonly string[]; isInside: (host: string) => boolean },
): Promise<Authorization[]> {
  const outside = addresses.filter((address) => !isInside(hostOf(address)));
  return Promise.all(
    outside.map(async (address) => {
      const name = `${domain}._report._dmarc.${hostOf(address)}`;
      const state = await dns.resolve(name, 'TXT').then(
        (records) => (records.some((pieces) => /^v\s*=\s*DMARC1\b/i.test(pieces.join(''))) ? 'published' : 'missing'),
        (error: unknown) => (isNoSuchName(error) ? 'missing' : 'unknown'),
      );
      return { address, name, value: 'v=DMARC1', state } as const;
    }),
  );
}

export const hostOf = (address: string): string => address.slice(address.lastIndexOf('@') + 1);
