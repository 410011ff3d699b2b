import { conditionsOf } from './authentication.ts';
import { CITED } from './documents.ts';
import { chooseTab, SIGNAL_NAMES } from './tabs.ts';
import type { FilterOpinion, Placement, PlacementInput, PlacementReason, PlacementVerdict, Receiver } from './types.ts';

/** A filter at its threshold gives this. */
const POINTS_AT_THRESHOLD = 10;
/** A filter's score counts at most as this multiple of its threshold. */
const RATIO_MAX = 4;
const RATIO_MIN = -0.2;
/**
 * The strictest opinion counts in full, and each further one that speaks against the message this much of its weight.
 */
const AGREEMENT = 0.25;
const NAMES: Readonly<Record<string, string>> = {
  spamassassin: 'SpamAssassin',
  rspamd: 'Rspamd',
  'built-in': 'The built-in filter',
};

/** A reason that gives no points. */
const because = (code: string, message: string): PlacementReason => ({ code, message, points: null, source: null });

const rounded = (points: number): number => Math.round(points * 10) / 10 || 0;

/**
 * Where this receiver would put the message, and why. The same input gives the same answer. Points of different filters
 * are made comparable by their thresholds. The strictest opinion counts in full: one more filter never files a message
 * better.
 */
export function decidePlacement(receiver: Receiver, input: PlacementInput): PlacementVerdict {
  const refusal = refusalOf(receiver, input);
  const { reasons, decided } = authenticationReasons(receiver, input);
  const content = contentReasons(receiver, input);
  const all = [...reasons, ...content];
  const score = rounded(all.reduce((sum, { points }) => sum + (points ?? 0), 0));
  const verdict = (
    placement: Placement,
    first: PlacementReason | undefined,
    category: string | null = null,
  ): PlacementVerdict => {
    const rest = all.filter((reason) => reason !== first).sort((a, b) => (b.points ?? 0) - (a.points ?? 0));
    return {
      placement,
      category,
      score,
      thresholds: receiver.thresholds,
      reasons: [...(first ? [first] : []), ...rest],
      smtpReply: replyOf(receiver, placement, first),
    };
  };
  if (refusal) return verdict('rejected', refusal);
  if (decided?.action === 'reject') return verdict('rejected', decided.reason);
  const { spam, reject } = receiver.thresholds;
  const gray = receiver.greylisting;
  if (gray && score >= gray.fromScore && (input.message.attempts ?? 0) < gray.attempts) {
    const message = `Puts off doubtful mail of new senders; trying again in ${gray.retryAfterSeconds} s helps.`;
    return verdict('deferred', because('greylisted', message));
  }
  if (reject !== null && score >= reject) {
    return verdict(
      'rejected',
      because('score-reject', `The score of ${score} reaches ${reject}, from which it refuses mail.`),
    );
  }
  if (decided) return verdict('spam', decided.reason);
  if (score >= spam) {
    return verdict(
      'spam',
      because('score-spam', `The score of ${score} reaches ${spam}, from which it files mail as spam.`),
    );
  }
  const tab = chooseTab(receiver.tabs, input.message);
  if (!tab) return verdict('inbox', because('score-inbox', `The score of ${score} stays below ${spam}.`));
  const signals = tab.signals.map((signal) => SIGNAL_NAMES[signal]).join(', ');
  const message = `The score of ${score} stays below ${spam}, and the message belongs under “${tab.category}”, by ${signals}.`;
  return verdict('category', because(`tab-${tab.category}`, message), tab.category);
}

/** What is never taken, whatever else holds. */
function refusalOf(receiver: Receiver, { message }: PlacementInput): PlacementReason | undefined {
  if (message.sizeBytes > receiver.sizeBytesMax)
    return {
      code: 'too-large',
      message: `It takes no message larger than ${Math.round(receiver.sizeBytesMax / 1024 / 1024)} MiB.`,
      points: null,
      source: null,
    };
  const refused = message.attachments.find(({ name }) =>
    receiver.refusedExtensions.includes(/\.([a-z0-9]+)\s*$/i.exec(name)?.[1]?.toLowerCase() ?? ''),
  );
  return (
    refused && {
      code: 'attachment-refused',
      message: `It takes no attachment such as “${refused.name.slice(0, 80)}”.`,
      points: null,
      source: null,
    }
  );
}

interface Decided {
  action: 'reject' | 'spam';
  reason: PlacementReason;
}

