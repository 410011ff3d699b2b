// A message as receivers see it: authenticated, asked about at the spam filters, scored by the built-in rules.
import { createHash } from 'node:crypto';
import {
  authenticate,
  inRounds,
  type Authentication,
  type CheckSignatures,
} from '../../../engines/mail-authentication/index.ts';
import type { ParsedMail } from '../../../engines/mime/index.ts';
import type {
  AuthenticationFacts,
  factsOfMessage,
  FilterOpinion,
  PlacementInput,
} from '../../../engines/receivers/index.ts';
import type { SpamScore } from '../../../engines/spam-rules/index.ts';
import type { Outside } from '../../../platform/feature/index.ts';
import { isNoSuchName, type Dns } from '../../../platform/dns/index.ts';
import type { FilterOutcome } from '../../../platform/spam-filters/index.ts';
import { checkSignaturesKnowing, readAndScore } from './computations.ts';
import { assumedDns } from './senders.ts';
import { aboutContent } from './stand-in-filters.ts';
import type { AssumedEnvelope, FilterSummary } from './store.ts';

type Examiner = Pick<Outside, 'dns' | 'filters' | 'clock' | 'compute'>;

/** How the message came. */
interface Arrival {
  ip: string;
  helo: string;
  mailFrom: string;
  recipient: string;
  /** Name of the receiving host. */
  receivedBy: string;
  /** Null: not known, for it came from this machine itself. */
  isEncrypted: boolean | null;
  /** What to assume instead. */
  assumed: AssumedEnvelope | null;
}

export interface Examination {
  mail: Pick<ParsedMail, 'from' | 'to' | 'headers' | 'headerList'>;
  /** Undefined: it has no body. */
  offersToUnsubscribe: boolean | undefined;
  authentication: Omit<Authentication, 'headerFields'>;
  /** Fields that a receiver would put on top, lines ended by CRLF. */
  headerFields: string;
  filters: FilterOutcome[];
  builtIn: SpamScore;
  /** What receivers decide upon besides. */
  facts: ReturnType<typeof factsOfMessage>;
  /** The envelope that was judged. */
  judged: { ip: string | null; helo: string; reverseDns: string | null; mailFrom: string };
  isEncrypted: boolean | null;
  /** Whether the domain of From takes mail; null: DNS gave no answer. */
  canBeAnswered: boolean | null;
  rawBytes: number;
}

/** This machine's own addresses say nothing about who would send the message in earnest. */
export function isOwnAddress(ip: string): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(ip);
}

/** Examines a message. Never rejects for what the message, DNS or a filter says. */
async function examine(outside: Examiner, raw: Buffer, arrival: Arrival): Promise<Examination> {
  const now = outside.clock.now();
  const { mail, offersToUnsubscribe, builtIn, facts } = await outside.compute.run(readAndScore, {
    raw,
    receivedAt: now.toISOString(),
  });
  const { assumed } = arrival;
  const ip = assumed?.ip ?? arrival.ip;
  const mailFrom = assumed?.mailFrom ?? arrival.mailFrom;
  const helo = assumed?.helo ?? (assumed?.reverseDns || arrival.helo);
  const isIpKnown = !isOwnAddress(ip);
  const dns = assumedDns(outside.dns, { ip, reverseDns: assumed?.reverseDns ?? null, zone: assumed?.zone });
  const judged = await authenticate(raw, {
    ip,
    helo,
    mailFrom,
    mta: arrival.receivedBy,
    dns,
    now,
    signatures: signaturesBy(outside.compute),
  });
  const authentication = isIpKnown ? judged : withoutAddress(judged);
  const { headerFields, ...verdicts } = authentication;
  const reverseDns = isIpKnown ? (assumed?.reverseDns ?? verdicts.reverseDns.confirmedName) : null;
  // Filters know the reader from To; a seed in its place would look like a copy to somebody else.
  const envelope = {
    ip,
    helo,
    reverseDns: reverseDns || null,
    mailFrom,
    rcptTo: [mail.to[0]?.address || arrival.recipient],
    receivedBy: arrival.receivedBy,
    receivedAt: now.toISOString(),
    isEncrypted: arrival.isEncrypted ?? true,
  };
  const [canBeAnswered, ...opinions] = await Promise.all([
    takesMail(dns, mail.from[0]?.address),
    ...(await outside.filters.current()).map((filter) => filter.check(raw, envelope)),
  ]);
  const filters = assumed?.zone ? opinions.map(aboutContent) : opinions;
  return {
    mail,
    offersToUnsubscribe,
    authentication: verdicts,
    headerFields,
    filters,
    builtIn,
    facts,
    judged: { ip: isIpKnown ? ip : null, helo, reverseDns: envelope.reverseDns, mailFrom },
    isEncrypted: arrival.isEncrypted,
    canBeAnswered,
    rawBytes: raw.length,
  };
}

/** Whose body is long takes long to hash: that is computed apart, and DNS is asked here. */
export function signaturesBy(compute: Examiner['compute']): CheckSignatures {
  return inRounds((raw, question) => compute.run(checkSignaturesKnowing, { raw, ...question }));
}

