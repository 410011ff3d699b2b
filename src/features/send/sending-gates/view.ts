import type { GatedMessage } from './messages-store.ts';
import type { GateSettings } from './store.ts';

export const settingsView = ({ domain, mode, policy, checks }: GateSettings & { domain: string }) => ({
  domain,
  mode,
  policy,
  checks,
});

/** Why it is where it is, in words. */
function reasonOf({ state, verdict, reasons, domain, decidedBy }: GatedMessage): string {
  const why = (reasons ?? []).join(' ');
  const by = decidedBy === null ? '' : ` by ${decidedBy}`;
  switch (state) {
    case 'checking':
      return `The gate of ${domain} checks it before it leaves.`;
    case 'held':
      return verdict === 'unknown'
        ? `The gate of ${domain} holds it, because it could not be checked. ${why}`
        : `The gate of ${domain} holds it. ${why}`;
    case 'sent':
      if (verdict === null) return 'It was sent without a verdict, because too many contents waited for one.';
      if (verdict === 'pass') return 'It passed the gate.';
      if (verdict === 'fail') return `It was sent although it failed the gate. ${why}`;
      if (verdict === 'unknown') return `It was sent, and could not be checked. ${why}`;
      return 'It was sent while the gate checks it.';
    case 'passed':
      return 'It waited for the gate and passed.';
    case 'released':
      return `It failed the gate, and was released${by}. ${why}`.trim();
    case 'dropped':
      return `It was dropped${by}. ${why}`.trim();
    case 'refused':
      return `The gate of ${domain} refused it. ${why}`;
    case 'expired':
      return `Nobody released it within 48 hours, and it was dropped. ${why}`.trim();
  }
}

/** A message, and what the gate said of it. */
export function gatedView(gated: GatedMessage) {
  const { key, messageName, subject, headerFrom, verdict, gateId, reasons } = gated;
  return {
    message: { id: `<${messageName}>`, storage_key: key, subject, from: headerFrom },
    domain: gated.domain,
    mode: gated.mode,
    state: gated.state,
    reason: reasonOf(gated),
    recipients: gated.recipients,
    waiting: gated.waiting,
    size_bytes: gated.sizeBytes,
    verdict: { state: verdict ?? ('none' as const), gate_id: gateId, reasons: reasons ?? [] },
    created_at: gated.createdAt.toISOString(),
    held_until: gated.heldUntil?.toISOString() ?? null,
    decided_at: gated.decidedAt?.toISOString() ?? null,
    decided_by: gated.decidedBy,
  };
}
