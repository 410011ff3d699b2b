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
