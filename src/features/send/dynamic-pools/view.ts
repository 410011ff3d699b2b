import type { Band } from '../../../engines/reputation-bands/index.ts';
import type { Move } from './history-store.ts';
import type { Enrollment } from './store.ts';

/** What a band is called on the wire; empty for none. */
export const poolName = (band: Band | ''): string => (band === '' ? '' : `dynamic_${band}`);

export function domainView(domain: Enrollment) {
  return {
    id: domain.domainId,
    account_id: domain.accountId,
    account_name: domain.accountName,
    name: domain.name,
    registered_at: domain.enrolledAt.toISOString(),
    pool: poolName(domain.band),
    override: domain.isOverride,
    bounce_rate: domain.bounceRate,
    complaint_rate: domain.complaintRate,
    processed_count: domain.processedCount,
    reason: domain.reason,
    pool_since: domain.bandedAt.toISOString(),
    checked_at: domain.checkedAt.toISOString(),
  };
}

export function moveView(move: Move) {
  return {
    id: move.id,
    owning_account_id: move.ownerId,
    account_id: move.accountId,
    account_name: move.accountName,
    domain_id: move.domainId,
    domain_name: move.domainName,
    new_band: poolName(move.newBand),
    prev_band: poolName(move.prevBand),
    reason: move.reason,
    bounce_rate: move.bounceRate,
    complaint_rate: move.complaintRate,
    processed_count: move.processedCount,
    initiated_by: move.initiatedBy,
    timestamp: move.at.toISOString(),
  };
}
