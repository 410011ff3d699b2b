// All checks of one message, each fed by those before it.
import { checkBimi } from './arc.ts';
import { boundedResolver } from './bounded-dns.ts';
import { checkDmarc } from './dmarc.ts';
import { checkReverseDns } from './reverse-dns.ts';
import { checkSignatures, type CheckSignatures } from './signatures.ts';
import { checkSpf } from './spf.ts';
import type { AuthDns, AuthEnvelope, Authentication } from './types.ts';

interface AuthenticateOptions extends AuthEnvelope {
  dns: AuthDns;
  /** Decides what has expired. */
  now: Date;
  /** Where what needs the whole message is done; left out: here. */
  signatures?: CheckSignatures;
}

/**
 * Authenticates a received message: SPF (RFC 7208), DKIM (RFC 6376), DMARC (RFC 9989), ARC (RFC 8617), BIMI and the
 * reverse DNS of the client. Never rejects for what the message or DNS holds; DNS that fails is a `temperror`.
 */
export async function authenticate(
  raw: Buffer,
  { dns, now, signatures = checkSignatures, ...given }: AuthenticateOptions,
): Promise<Authentication> {
  const envelope = { ...given, helo: given.helo.trim(), mta: given.mta.trim() };
  const resolver = boundedResolver(dns);
  const [reverseDns, spf, spfHelo, { dkim, arc }] = await Promise.all([
    checkReverseDns(envelope, resolver),
    checkSpf(envelope, resolver),
    envelope.mailFrom === '' ? undefined : checkSpf({ ...envelope, mailFrom: '' }, resolver),
    signatures(raw, { resolver, now, mailFrom: envelope.mailFrom, ip: envelope.ip }),
  ]);
  const dmarc = await checkDmarc({ spf: spf.verdict, dkim, arc: arc.check, resolver });
  const bimi = await checkBimi(dkim, { evaluation: dmarc.evaluation, resolver });
  const isSame = (domain: string): boolean => dmarc.alignedSigners.has(domain.toLowerCase().replace(/\.$/, ''));
  const iprev =
    `iprev=${reverseDns.result} policy.iprev=${reverseDns.ip.includes(':') ? `"${reverseDns.ip}"` : reverseDns.ip}` +
    `${reverseDns.confirmedName === null ? '' : ` (${reverseDns.confirmedName})`}`;
  const infos = [
    ...dkim.checks.map(({ info }) => info),
    spf.info,
    arc.check.info,
    dmarc.evaluation.response === false ? undefined : dmarc.evaluation.response.info,
    bimi.info,
    iprev,
  ];
  return {
    spf: { ...spf.verdict, isAligned: dmarc.verdict.alignment.spf.domain !== null },
    spfHelo: spfHelo?.verdict ?? null,
    dkim: dkim.verdicts.map((verdict) => ({
      ...verdict,
      isAligned: verdict.result === 'pass' && isSame(verdict.domain),
    })),
    dmarc: dmarc.verdict,
    arc: arc.verdict,
    bimi: bimi.verdict,
    reverseDns,
    headerFields:
      `${fold(`Authentication-Results: ${[envelope.mta, ...infos.filter((info) => info !== undefined)].join(';\r\n ')}`)}` +
      `\r\n${spf.field}\r\n`,
  };
}

/**
 * The domains whose DKIM signatures verify, for a message that another server received: where it came from is not
 * known. Never rejects for what the message or DNS holds.
 */
export async function findSigners(
  raw: Buffer,
  { dns, now, signatures = checkSignatures }: Pick<AuthenticateOptions, 'dns' | 'now' | 'signatures'>,
): Promise<string[]> {
  const { dkim } = await signatures(raw, { resolver: boundedResolver(dns), now, mailFrom: '', ip: '127.0.0.1' });
  return dkim.verdicts.filter(({ result }) => result === 'pass').map(({ domain }) => domain);
}

const LINE_MAX = 998;

/**
 * Whatever a sender put into a result, no line gets longer than a message may have (RFC 5322 §2.1.1) or ends the
 * header.
 */
function fold(field: string): string {
  const lines = field.replace(/\r?\n(?![ \t])/g, ' ').split('\r\n');
  return lines.map((line) => (line.length > LINE_MAX ? `${line.slice(0, LINE_MAX - 1)}` : line)).join('\r\n');
}
