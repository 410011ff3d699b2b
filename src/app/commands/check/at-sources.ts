// Findings of an email that was made from sources, at the lines that people write.
import { resolve } from 'node:path';
import type { Finding, Place } from '../../../engines/findings/index.ts';
import type { CheckReport } from '../../../engines/reports/index.ts';
import { lineStartsOf } from '../../../engines/source/index.ts';
import { nameOfPath } from '../message-file.ts';
import type { MadeEmail } from '../sources/make-email.ts';

interface MadeFrom {
  made: MadeEmail;
  /** The file that the command was given. */
  source: string;
}

/** Lines of the made HTML mean nothing to who writes its source: a place that is not known has none. */
function placer({ made: { html, sourceOf }, source }: MadeFrom): (place: Place) => Place {
  const starts = lineStartsOf(html);
  const own = resolve(source);
  return ({ line, column = 1, offset, file: _file, ...rest }) => {
    const at = offset ?? (line === undefined ? undefined : (starts[line - 1] ?? 0) + column - 1);
    const written = at === undefined ? undefined : sourceOf?.(at);
    if (!written) return rest;
    return { ...rest, line: written.line, ...(written.file !== own && { file: nameOfPath(written.file) }) };
  };
}

/** The same reports, each place where the tag that made it was written. */
export function atSources(reports: readonly CheckReport[], from: MadeFrom): CheckReport[] {
  const placeOf = placer(from);
  const moved = <Found extends Finding>(finding: Found): Found => ({
    ...finding,
    ...(finding.where && { where: placeOf(finding.where) }),
    ...(finding.places && { places: finding.places.map(placeOf) }),
  });
  return reports.map((report) => ({ ...report, findings: report.findings.map(moved) }));
}
