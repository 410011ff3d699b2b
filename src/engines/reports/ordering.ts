// The order of findings that all formats share: worst first.
import type { Severity } from '../findings/index.ts';
import type { CheckReport, EmailReport, ReportedFinding } from './types.ts';

const RANKS: Record<Severity, number> = { error: 0, warning: 1, info: 2, pass: 3 };

/**
 * That a check did not come to everything is said before what it found: a format may leave the end of a long list out.
 */
function isNotice({ rule, severity }: ReportedFinding): boolean {
  return severity === 'warning' && rule.endsWith('/not-checked');
}

function rankOf(finding: ReportedFinding): number {
  if (isNotice(finding) && finding.ignored === undefined) return -1;
  return (finding.ignored === undefined ? 0 : 20) + (finding.fails ? 0 : 10) + RANKS[finding.severity];
}

/** The order of findings: not checked, failing, then by severity, then by place; ignored findings last. */
export function worstFirst(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const lineOf = ({ where }: ReportedFinding): number => where?.line ?? 0;
  const columnOf = ({ where }: ReportedFinding): number => where?.column ?? 0;
  return [...findings].sort((a, b) => rankOf(a) - rankOf(b) || lineOf(a) - lineOf(b) || columnOf(a) - columnOf(b));
}

/** The findings of a check by rule, worst first. */
export function byRule(findings: readonly ReportedFinding[]): Map<string, ReportedFinding[]> {
  return Map.groupBy(worstFirst(findings), (finding) => finding.rule);
}

export interface Counts {
  errors: number;
  warnings: number;
  infos: number;
  passes: number;
  ignored: number;
  /** Count over all severities. */
  failing: number;
}

export function countsOf(checks: readonly Pick<CheckReport, 'findings'>[]): Counts {
  const all = checks.flatMap(({ findings }) => findings);
  const seen = all.filter(({ ignored }) => ignored === undefined);
  const count = (severity: Severity): number => seen.filter((finding) => finding.severity === severity).length;
  return {
    errors: count('error'),
    warnings: count('warning'),
    infos: count('info'),
    passes: count('pass'),
    ignored: all.length - seen.length,
    failing: seen.filter(({ fails }) => fails).length,
  };
}

/** Nobody judged: an email passes when no finding fails and every check ran. */
export function hasPassed({ verdict, checks }: EmailReport): boolean {
  return (
    verdict?.passed ??
    checks.every(({ status, findings }) => status === 'complete' && !findings.some(({ fails }) => fails))
  );
}

/** `1 place`, `2 places`. */
export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
