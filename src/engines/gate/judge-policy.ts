// Turns the findings of the checks into a verdict.
import { plural, type CheckReport, type ReportedFinding, type Verdict } from '../reports/index.ts';
import { onePerCause, type Finding } from '../findings/index.ts';
import { limitKey, type Policy } from './policy.ts';
import type { GateLimit, GateRules } from './rules.ts';
import { withoutTwins } from './twins.ts';

/** What one check came to. */
export interface CheckRun {
  check: string;
  findings: readonly Finding[];
  /** Why it could not run. */
  error?: string;
  /** How long it took. */
  durationMs?: number;
}

/** What limits are held against, by the names that these give it; a measure that is missing was not taken. */
export type Measures = Record<string, number | Record<string, number>>;

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

const RANKS = { error: 3, warning: 2, info: 1, pass: 0 } as const;
const FAILING_FROM = { error: 3, warning: 2, info: 1, never: 4 } as const;

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

/** The group of a rule; the check's own where none is declared. */
function groupOf({ rule }: Finding, { check, rules }: Pick<Judging, 'rules'> & { check: string }): string {
  const group = rule.split('/')[0] ?? '';
  return rules.titles.has(group) ? group : check;
}

function holds(needle: string, { message, where, details }: Finding): boolean {
  const url = details?.['url'];
  return [message, where?.snippet, where?.selector, typeof url === 'string' ? url : undefined].some((place) =>
    place?.includes(needle),
  );
}

/** What a verdict is made by. */
interface Judging {
  policy: Policy;
  rules: GateRules;
  /** `YYYY-MM-DD`: entries of `ignore` end. */
  today: string;
}

function reported(
  finding: Finding,
  { check, policy, rules, today }: Judging & { check: string },
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
  const failOn = policy.checks[groupOf(finding, { check, rules })]?.failOn ?? policy.failOn;
  return {
    ...finding,
    severity,
    fails: entry === undefined && RANKS[severity] >= FAILING_FROM[failOn],
    ...(entry && { ignored: entry.reason }),
  };
}

/** One report for each group of rules that a check brings; the check's own name when it found nothing. */
function reportsOf(run: CheckRun, judging: Judging): CheckReport[] {
  const { check, error, durationMs } = run;
  const titleOf = (group: string): string => judging.rules.titles.get(group) ?? group;
  const timed = durationMs === undefined ? {} : { durationMs };
  if (error !== undefined) return [{ check, title: titleOf(check), status: 'failed', error, findings: [], ...timed }];
  const findings = run.findings.flatMap((finding) => reported(finding, { ...judging, check }) ?? []);
  const groups = Map.groupBy(findings, (finding) => groupOf(finding, { ...judging, check }));
  if (!groups.has(check)) groups.set(check, []);
  return [...groups]
    .sort(([a]) => (a === check ? -1 : 1))
    .map(([group, found]) => ({
      check: group,
      title: titleOf(group),
      status: 'complete',
      findings: found,
      ...(group === check && timed),
    }));
}

const isFault = ({ rule, severity, ignored }: ReportedFinding, counted: string): boolean =>
  rule === counted && severity === 'error' && ignored === undefined;

/** Applies limits for the number of a rule's findings: within the limit none fails the gate, above it all do. */
function allowFaults(checks: CheckReport[], { policy, rules }: Judging): CheckReport[] {
  const tooMany = new Map<string, boolean>();
  const all = checks.flatMap(({ findings }) => findings);
  for (const { name, of } of rules.limits) {
    const allowed = policy.limits[limitKey(name)];
    if ('rule' in of && typeof allowed === 'number')
      tooMany.set(of.rule, all.filter((finding) => isFault(finding, of.rule)).length > allowed);
  }
  const isCounted = (finding: ReportedFinding): boolean => tooMany.has(finding.rule) && isFault(finding, finding.rule);
  return checks.map((check) => ({
    ...check,
    findings: check.findings.map((finding) =>
      isCounted(finding) ? { ...finding, fails: tooMany.get(finding.rule) === true } : finding,
    ),
  }));
}

/** A fault that stands in several places is that many faults. */
function placesIn(findings: readonly ReportedFinding[]): number {
  return findings.reduce((sum, { count = 1 }) => sum + count, 0);
}

/** What a limit is held against; undefined where it was not measured. */
function valueOf(
  { of }: GateLimit,
  { checks, measures, audience }: { checks: readonly CheckReport[]; measures: Measures; audience?: string },
): number | undefined {
  if ('measure' in of || 'measures' in of) {
    const measure = measures['measure' in of ? of.measure : of.measures];
    return typeof measure === 'object' ? measure[audience ?? ''] : measure;
  }
  const seen = checks.flatMap(({ findings }) => findings).filter(({ ignored }) => ignored === undefined);
  if ('severity' in of) return seen.filter(({ severity }) => severity === of.severity).length;
  const group = of.rule.slice(0, of.rule.indexOf('/'));
  if (!checks.some(({ check, status }) => check === group && status === 'complete')) return undefined;
  return placesIn(seen.filter((finding) => isFault(finding, of.rule)));
}

function limitsOf(
  { policy, rules }: Judging,
  checks: readonly CheckReport[],
  measures: Measures,
): (LimitOutcome & { about: GateLimit })[] {
  return rules.limits.flatMap((about) => {
    const said = policy.limits[limitKey(about.name)];
    if (said === undefined) return [];
    return (typeof said === 'number' ? [['', said] as const] : Object.entries(said)).map(([audience, allowed]) => {
      const value = valueOf(about, { checks, measures, audience });
      const isWithin = (measured: number): boolean => ('names' in about.of ? measured >= allowed : measured <= allowed);
      return {
        limit: audience ? `${about.name}.${audience}` : about.name,
        allowed,
        value: value ?? null,
        passed: value !== undefined && isWithin(value),
        about,
      };
    });
  });
}

function limitReason({ limit, allowed, value, about }: LimitOutcome & { about: GateLimit }): string {
  if (value !== null) return `limits.${limit} is ${allowed}, and it is ${value}.`;
  return `limits.${limit} is ${allowed}, but ${
    about.unmeasured ?? 'it was not measured: the check behind it did not run.'
  }`;
}

/**
 * Judges an email.
 * @returns the verdict with a sentence for each reason against it, the findings with what each means, and the limits
 */
export function judgeGate(
  runs: readonly CheckRun[],
  { measures, ...judging }: Judging & { measures: Measures },
): Judged {
  const { policy } = judging;
  const told = allowFaults(withoutTwins(runs.flatMap((run) => reportsOf(run, judging))), judging);
  const checks = told.map((check) => ({ ...check, findings: onePerCause(check.findings) }));
  const limits = limitsOf(judging, checks, measures);
  const reasons = [
    ...checks
      .filter(({ status, check }) => status === 'failed' && policy.checks[check]?.onError !== 'warn')
      .map(({ title, error }) => `${title} could not run: ${error}`),
    ...checks.flatMap(({ title, check, findings }) => {
      const failing = findings.filter(({ fails }) => fails);
      const failOn = policy.checks[check]?.failOn ?? policy.failOn;
      return failing.length
        ? [
            `${title}: ${plural(failing.length, 'finding')} of severity ${failOn}` +
              `${failOn === 'error' ? '' : ' or worse'}.`,
          ]
        : [];
    }),
    ...limits.filter(({ passed }) => !passed).map(limitReason),
  ];
  return {
    verdict: { passed: reasons.length === 0, reasons },
    checks,
    limits: limits.map(({ limit, allowed, value, passed }) => ({ limit, allowed, value, passed })),
  };
}