function authenticationReasons(
  receiver: Receiver,
  input: PlacementInput,
): { reasons: PlacementReason[]; decided: Decided | undefined } {
  const held = conditionsOf(input.authentication, input.message);
  const reasons: PlacementReason[] = [];
  let decided: Decided | undefined;
  for (const { when, action, points, cites } of receiver.authentication) {
    const message = held.get(when);
    if (message === undefined || action === 'ignore') continue;
    const source = cites === undefined ? null : CITED[cites];
    const reason: PlacementReason = { code: when, message, points: action === 'points' ? (points ?? 0) : null, source };
    reasons.push(reason);
    // A refusal outranks a filing, whichever was named first.
    if (action === 'reject' && decided?.action !== 'reject') decided = { action, reason };
    else if (action === 'spam') decided ??= { action, reason };
  }
  return { reasons, decided };
}

function contentReasons(receiver: Receiver, { filters, builtIn }: PlacementInput): PlacementReason[] {
  const own: FilterOpinion = { engine: 'built-in', ...weighted(receiver, builtIn) };
  const opinions = [...filters, own].flatMap((opinion) => {
    const weight = receiver.filterWeights[opinion.engine as keyof Receiver['filterWeights']] ?? 0;
    return weight > 0 ? [{ opinion, weight, ratio: ratioOf(opinion) }] : [];
  });
  opinions.sort((a, b) => b.ratio - a.ratio || b.weight - a.weight);
  return opinions.map(({ opinion, weight, ratio }, rank) => {
    // What finds nothing takes nothing away from what another filter found.
    const counted = rank === 0 ? ratio : Math.max(0, ratio) * weight * AGREEMENT;
    return {
      code: `filter-${opinion.engine}`,
      message: sentenceOf(opinion),
      points: rounded(POINTS_AT_THRESHOLD * counted),
      source: null,
    };
  });
}

/** Rspamd's threshold is where it refuses; what it calls spam lies below. */
function sentenceOf({ engine, score, threshold, verdict }: FilterOpinion): string {
  const points =
    engine === 'rspamd'
      ? `${rounded(score)} points, and refuses from ${threshold}`
      : `${rounded(score)} of ${threshold} points`;
  return `${NAMES[engine] ?? engine} gives ${points}: ${verdict}.`;
}

/** The built-in score with this receiver's weights of groups. */
function weighted(
  { groupWeights }: Receiver,
  { score, threshold, groups }: PlacementInput['builtIn'],
): Omit<FilterOpinion, 'engine'> {
  let sum = score;
  for (const [group, points] of Object.entries(groups) as [keyof typeof groups, number][])
    sum += points * ((groupWeights[group] ?? 1) - 1);
  return {
    score: rounded(sum),
    threshold,
    verdict: sum >= threshold ? 'spam' : sum >= 0.6 * threshold ? 'soft' : 'nothing_found',
  };
}

/**
 * A filter's word counts more than its numbers: Rspamd marks spam long before its threshold, which is that of refusing.
 */
function ratioOf({ score, threshold, verdict }: FilterOpinion): number {
  const ratio = threshold > 0 ? score / threshold : verdict === 'spam' ? 1 : 0;
  const spoken = verdict === 'spam' ? Math.max(1, ratio) : ratio;
  return Math.min(RATIO_MAX, Math.max(RATIO_MIN, spoken));
}

type Reply = readonly [code: number, enhanced: string, text: string];
const UNAUTHENTICATED: Reply = [550, '5.7.26', 'Message is not authenticated as the policy of its domain asks'];
const MALFORMED: Reply = [550, '5.7.1', 'Message header does not conform to RFC 5322'];
/** SMTP replies by the code of the deciding reason. */
const REPLIES: Readonly<Record<string, Reply>> = {
  'too-large': [552, '5.3.4', 'Message is too large'],
  'attachment-refused': [552, '5.7.0', 'Attachments of this kind are not accepted'],
  'no-authentication': [550, '5.7.26', 'Message passes neither SPF nor DKIM'],
  'bulk-unsigned': [550, '5.7.30', 'Bulk mail must pass DKIM'],
  'bulk-unauthenticated': [550, '5.7.515', 'Bulk mail must pass DMARC'],
  'no-reverse-dns': [550, '5.7.25', 'The sending address has no valid reverse DNS'],
  'spf-fail': [550, '5.7.23', 'SPF validation failed'],
  'from-missing': MALFORMED,
  'from-repeated': MALFORMED,
  'from-several': MALFORMED,
  'fields-repeated': MALFORMED,
  'score-reject': [554, '5.7.1', 'Message looks like spam'],
};

function replyOf(
  receiver: Receiver,
  placement: Placement,
  reason: PlacementReason | undefined,
): PlacementVerdict['smtpReply'] {
  if (placement === 'deferred')
    return {
      code: 451,
      enhanced: '4.7.1',
      text: `Greylisted, please try again in ${receiver.greylisting?.retryAfterSeconds ?? 60} seconds`,
    };
  if (placement !== 'rejected') return { code: 250, enhanced: '2.0.0', text: 'Message accepted' };
  const [code, enhanced, text] = REPLIES[reason?.code ?? ''] ?? UNAUTHENTICATED;
  return { code, enhanced, text };
}
