import { daysAfter } from '../../../platform/times/index.ts';
import { ADDRESS_DAYS, DOMAIN_DAYS, type Refused, type Watched } from './refusals-store.ts';
import type { ShownHit, SpamTrap } from './store.ts';

/** A trap on the wire. */
export function trapView({ id, value, type, note, createdAt, foreignHits, foreignAt }: SpamTrap) {
  return {
    id,
    value,
    type,
    note,
    created_at: createdAt.toISOString(),
    foreign_hits: foreignHits,
    last_foreign_at: foreignAt?.toISOString() ?? null,
  };
}

/** A hit on the wire: whoever sent it does not hear which address it was. */
export function hitView(hit: ShownHit) {
  const { id, at, type, source, sourceName, hits, domain, subject, ip, headerFrom, sender, tags, proof } = hit;
  return {
    id,
    at: at.toISOString(),
    type,
    source,
    source_name: sourceName,
    hits,
    domain,
    subject,
    ip,
    from: headerFrom,
    sender,
    tags,
    proof,
    has_message: hit.messageKey !== null,
  };
}

export function recycledView({ kind, value, firstRefusedAt, lastRefusedAt, refusals, acceptedAt }: Refused) {
  return {
    kind,
    value,
    first_refused_at: firstRefusedAt.toISOString(),
    last_refused_at: lastRefusedAt.toISOString(),
    refusals,
    accepted_at: (acceptedAt ?? lastRefusedAt).toISOString(),
  };
}

export function watchView({ since, until, addresses, domains, isFull }: Watched) {
  return {
    since: since.toISOString(),
    until: until.toISOString(),
    addresses_from: daysAfter(since, ADDRESS_DAYS).toISOString(),
    domains_from: daysAfter(since, DOMAIN_DAYS).toISOString(),
    addresses,
    domains,
    is_full: isFull,
  };
}
