// JUnit XML: a suite per email and check, a test case per rule.
import { atEachPlace } from '../findings/index.ts';
import { byRule } from './ordering.ts';
import { placeName } from './place-name.ts';
import type { CheckReport, EmailReport, Report, ReportedFinding } from './types.ts';

/** What XML 1.0 cannot hold, even escaped (§2.2 Char). */
// oxlint-disable-next-line no-control-regex
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
const PLACES_MAX = 200;

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(NOT_XML, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&apos;')
    .replaceAll('\r', '&#13;');
}

/** Attribute values keep their line breaks only as references (§3.3.3). */
function attributes(values: Record<string, string | number>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')}"`)
    .join('');
}

function describe({ message, where, fix, ignored }: ReportedFinding, email: string): string {
  const place = placeName({ ...where, file: where?.file ?? email }) ?? email;
  return [
    `${place}: ${message}`,
    where?.snippet,
    fix === undefined ? undefined : `Fix: ${fix}`,
    ignored === undefined ? undefined : `Ignored: ${ignored}`,
  ]
    .filter((line) => line !== undefined)
    .join('\n');
}

function describeAll(findings: readonly ReportedFinding[], email: string): string {
  const more = findings.length > PLACES_MAX ? [`… and ${findings.length - PLACES_MAX} more`] : [];
  return escapeXml([...findings.slice(0, PLACES_MAX).map((finding) => describe(finding, email)), ...more].join('\n\n'));
}

/**
 * What was not timed takes no time of its own. Rules are not timed one by one, so that their cases have no time at all.
 */
function secondsOf({ durationMs }: { durationMs?: number | undefined }): string {
  return durationMs === undefined ? '0' : (durationMs / 1000).toFixed(3);
}

interface TestCase {
  xml: string;
  outcome: 'passed' | 'failed' | 'error' | 'skipped';
}

function caseOf({ check }: CheckReport, email: string, [rule, findings]: [string, ReportedFinding[]]): TestCase {
  const open = `    <testcase${attributes({ classname: check, name: rule })}`;
  const failing = findings.filter(({ fails }) => fails);
  const others = findings.filter(({ fails, severity }) => !fails && severity !== 'pass');
  const said = others.length ? `<system-out>${describeAll(others, email)}</system-out>` : '';
  if (failing.length)
    return {
      outcome: 'failed',
      xml:
        `${open}><failure${attributes({ message: failing[0]!.message, type: failing[0]!.severity })}>` +
        `${describeAll(failing, email)}</failure>${said}</testcase>`,
    };
  if (findings.every(({ ignored }) => ignored !== undefined))
    return {
      outcome: 'skipped',
      xml: `${open}><skipped${attributes({ message: findings[0]!.ignored ?? '' })}/>${said}</testcase>`,
    };
  return { outcome: 'passed', xml: said ? `${open}>${said}</testcase>` : `${open}/>` };
}

function suiteOf({ email }: EmailReport, check: CheckReport): { xml: string; cases: TestCase[] } {
  const cases = [...byRule(check.findings.flatMap(atEachPlace))].map((entry) => caseOf(check, email, entry));
  if (check.status === 'failed')
    cases.unshift({
      outcome: 'error',
      xml:
        `    <testcase${attributes({ classname: check.check, name: `${check.title} could run` })}>` +
        `<error${attributes({ message: check.error ?? '', type: 'could-not-run' })}/></testcase>`,
    });
  return {
    cases,
    xml:
      `  <testsuite${attributes({ name: `${email} – ${check.title}`, ...totalsOf(cases), time: secondsOf(check) })}>` +
      `\n${cases.map(({ xml }) => xml).join('\n')}\n  </testsuite>`,
  };
}

function totalsOf(cases: readonly TestCase[]): Record<string, number> {
  const count = (outcome: TestCase['outcome']): number => cases.filter((one) => one.outcome === outcome).length;
  return { tests: cases.length, failures: count('failed'), errors: count('error'), skipped: count('skipped') };
}

/** The verdict itself is a test case where limits can break it without a finding. */
function verdictSuite({ email, verdict }: EmailReport): { xml: string; cases: TestCase[] }[] {
  if (!verdict) return [];
  const open = `    <testcase${attributes({ classname: 'policy', name: 'verdict' })}`;
  const one: TestCase = verdict.passed
    ? { outcome: 'passed', xml: `${open}/>` }
    : {
        outcome: 'failed',
        xml:
          `${open}><failure${attributes({ message: verdict.reasons[0] ?? '', type: 'policy' })}>` +
          `${escapeXml(verdict.reasons.join('\n'))}</failure></testcase>`,
      };
  return [
    {
      cases: [one],
      xml:
        `  <testsuite${attributes({ name: `${email} – Policy`, ...totalsOf([one]), time: '0' })}>\n` +
        `${one.xml}\n  </testsuite>`,
    },
  ];
}

/** Well-formed whatever the message holds. */
export function writeJunit({ tool, emails, durationMs }: Report): string {
  const suites = emails.flatMap((email) => [
    ...email.checks.map((check) => suiteOf(email, check)),
    ...verdictSuite(email),
  ]);
  const totals = totalsOf(suites.flatMap(({ cases }) => cases));
  return (
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    `<testsuites${attributes({ name: tool.name, ...totals, time: secondsOf({ durationMs }) })}>\n` +
    `${suites.map(({ xml }) => xml).join('\n')}\n</testsuites>\n`
  );
}
