// A stand-in sender is in no DNS, so what filters say about the sender means nothing: it is removed from their results.
import type { FilterOutcome, FilterVerdict } from '../../../platform/spam-filters/index.ts';

/** Rules about the connection, its names and authentication, of SpamAssassin and Rspamd. */
const ABOUT_SENDER =
  /^(T_)?(HFILTER_|AUTH_NA|R_SPF_|R_DKIM_|DKIM_|DKIMWL_|DMARC_|ARC_|SPF_|BLOCKEDBY|RDNS_|RCVD_ILLEGAL_IP|RCVD_(COUNT|NO_TLS|TLS|VIA|HELO|DOUBLE)|HELO_|NO_DNS_FOR_FROM|FROMHOST_|FROM_(NO_?DN|NEQ_ENVFROM|EQ_ENVFROM)|ASN|RBL_|RCVD_IN_|MISSING_MX|UNPARSEABLE_RELAY|NO_RELAYS|ALL_TRUSTED|TO_DOM_EQ_FROM_DOM|VIOLATED_DIRECT_SPF)/;

/** From where on Rspamd, by its defaults, marks mail and puts it off; it refuses at its threshold only. */
const RSPAMD_SPAM = 6;
const RSPAMD_SOFT = 4;

function verdictAt(
  score: number,
  { engine, threshold, verdict }: { engine: string; threshold: number; verdict: FilterVerdict },
): FilterVerdict {
  const strict: FilterVerdict =
    engine === 'rspamd'
      ? score >= RSPAMD_SPAM
        ? 'spam'
        : score >= RSPAMD_SOFT
          ? 'soft'
          : 'nothing_found'
      : score >= threshold
        ? 'spam'
        : 'nothing_found';
  const order: FilterVerdict[] = ['nothing_found', 'soft', 'spam'];
  // Less can be said against the message than before, never more.
  return order.indexOf(strict) < order.indexOf(verdict) ? strict : verdict;
}

/** The opinion without what it says of the sender. */
export function aboutContent(outcome: FilterOutcome): FilterOutcome {
  if (!outcome.ok) return outcome;
  const rules = outcome.rules.filter(({ name }) => !ABOUT_SENDER.test(name));
  const removed = outcome.rules.reduce((sum, rule) => sum + (rules.includes(rule) ? 0 : rule.points), 0);
  if (removed === 0) return { ...outcome, rules };
  const score = Math.round((outcome.score - removed) * 1000) / 1000;
  const verdict = verdictAt(score, outcome);
  return { ...outcome, rules, score, verdict, action: verdict === outcome.verdict ? outcome.action : null };
}
