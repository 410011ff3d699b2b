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
  'arc-message-signature'?: { parsed?: { c?: { value?: unknown } } };
}

interface ArcOptions {
  ip: string;
  resolver: LibraryResolver;
  now: Date;
}

/** As plain data: it may come from another process. */
export interface CheckedArc {
  verdict: ArcVerdict;
  /** What other standards read of it. */
  check: { status: { result: string }; info: string | undefined };
}

/** Checks the chain of seals of the message whose signatures were checked. */
export async function checkArc(raw: Buffer, sealed: object | undefined, options: ArcOptions): Promise<CheckedArc> {
  const { check, verdict } = await checkChain(raw, sealed, options);
  return { verdict, check: { status: { result: check.status.result }, info: check.info } };
}

async function checkChain(
  raw: Buffer,
  sealed: object | undefined,
  { ip, resolver, now }: ArcOptions,
): Promise<{ verdict: ArcVerdict; check: ArcCheck }> {
  const { arc } = await verifiers();
  const check = await arc(sealed as never, { resolver, strict: true, ip });
  const result = check.status.result as ArcVerdict['result'];
  const sealers = ((check.chain || []) as SealTags[]).map((entry) => ({
    instance: entry.i ?? 0,
    domain: String(entry['arc-seal']?.parsed?.d?.value ?? ''),
    selector: String(entry['arc-seal']?.parsed?.s?.value ?? ''),
  }));
  const explained = explainArc(result, sealers, check.status.comment);
  const last = ((check.chain || []) as SealTags[]).at(-1);
  const isUnsaid = result === 'fail' && last !== undefined && last['arc-message-signature']?.parsed?.c === undefined;
  if (!isUnsaid || !(await holdsRelaxed(raw, { ip, resolver, now })))
    return { check, verdict: { result, sealers, ...explained } };
  const reason =
    `${explained.reason.slice(0, -1)}; the last one names no canonicalization (c=), which means simple/simple. ` +
    'Read as relaxed/relaxed, as drafts of ARC had it and some receivers still do, the chain holds.';
  return { check, verdict: { result, sealers, reason, rfc: 'RFC 8617 §4.1.2, RFC 6376 §3.5' } };
}

/**
 * Whether the chain holds by the rule of the drafts for a signature without c=, for which the library has its lenient
 * mode.
 */
async function holdsRelaxed(raw: Buffer, { ip, resolver, now }: ArcOptions): Promise<boolean> {
  const { arc, dkimVerify } = await verifiers();
  const lenient = await dkimVerify(raw, { resolver, curTime: now, strict: false });
  const check = await arc(lenient.arc as never, { resolver, strict: false, ip });
  return check.status.result === 'pass';
}

function explainArc(
  result: ArcVerdict['result'],
  sealers: ArcVerdict['sealers'],
  comment: string | undefined,
): { reason: string; rfc: string } {
  if (result === 'none') return { reason: 'No server on the way sealed the message.', rfc: 'RFC 8617 §5.2' };
  if (result === 'pass')
    return {
      reason:
        `All ${sealers.length} seals hold, the last by ${sealers.at(-1)?.domain}, and the ` +
        'message is as it was sealed.',
      rfc: 'RFC 8617 §5.2',
    };
  return {
    reason: `The chain of seals is broken${comment === undefined ? '' : `: ${comment}`}.`,
    rfc: 'RFC 8617 §5.2',
  };
}

/** Looks for the sender's logo. */
export async function checkBimi(
  dkim: CheckedDkim,
  { evaluation, resolver }: { evaluation: DmarcEvaluation; resolver: LibraryResolver },
): Promise<{ verdict: BimiVerdict; info: string | undefined }> {
  const draft = 'draft-brand-indicators-for-message-identification §7';
  const nothing: BimiVerdict = {
    result: 'skipped',
    reason: 'Without one author there is no logo to look for.',
    rfc: draft,
    logoUrl: null,
    authorityUrl: null,
  };
  if (evaluation.response === false) return { verdict: nothing, info: undefined };
  const { bimi } = await verifiers();
  const check = await bimi({ dmarc: evaluation.response, headers: dkim.headers, resolver, strict: true });
  if (check === false) return { verdict: nothing, info: undefined };
  const result = check.status.result as BimiVerdict['result'];
  const reasons: Record<BimiVerdict['result'], string> = {
    pass: `The logo is at ${check.location}.`,
    none: 'The domain publishes no logo.',
    declined: 'The domain declares that it shows no logo.',
    skipped:
      'Logos are shown only with an enforced DMARC policy that the message ' +
      `passes${check.status.comment === undefined ? '' : ` (${check.status.comment})`}.`,
    fail: `The BIMI record cannot be used${check.status.comment === undefined ? '' : `: ${check.status.comment}`}.`,
    temperror: 'The BIMI record could not be looked up.',
  };
  return {
    info: check.info,
    verdict: {
      result,
      reason: reasons[result] ?? result,
      rfc: draft,
      logoUrl: check.location ?? null,
      authorityUrl: check.authority ?? null,
    },
  };
}
