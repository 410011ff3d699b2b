// SPF (RFC 7208).
import type { LibraryResolver } from './bounded-dns.ts';
import { verifiers } from './library.ts';
import type { AuthEnvelope, SpfResult, SpfVerdict } from './types.ts';

/** RFC 7208 §4.6.4 asks for a limit of at least 20 seconds. */
const TIME_MAX_MS = 20_000;

const SECTIONS: Record<SpfResult, string> = {
  none: '2.6.1',
  neutral: '2.6.2',
  pass: '2.6.3',
  fail: '2.6.4',
  softfail: '2.6.5',
  temperror: '2.6.6',
  permerror: '2.6.7',
};

interface CheckedSpf {
  verdict: SpfVerdict;
  /** For Authentication-Results. */
  info: string;
  /** The Received-SPF field. */
  field: string;
}

/** Checks one identity: MAIL FROM, or HELO when `mailFrom` is empty. */
export async function checkSpf(envelope: AuthEnvelope, resolver: LibraryResolver): Promise<CheckedSpf> {
  const { spf } = await verifiers();
  const { ip, helo, mailFrom, mta } = envelope;
  const answer = await spf({
    ip,
    helo,
    mta,
    ...(mailFrom === '' ? {} : { sender: mailFrom }),
    resolver,
    strict: true,
    maxElapsedTime: TIME_MAX_MS,
  });
  const result = answer.status.result as SpfResult;
  const identity = mailFrom === '' ? 'helo' : 'mailfrom';
  const { domain } = answer;
  const lookups = {
    count: answer.lookups?.count ?? 0,
    limit: answer.lookups?.limit ?? 10,
    voidCount: answer.lookups?.void ?? 0,
  };
  const problem = problemIn(answer.status.comment);
  const isOverLimit = result === 'permerror' && (lookups.count > lookups.limit || lookups.voidCount > 2);
  return {
    verdict: {
      result,
      reason: reasonOf({ result, domain, ip, problem, identity }),
      rfc: `RFC 7208 §${isOverLimit ? '4.6.4' : SECTIONS[result]}`,
      identity,
      domain,
      ip,
      record: answer.rr ?? null,
      lookups,
      explanation: answer.explanation ?? null,
      isAligned: false,
    },
    info: answer.info,
    field: answer.header,
  };
}

/** What went wrong, after the library's own `…during lookup of <sender>: `. */
function problemIn(comment: string | undefined): string {
  return /during lookup of \S*: (.*)$/s.exec(comment ?? '')?.[1] ?? '';
}

function reasonOf(facts: {
  result: SpfResult;
  domain: string;
  ip: string;
  problem: string;
  identity: 'mailfrom' | 'helo';
}): string {
  const { result, domain, ip, problem } = facts;
  const named = facts.identity === 'helo' ? `${domain}, the name given in HELO,` : domain;
  switch (result) {
    case 'pass':
      return `${named} allows ${ip} to send its mail.`;
    case 'fail':
      return `${named} says that ${ip} may not send its mail.`;
    case 'softfail':
      return `${named} says that ${ip} probably may not send its mail (~all).`;
    case 'neutral':
      return `${named} says neither that ${ip} may send its mail nor that it may not.`;
    case 'none':
      return `${named} publishes no SPF record.`;
    case 'permerror':
      return `The SPF record of ${domain} cannot be used${problem === '' ? '' : `: ${problem}`}.`;
    case 'temperror':
      return `The SPF record of ${domain} could not be looked up completely${problem === '' ? '' : `: ${problem}`}.`;
  }
}
