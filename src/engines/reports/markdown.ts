// The report for pull requests and summaries of jobs: Markdown as GitHub and GitLab render it.
import { atEachPlace } from '../findings/index.ts';
import { byRule, countsOf, hasPassed, plural } from './ordering.ts';
import { oneLine } from './plain-text.ts';
import type { CheckReport, EmailReport, Report, ReportedFinding } from './types.ts';

/** A comment at GitHub has 65,536 characters at most. */
const CHARACTERS_MAX = 60_000;
const PLACES_MAX = 5;

/**
 * Words that would become a link, a mention or a reference. What a message holds must not call anybody or lead anywhere
 * from a comment.
 */
const SPEAKING = /[@#`<>]|:\/\/|^www\.|\.\w+\/|^[0-9a-f]{7,40}$|^GH-\d/i;

function codeSpan(text: string): string {
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const edge = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${edge}${text}${edge}${fence}`;
}

function escapeWord(word: string): string {
  return word.replaceAll('&', '&amp;').replaceAll(/[\\*_{}[\]()+\-.!|~>]/g, '\\$&');
}

/** Text of a message as text, in one line. */
function plain(text: string, lengthMax?: number): string {
  return oneLine(text, lengthMax)
    .split(' ')
    .map((word) => (SPEAKING.test(word) ? codeSpan(word) : escapeWord(word)))
    .join(' ');
}

const named = (email: string): string => codeSpan(oneLine(email));
/** In a cell a bar ends it, in code too. */
const cell = (text: string): string => text.replaceAll('|', '\\|');

function placeOf({ where }: ReportedFinding): string {
  if (where?.line === undefined) return '';
  const file = where.file === undefined ? '' : `${named(where.file)}, `;
  return ` (${file}line ${where.line}${where.column === undefined ? '' : `, column ${where.column}`})`;
}

function ruleLines([rule, findings]: [string, ReportedFinding[]]): string[] {
  const { fails, severity, fix } = findings[0] as ReportedFinding;
  const shown = findings.slice(0, PLACES_MAX).map((one) => `  - ${plain(one.message)}${placeOf(one)}`);
  const more = findings.length - shown.length;
  return [
    `- **${plain(rule)}**: ${fails ? 'fails' : severity}${findings.length > 1 ? `, ${findings.length} places` : ''}`,
    ...shown,
    ...(more > 0 ? [`  - and ${plural(more, 'more place')}`] : []),
    ...(fix === undefined ? [] : [`  - Fix: ${plain(fix)}`]),
  ];
}

function checkLines(check: CheckReport): string[] {
  if (check.status === 'failed')
    return [`**${plain(check.title)}** could not run: ${plain(check.error ?? 'No reason was given.')}`, ''];
  const told = check.findings.filter(
    ({ severity, ignored, fails }) =>
      ignored === undefined && (fails || severity === 'error' || severity === 'warning'),
  );
  if (told.length === 0) return [];
  return [`**${plain(check.title)}**`, '', ...[...byRule(told.flatMap(atEachPlace))].flatMap(ruleLines), ''];
}

function emailPart(report: EmailReport): string {
  const reasons = report.verdict?.reasons ?? [];
  return [
    '<details>',
    `<summary>${hasPassed(report) ? 'Passes' : 'Fails'}: <code>${oneLine(report.email)
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')}</code></summary>`,
    '',
    ...reasons.map((reason) => `${plain(reason)}\n`),
    ...report.checks.flatMap(checkLines),
    '</details>',
    '',
  ].join('\n');
}

function rowOf(report: EmailReport): string {
  const { errors, warnings, infos } = countsOf(report.checks);
  const verdict = hasPassed(report) ? 'passes' : '**fails**';
  return `| ${cell(named(report.email))} | ${verdict} | ${errors} | ${warnings} | ${infos} |`;
}

function headOf(emails: readonly EmailReport[]): string {
  const failing = emails.filter((email) => !hasPassed(email)).length;
  const all = plural(emails.length, 'email');
  return failing === 0 ? `## Galley: ${all} checked, none fails\n` : `## Galley: ${failing} of ${all} failed\n`;
}

/** As many as fit, and how many do not. */
function within(parts: readonly string[], charactersMax: number): { text: string; left: number } {
  let [text, taken] = ['', 0];
  for (const part of parts) {
    if (text.length + part.length + 1 > charactersMax) break;
    text += `${part}\n`;
    taken += 1;
  }
  return { text, left: parts.length - taken };
}

/**
 * A table of the emails, failing ones first, then errors and warnings of each, at most 60,000 characters; what is left
 * out is counted.
 */
export function writeMarkdown({ emails }: Report): string {
  if (emails.length === 0) return '## Galley: nothing to check\n';
  const sorted = [...emails].sort((a, b) => Number(hasPassed(a)) - Number(hasPassed(b)));
  const rows = within(sorted.map(rowOf), CHARACTERS_MAX / 2);
  const table = `| Email | Verdict | Errors | Warnings | Hints |\n|---|---|--:|--:|--:|\n${rows.text}`;
  const unlisted = rows.left > 0 ? `\n${plural(rows.left, 'more email')} would not fit into this table.\n` : '';
  const head = `${headOf(emails)}\n${table}${unlisted}\n`;
  const told = sorted.filter(
    (email) => !hasPassed(email) || email.checks.some((check) => checkLines(check).length > 0),
  );
  const parts = within(told.map(emailPart), CHARACTERS_MAX - head.length);
  const left =
    parts.left > 0 ? `Findings of ${plural(parts.left, 'email')} would not fit here; another format has them.\n` : '';
  return `${head}${parts.text}${left}`;
}
