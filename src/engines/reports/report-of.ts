import { onePerCause, type Finding } from '../findings/index.ts';
import type { EmailReport } from './types.ts';

/** `links` → `Links`. */
function titleOf(check: string): string {
  return check.charAt(0).toUpperCase() + check.slice(1).replaceAll('-', ' ');
}

interface ReportOfOptions {
  /** What was checked. */
  email: string;
  /** The inspection, where its findings do not say: it found nothing, or could not run. */
  kind: string;
  /** Why it could not run. */
  error?: string | undefined;
}

/** The findings of one inspection as a report without a policy: errors fail. One check for each group of rules. */
export function reportOf(findings: readonly Finding[], { email, kind, error }: ReportOfOptions): EmailReport {
  if (error !== undefined)
    return { email, checks: [{ check: kind, title: titleOf(kind), status: 'failed', error, findings: [] }] };
  const groups = Map.groupBy(onePerCause(findings), ({ rule }) => rule.split('/')[0] ?? kind);
  const checks = groups.size ? [...groups] : [[kind, []] as [string, Finding[]]];
  return {
    email,
    checks: checks.map(([check, found]) => ({
      check,
      title: titleOf(check),
      status: 'complete',
      findings: found.map((finding) => ({ ...finding, fails: finding.severity === 'error' })),
    })),
  };
}
