import { verdictName, type SeedDelivery, type SeedProvider } from '../_seeds/index.ts';
import { nameView } from '../_inspections/index.ts';
import type { SpamTest } from './store.ts';

export type ProviderNames = ReadonlyMap<string, Pick<SeedProvider, 'displayName' | 'category'>>;

const PLACEMENTS = { inbox: 'inbox', category: 'inbox', spam: 'spam' } as const;
const LOST = { bounced: 'rejected', missing: 'missing', unknown: 'unknown' } as const;

function placementOf({ state, placement }: SeedDelivery): 'inbox' | 'spam' | 'missing' | 'rejected' | 'unknown' | null {
  if (state === 'delivered') return placement === null ? null : PLACEMENTS[placement];
  return state === 'bounced' || state === 'missing' || state === 'unknown' ? LOST[state] : null;
}

/** The topmost verdict of each method: Galley's own, or what the provider wrote into the copy. */
function authenticationOf({ report }: SeedDelivery) {
  if (report?.stated) return report.stated;
  if (!report?.authentication) return null;
  const { spf, dkim, dmarc } = report.authentication;
  return {
    spf: spf.result,
    dkim: (dkim.find(({ result }) => result === 'pass') ?? dkim[0])?.result ?? null,
    dmarc: dmarc.result,
  };
}

function smtpReplyOf({ handover }: SeedDelivery): string | null {
  const last = handover?.replies.at(-1);
  return last ? [last.code, last.enhancedCode, last.text].filter(Boolean).join(' ') : null;
}

function resultView(delivery: SeedDelivery, names: ProviderNames) {
  const placement = placementOf(delivery);
  const { report } = delivery;
  return {
    esp: delivery.provider,
    display_name: names.get(delivery.provider)?.displayName ?? delivery.provider,
    seed: delivery.email,
    kind: delivery.seedKind,
    simulated: delivery.seedKind === 'receiver',
    status:
      placement === null ? ('pending' as const) : placement === 'inbox' ? ('passed' as const) : ('failed' as const),
    placement,
    folder: delivery.category,
    reason: delivery.reason,
    score: report?.verdict?.score ?? null,
    spam_threshold: report?.verdict?.thresholds.spam ?? null,
    // Verdicts of earlier versions cite nothing.
    reasons: (report?.verdict?.reasons ?? []).map((reason) => ({ ...reason, source: reason.source ?? null })),
    filters: (report?.filters ?? []).map((said) => ({ ...said, verdict: verdictName(said.verdict) })),
    authentication: authenticationOf(delivery),
    smtp_reply: smtpReplyOf(delivery),
    attempts: delivery.attempts,
    copies: delivery.copies,
    received_at: delivery.receivedAt?.toISOString() ?? null,
  };
}

function groupView(deliveries: readonly SeedDelivery[], names: ProviderNames) {
  const results = deliveries.map((delivery) => resultView(delivery, names));
  const count = (status: string): number => results.filter((result) => result.status === status).length;
  const simulated = results.filter((result) => result.simulated).length;
  return { passed: count('passed'), failed: count('failed'), pending: count('pending'), simulated, results };
}

/** A test as the wire has it; results stand in it as soon as the message is under way. */
export function testView(test: SpamTest, deliveries: readonly SeedDelivery[], names: ProviderNames) {
  const isBusiness = ({ provider }: SeedDelivery): boolean => names.get(provider)?.category === 'b2b';
  const results = deliveries.length
    ? {
        b2c: groupView(
          deliveries.filter((one) => !isBusiness(one)),
          names,
        ),
        b2b: groupView(deliveries.filter(isBusiness), names),
      }
    : null;
  return {
    id: test.id,
    status: test.status,
    name: nameView({ name: test.name || test.subject }),
    subject: test.subject,
    sending_ip: test.sendingIp,
    region: test.region as 'us1' | 'eu1',
    results,
    failure_reason: test.failureReason,
    created_at: test.createdAt.toISOString(),
    updated_at: test.updatedAt.toISOString(),
  };
}
