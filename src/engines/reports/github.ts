// Annotations of GitHub Actions: workflow commands on standard output, escaped as the runner reads them
// (actions/toolkit, packages/core/src/command.ts).
import { hasPassed, plural, countsOf, worstFirst } from './ordering.ts';
import { placeName } from './place-name.ts';
import { oneLine } from './plain-text.ts';
import type { EmailReport, Report, ReportedFinding } from './types.ts';

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

type Command = 'error' | 'warning' | 'notice';

function command(name: Command, properties: Record<string, string | number | undefined>, message: string): string {
  const given = Object.entries(properties).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${escapeProperty(String(value))}`],
  );
  return `::${name} ${given.join(',')}::${escapeData(message)}`;
}

function commandOf({ fails, severity }: ReportedFinding): Command {
  if (fails) return 'error';
  return severity === 'info' ? 'notice' : 'warning';
}

const LINES_MAX = 20;

/** The other places of a finding, whose first one the annotation stands at. */
function elsewhere({ where, places = [], count = 1 }: ReportedFinding, email: string): string {
  if (count <= 1) return '';
  const named = [
    ...new Set(
      places.slice(1).flatMap(({ file = email, line }) => {
        const isHere = file === (where?.file ?? email);
        return (isHere ? line?.toString() : placeName({ file: oneLine(file), line })) ?? [];
      }),
    ),
  ];
  if (named.length === 0) return ` (and in ${plural(count - 1, 'more place')})`;
  const lines = `${named.slice(0, LINES_MAX).join(', ')}${named.length > LINES_MAX ? ', …' : ''}`;
  return ` (and in ${plural(count - 1, 'more place')}: ${named.length === 1 ? 'line' : 'lines'} ${lines})`;
}

function annotate({ email }: EmailReport, finding: ReportedFinding): string {
  const { file = email, line, column } = finding.where ?? {};
  // A page has no file that an annotation could stand beside.
  const isFile = !/^https?:/.test(email);
  const place = isFile ? { file, line, col: line === undefined ? undefined : column } : {};
  const message = [isFile ? '' : `${oneLine(email)}:`, oneLine(finding.message)].filter(Boolean).join(' ');
  const lines = [
    message + elsewhere(finding, email),
    ...(finding.fix === undefined ? [] : [`Fix: ${oneLine(finding.fix)}`]),
  ];
  return command(commandOf(finding), { ...place, title: finding.rule }, lines.join('\n'));
}

function annotationsOf(email: EmailReport): string[] {
  const { checks } = email;
  const shown = worstFirst(checks.flatMap(({ findings }) => findings)).filter(
    ({ severity, ignored }) => severity !== 'pass' && ignored === undefined,
  );
  const failures = checks
    .filter(({ status }) => status === 'failed')
    .map(({ title, error }) =>
      command('error', { title: `${title} could not run` }, `${oneLine(email.email)}: ${oneLine(error ?? '')}`),
    );
  const { errors, warnings, infos } = countsOf(checks);
  const reasons = email.verdict?.reasons.map((reason) => oneLine(reason)) ?? [];
  const summary =
    `${oneLine(email.email)}: ` +
    `${[plural(errors, 'error'), plural(warnings, 'warning'), plural(infos, 'hint')].join(', ')}` +
    `${reasons.length ? `\n${reasons.join('\n')}` : ''}`;
  return [
    ...failures,
    ...shown.map((finding) => annotate(email, finding)),
    command(hasPassed(email) ? 'notice' : 'error', { title: hasPassed(email) ? 'Passed' : 'Failed' }, summary),
  ];
}

/** One workflow command a line and nothing else, worst first: the runner shows the first ten of each kind. */
export function writeGithub({ emails }: Report): string {
  return `${emails.flatMap(annotationsOf).join('\n')}\n`;
}
