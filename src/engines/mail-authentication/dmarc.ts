// DMARC (RFC 9989): does the author's domain stand behind the message?
import { boundedResolver, type LibraryResolver } from './bounded-dns.ts';
import type { CheckedDkim } from './dkim.ts';
import { verifiers } from './library.ts';
import type { AuthDns, DmarcPolicy, DmarcResult, DmarcVerdict, SpfVerdict } from './types.ts';

export type DmarcEvaluation = Awaited<ReturnType<Awaited<ReturnType<typeof verifiers>>['evaluateDmarc']>>;

interface CheckedDmarc {
  verdict: DmarcVerdict;
  evaluation: DmarcEvaluation;
  /** Normal form of the signing domains that align. */
  alignedSigners: Set<string>;
}

const NO_AUTHOR: Record<string, string> = {
  'no-author-domain': 'From holds no address with a domain.',
  'multiple-author-domains': 'From holds addresses of several domains; no single one can answer for the message.',
  'invalid-author-domain': 'The domain in From is not a domain name.',
  'multiple-from-fields': 'The message has more than one From field.',
};

/** Judges by what SPF and DKIM found. */
export async function checkDmarc({
  spf,
  dkim,
  arc,
  resolver,
}: {
  spf: SpfVerdict;
  dkim: CheckedDkim;
  arc: object;
  resolver: LibraryResolver;
}): Promise<CheckedDmarc> {
  const { evaluateDmarc } = await verifiers();
  const { headerFrom, fromFields } = dkim;
  const evaluation = await evaluateDmarc({
    headerFrom,
    fromFields,
    spfDomains: spf.result === 'pass' ? [spf.domain] : [],
    dkimDomains: dkim.checks
      .filter((check) => check.status.result === 'pass')
      .map((check) => ({
        domain: check.signingDomain ?? '',
        ...(check.id === undefined ? {} : { id: check.id }),
        ...(check.status.underSized === undefined ? {} : { underSized: check.status.underSized }),
      })),
    arcResult: arc as never,
    resolver,
    strict: true,
  });
  return {
    evaluation,
    alignedSigners: evaluation.dkimAligned ?? new Set(),
    verdict: verdictOf(evaluation, { spf, dkim }),
  };
}

interface DiscoveredPolicy {
  /** False: DNS did not say. */
  isKnown: boolean;
  /** The record that applies, as published; null: there is none. */
  record: string | null;
  /** Where it is published. */
  policyDomain: string | null;
  organizationalDomain: string | null;
}

/** Finds the record that applies to a domain by the tree walk (RFC 9989 §4.10). */
export async function discoverPolicy(domain: string, dns: AuthDns): Promise<DiscoveredPolicy> {
  const { evaluateDmarc } = await verifiers();
  const { response } = await evaluateDmarc({
    headerFrom: [domain],
    spfDomains: [],
    dkimDomains: [],
    arcResult: {} as never,
    resolver: boundedResolver(dns),
    strict: true,
  });
  const nothing = { isKnown: true, record: null, policyDomain: null, organizationalDomain: null };
  if (response === false) return nothing;
  if (response.rr === undefined && response.status.result === 'temperror') return { ...nothing, isKnown: false };
  return {
    isKnown: true,
    record: response.rr ?? null,
    policyDomain: response.policyDomain ?? null,
    organizationalDomain: response.domain ?? null,
  };
}

function verdictOf(evaluation: DmarcEvaluation, checked: { spf: SpfVerdict; dkim: CheckedDkim }): DmarcVerdict {
  const { response } = evaluation;
  if (response === false) {
    const reason = NO_AUTHOR[evaluation.reason ?? ''] ?? 'The author of the message cannot be determined.';
    return { ...blank(), result: 'permerror', reason, rfc: 'RFC 9989 §5.3.1' };
  }
  const result = response.status.result as DmarcResult;
  const fromDomain = response.status.header?.from ?? null;
  const organizationalDomain = response.domain ?? null;
  if (result === 'none')
    return {
      ...blank(),
      result,
      fromDomain,
      organizationalDomain,
      reason: `Neither ${fromDomain} nor a domain above it publishes a DMARC record.`,
      rfc: 'RFC 9989 §4.10',
    };
  const alignment = {
    spf: {
      mode: response.alignment?.spf.strict ? ('strict' as const) : ('relaxed' as const),
      domain: response.alignment?.spf.result ?? null,
    },
    dkim: {
      mode: response.alignment?.dkim.strict ? ('strict' as const) : ('relaxed' as const),
      domain: response.alignment?.dkim.result ?? null,
    },
  };
  const policy = (response.policy as DmarcPolicy | undefined) ?? null;
  const verdict: DmarcVerdict = {
    ...blank(),
    result,
    fromDomain,
    organizationalDomain,
    policyDomain: response.policyDomain ?? null,
    record: response.rr ?? null,
    policy,
    isTesting: response.testMode ?? false,
    disposition: result === 'fail' && policy ? policy : 'none',
    alignment,
    rfc: result === 'temperror' ? 'RFC 9989 §4.10' : 'RFC 9989 §4.4',
  };
  return { ...verdict, reason: reasonOf(verdict, checked) };
}

function blank(): DmarcVerdict {
  const none = { mode: 'relaxed', domain: null } as const;
  return {
    result: 'none',
    reason: '',
    rfc: '',
    fromDomain: null,
    organizationalDomain: null,
    policyDomain: null,
    record: null,
    policy: null,
    isTesting: false,
    disposition: 'none',
    alignment: { spf: { ...none }, dkim: { ...none } },
  };
}

function reasonOf(
  { result, fromDomain, alignment, policy }: DmarcVerdict,
  { spf, dkim }: { spf: SpfVerdict; dkim: CheckedDkim },
): string {
  if (result === 'temperror') return `The DMARC record for ${fromDomain} could not be looked up completely.`;
  if (result === 'pass') {
    const by = [
      alignment.dkim.domain === null ? '' : `the DKIM signature of ${alignment.dkim.domain}`,
      alignment.spf.domain === null ? '' : `SPF for ${alignment.spf.domain}`,
    ].filter(Boolean);
    return `${fromDomain} stands behind the message by ${by.join(' and ')}.`;
  }
  const passing = dkim.verdicts.filter((verdict) => verdict.result === 'pass').map(({ domain }) => domain);
  const spfPart =
    spf.result === 'pass'
      ? `SPF passed for ${spf.domain}, which does not align (${alignment.spf.mode})`
      : `SPF did not pass (${spf.result})`;
  const dkimPart =
    passing.length > 0
      ? `DKIM passed for ${passing.join(', ')}, which does not align (${alignment.dkim.mode})`
      : 'no DKIM signature passed';
  return `Nothing ties the message to ${fromDomain}: ${spfPart}, and ${dkimPart}. The domain asks for ${policy}.`;
}
