// DKIM (RFC 6376, RFC 8301, RFC 8463).
import type { LibraryResolver } from './bounded-dns.ts';
import { verifiers } from './library.ts';
import type { DkimResult, DkimVerdict } from './types.ts';

type Verification = Awaited<ReturnType<Awaited<ReturnType<typeof verifiers>>['dkimVerify']>>;
type SignatureCheck = Verification['results'][number];

/** As plain data: it may come from another process. */
export interface CheckedDkim extends Pick<Verification, 'headerFrom' | 'fromFields' | 'headers'> {
  /** In the order of the header. */
  verdicts: DkimVerdict[];
  /** What other standards read of each. */
  checks: Pick<SignatureCheck, 'status' | 'signingDomain' | 'id' | 'info'>[];
}

/** A message with more signatures is judged by its first ones; each costs a DNS question and a verification. */
const SIGNATURES_MAX = 20;

/** Checks every signature. `now` decides whether one has expired. `arc`: what the seals are checked by. */
export async function checkDkim(
  raw: Buffer,
  { resolver, now, mailFrom }: { resolver: LibraryResolver; now: Date; mailFrom: string },
): Promise<CheckedDkim & Pick<Verification, 'arc'>> {
  const { dkimVerify } = await verifiers();
  const verification = await dkimVerify(raw, { resolver, curTime: now, sender: mailFrom, strict: true });
  const fields = verification.headers?.parsed ?? [];
  const signatures = fields.filter(({ key }) => key === 'dkim-signature').map(({ line }) => line.toString('latin1'));
  const counts = new Map<string, number>();
  for (const { key } of fields) counts.set(key, (counts.get(key) ?? 0) + 1);
  const checks = verification.results
    .slice(0, SIGNATURES_MAX)
    .map((check, index) => withinBody(check, signatures[index] ?? ''));
  const { headerFrom, fromFields, headers, arc } = verification;
  const verdicts = checks.map((check, index) => verdictOf(check, { signature: signatures[index] ?? '', counts, now }));
  return {
    headerFrom,
    fromFields,
    headers,
    arc,
    verdicts,
    checks: checks.map(({ status, signingDomain, id, info }) => ({ status, signingDomain, id, info })),
  };
}

const BEYOND_BODY = 'body length beyond the body';

/** A length that is larger than the body must not be (RFC 6376 §3.5); the library takes it for the whole body. */
function withinBody(check: SignatureCheck, signature: string): SignatureCheck {
  const covered = /;\s*l\s*=\s*(\d+)/.exec(signature.replace(/\r?\n/g, ''))?.[1];
  if (
    check.status.result !== 'pass' ||
    covered === undefined ||
    Number(covered) <= (check.canonBodyLengthTotal ?? Infinity)
  )
    return check;
  return {
    ...check,
    status: { ...check.status, result: 'neutral', comment: BEYOND_BODY },
    ...(check.info !== undefined && { info: check.info.replace('dkim=pass', `dkim=neutral (${BEYOND_BODY})`) }),
  };
}

interface Signed {
  signature: string;
  counts: Map<string, number>;
  now: Date;
}

function verdictOf(check: SignatureCheck, signed: Signed): DkimVerdict {
  const signedFields = fieldsIn(signed.signature);
  const times = new Map<string, number>();
  for (const name of signedFields) times.set(name, (times.get(name) ?? 0) + 1);
  return {
    ...explain(check, signed.now),
    domain: check.signingDomain ?? '',
    selector: check.selector ?? '',
    algorithm: check.algo ?? '',
    // The library tells no size for Ed25519 keys, which have one only.
    keyBits: check.modulusLength ?? (check.publicKey !== undefined && check.algo?.startsWith('ed25519') ? 256 : null),
    signedFields,
    oversignedFields: [...times]
      .filter(([name, count]) => count > (signed.counts.get(name) ?? 0))
      .map(([name]) => name),
    coveredBytes: check.canonBodyLength ?? null,
    bodyBytes: check.canonBodyLengthTotal ?? null,
    signedAt: check.signTime ?? null,
    expiresAt: check.expiresAfter ?? null,
    isTesting: check.status.testing ?? false,
    isAligned: false,
  };
}

/** The names of `h=`; FWS may stand anywhere in it (RFC 6376 §3.5). */
function fieldsIn(signature: string): string[] {
  const list = /[:;]\s*h\s*=([^;]*)/.exec(signature.replace(/\r?\n/g, ''))?.[1] ?? '';
  return list
    .split(':')
    .map((name) => name.trim().toLowerCase())
    .filter(Boolean)
    .slice(0, 200);
}