/**
 * Finds the servers by MX records or, without any, addresses (RFC 5321 §5.1); a null MX refuses all mail (RFC 7505).
 */
async function takesMail(dns: Dns, address = ''): Promise<boolean | null> {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  if (domain === '') return null;
  const ask = async (type: 'MX' | 'A' | 'AAAA'): Promise<boolean | null> => {
    try {
      const answers = await dns.resolve(domain, type);
      return answers.some((answer) => typeof answer === 'string' || !/^\.?$/.test(answer.exchange));
    } catch (error) {
      return isNoSuchName(error) ? null : Promise.reject(error);
    }
  };
  try {
    return (await ask('MX')) ?? (await ask('A')) ?? (await ask('AAAA')) ?? false;
  } catch {
    return null;
  }
}

const NOT_KNOWN =
  'The message came from this machine, and which address would send it in earnest was not said (name it by ' +
  'sending_ip, or by --as ip=… on the command line), so this was not judged.';

/** SPF and reverse DNS are about an address; of this machine's own they would only mislead. */
function withoutAddress(judged: Authentication): Authentication {
  return {
    ...judged,
    spf: { ...judged.spf, result: 'none', reason: NOT_KNOWN, isAligned: false },
    spfHelo: null,
    reverseDns: {
      ...judged.reverseDns,
      result: 'temperror',
      reason: NOT_KNOWN,
      names: [],
      confirmedName: null,
      isHeloConfirmed: false,
    },
  };
}

/** What receivers and the bulk sender checks read of the verdicts. */
export function factsOf({
  authentication,
  isEncrypted,
  judged,
}: Pick<Examination, 'authentication' | 'isEncrypted' | 'judged'>): AuthenticationFacts {
  const { spf, dkim, dmarc, arc, bimi, reverseDns } = authentication;
  return {
    // What is not known is not held against the message.
    spf: {
      result: judged.ip === null ? 'temperror' : spf.result,
      reason: spf.reason,
      aligned: spf.isAligned,
      domain: spf.domain,
    },
    dkim: dkim.map((one) => ({
      result: one.result,
      reason: one.reason,
      aligned: one.isAligned,
      domain: one.domain,
      selector: one.selector,
      signedHeaders: one.signedFields,
      ...(one.keyBits !== null && { keyBits: one.keyBits }),
    })),
    dmarc: {
      result: dmarc.result,
      reason: dmarc.reason,
      ...(dmarc.policy !== null && { policy: dmarc.policy }),
      ...(dmarc.fromDomain !== null && { domain: dmarc.fromDomain }),
      alignedSpf: dmarc.alignment.spf.domain !== null,
      alignedDkim: dmarc.alignment.dkim.domain !== null,
    },
    arc: { result: arc.result, reason: arc.reason },
    bimi: { result: bimi.result, reason: bimi.reason },
    reverseDns: { result: reverseDns.result, reason: reverseDns.reason, name: reverseDns.confirmedName },
    tls: isEncrypted,
  };
}

/** What a receiver decides upon. `attempts`: how often the sender tried before. */
export function placementInput(examined: Examination, attempts: number): PlacementInput {
  const { filters, builtIn, facts } = examined;
  return {
    authentication: factsOf(examined),
    filters: filters.flatMap((one): FilterOpinion[] =>
      one.ok ? [{ engine: one.engine, score: one.score, threshold: one.threshold, verdict: one.verdict }] : [],
    ),
    builtIn,
    message: { ...facts, attempts },
  };
}

export function filterSummaries(examined: Pick<Examination, 'filters' | 'builtIn'>): FilterSummary[] {
  const { builtIn } = examined;
  const own: FilterSummary = {
    engine: builtIn.engine,
    score: builtIn.score,
    threshold: builtIn.threshold,
    verdict: builtIn.verdict,
    failure: null,
  };
  return [
    ...examined.filters.map((one): FilterSummary =>
      one.ok
        ? { engine: one.engine, score: one.score, threshold: one.threshold, verdict: one.verdict, failure: null }
        : { engine: one.engine, score: null, threshold: null, verdict: null, failure: one.message },
    ),
    own,
  ];
}

const KEPT = 32;
const recent = new WeakMap<object, Map<string, Promise<Examination>>>();

/**
 * The same message under the same envelope is examined once, for all receivers that get it at the same time. `raw` is
 * the message without the field that tells its copies apart.
 */
export function examineOnce(outside: Examiner, raw: Buffer, arrival: Arrival): Promise<Examination> {
  const known = recent.get(outside.dns) ?? new Map<string, Promise<Examination>>();
  recent.set(outside.dns, known);
  const { recipient: _recipient, receivedBy: _receivedBy, ...same } = arrival;
  const key = createHash('sha256')
    .update(raw)
    .update(JSON.stringify(same))
    .update(String(Math.floor(outside.clock.now().getTime() / 60_000)))
    .digest('hex');
  const before = known.get(key);
  if (before) return before;
  if (known.size >= KEPT) known.delete(known.keys().next().value as string);
  const examined = examine(outside, raw, arrival);
  known.set(key, examined);
  examined.catch(() => known.delete(key));
  return examined;
}
