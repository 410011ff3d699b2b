import WEIGHTS from '../../../data/spam-rules/weights.json' with { type: 'json' };
import type { Finding } from '../findings/index.ts';
import { languageOf } from './language.ts';
import { readMail } from './reading.ts';
import type { SpamRule } from './rule.ts';
import { ATTACHMENT_RULES, BULK_RULES } from './rules/bulk.ts';
import { FIELD_RULES } from './rules/fields.ts';
import { FORM_RULES } from './rules/forms.ts';
import { LINK_PLACE_RULES } from './rules/link-places.ts';
import { LINK_RULES } from './rules/links.ts';
import { HTML_RULES, IMAGE_RULES } from './rules/markup.ts';
import { PHRASE_RULES } from './rules/phrases.ts';
import { SENDER_RULES } from './rules/senders.ts';
import { SUBJECT_RULES } from './rules/subject.ts';
import { WORD_RULES } from './rules/words.ts';
import type { RuleGroup, SpamInput, SpamRuleHit, SpamRuleInfo, SpamScore } from './types.ts';

/** Changes with any rule or its points, so that scores of two tests are compared only when they can be. */
export const SPAM_RULES_VERSION = '2026.11.2';
export const SPAM_THRESHOLD = 5;
/** The score from which a message is treated worse, but not as spam. */
const SOFT_THRESHOLD = 3;
const SCORE_MIN = -5;
const PLACES_MAX = 20;

const WRITTEN: readonly SpamRule[] = [
  ...PHRASE_RULES,
  ...WORD_RULES,
  ...FORM_RULES,
  ...LINK_RULES,
  ...LINK_PLACE_RULES,
  ...IMAGE_RULES,
  ...HTML_RULES,
  ...SUBJECT_RULES,
  ...SENDER_RULES,
  ...FIELD_RULES,
  ...BULK_RULES,
  ...ATTACHMENT_RULES,
];

/** With the fitted points; a rule that the fitted mail says too little about keeps those that it was written with. */
const RULES: readonly SpamRule[] = WRITTEN.map((rule) => ({
  ...rule,
  points: (WEIGHTS.points as Record<string, number>)[rule.rule] ?? rule.points,
}));

/** Points that rules were written with, which weights are fitted from. */
export const WRITTEN_POINTS: ReadonlyMap<string, number> = new Map(WRITTEN.map(({ rule, points }) => [rule, points]));

/** The rules as they are published. */
export const SPAM_RULES: readonly SpamRuleInfo[] = RULES.map(({ rule, group, points, description, fix, source }) => ({
  rule,
  group,
  points,
  description,
  fix,
  source,
}));

const rounded = (points: number): number => Math.round(points * 10) / 10 || 0;

/** Judges a message by the built-in rules. Pure; never throws for what the message holds. */
export function scoreSpam(input: SpamInput): SpamScore {
  const mail = readMail(input);
  const hits: SpamRuleHit[] = [];
  for (const { check, rule, group, points, description, fix, source } of RULES) {
    const match = check(mail);
    if (match)
      hits.push({
        rule,
        group,
        points,
        description,
        message: match.message,
        fix,
        source,
        places: match.places.slice(0, PLACES_MAX),
        count: match.count ?? Math.max(1, match.places.length),
      });
  }
  hits.sort((a, b) => b.points - a.points || (a.rule < b.rule ? -1 : 1));
  const groups: Partial<Record<RuleGroup, number>> = {};
  for (const { group, points } of hits) groups[group] = rounded((groups[group] ?? 0) + points);
  const score = Math.max(SCORE_MIN, rounded(hits.reduce((sum, { points }) => sum + points, 0)));
  return {
    engine: 'built-in',
    version: SPAM_RULES_VERSION,
    score,
    threshold: SPAM_THRESHOLD,
    verdict: score >= SPAM_THRESHOLD ? 'spam' : score >= SOFT_THRESHOLD ? 'soft' : 'nothing_found',
    rules: hits,
    groups,
    language: languageOf(`${mail.subject}\n${mail.body?.value ?? ''}`),
  };
}

/**
 * One finding for each rule that speaks against the message, at its first place; the others are in `details.places`.
 */
export function spamFindings(score: SpamScore): Finding[] {
  return score.rules
    .filter(({ points }) => points > 0)
    .map(({ rule, points, message, fix, source, places, count, group }) => {
      const { part, header, length: _length, ...where } = places[0] ?? { part: 'message' as const };
      return {
        rule: `spam/${rule.toLowerCase().replaceAll('_', '-')}`,
        severity: points >= 1.5 ? 'error' : points >= 0.5 ? 'warning' : 'info',
        message,
        // Lines of other parts than the HTML mean nothing in its source.
        ...(part === 'html' ? { where } : where.snippet ? { where: { snippet: where.snippet } } : {}),
        fix,
        source,
        details: { points, group, part, count, places, ...(header && { header }) },
      };
    });
}
