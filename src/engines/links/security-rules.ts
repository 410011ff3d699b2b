// Whether the way of a link is encrypted, and by certificates that browsers accept.
import { hostOf, shortUrl } from './link-class.ts';
import type { AnswerCertificate, LinkAnswer, LinkSubject, Verdict } from './types.ts';

/** https from the first request to the last. */
export function judgeHttps({ url }: LinkSubject, answer: LinkAnswer | undefined): Verdict {
  const link = shortUrl(url.trim());
  const way = answer?.chain.map((hop) => hop.url) ?? [];
  const plain = way.find((step, index) => index > 0 && /^http:/i.test(step) && /^https:/i.test(way[index - 1]!));
  if (plain !== undefined)
    return {
      rule: 'https',
      severity: 'warning',
      impact: 'serious',
      message:
        `${link} redirects from https to http (${shortUrl(plain)}): anybody on the way can ` +
        'read and change what follows.',
      fix: 'Keep every redirect on https.',
      details: [{ url: plain }],
    };
  if (!/^http:/i.test(url.trim()))
    return {
      rule: 'https',
      severity: 'pass',
      message: way.length > 0 ? 'Every redirect uses https.' : 'The address is an https address.',
    };
  const isUpgraded = way.length > 0 && /^https:/i.test(way.at(-1)!);
  const message = isUpgraded
    ? `${link} starts unencrypted and is redirected to https.`
    : `${link} is not encrypted; browsers call it “not secure”.`;
  return {
    rule: 'https',
    severity: 'warning',
    impact: isUpgraded ? 'minor' : 'moderate',
    message,
    fix: 'Write https://.',
    ...(isUpgraded && { details: [{ url: way.at(-1) }] }),
  };
}

const PROBLEMS: Record<string, [message: string, fix: string]> = {
  CERT_HAS_EXPIRED: ['has expired', 'Renew it.'],
  CERT_NOT_YET_VALID: ['is not valid yet', 'Correct its dates, or the clock of the server.'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['is for another host', 'Use one that names this host.'],
  DEPTH_ZERO_SELF_SIGNED_CERT: ['is self-signed', 'Use a certificate from a public authority.'],
  SELF_SIGNED_CERT_IN_CHAIN: ['is signed by an unknown authority', 'Use a certificate from a public authority.'],
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: [
    'is signed by an unknown authority, or its intermediate certificate is not sent',
    'Send the whole chain.',
  ],
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: [
    'is signed by an unknown authority, or its intermediate certificate is not sent',
    'Send the whole chain.',
  ],
  CERT_REVOKED: ['was revoked', 'Replace it.'],
};

/** One verdict per faulty certificate on the way; one pass over all when none is. */
export function judgeCertificates({ chain }: LinkAnswer): Verdict[] {
  const shown = new Map<string, { host: string; certificate: AnswerCertificate }>();
  for (const { url, certificate } of chain) {
    const host = hostOf(url) ?? '';
    if (certificate) shown.set(`${host} ${certificate.fingerprint}`, { host, certificate });
  }
  const all = [...shown.values()];
  if (all.length === 0) return [];
  const faults = all.flatMap((one) => judgeCertificate(one) ?? []);
  const first = all[0]!;
  const message =
    all.length === 1
      ? `The certificate of ${first.host} is valid until ${dayOf(first.certificate.validTo)}.`
      : `The ${all.length} certificates on the way are valid.`;
  return faults.length > 0 ? faults : [{ rule: 'certificate', severity: 'pass', message, details: all.map(viewOf) }];
}

function judgeCertificate(one: { host: string; certificate: AnswerCertificate }): Verdict | undefined {
  const { host, certificate } = one;
  const details = [viewOf(one)];
  if (certificate.problem !== null) {
    const [message, fix] = PROBLEMS[certificate.problem] ?? ['is not trusted', 'Check what the server sends.'];
    const names = certificate.hostMatches
      ? ''
      : `, for ${certificate.altNames.slice(0, 3).join(', ') || certificate.subject}`;
    return {
      rule: 'certificate',
      severity: 'error',
      impact: 'critical',
      message: `The certificate of ${host} ${message} (${certificate.problem}${names}): browsers refuse to open the page.`,
      fix,
      details,
    };
  }
  if (!expiresSoon(certificate)) return undefined;
  const { daysLeft } = certificate;
  return {
    rule: 'certificate',
    severity: 'warning',
    impact: 'serious',
    message:
      `The certificate of ${host} expires ` +
      `${daysLeft === 0 ? 'today' : `in ${daysLeft} day${daysLeft === 1 ? '' : 's'}`} ` +
      `(${dayOf(certificate.validTo)}).`,
    fix: 'Renew it before the message is read.',
    details,
  };
}

const DAY_MS = 86_400_000;
const SOON_DAYS = 14;

/** Certificates of six or 47 days are renewed late by design, so that the share of their life counts as well. */
function expiresSoon({ daysLeft, validFrom, validTo }: AnswerCertificate): boolean {
  if (daysLeft === null) return false;
  const lifeDays = (Date.parse(validTo) - Date.parse(validFrom)) / DAY_MS;
  return daysLeft < Math.min(SOON_DAYS, Number.isNaN(lifeDays) ? SOON_DAYS : lifeDays / 6);
}

/** True when a certificate on the way has expired. */
export function hasExpiredCertificate({ chain }: Pick<LinkAnswer, 'chain'>): boolean {
  return chain.some(
    ({ certificate }) =>
      certificate !== null && (certificate.problem === 'CERT_HAS_EXPIRED' || (certificate.daysLeft ?? 0) < 0),
  );
}

function viewOf({ host, certificate }: { host: string; certificate: AnswerCertificate }): Record<string, unknown> {
  return {
    host,
    subject: certificate.subject,
    issuer: certificate.issuer,
    names: certificate.altNames.slice(0, 50),
    valid_from: certificate.validFrom,
    valid_to: certificate.validTo,
    days_left: certificate.daysLeft,
    expires_soon: expiresSoon(certificate),
    chain_valid: certificate.isChainValid,
    host_matches: certificate.hostMatches,
    problem: certificate.problem,
    fingerprint: certificate.fingerprint,
    protocol: certificate.protocol,
    cipher: certificate.cipher,
  };
}

function dayOf(time: string): string {
  return time.slice(0, 10);
}
