// An accessibility report as the page shows it: its rules with the places that the findings name, and counts by level
// and principle.
import type { AccessibilityReport, Finding } from '../../../shared/report/report-api.ts';

type Rule = AccessibilityReport['passes'][number];
export type Outcome = 'failures' | 'needs_review' | 'passes';

interface RulePlace {
  /** Among all findings of the check. */
  number: number;
  finding: Finding;
}

export interface ShownRule {
  rule: Rule;
  outcome: Outcome;
  places: RulePlace[];
}

const IMPACTS = ['critical', 'serious', 'moderate', 'minor'];
const OUTCOMES: Record<string, Outcome> = { failure: 'failures', needs_review: 'needs_review' };

/** Rules of one outcome, the gravest first, with their places. */
export function rulesOf(report: AccessibilityReport, findings: readonly Finding[], outcome: Outcome): ShownRule[] {
  const byRule = Map.groupBy(
    findings.map((finding, number) => ({ finding, number })),
    ({ finding }) => finding.rule,
  );
  const placesOf = (rule: Rule): RulePlace[] =>
    (byRule.get(`accessibility/${rule.rule}`) ?? []).filter(
      ({ finding }) => finding.severity !== 'pass' && OUTCOMES[String(finding.details?.['outcome'])] === outcome,
    );
  return report[outcome]
    .map((rule) => ({ rule, outcome, places: outcome === 'passes' ? [] : placesOf(rule) }))
    .sort(
      (a, b) =>
        IMPACTS.indexOf(a.rule.impact ?? 'minor') - IMPACTS.indexOf(b.rule.impact ?? 'minor') ||
        b.places.length - a.places.length,
    );
}

export interface Row {
  name: string;
  passes: number;
  failures: number;
  review: number;
}

function levelOf({ standards }: Rule): string {
  const level = /^WCAG [\d.]*(A{1,3})$/.exec(standards.find((standard) => standard.startsWith('WCAG')) ?? '')?.[1];
  return level ? `WCAG ${level}` : 'Best practice';
}

function rowsBy(
  report: AccessibilityReport,
  names: readonly string[],
  namesOf: (rule: Rule) => readonly string[],
): Row[] {
  const number = (rules: readonly Rule[], name: string): number =>
    rules.filter((rule) => namesOf(rule).includes(name)).length;
  return names
    .map((name) => ({
      name,
      passes: number(report.passes, name),
      failures: number(report.failures, name),
      review: number(report.needs_review, name),
    }))
    .filter(({ passes, failures, review }) => passes + failures + review > 0);
}

export function byLevel(report: AccessibilityReport): Row[] {
  return rowsBy(report, ['WCAG A', 'WCAG AA', 'WCAG AAA', 'Best practice'], (rule) => [levelOf(rule)]);
}

export function byPrinciple(report: AccessibilityReport): Row[] {
  return rowsBy(report, ['Perceivable', 'Operable', 'Understandable', 'Robust'], ({ pour }) => pour);
}

export interface Contrast {
  foreground: string;
  background: string;
  ratio: number;
  /** In how many places. */
  count: number;
  number: number;
  isDark: boolean;
  clients: string[];
}

/** Pairs of colors that are too close, each once, in light and in dark mode. */
export function contrastsOf(findings: readonly Finding[]): Contrast[] {
  const pairs = new Map<string, Contrast>();
  findings.forEach(({ rule, severity, details = {}, clients = [] }, number) => {
    if (severity === 'pass' || !rule.startsWith('accessibility/color-contrast')) return;
    const [foreground, background, ratio] = [
      details['foreground'] ?? details['fgColor'],
      details['background'] ?? details['bgColor'],
      details['ratio'] ?? details['contrastRatio'],
    ];
    if (typeof foreground !== 'string' || typeof background !== 'string' || typeof ratio !== 'number') return;
    const isDark = rule.endsWith('-dark');
    const key = `${isDark} ${foreground} ${background}`;
    const known = pairs.get(key);
    if (known) {
      known.count += 1;
      known.clients = [...new Set([...known.clients, ...clients])];
    } else pairs.set(key, { foreground, background, ratio, count: 1, number, isDark, clients });
  });
  return [...pairs.values()].sort((a, b) => a.ratio - b.ratio);
}
