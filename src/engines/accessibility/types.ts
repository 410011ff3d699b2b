// The words of accessibility: what a rule is, what it says of a message, and the report made of it.

import type { Finding } from '../findings/index.ts';
import type { Mail, MailElement } from './read-mail.ts';

/** How much it hurts the reader. */
export type Impact = 'minor' | 'moderate' | 'serious' | 'critical';

export type Principle = 'Perceivable' | 'Operable' | 'Understandable' | 'Robust';

/** Facts about a message besides its HTML; rules that need a missing fact don't apply. */
export interface MailFacts {
  subject?: string;
  /** Whether there is a text/plain part. */
  hasText?: boolean;
  /** Keyed by the address as the source writes it, without blanks around it. */
  images?: ReadonlyMap<string, ImageMotion>;
}

/** The part of an image's facts that matters here. */
export interface ImageMotion {
  isAnimated: boolean;
  /** One pass over all frames, as browsers play it. */
  asPlayedDurationMs: number;
  loops: number | 'endless';
  /** The most flashes in any second, where that was measured. */
  flashesPerSecond?: number;
}

/** One place that a rule is about. */
export interface Spot {
  at: MailElement;
  /** What is wrong here, one sentence with the names and numbers of this case. */
  message: string;
  /** Correct one of these; the rule's `fix` when left out. */
  correctAny?: string[];
  /** Correct all of these. */
  correctAll?: string[];
  impact?: Impact;
  details?: Record<string, unknown>;
}

export interface Verdict {
  /** False: the message has nothing that the rule is about. */
  applies: boolean;
  failures: Spot[];
  /** What only a person can decide. */
  review: Spot[];
}

export interface RuleFacts {
  /** Stable; rules that mean the same as one of axe-core's carry its name. */
  id: string;
  /** WCAG 2.2 success criteria, `1.1.1`; what a best practice serves. */
  criteria: readonly string[];
  /** Asks for more than the criteria do. */
  isBestPractice?: boolean;
  /** Level of rules without a WCAG criterion. */
  principle?: Principle;
  impact: Impact;
  /** What holds in a message that passes, one sentence. */
  description: string;
  /** What to do, one sentence. */
  fix: string;
}

export interface EmailRule extends RuleFacts {
  check(mail: Mail, facts: MailFacts): Verdict;
}

// ---- The report, as it goes over the wire -----------------------------------------------------------------------

export interface RuleInstance {
  correctAny: string[];
  correctAll: string[];
  /** The element's start tag in the source, shortened. */
  snippet: string;
  /** CSS selectors, one. */
  target: string[];
  /** From 1. */
  lineNumber: number;
  columnNumber: number;
  /** Characters from the start of the source, from 0. */
  absoluteIndex: number;
}

export interface RuleResult {
  rule: string;
  impact?: Impact;
  description: string;
  /** `WCAG 2A`, `WCAG 2.1AA`, `Best Practice`. */
  standards: string[];
  /** Principles: `Perceivable`, `Operable`, `Understandable`, `Robust`. */
  pour: string[];
  /** `1.1.1 Non-text Content`. */
  compliance: string[];
  /** At most 200 places; omitted for passes. */
  instances?: RuleInstance[];
}

export interface AccessibilityReport {
  /** Outcomes in the three lists together; a rule with failures and doubts counts in both. */
  checks: number;
  passes: RuleResult[];
  failures: RuleResult[];
  needs_review: RuleResult[];
}

export interface Judgment {
  report: AccessibilityReport;
  findings: Finding[];
  /** Ids of rules that had nothing to look at. */
  inapplicable: string[];
  /** False when the message exceeds all limits and only its first part was checked. */
  complete: boolean;
}
