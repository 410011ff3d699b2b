// ARC (RFC 8617) and BIMI (draft-brand-indicators-for-message-identification).
import type { LibraryResolver } from './bounded-dns.ts';
import type { CheckedDkim } from './dkim.ts';
import type { DmarcEvaluation } from './dmarc.ts';
import { verifiers } from './library.ts';
import type { ArcVerdict, BimiVerdict } from './types.ts';

type ArcCheck = Awaited<ReturnType<Awaited<ReturnType<typeof verifiers>>['arc']>>;

interface SealTags {
  i?: number;
  'arc-seal'?: { parsed?: { d?: { value?: unknown }; s?: { value?: unknown } } };
}

/** Checks the chain of seals. */
export async function checkArc(dkim: CheckedDkim, { ip, resolver }: { ip: string; resolver: LibraryResolver }): Promise<{ verdict: ArcVerdict; check: ArcCheck }> {
  const { arc } = await verifiers();
  const check = await arc(dkim.verification.arc as never, { resolver, strict: true, ip });
  const result = check.status.result as ArcVerdict['result'];
  const sealers = ((check.chain || []) as SealTags[]).map((entry) => ({
    instance: entry.i ?? 0,
    domain: String(entry['arc-seal']?.parsed?.d?.value ?? ''),
    selector: String(entry['arc-seal']?.parsed?.s?.value ?? ''),
  }));
  return { check, verdict: { result, sealers, ...explainArc(result, sealers, check.status.comment) } };
}

function explainArc(result: ArcVerdict['result'], sealers: ArcVerdict['sealers'], comment: string | undefined): { reason: string; rfc: string } {
  if (result === 'none') return { reason: 'Nobody on the way sealed the message.', rfc: 'RFC 8617 §5.2' };
  if (result === 'pass') return { reason: `All ${sealers.length} seals hold, the last by ${sealers.at(-1)?.domain}, and the message is as it was sealed.`, rfc: 'RFC 8617 §5.2' };
  return { reason: `The chain of seals is broken${comment === undefined ? '' : `: ${comment}`}.`, rfc: 'RFC 8617 §5.2' };
}

/** Looks for the sender's logo. */
export async function checkBimi(dkim: CheckedDkim, { evaluation, resolver }: { evaluation: DmarcEvaluation; resolver: LibraryResolver }): Promise<{ verdict: BimiVerdict; info: string | undefined }> {
  const draft = 'draft-brand-indicators-for-message-identification §7';
  const nothing: BimiVerdict = { result: 'skipped', reason: 'Without one author there is no logo to look for.', rfc: draft, logoUrl: null, authorityUrl: null };
  if (evaluation.response === false) return { verdict: nothing, info: undefined };
  const { bimi } = await verifiers();
  const check = await bimi({ dmarc: evaluation.response, headers: dkim.verification.headers, resolver, strict: true });
  if (check === false) return { verdict: nothing, info: undefined };
  const result = check.status.result as BimiVerdict['result'];
  const reasons: Record<BimiVerdict['result'], string> = {
    pass: `The logo is at ${check.location}.`,
    none: 'The domain publishes no logo.',
    declined: 'The domain declares that it shows no logo.',
    skipped: `Logos are shown only with an enforced DMARC policy that the message passes${check.status.comment === undefined ? '' : ` (${check.status.comment})`}.`,
    fail: `The BIMI record cannot be used${check.status.comment === undefined ? '' : `: ${check.status.comment}`}.`,
    temperror: 'The BIMI record could not be looked up.',
  };
  return { info: check.info, verdict: { result, reason: reasons[result] ?? result, rfc: draft, logoUrl: check.location ?? null, authorityUrl: check.authority ?? null } };
}
