// The report that people read in a terminal.
import { atEachPlace, type Severity } from '../findings/index.ts';
import { byRule, countsOf, hasPassed, plural, worstFirst } from './ordering.ts';
import { placeName } from './place-name.ts';
import { oneLine } from './plain-text.ts';
import type { CheckReport, EmailReport, Report, ReportedFinding, ReportOptions } from './types.ts';

const PLACES_MAX = 5;
const SNIPPET_MAX = 100;

const MARKS: Record<Severity, string> = { error: '✖', warning: '▲', info: '·', pass: '✔' };
const CODES = { red: 31, yellow: 33, blue: 34, green: 32, dim: 2, bold: 1 } as const;
type Style = keyof typeof CODES;
type Paint = (style: Style, text: string) => string;

const STYLES: Record<Severity, Style> = { error: 'red', warning: 'yellow', info: 'blue', pass: 'green' };

/** Runners take a line that begins with `::`, and `##[` wherever it stands, for a command of theirs. */
function safe(text: string, lengthMax?: number): string {
  return oneLine(text, lengthMax).replaceAll('##[', '# #[').replace(/^::/, ': :');
}

const placeOf = ({ where }: ReportedFinding): string => safe(placeName(where) ?? '');

function summaryOf(checks: readonly CheckReport[]): string {
  const { errors, warnings, infos, passes, ignored } = countsOf(checks);
  const parts = [
    [errors, 'error'],
    [warnings, 'warning'],
    [infos, 'hint'],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, noun]) => plural(count, noun));
  return (
    [...said, ...(passes ? [`${passes} passed`] : []), ...(ignored ? [`${ignored} ignored`] : [])].join(', ') ||
    'no findings'
  );
}

/** Places of a rule under one message, or each with its own where they differ. */
function placesOf(findings: readonly ReportedFinding[], paint: Paint): string[] {
  const first = findings[0] as ReportedFinding;
  const isSame = findings.every(({ message }) => message === first.message);
  const shown = findings.slice(0, PLACES_MAX);
  const width = Math.max(...shown.map((finding) => placeOf(finding).length));
  const lines = shown.flatMap((finding) => {
    const place = placeOf(finding).padEnd(width);
    const message = isSame ? [] : [safe(finding.message)];
    const snippet = finding.where?.snippet ? [paint('dim', `│ ${safe(finding.where.snippet, SNIPPET_MAX)}`)] : [];
    if (!place.trim() && !message.length) return snippet.map((line) => `      ${line}`);
    const [head = '', ...rest] = [...message, ...snippet];
    return [
      `      ${place ? `${paint('bold', place)}  ` : ''}${head}`,
      ...rest.map((line) => `      ${' '.repeat(width)}${place ? '  ' : ''}${line}`),
    ];
  });
  const more = findings.length - shown.length;
  return [
    ...(isSame ? [`      ${safe(first.message)}`] : []),
    ...lines,
    ...(more > 0 ? [paint('dim', `      … and ${plural(more, 'more place')}`)] : []),
  ];
}

function ruleLines(rule: string, findings: readonly ReportedFinding[], paint: Paint): string[] {
  const { severity, fails } = findings[0] as ReportedFinding;
  const fix = findings.find((finding) => finding.fix)?.fix;
  const count = findings.length > 1 ? paint('dim', `  ${plural(findings.length, 'place')}`) : '';
  const fate = fails ? paint('red', '  fails') : '';
  return [
    `    ${paint(STYLES[severity], MARKS[severity])} ${paint('bold', safe(rule))}${count}${fate}`,
    ...placesOf(findings, paint),
    ...(fix ? [`      ${paint('green', 'Fix')}  ${safe(fix)}`] : []),
  ];
}

/** Grouped by rule, and within a rule by whether it fails; worst first. */
function groupsOf(findings: readonly ReportedFinding[]): [string, ReportedFinding[]][] {
  const groups = Map.groupBy(worstFirst(findings), ({ rule, severity, fails }) => `${rule} ${severity} ${fails}`);
  return [...groups.values()].map((group) => [group[0]!.rule, group]);
}

/** A hint takes one line. */
function hintLine(rule: string, findings: readonly ReportedFinding[], paint: Paint): string {
  const first = findings[0] as ReportedFinding;
  const place = placeOf(first);
  const more = findings.length > 1 ? ` (and ${plural(findings.length - 1, 'more place')})` : '';
  return (
    `    ${paint('blue', MARKS.info)} ${safe(rule)}${place ? `  ${place}` : ''}  ` +
    `${paint('dim', `${safe(first.message, 160)}${more}`)}`
  );
}

function checkLines(check: CheckReport, paint: Paint): string[] {
  const head =
    `  ${paint('bold', safe(check.title))}  ` +
    `${paint('dim', check.status === 'failed' ? 'could not run' : summaryOf([check]))}`;
  if (check.status === 'failed')
    return ['', head, `    ${paint('red', '✖')} ${safe(check.error ?? 'No reason was given.')}`];
  const shown = check.findings.filter(({ severity, ignored }) => severity !== 'pass' && ignored === undefined);
  const rules = groupsOf(shown.flatMap(atEachPlace));
  const isHint = ([, findings]: [string, ReportedFinding[]]): boolean =>
    !findings[0]!.fails && findings[0]!.severity === 'info';
  const ignored = byRule(check.findings.filter((finding) => finding.ignored !== undefined));
  return [
    '',
    head,
    ...rules.filter((entry) => !isHint(entry)).flatMap(([rule, findings]) => ruleLines(rule, findings, paint)),
    ...rules.filter(isHint).map(([rule, findings]) => hintLine(rule, findings, paint)),
    ...[...ignored].map(([rule, findings]) =>
      paint(
        'dim',
        `    – ${safe(rule)}  ignored${findings.length > 1 ? ` ${findings.length} times` : ''}: ` +
          `${safe(findings[0]!.ignored ?? '')}`,
      ),
    ),
  ];
}

function emailLines(email: EmailReport, paint: Paint): string[] {
  const passed = hasPassed(email);
  const verdict = passed ? paint('green', 'PASS') : paint('red', 'FAIL');
  const reasons = email.verdict?.reasons ?? [];
  return [
    paint('bold', safe(email.email)),
    ...email.checks.flatMap((check) => checkLines(check, paint)),
    '',
    `${verdict}  ${safe(email.email)}: ${summaryOf(email.checks)}`,
    ...reasons.map((reason) => `  ${safe(reason)}`),
  ];
}

/** Grouped by check, worst first, with the place, the source and what to do. Colors only when they are asked for. */
export function writePretty({ emails }: Report, { color = false }: ReportOptions = {}): string {
  const paint: Paint = (style, text) => (color ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text);
  return `${emails.map((email) => emailLines(email, paint).join('\n')).join('\n\n')}\n`;
}
