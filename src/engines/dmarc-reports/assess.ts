// What a stricter policy would do, computed from what receivers reported.
import { registeredDomain } from './name-source.ts';
import type { Source } from './name-source.ts';
import type { AggregateRow } from './types.ts';

/** What ties a message that fails to the domain; `passing_other` does only where a service stands behind it. */
export type Tie = 'signed' | 'spf_own' | 'passing_other';

/** What is judged: rows, or sums of rows that say the same. */
export interface JudgedRow {
  sourceIp: string;
  count: number;
  isPassing: boolean;
  /** The receiver says that somebody passed the message on. */
  isForwarded: boolean;
  tie: Tie | null;
  source: Source;
}

/**
 * Why a message that fails may be the domain's own. `same_address`: others from this address pass. `signed`: it bears a
 * signature of the domain, which is broken. `spf_own`: SPF passed for the domain or one below it, which does not align
 * in strict mode. `service`: a service that sends for others stands behind it with its own name.
 */
type Evidence = 'same_address' | 'signed' | 'spf_own' | 'service';

/**
 * `yours`: something ties it to the domain. `forwarded`: the receiver says that it was passed on. `unknown`: nothing
 * ties it to the domain: a forger, or a program of yours that signs nothing; a report cannot tell these apart.
 */
type Verdict = 'yours' | 'forwarded' | 'unknown';

interface Counts {
  messages: number;
  passing: number;
  failing: number;
}

interface SourceAssessment extends Counts {
  source: Source;
  yours: number;
  forwarded: number;
  unknown: number;
  /** Of what is `yours`; most messages first. */
  evidence: { kind: Evidence; messages: number }[];
}

export interface Assessment extends Counts {
  yours: number;
  forwarded: number;
  unknown: number;
  /** Most failing messages first, then most messages. */
  sources: SourceAssessment[];
}

const FORWARDED = new Set(['forwarded', 'mailing_list', 'trusted_forwarder']);
/** Of the table of senders: those who send in the name of their customers. */
const SERVICES = new Set(['Marketing', 'SaaS', 'Email Provider', 'PaaS']);

/** A receiver that let a message of a list or an ARC chain through says so as `local_policy` with a comment. */
function isForwarded(reasons: AggregateRow['reasons']): boolean {
  return reasons.some(
    ({ type, comment }) => FORWARDED.has(type) || (type === 'local_policy' && /\barc\b/i.test(comment)),
  );
}

function tieOf({ headerFrom, dkim, spf }: AggregateRow): Tie | null {
  const own = registeredDomain(headerFrom);
  const isOwn = ({ domain }: { domain: string }): boolean => registeredDomain(domain) === own;
  if (dkim.some((signature) => isOwn(signature) && signature.result !== 'none')) return 'signed';
  if (spf.some((one) => one.result === 'pass' && isOwn(one))) return 'spf_own';
  return [...dkim, ...spf].some(({ result }) => result === 'pass') ? 'passing_other' : null;
}

/** What a row says for {@link assessRows}. */
export function judgeRow(row: AggregateRow, source: Source): JudgedRow {
  const { sourceIp, count, isDkimAligned, isSpfAligned, reasons } = row;
  const isPassing = isDkimAligned || isSpfAligned;
  return { sourceIp, count, isPassing, isForwarded: isForwarded(reasons), tie: isPassing ? null : tieOf(row), source };
}

function evidenceOf({ sourceIp, tie, source }: JudgedRow, addresses: ReadonlySet<string>): Evidence | undefined {
  if (addresses.has(sourceIp)) return 'same_address';
  if (tie === 'signed' || tie === 'spf_own') return tie;
  return tie === 'passing_other' && source.type !== null && SERVICES.has(source.type) ? 'service' : undefined;
}

const blank = (): Omit<Assessment, 'sources'> => ({
  messages: 0,
  passing: 0,
  failing: 0,
  yours: 0,
  forwarded: 0,
  unknown: 0,
});

function add(to: Omit<Assessment, 'sources'>, count: number, verdict: Verdict | 'passing'): void {
  to.messages += count;
  if (verdict === 'passing') {
    to.passing += count;
    return;
  }
  to.failing += count;
  to[verdict] += count;
}

/** Judges the rows of one domain, whatever its policy is: what fails here is what `p=reject` asks to refuse. */
export function assessRows(rows: readonly JudgedRow[]): Assessment {
  const addresses = new Set(rows.filter(({ isPassing }) => isPassing).map(({ sourceIp }) => sourceIp));
  const all = blank();
  const sources = new Map<string, SourceAssessment>();
  for (const row of rows) {
    let one = sources.get(row.source.id);
    if (!one) sources.set(row.source.id, (one = { source: row.source, ...blank(), evidence: [] }));
    const evidence = row.isPassing ? undefined : evidenceOf(row, addresses);
    const verdict = row.isPassing ? 'passing' : row.isForwarded ? 'forwarded' : evidence ? 'yours' : 'unknown';
    add(all, row.count, verdict);
    add(one, row.count, verdict);
    if (verdict !== 'yours') continue;
    const same = one.evidence.find(({ kind }) => kind === evidence);
    if (same) same.messages += row.count;
    else one.evidence.push({ kind: evidence!, messages: row.count });
  }
  const ordered = [...sources.values()].sort((a, b) => b.failing - a.failing || b.messages - a.messages);
  for (const { evidence } of ordered) evidence.sort((a, b) => b.messages - a.messages);
  return { ...all, sources: ordered };
}

/** What a {@link Evidence} means, and how to mend it. */
export const EVIDENCE_WORDS: Readonly<Record<Evidence, { means: string; fix: string }>> = {
  same_address: {
    means: 'other messages from the same address pass',
    fix: 'Find the program there that does not sign, and let it sign with DKIM.',
  },
  signed: {
    means: 'they bear a signature of your domain that does not verify',
    fix: 'Compare the key in DNS with the one that signs; what changes a message after signing breaks it, too.',
  },
  spf_own: {
    means: 'SPF passes for your domain or one below it, which does not align',
    fix: 'Use the same domain in MAIL FROM as in From, or publish aspf=r.',
  },
  service: {
    means: 'a service that sends for others stands behind them with its own name',
    fix: 'If you use the service, set it up to sign with your domain; if you do not, these are not yours.',
  },
};

const percent = (part: number, all: number): string => (all === 0 ? '0 %' : `${((part / all) * 100).toFixed(2)} %`);
const counted = (count: number): string => count.toLocaleString('en');

/** What breaks at `p=reject`, in two or three sentences that say no more than the figures. */
export function tellRejection({ messages, failing, yours, forwarded, unknown }: Assessment): string {
  if (messages === 0) return 'Nothing was reported, so nothing can be said.';
  if (failing === 0)
    return `Nothing of what was reported would have been refused: all ${counted(messages)} messages pass DMARC.`;
  return (
    `With p=reject, receivers would have been asked to refuse ${counted(failing)} of ${counted(messages)} messages ` +
    `(${percent(failing, messages)}): ${counted(yours)} that look like yours, ${counted(forwarded)} that were passed ` +
    `on by others, and ${counted(unknown)} that nothing ties to your domain. The last are forgeries, or mail of ` +
    'yours that neither signs nor is allowed by SPF; reports cannot tell these apart.'
  );
}
