// Runs every rule over a message, joins what a browser found, and writes the report.

import type { Finding, Severity } from '../findings/index.ts';
import { messageHtml, type MessageHtml } from '../source/index.ts';
import { elementFinder, factsOf, spotsOf, type AxeAudit } from './axe-outcomes.ts';
import { AXE_REPLACES } from './axe-rules.ts';
import { darkContrasts, darkVariants, type JudgedVariant } from './dark-variants.ts';
import { COLOR_CONTRAST, CONTRAST_DARK, ratioText } from './email-rules/contrast.ts';
import { EMAIL_RULES } from './email-rules/index.ts';
import { quoted } from './elements.ts';
import { FIXABLE_RULES } from './fixable-rules.ts';
import { readMail, type Mail } from './read-mail.ts';
import { textContrasts } from './static-contrast.ts';
import type { Impact, Judgment, MailFacts, RuleFacts, RuleInstance, RuleResult, Spot, Verdict } from './types.ts';
import { filingOf, sourceOf } from './wcag.ts';

export interface JudgeRequest extends MailFacts {
  /** The message's HTML as sent. */
  html: string;
  /** A browser's audit of `markElements(html)` with `AXE_RULES`; without it, contrast is worked out from styles. */
  axe?: AxeAudit;
  /**
   * The message in dark mode. By default every variant of `darkVariants` is worked out from styles; an empty list
   * leaves dark mode out.
   */
  dark?: readonly JudgedVariant[];
}

interface Outcome extends Verdict {
  facts: RuleFacts;
}

const INSTANCES_MAX = 200;

/**
 * Judges a message's accessibility.
 * @param read its HTML, where somebody has read it.
 * @returns the report in the shape of the wire, the same as findings, and which rules had nothing to look at. Pure;
 * never
 *   throws, whatever the HTML.
 */
export function judge(request: JudgeRequest, read: MessageHtml = messageHtml(request.html)): Judgment {
  return judgeMail(readMail(read), request);
}

/** The same for a message that has been read. */
export function judgeMail(mail: Mail, request: JudgeRequest): Judgment {
  const outcomes = new Map<string, Outcome>();
  for (const rule of EMAIL_RULES) {
    const isReplaced = request.axe !== undefined && AXE_REPLACES.has(rule.id);
    outcomes.set(rule.id, {
      facts: rule,
      ...(isReplaced ? { applies: false, failures: [], review: [] } : rule.check(mail, request)),
    });
  }
  if (request.axe) joinAxe(outcomes, request.axe, mail);
  const dark = request.dark ?? (mail.complete ? darkVariants(request.html).map((variant) => ({ variant })) : []);
  outcomes.set(CONTRAST_DARK.id, judgeDark(mail, dark));
  return write(mail, [...outcomes.values()]);
}

/** Adds the browser's outcomes to ours: both look at the same message, so an element that both name is named once. */
function joinAxe(outcomes: Map<string, Outcome>, axe: AxeAudit, mail: Mail): void {
  const find = elementFinder(mail);
  const outcomeOf = (rule: AxeAudit['passes'][number]): Outcome => {
    const known = outcomes.get(rule.id) ?? {
      facts: rule.id === COLOR_CONTRAST.id ? COLOR_CONTRAST : factsOf(rule),
      applies: false,
      failures: [],
      review: [],
    };
    const joined = { ...known, applies: true };
    outcomes.set(rule.id, joined);
    return joined;
  };
  for (const rule of axe.passes) outcomeOf(rule);
  for (const rule of axe.failures) {
    const outcome = outcomeOf(rule);
    outcome.failures = merge(mail, outcome.failures, spotsOf(rule, find));
  }
  for (const rule of axe.incomplete) {
    const outcome = outcomeOf(rule);
    outcome.review = merge(mail, outcome.review, spotsOf(rule, find));
  }
}

/** A fault of the whole document is reported once, wherever the two rule sets place it. */
function merge(mail: Mail, own: readonly Spot[], others: readonly Spot[]): Spot[] {
  const known = new Set(own.map(({ at }) => at));
  if (known.size > 0 && mail.root) known.add(mail.root);
  return [...own, ...others.filter(({ at }) => !known.has(at))];
}

const CLIENTS_NAMED = 3;

