// From what the checks found to a verdict.
import { plural, type CheckReport, type ReportedFinding, type Verdict } from '../reports/index.ts';
import { onePerCause, type Finding } from '../findings/index.ts';
import type { GateCheck, Policy, RuleGroup } from './policy.ts';
import { withoutTwins } from './twins.ts';

/** What one check came to. */
export interface CheckRun {
  check: GateCheck;
  findings: readonly Finding[];
  /** Why it could not run. */
  error?: string;
  /** How long it took. */
  durationMs?: number;
}

/** What limits are held against; a measure that is missing was not taken. */
export interface Measures {
  htmlBytes?: number;
  messageBytes?: number;
  imageBytes?: number;
  /** By audience id; `''` is the default one. */
  scores?: Record<string, number>;
}

export interface LimitOutcome {
  /** `html_bytes_max`. */
  limit: string;
  allowed: number;
  /** Null: the check that measures it did not run, or HTML is all there is of the message. */
  value: number | null;
  passed: boolean;
}

export interface Judged {
  verdict: Verdict;
  checks: CheckReport[];
  limits: LimitOutcome[];
}

const TITLES: Record<RuleGroup, string> = {
  code: 'Code',
  hygiene: 'Hygiene',
  links: 'Links',
  images: 'Images',
  accessibility: 'Accessibility',
  screenshots: 'Screenshots',
};
const RANKS = { error: 3, warning: 2, info: 1, pass: 0 } as const;
const FAILING_FROM = { error: 3, warning: 2, info: 1, never: 4 } as const;
const BROKEN = 'links/reachable';

/** `links/*` and `accessibility/color-*`. */
function matches(pattern: string, rule: string): boolean {
  const parts = pattern.split('*');
  if (parts.length === 1) return pattern === rule;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (index === parts.length - 1) return rule.length - part.length >= at && rule.endsWith(part);
    const found = index === 0 ? (rule.startsWith(part) ? 0 : -1) : rule.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return true;
}

function groupOf({ rule }: Finding, check: GateCheck): RuleGroup {
  const group = rule.split('/')[0] ?? '';
  return group in TITLES ? (group as RuleGroup) : check;
}

function holds(needle: string, { message, where, details }: Finding): boolean {
  const url = details?.['url'];
  return [message, where?.snippet, where?.selector, typeof url === 'string' ? url : undefined].some((place) =>
    place?.includes(needle),
  );
}

function reported(
  finding: Finding,
  { check, policy, today }: { check: GateCheck; policy: Policy; today: string },
): ReportedFinding | undefined {
  const rule = policy.rules.findLast(({ pattern }) => matches(pattern, finding.rule));
  if (rule?.severity === 'off') return undefined;
  const severity = rule && finding.severity !== 'pass' ? (rule.severity as Finding['severity']) : finding.severity;
  const entry =
    finding.severity === 'pass'
      ? undefined
      : policy.ignore.find(
          (candidate) =>
            matches(candidate.rule, finding.rule) &&
            (candidate.contains === undefined || holds(candidate.contains, finding)) &&
            (candidate.until ?? today) >= today,
        );
  const failOn = policy.checks[groupOf(finding, check)]?.failOn ?? policy.failOn;
  return {
    ...finding,
    severity,
    fails: entry === undefined && RANKS[severity] >= FAILING_FROM[failOn],
    ...(entry && { ignored: entry.reason }),
  };
}

/** One report for each group of rules that a check brings; the check's own name when it found nothing. */
function reportsOf(run: CheckRun, policy: Policy, today: string): CheckReport[] {
  const timed = run.durationMs === undefined ? {} : { durationMs: run.durationMs };
  if (run.error !== undefined)
    return [{ check: run.check, title: TITLES[run.check], status: 'failed', error: run.error, findings: [], ...timed }];
  const findings = run.findings.flatMap((finding) => reported(finding, { check: run.check, policy, today }) ?? []);
  const groups = Map.groupBy(findings, (finding) => groupOf(finding, run.check));
  if (!groups.has(run.check)) groups.set(run.check, []);
  return [...groups]
    .sort(([a]) => (a === run.check ? -1 : 1))
    .map(([group, found]) => ({
      check: group,
      title: TITLES[group],
      status: 'complete',
      findings: found,
      ...(group === run.check && timed),
    }));
}

