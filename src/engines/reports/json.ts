import { countsOf, hasPassed, worstFirst } from './ordering.ts';
import { jsonText } from './plain-text.ts';
import type { CheckReport, EmailReport, Report } from './types.ts';

/** One check as the API and the JSON report show it. */
export function checkView({ check, title, status, error, findings }: CheckReport) {
  return {
    check,
    title,
    status,
    ...(error !== undefined && { error }),
    counts: countsOf([{ findings }]),
    findings: worstFirst(findings),
  };
}

function emailView(email: EmailReport) {
  const passed = hasPassed(email);
  return {
    email: email.email,
    verdict: passed ? 'pass' : 'fail',
    reasons: email.verdict?.reasons ?? [],
    counts: countsOf(email.checks),
    checks: email.checks.map(checkView),
  };
}

/** `{ tool, verdict, emails: [{ email, verdict, reasons, counts, checks }] }` */
export function writeJson({ tool, emails }: Report): string {
  return jsonText({ tool, verdict: emails.every(hasPassed) ? 'pass' : 'fail', emails: emails.map(emailView) });
}