function judgeDark(mail: Mail, judged: readonly JudgedVariant[]): Outcome {
  const find = elementFinder(mail);
  const light = textContrasts(mail);
  const overPictures = new Set(light.filter(({ isOverPicture }) => isOverPicture).map(({ at }) => at));
  // A browser shortens the element that it names, and may drop its words.
  const words = new Map(light.map(({ at, text }) => [at, text]));
  const outcome: Outcome = {
    facts: CONTRAST_DARK,
    applies: judged.length > 0 && light.length > 0,
    failures: [],
    review: [],
  };
  for (const one of darkContrasts(judged, light)) {
    const at = find(String(one.at));
    if (!at) continue;
    const named = one.clients.slice(0, CLIENTS_NAMED).join('; ');
    const others = one.clients.length > CLIENTS_NAMED ? ` and ${one.clients.length - CLIENTS_NAMED} more` : '';
    const message =
      `${quoted(words.get(at) ?? one.text, 40)} has ${ratioText(one.ratio)} (${one.foreground} ` +
      `on ${one.background}) in ${named}${others}, and needs ${one.required}:1.`;
    const { ratio, required, foreground, background, clients, isMeasured } = one;
    // Clients differ in how they draw pictures behind text, and styles alone don't tell.
    const list = overPictures.has(at) && !isMeasured ? outcome.review : outcome.failures;
    list.push({
      at,
      message,
      details: { ratio: Math.floor(ratio * 100) / 100, required, foreground, background, clients, isMeasured },
    });
  }
  return outcome;
}

function write(mail: Mail, outcomes: readonly Outcome[]): Judgment {
  const applied = outcomes.filter(
    ({ applies, failures, review }) => applies || failures.length > 0 || review.length > 0,
  );
  const passed = applied.filter(({ failures, review }) => failures.length === 0 && review.length === 0);
  const passes = passed.map(({ facts }) => ruleOf(facts));
  const failures = applied
    .filter((outcome) => outcome.failures.length > 0)
    .map(({ facts, failures: spots }) => resultOf(mail, facts, spots));
  const needsReview = applied
    .filter(({ review }) => review.length > 0)
    .map(({ facts, review }) => resultOf(mail, facts, review));
  const findings = [
    ...applied.flatMap(({ facts, failures: spots }) =>
      spots.slice(0, INSTANCES_MAX).map((spot) => findingOf(mail, facts, { spot, isDoubt: false })),
    ),
    ...applied.flatMap(({ facts, review }) =>
      review.slice(0, INSTANCES_MAX).map((spot) => findingOf(mail, facts, { spot, isDoubt: true })),
    ),
    ...passed.map(({ facts }): Finding => ({
      rule: `accessibility/${facts.id}`,
      severity: 'pass',
      message: facts.description,
      source: sourceOf(facts),
    })),
  ];
  return {
    report: {
      checks: passes.length + failures.length + needsReview.length,
      passes,
      failures,
      needs_review: needsReview,
    },
    findings,
    inapplicable: outcomes.filter((outcome) => !applied.includes(outcome)).map(({ facts }) => facts.id),
    complete: mail.complete,
  };
}

function ruleOf(facts: RuleFacts): RuleResult {
  return { rule: facts.id, description: facts.description, ...filingOf(facts) };
}

const ORDER: readonly Impact[] = ['minor', 'moderate', 'serious', 'critical'];

function resultOf(mail: Mail, facts: RuleFacts, spots: readonly Spot[]): RuleResult {
  const { rule, ...filed } = ruleOf(facts);
  const impact = ORDER[Math.max(...spots.map((spot) => ORDER.indexOf(spot.impact ?? facts.impact)))]!;
  return {
    rule,
    impact,
    ...filed,
    instances: spots.slice(0, INSTANCES_MAX).map((spot) => instanceOf(mail, facts, spot)),
  };
}

function instanceOf(mail: Mail, facts: RuleFacts, { at, message, correctAny, correctAll = [] }: Spot): RuleInstance {
  const { line, column, offset, selector, snippet } = mail.placeOf(at);
  const any = correctAny ?? [`${message} ${facts.fix}`];
  return {
    correctAny: any,
    correctAll,
    snippet,
    target: [selector],
    lineNumber: line,
    columnNumber: column,
    absoluteIndex: offset,
  };
}

function findingOf(mail: Mail, facts: RuleFacts, { spot, isDoubt }: { spot: Spot; isDoubt: boolean }): Finding {
  const impact = spot.impact ?? facts.impact;
  const { clients, ...particulars } = { clients: undefined, ...spot.details };
  return {
    rule: `accessibility/${facts.id}`,
    severity: isDoubt ? 'info' : severityOf(impact, facts),
    message: spot.message,
    where: mail.placeOf(spot.at),
    fix: facts.fix,
    source: sourceOf(facts),
    ...(Array.isArray(clients) ? { clients } : {}),
    details: {
      impact,
      outcome: isDoubt ? 'needs_review' : 'failure',
      fixable: FIXABLE_RULES.has(facts.id),
      ...particulars,
    },
  };
}

/** Best practices and level AAA never stop a message. */
function severityOf(impact: Impact, facts: RuleFacts): Severity {
  const isAsked = filingOf(facts).standards.some(
    (standard) => standard !== 'Best Practice' && !standard.endsWith('AAA'),
  );
  if (impact === 'minor') return 'info';
  return isAsked && impact !== 'moderate' ? 'error' : 'warning';
}
