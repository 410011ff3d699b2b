// Repairs a message's source: without changing how it looks, or, when asked to, by changing it as little as it takes.

import { FIXABLE_RULES, LOOKS_RULES } from '../fixable-rules.ts';
import { judgeMail } from '../judge.ts';
import { readMail, type Mail } from '../read-mail.ts';
import type { AccessibilityReport, RuleResult } from '../types.ts';
import { fixLanguage, fixTitle, fixViewport, fixWrapper } from './fix-document.ts';
import { fixAlternatives } from './fix-images.ts';
import { fixLooks } from './fix-looks.ts';
import { fixAttributes, fixHeadings, fixLinkTexts, fixTables } from './fix-structure.ts';
import { createFixing, type FixChange, type FixLeft, type FixOptions } from './fixing.ts';
import { applyEdits } from './source-edits.ts';
import { unifiedDiff } from './unified-diff.ts';

/** What the rules say of a message, without a browser and dark mode, in numbers. */
export interface FixCounts {
  checks: number;
  passes: number;
  failures: number;
  needsReview: number;
  /** Places that fail, in all rules. */
  failing: number;
  /** Failures of rules that the requested repair covers. */
  fixable: number;
}

export interface FixedMessage {
  html: string;
  /** In the order of the source. */
  changes: FixChange[];
  /** What rules that can be repaired as asked for still find, and why it was left. */
  left: FixLeft[];
  /** Unified; empty when nothing changes. */
  diff: string;
  before: FixCounts;
  after: FixCounts;
  /** What the rules still find in the repaired message: for people. */
  remaining: RuleResult[];
}

/**
 * Repairs what can be repaired without changing the looks, by editing the source in place. What had to be guessed is
 * marked `check`. With `looks: 'adjust'` it also repairs what cannot be repaired otherwise, by the smallest visible
 * change, and marks that `changesLook`. Fixing what is fixed changes nothing.
 *
 * With `looks: 'keep'` the looks stay the same but for this: where a picture does not load, its alternative text is
 * seen now; `lang` lets text with `hyphens: auto` be hyphenated, and chooses among the regional forms of Chinese
 * characters.
 */
export function fixAccessibility(html: string, options: FixOptions & { fileName?: string } = {}): FixedMessage {
  const steps = fixAccessibilityInSteps(html, options);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/**
 * The same in steps, so that others have their turn between them: adjusting the looks of a long message takes seconds.
 */
function* fixAccessibilityInSteps(
  html: string,
  options: FixOptions & { fileName?: string } = {},
): Generator<undefined, FixedMessage> {
  const mail = readMail(html);
  const fixing = createFixing(mail, options);
  if (mail.complete) {
    for (const fix of [
      fixLanguage,
      fixTitle,
      fixViewport,
      fixTables,
      fixHeadings,
      fixAlternatives,
      fixAttributes,
      fixLinkTexts,
      fixWrapper,
    ])
      fix(fixing);
    if (options.looks === 'adjust') yield* fixLooks(fixing);
  }
  const edits = fixing.edits.list();
  const fixed = applyEdits(html, edits);
  const before = reportOf(mail);
  const after = fixed === html ? before : reportOf(readMail(fixed));
  return {
    html: fixed,
    changes: fixing.changes(),
    left: fixing.left,
    diff: unifiedDiff(html, edits, options.fileName),
    before: countsOf(before, options),
    after: countsOf(after, options),
    remaining: after.failures,
  };
}

/** Judges without a browser and without dark mode, which no repair makes worse. */
function reportOf(mail: Mail): AccessibilityReport {
  return judgeMail(mail, { html: mail.html, dark: [] }).report;
}

function countsOf(report: AccessibilityReport, { looks }: FixOptions): FixCounts {
  const instancesOf = (results: AccessibilityReport['failures']) =>
    results.reduce((sum, { instances }) => sum + (instances?.length ?? 0), 0);
  return {
    checks: report.checks,
    passes: report.passes.length,
    failures: report.failures.length,
    needsReview: report.needs_review.length,
    failing: instancesOf(report.failures),
    fixable: instancesOf(
      report.failures.filter(({ rule }) => FIXABLE_RULES.has(rule) || (looks === 'adjust' && LOOKS_RULES.has(rule))),
    ),
  };
}