/** mailauth's comments are its only sign of some causes; an unknown one is passed on as it is. */
const CAUSES: Record<string, { reason: (check: SignatureCheck) => string; section: string }> = {
  'message not signed': { reason: () => 'The message carries no DKIM signature.', section: 'RFC 6376 §6' },
  'body hash did not verify': {
    reason: (check) => `The body was changed after ${check.signingDomain} signed it: its hash is another one.`,
    section: 'RFC 6376 §6.1.3',
  },
  'bad signature': {
    reason: (check) =>
      `The signature does not fit the key that ${check.signingDomain} publishes: signed fields were changed on the ` +
      'way, or another key made it.',
    section: 'RFC 6376 §6.1.3',
  },
  [BEYOND_BODY]: {
    reason: () => 'The signature covers more than the body holds (l=): the body was cut, or the signer is at fault.',
    section: 'RFC 6376 §3.5',
  },
  expired: { reason: (check) => `The signature expired on ${check.expiresAfter}.`, section: 'RFC 6376 §3.5' },
  'invalid expiration': { reason: () => 'The signature expires before it was made.', section: 'RFC 6376 §3.5' },
  'no key': {
    reason: (check) => `There is no key at ${check.selector}._domainkey.${check.signingDomain}.`,
    section: 'RFC 6376 §6.1.2',
  },
  'unknown key version': {
    reason: (check) =>
      `The key record at ${check.selector}._domainkey.${check.signingDomain} is of an unknown version.`,
    section: 'RFC 6376 §3.6.1',
  },
  'unknown key type': {
    reason: (check) => `The key at ${check.selector}._domainkey.${check.signingDomain} is of an unknown type.`,
    section: 'RFC 6376 §3.6.1',
  },
  'invalid public key': {
    reason: (check) =>
      `The key record at ${check.selector}._domainkey.${check.signingDomain} holds no key that can be read, ` +
      'or a revoked one (empty p=).',
    section: 'RFC 6376 §3.6.1',
  },
  'inappropriate hash algorithm': {
    reason: () => 'The key record does not allow the hash of this signature.',
    section: 'RFC 6376 §6.1.2',
  },
  'inappropriate key algorithm': {
    reason: () => 'The published key is for another algorithm than the signature.',
    section: 'RFC 6376 §6.1.2',
  },
  'key not for email': { reason: () => 'The published key is not meant for email (s=).', section: 'RFC 6376 §3.6.1' },
  'weak algorithm': {
    reason: () => 'The signature uses rsa-sha1, which must not be used any more.',
    section: 'RFC 8301 §3.1',
  },
  'signature syntax error': {
    reason: () => 'The DKIM-Signature field breaks the rules of its syntax.',
    section: 'RFC 6376 §6.1.1',
  },
  'signature missing required tag': {
    reason: () => 'The DKIM-Signature field lacks a tag that it must have.',
    section: 'RFC 6376 §6.1.1',
  },
  'incompatible version': {
    reason: () => 'The DKIM-Signature field is of another version than 1.',
    section: 'RFC 6376 §6.1.1',
  },
  'domain mismatch': {
    reason: () => 'The identity in i= does not lie within the signing domain.',
    section: 'RFC 6376 §6.1.1',
  },
  'From field not signed': { reason: () => 'From is not among the signed fields.', section: 'RFC 6376 §6.1.1' },
};

function explain(check: SignatureCheck, now: Date): { result: DkimResult; reason: string; rfc: string } {
  const { status } = check;
  const result = status.result as DkimResult;
  if (result === 'pass') {
    const rest = status.underSized
      ? ` The last ${status.underSized} bytes of the body are not covered (l=): anybody may have added them.`
      : '';
    return {
      result,
      reason:
        `The signature of ${check.signingDomain} fits the key at ` +
        `${check.selector}._domainkey.${check.signingDomain}.${rest}`,
      rfc: rest === '' ? 'RFC 6376 §6.1.3' : 'RFC 6376 §8.2',
    };
  }
  if (result === 'temperror')
    return {
      result,
      reason: `The key at ${check.selector}._domainkey.${check.signingDomain} could not be looked up.`,
      rfc: 'RFC 6376 §6.1.2',
    };
  if (status.policy?.['dkim-rules'] === 'weak-key')
    return {
      result,
      reason: `The key has ${check.modulusLength ?? 'fewer than 1024'} bits, too few to be trusted.`,
      rfc: 'RFC 8301 §3.2',
    };
  const isExpired = check.expiresAfter != null && new Date(check.expiresAfter) < now;
  const cause = CAUSES[isExpired && result === 'neutral' ? 'expired' : (status.comment ?? '')];
  return {
    result,
    reason: cause?.reason(check) ?? `The signature could not be used: ${status.comment ?? 'no reason was given'}.`,
    rfc: cause?.section ?? 'RFC 6376 §6.1.1',
  };
}
