// The record of a domain: what is there, and what to publish.
import {
  readPolicyRecord,
  registeredDomain,
  writePolicyRecord,
  type AppliedRecord,
  type Policy,
  type PolicyRecord,
} from '../../../engines/dmarc-reports/index.ts';
import { discoverPolicy } from '../../../engines/mail-authentication/index.ts';
import type { Context, Outside } from '../../../platform/feature/index.ts';
import { invalid } from '../../../platform/errors/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { checkAuthorizations } from './domains.ts';
import { ensureInbox, type Inbox } from './store.ts';

export interface WantedTags {
  p?: string;
  sp?: string;
  np?: string;
  adkim?: string;
  aspf?: string;
  t?: string;
}

const NAME = /^(?=.{3,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/;

/** The domain of a path, in lower case. Throws `invalid_request`. */
export function domainOf(given: string): string {
  const domain = given.toLowerCase().replace(/\.$/, '');
  if (!NAME.test(domain)) throw invalid('domain', 'must be a domain name, such as example.com.');
  return domain;
}

/** An account's inbox, and its address. */
export async function openInboxOf(
  { db, clock, config }: Pick<Outside, 'db' | 'clock' | 'config'>,
  accountId: string,
): Promise<Inbox & { address: string }> {
  const wanted = { localPart: `dmarc-${randomHex(12)}`, at: clock.now() };
  const inbox = await ensureInbox(db, accountId, wanted);
  return { ...inbox, address: `${inbox.localPart}@${config.smtp.domain}`.toLowerCase() };
}

/** The inbox of the account that asks, and its address. */
export const openInbox = (
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'principal'>,
): Promise<Inbox & { address: string }> => openInboxOf(ctx, ctx.principal.accountId);

/** What a record above asks for at a domain below: its `sp`, and the same below that. */
function below(record: PolicyRecord): PolicyRecord {
  return { ...record, p: record.sp ?? record.p, sp: null };
}

/** The record that applies to a domain, read; and whether its reports come to an address and may. */
export async function findRecord({ dns }: Pick<Outside, 'dns'>, domain: string, address: string) {
  const found = await discoverPolicy(domain, dns);
  const published = found.record === null ? undefined : readPolicyRecord(found.record);
  const inheritedFrom = found.policyDomain === domain ? null : found.policyDomain;
  const own = found.organizationalDomain ?? registeredDomain(domain);
  const { reportAddresses = [], failureAddresses = [] } = published ?? {};
  const authorizations = await checkAuthorizations(dns, {
    domain: found.policyDomain ?? domain,
    addresses: [...new Set([address, ...reportAddresses, ...failureAddresses])],
    isInside: (host) => host === own || host.endsWith(`.${own}`),
  });
  const isAllowed = authorizations.every((one) => one.address !== address || one.state === 'published');
  const applied: AppliedRecord = {
    record: published && inheritedFrom !== null ? below(published) : published,
    inheritedFrom,
    isKnown: found.isKnown,
    reportsHere: reportAddresses.includes(address) && isAllowed,
  };
  return { found, applied, authorizations };
}

/** Everything about the record of a domain. */
export async function describeRecord(
  ctx: Pick<Context, 'db' | 'clock' | 'config' | 'principal' | 'dns'>,
  domain: string,
  wanted: WantedTags,
) {
  const { address } = await openInbox(ctx);
  const { found, applied, authorizations } = await findRecord(ctx, domain, address);
  const { record } = applied;
  // What is published above is the organization's; a record of the domain's own begins with the same.
  const others = (record?.reportAddresses ?? []).filter((one) => one !== address);
  const entry = writePolicyRecord({
    p: (wanted.p ?? record?.p ?? 'none') as Policy,
    sp: (wanted.sp ?? record?.sp ?? undefined) as Policy | undefined,
    np: (wanted.np ?? record?.np ?? undefined) as Policy | undefined,
    adkim: (wanted.adkim ?? record?.tags['adkim']?.toLowerCase()) as 'r' | 's' | undefined,
    aspf: (wanted.aspf ?? record?.tags['aspf']?.toLowerCase()) as 'r' | 's' | undefined,
    isTesting: wanted.t === undefined ? record?.isTesting : wanted.t === 'y',
    reportAddresses: [address, ...others],
    failureAddresses: record?.failureAddresses ?? [],
    fo: record?.tags['fo'],
    psd: applied.inheritedFrom === null ? record?.tags['psd'] : undefined,
  });
  const built = readPolicyRecord(entry)!;
  return {
    entry,
    policy: {
      p: built.p!,
      sp: built.sp,
      np: built.np,
      adkim: built.tags['adkim'] ?? 'r',
      aspf: built.tags['aspf'] ?? 'r',
      t: built.tags['t'] ?? 'n',
    },
    current: found.record ?? '',
    configured: applied.reportsHere,
    name: `_dmarc.${domain}`,
    address,
    policy_domain: found.policyDomain,
    organizational_domain: found.organizationalDomain,
    dns: found.isKnown ? ('answered' as const) : ('unknown' as const),
    notes: record?.notes ?? [],
    authorizations,
  };
}
