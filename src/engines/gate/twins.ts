import type { CheckReport, ReportedFinding } from '../reports/index.ts';

/** Rules of two checks that report the same fault: the one is left out where the other reports it. */
const TWINS: Record<string, string> = {
  'accessibility/link-without-target': 'links/target',
  'hygiene/dir': 'accessibility/html-has-dir',
  'hygiene/lang': 'accessibility/html-has-lang',
  'hygiene/relative-address': 'images/absolute-url',
  'hygiene/title': 'accessibility/document-title',
  'images/alt': 'accessibility/image-alt',
  'links/text-missing': 'accessibility/link-name',
};
const RANKS = { error: 3, warning: 2, info: 1, pass: 0 } as const;

const placeOf = (rule: string, { where }: ReportedFinding): string =>
  `${rule} ${where?.line ?? ''}:${where?.column ?? ''}`;

/**
 * A fault that two checks find in one place is reported and counted once, by the rule that says more, unless the other
 * one is graver.
 */
export function withoutTwins(checks: readonly CheckReport[]): CheckReport[] {
  const told = new Map(
    checks.flatMap(({ findings }) => findings).map((finding) => [placeOf(finding.rule, finding), finding]),
  );
  const isTwin = (finding: ReportedFinding): boolean => {
    const other = TWINS[finding.rule];
    const kept = other === undefined || finding.severity === 'pass' ? undefined : told.get(placeOf(other, finding));
    return kept !== undefined && (kept.ignored !== undefined || RANKS[kept.severity] >= RANKS[finding.severity]);
  };
  return checks.map((check) => ({ ...check, findings: check.findings.filter((finding) => !isTwin(finding)) }));
}
