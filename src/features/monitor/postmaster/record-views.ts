// Records as existing clients read them.
import { addressRange, isWithin } from './addresses.ts';
import { dateOf } from './days.ts';
import type { Compliance } from './compliance-store.ts';
import type { Connection } from './connection-store.ts';
import type { AddressDay, DomainDay, SndsDay, SndsStatus } from './store.ts';

/** What belongs to a record of a domain and stands elsewhere. */
interface DayParts {
  loops: { domain: string; day: string; loopId: string; ratio: number }[];
  addresses: { domain: string; day: string; reputation: number; count: number }[];
}

/** A record of one domain on one day. */
export function domainView(row: DomainDay, { loops, addresses }: DayParts) {
  const isSame = (one: { domain: string; day: string }): boolean => one.domain === row.domain && one.day === row.day;
  return {
    name: row.domain,
    user_reported_spam_ratio: row.spamRatio,
    spf_success_ratio: row.spfRatio,
    dkim_success_ratio: row.dkimRatio,
    dmarc_success_ratio: row.dmarcRatio,
    inbound_encryption_ratio: row.encryptionRatio,
    delivery_error_ratio: row.errorRatio,
    delivery_errors: row.errors.map(({ errorClass, errorType, ratio }) => ({
      error_class: errorClass,
      error_type: errorType,
      error_ratio: ratio,
    })),
    reputation: row.reputation,
    reputation_source: row.reputationSource,
    source: row.source,
    date: dateOf(row.day),
    ip_counts: addresses.filter(isSame).map(({ reputation, count }) => ({ reputation, total: count })),
    feedback_loops: loops.filter(isSame).map(({ loopId, ratio }) => ({ id: loopId, spam_ratio: ratio })),
  };
}

/** A record of one sending address on one day. */
export function addressView({ domain, address, reputation, day }: AddressDay) {
  return { domain_name: domain, address, reputation, reputation_source: 'upload' as const, date: dateOf(day) };
}

export function loopView({
  domain,
  loopId,
  ratio,
  day,
}: {
  domain: string;
  loopId: string;
  ratio: number;
  day: string;
}) {
  return { name: domain, id: loopId, ratio, date: dateOf(day) };
}

const REPUTATIONS = { GREEN: 4, YELLOW: 2, RED: 1 } as const;

/** A record of SNDS, in the field's own shape and in that of summaries of addresses. */
export function sndsView(row: SndsDay, statuses: readonly SndsStatus[]) {
  const named = statuses.filter(({ firstAddress, lastAddress }) =>
    isWithin(row.address, addressRange(firstAddress, lastAddress)),
  );
  const blocked = named.find(({ isBlocked }) => isBlocked);
  const share =
    row.trapHits === null || row.recipients === null || row.recipients === 0
      ? null
      : (row.trapHits / row.recipients) * 100;
  return {
    ip_address: row.address,
    block_text: blocked?.reason ?? '',
    is_blocked: named.length === 0 ? null : blocked !== undefined,
    complaint_rate: row.complaintRate,
    date: dateOf(row.day),
    filter_result: row.filterResult,
    recipients: row.recipients,
    trap_hits: row.trapHits,
    trap_message_period: row.trapPeriod,
    trap_percentage: share,
    source: row.source,
    domain_name: '',
    address: row.address,
    reputation: row.filterResult === null ? 0 : REPUTATIONS[row.filterResult],
  };
}

const shown = (at: Date | null): string | null => at?.toISOString() ?? null;

/** A connection as its account sees it: nothing that is secret. */
export function connectionView(row: Connection) {
  const { id, provider, method, settings, state, problem } = row;
  return {
    id,
    provider,
    method,
    name: settings.name,
    asks: settings.asks,
    identity: settings.identity,
    state,
    problem,
    ends_at: settings.endsAt,
    checked_at: shown(row.checkedAt),
    succeeded_at: shown(row.succeededAt),
    next_at: shown(row.dueAt),
    created_at: row.createdAt.toISOString(),
  };
}

/** What Google says of one domain's requirements. */
export function complianceView(compliance: Compliance | null | undefined) {
  if (!compliance) return null;
  const { domain, requirements, deliverability, oneClickUnsubscribe, honorUnsubscribe } = compliance;
  return {
    domain,
    requirements: requirements.map(({ requirement, state }) => ({ requirement, state })),
    deliverability,
    one_click_unsubscribe: oneClickUnsubscribe,
    honor_unsubscribe: honorUnsubscribe,
  };
}
