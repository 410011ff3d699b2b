// Runs every rule over the links of a test, and writes down what they say: for the wire, and as findings.
import type { Finding } from '../findings/index.ts';
import { mergeTagIn } from '../merge-tags/index.ts';
import { judgeAnswer } from './answer-rules.ts';
import { classOf } from './link-class.ts';
import { judgeCertificates, judgeHttps } from './security-rules.ts';
import { judgeSyntax, judgeTarget } from './target-rules.ts';
import type { LinkResult, LinkSubject, RuleName, Verdict, WireFinding } from './types.ts';
import { judgeHost, judgeParameters, judgeText } from './url-rules.ts';

/** All verdicts on one link, passes included. Pure; never throws, whatever the link. */
export function judgeLink(subject: LinkSubject): Verdict[] {
  const kind = classOf(subject.url);
  const verdicts = [judgeTarget(subject)];
  if (kind === 'web') {
    const { answer } = subject;
    verdicts.push(...(answer ? judgeAnswer(subject, answer) : []), ...(answer ? judgeCertificates(answer) : []));
    verdicts.push(
      judgeHttps(subject, answer),
      judgeSyntax(subject),
      ...judgeHost(subject),
      ...judgeParameters(subject),
    );
  }
  verdicts.push(kind === 'web' || subject.text === '' ? judgeText(subject) : undefined);
  return verdicts.filter((verdict) => verdict !== undefined);
}

interface JudgedLinks {
  /** One for each link at each place, in their order. */
  results: LinkResult[];
  /** What is wrong or worth knowing, at its place, and one pass for each rule that no link broke. */
  findings: Finding[];
}

/** Judges all links of a test. */
export function judgeLinks(subjects: readonly LinkSubject[]): JudgedLinks {
  const judged: JudgedLinks = { results: [], findings: [] };
  const counts = new Map<RuleName, { passed: number; failed: number }>();
  const unfilled: LinkSubject[] = [];
  for (const subject of subjects) {
    const verdicts = judgeLink(subject);
    judged.results.push(resultOf(subject, verdicts));
    for (const verdict of verdicts) {
      const count = counts.get(verdict.rule) ?? { passed: 0, failed: 0 };
      counts.set(verdict.rule, count);
      if (verdict.severity === 'pass') count.passed++;
      else if (verdict.severity !== 'info') count.failed++;
      if (verdict.rule === 'merge-tag') unfilled.push(subject);
      else if (verdict.severity !== 'pass') judged.findings.push(findingOf(subject, verdict));
    }
  }
  judged.findings.push(...notChecked(unfilled));
  for (const [rule, { passed, failed }] of counts)
    if (passed > 0 && failed === 0) judged.findings.push(passOf(rule, passed));
  return judged;
}

const PLACES_MAX = 50;

/** Links that wait for data have one cause, so they are one finding. */
function notChecked(subjects: readonly LinkSubject[]): Finding[] {
  const [first] = subjects;
  if (!first) return [];
  const links = subjects.length === 1 ? '1 link was' : `${subjects.length} links were`;
  return [
    {
      rule: 'links/merge-tag',
      severity: 'info',
      message: `${links} not checked: merge tag in the address.`,
      ...(first.place && { where: first.place }),
      fix: 'Check the email with data, as a recipient gets it.',
      details: {
        impact: 'minor',
        links: subjects.length,
        items: subjects.slice(0, PLACES_MAX).map(({ url, place }) => ({
          url,
          tag: mergeTagIn(url),
          ...(place?.line !== undefined && { line: place.line }),
        })),
      },
    },
  ];
}

/** The ends of the sentences “1 link …” and “2 links …”. */
const PASSES: Partial<Record<RuleName, [one: string, many: string]>> = {
  reachable: ['leads somewhere', 'lead somewhere'],
  redirects: ['needs no redirects', 'need no redirects'],
  https: ['is encrypted', 'are encrypted'],
  certificate: ['shows valid certificates', 'show valid certificates'],
  content: ['leads to what browsers show', 'lead to what browsers show'],
  fragment: ['leads to a place that its page has', 'lead to places that their pages have'],
  'response-time': ['answers fast enough', 'answer fast enough'],
  address: ['names an address or number correctly', 'name an address or number correctly'],
  'text-domain': ['leads to the domain that its text shows', 'lead to the domains that their texts show'],
};

function passOf(rule: RuleName, count: number): Finding {
  const [one, many] = PASSES[rule] ?? ['passes', 'pass'];
  return {
    rule: `links/${rule}`,
    severity: 'pass',
    message: count === 1 ? `1 link ${one}.` : `${count} links ${many}.`,
    details: { links: count },
  };
}

function findingOf(
  { url, place }: LinkSubject,
  { rule, severity, message, impact, fix, source, details }: Verdict,
): Finding {
  return {
    rule: `links/${rule}`,
    severity,
    message,
    ...(place && { where: place }),
    ...(fix !== undefined && { fix }),
    ...(source !== undefined && { source }),
    details: { url, ...(impact && { impact }), ...(details && { items: details }) },
  };
}

function wireFinding({ rule, message, impact, fix, details = [] }: Verdict): WireFinding {
  return {
    id: `links/${rule}`,
    rule,
    description: message,
    ...(impact && { impact }),
    ...(fix !== undefined && { recommendation: fix }),
    details,
  };
}

function resultOf({ url, text, place = {}, answer }: LinkSubject, verdicts: readonly Verdict[]): LinkResult {
  const of = (...severities: Verdict['severity'][]) =>
    verdicts.filter(({ severity }) => severities.includes(severity)).map(wireFinding);
  const has = (severity: Verdict['severity']) => verdicts.some((verdict) => verdict.severity === severity);
  return {
    url,
    status: has('error') ? 'Error' : has('warning') ? 'warning' : 'pass',
    ...(answer?.statusCode != null && { status_code: answer.statusCode }),
    ...(place.line !== undefined && { line: place.line }),
    ...(place.column !== undefined && { column: place.column }),
    ...(place.selector !== undefined && { selector: place.selector }),
    ...(place.offset !== undefined && { absolute_index: place.offset }),
    ...(text !== undefined && { text }),
    ...(answer?.finalUrl != null && { final_url: answer.finalUrl }),
    passes: of('pass'),
    failures: of('error', 'warning'),
    informational: of('info'),
  };
}
