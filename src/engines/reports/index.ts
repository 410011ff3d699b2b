// Reports of findings in the formats that people, pipelines and services read; pure text.
import { writeGithub } from './github.ts';
import { writeJson } from './json.ts';
import { writeJunit } from './junit.ts';
import { writeMarkdown } from './markdown.ts';
import { writePretty } from './pretty.ts';
import { writeSarif } from './sarif.ts';
import type { Report, ReportOptions } from './types.ts';

export { checkView } from './json.ts';
export { countsOf, hasPassed, plural, worstFirst, type Counts } from './ordering.ts';
export { placeName } from './place-name.ts';
export { reportOf } from './report-of.ts';
export { oneLine } from './plain-text.ts';
export type { CheckReport, EmailReport, Report, ReportedFinding, Verdict } from './types.ts';

interface Format {
  contentType: string;
  write(report: Report, options?: ReportOptions): string;
}

export const REPORT_FORMATS = {
  pretty: { contentType: 'text/plain; charset=utf-8', write: writePretty },
  json: { contentType: 'application/json; charset=utf-8', write: writeJson },
  sarif: { contentType: 'application/sarif+json; charset=utf-8', write: writeSarif },
  junit: { contentType: 'application/xml; charset=utf-8', write: writeJunit },
  markdown: { contentType: 'text/markdown; charset=utf-8', write: writeMarkdown },
  github: { contentType: 'text/plain; charset=utf-8', write: writeGithub },
} as const satisfies Record<string, Format>;

export type ReportFormat = keyof typeof REPORT_FORMATS;

export function writeReport(format: ReportFormat, report: Report, options?: ReportOptions): string {
  return REPORT_FORMATS[format].write(report, options);
}