/** So many broken links may be: they fail together, or not at all. */
function allowBroken(checks: CheckReport[], max: number | undefined): CheckReport[] {
  if (max === undefined) return checks;
  const isBroken = (finding: ReportedFinding): boolean =>
    finding.rule === BROKEN && finding.severity === 'error' && finding.ignored === undefined;
  const isTooMany = checks.flatMap(({ findings }) => findings).filter(isBroken).length > max;
  return checks.map((check) => ({
    ...check,
    findings: check.findings.map((finding) => (isBroken(finding) ? { ...finding, fails: isTooMany } : finding)),
  }));
}

/** A link that stands in several places is that many links. */
function linksIn(findings: readonly ReportedFinding[]): number {
  return findings.reduce((sum, { count = 1 }) => sum + count, 0);
}

function limitsOf(policy: Policy, checks: readonly CheckReport[], measures: Measures): LimitOutcome[] {
  const { htmlBytesMax, messageBytesMax, imageBytesMax, brokenLinksMax, warningsMax, scoreMin = {} } = policy.limits;
  const seen = checks.flatMap(({ findings }) => findings).filter(({ ignored }) => ignored === undefined);
  const hasLinks = checks.some(({ check, status }) => check === 'links' && status === 'complete');
  const atMost = (limit: string, allowed: number | undefined, value: number | undefined): LimitOutcome[] =>
    allowed === undefined
      ? []
      : [{ limit, allowed, value: value ?? null, passed: value !== undefined && value <= allowed }];
  const scores = Object.entries(scoreMin).map(([audience, allowed]): LimitOutcome => {
    const value = measures.scores?.[audience];
    return {
      limit: audience ? `score_min.${audience}` : 'score_min',
      allowed,
      value: value ?? null,
      passed: value !== undefined && value >= allowed,
    };
  });
  return [
    ...atMost('html_bytes_max', htmlBytesMax, measures.htmlBytes),
    ...atMost('message_bytes_max', messageBytesMax, measures.messageBytes),
    ...atMost('image_bytes_max', imageBytesMax, measures.imageBytes),
    ...atMost(
      'broken_links_max',
      brokenLinksMax,
      hasLinks ? linksIn(seen.filter(({ rule, severity }) => rule === BROKEN && severity === 'error')) : undefined,
    ),
    ...atMost('warnings_max', warningsMax, seen.filter(({ severity }) => severity === 'warning').length),
    ...scores,
  ];
}

function limitReason({ limit, allowed, value }: LimitOutcome): string {
  if (value === null && limit === 'message_bytes_max')
    return (
      `limits.message_bytes_max is ${allowed}, but HTML is no whole message, and it was not measured: ` +
      'give the message as it is sent, headers and all, or limit html_bytes_max.'
    );
  if (value === null) return `limits.${limit} is ${allowed}, but it was not measured: the check behind it did not run.`;
  return `limits.${limit} is ${allowed}, and it is ${value}.`;
}

/**
 * Judges an email.
 * @param today `YYYY-MM-DD`: entries of `ignore` end
 * @returns the verdict with a sentence for each reason against it, the findings with what each means, and the limits
 */
export function judgeGate(
  runs: readonly CheckRun[],
  { policy, measures, today }: { policy: Policy; measures: Measures; today: string },
): Judged {
  const told = allowBroken(
    withoutTwins(runs.flatMap((run) => reportsOf(run, policy, today))),
    policy.limits.brokenLinksMax,
  );
  const checks = told.map((check) => ({ ...check, findings: onePerCause(check.findings) }));
  const limits = limitsOf(policy, checks, measures);
  const reasons = [
    ...checks
      .filter(({ status, check }) => status === 'failed' && policy.checks[check as RuleGroup]?.onError !== 'warn')
      .map(({ title, error }) => `${title} could not run: ${error}`),
    ...checks.flatMap(({ title, check, findings }) => {
      const failing = findings.filter(({ fails }) => fails);
      return failing.length
        ? [
            `${title}: ${plural(failing.length, 'finding')} of severity ` +
              `${policy.checks[check as RuleGroup]?.failOn ?? policy.failOn}` +
              `${(policy.checks[check as RuleGroup]?.failOn ?? policy.failOn) === 'error' ? '' : ' or worse'}.`,
          ]
        : [];
    }),
    ...limits.filter(({ passed }) => !passed).map(limitReason),
  ];
  return { verdict: { passed: reasons.length === 0, reasons }, checks, limits };
}
