// What spam filters say of a message that comes in, for domains that ask for it (`spam_action`).
import type { Outside } from '../../../platform/feature/index.ts';
import { SmtpRefusal, type SmtpEnvelope } from '../../../platform/mail/index.ts';
import { examineOnce, type Examination } from '../../proof/_seeds/index.ts';
import type { SendingDomain } from '../sending-domains/index.ts';
import { headerOf } from './header.ts';

type Doors = Pick<Outside, 'dns' | 'filters' | 'clock' | 'compute' | 'config'>;

type Opinion = Pick<Examination['builtIn'], 'score' | 'threshold' | 'verdict'> & { engine: string };

interface SpamJudgment {
  isSpam: boolean;
  /** That of the filter that speaks most against it, in parts of its threshold. */
  opinion: Opinion;
  spf: string;
  /** Undefined: it carries no signature. */
  isSigned: boolean | undefined;
}

/**
 * Asks the filters that the operator runs, all of which count; the built-in rules only where none of them answers, since
 * they are wrong more often.
 */
async function judge(
  outside: Doors,
  raw: Buffer,
  { from: mailFrom, recipients, remoteAddress: ip, helo, isEncrypted }: SmtpEnvelope,
): Promise<SpamJudgment> {
  const { filters, builtIn, authentication } = await examineOnce(outside, raw, {
    ip,
    helo,
    mailFrom,
    recipient: recipients[0] ?? '',
    receivedBy: outside.config.smtp.domain,
    isEncrypted,
    assumed: null,
  });
  const answered = filters.flatMap((one): Opinion[] => (one.ok ? [one] : []));
  const opinions: Opinion[] = answered.length > 0 ? answered : [builtIn];
  const [opinion] = opinions.toSorted((one, other) => other.score / other.threshold - one.score / one.threshold);
  return {
    isSpam: opinions.some(({ verdict }) => verdict === 'spam'),
    opinion: opinion as Opinion,
    spf: authentication.spf.result,
    isSigned: authentication.dkim.length > 0 ? authentication.dkim.some(({ result }) => result === 'pass') : undefined,
  };
}

/** What the filters say of a message, asked once, and only when a domain of its recipients wants to know. */
export function judgingOf(outside: Doors, raw: Buffer, envelope: SmtpEnvelope): () => Promise<SpamJudgment> {
  let asked: Promise<SpamJudgment> | undefined;
  return () => (asked ??= judge(outside, raw, envelope));
}

type Settings = Pick<SendingDomain, 'settings'>;

/** Why a domain does not take a message that is spam. */
export async function spamRefusal(
  { settings }: Settings,
  judging: () => Promise<SpamJudgment>,
): Promise<SmtpRefusal | undefined> {
  if (settings.spamAction !== 'block') return undefined;
  const { isSpam, opinion } = await judging();
  return isSpam
    ? new SmtpRefusal(550, `5.7.1 This message looks like spam (${opinion.engine}: ${inWords(opinion)})`)
    : undefined;
}

const inWords = ({ score, threshold }: Opinion): string => `${score} of ${threshold}`;

const MARKS = ['X-Galley-Spam', 'X-Mailgun-Sflag', 'X-Mailgun-Sscore', 'X-Mailgun-Spf', 'X-Mailgun-Dkim-Check-Result'];
const SPF: Readonly<Record<string, string>> = {
  pass: 'Pass',
  fail: 'Fail',
  softfail: 'SoftFail',
  neutral: 'Neutral',
};

function marksOf({ isSpam, opinion, spf, isSigned }: SpamJudgment): string {
  const flag = isSpam ? 'Yes' : 'No';
  const values = [
    `${flag}, score=${opinion.score}, required=${opinion.threshold}, filter=${opinion.engine}`,
    flag,
    String(opinion.score),
    SPF[spf],
    isSigned === undefined ? undefined : isSigned ? 'Pass' : 'Fail',
  ];
  return MARKS.map((name, place) => (values[place] === undefined ? '' : `${name}: ${values[place]}\r\n`)).join('');
}

/** The message without marks that its sender put there. */
function withoutMarks(raw: Buffer): Buffer {
  const header = headerOf(raw);
  const mark = new RegExp(`^(?:${MARKS.join('|')})[ \\t]*:[^\\n]*\\n(?:[ \\t][^\\n]*\\n)*`, 'gim');
  const kept = header.replace(mark, '');
  return kept.length === header.length
    ? raw
    : Buffer.concat([Buffer.from(kept, 'latin1'), raw.subarray(Buffer.byteLength(header, 'latin1'))]);
}

/**
 * The message with what the filters say of it on top, where its domain asks for that. One that `block` would have
 * refused, and another domain took, carries it, too: one reply covers all recipients of a message.
 */
export async function marked(
  { settings }: Settings,
  raw: Buffer,
  judging: () => Promise<SpamJudgment>,
): Promise<Buffer> {
  if (settings.spamAction === 'disabled') return raw;
  const judgment = await judging();
  if (settings.spamAction === 'block' && !judgment.isSpam) return raw;
  return Buffer.concat([Buffer.from(marksOf(judgment)), withoutMarks(raw)]);
}
