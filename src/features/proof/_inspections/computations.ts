// Reports: of thousands of findings one takes a while to write.
import type { Finding } from '../../../engines/findings/index.ts';
import { reportOf, writeReport, type ReportFormat } from '../../../engines/reports/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';
import { TOOL } from './views.ts';

interface ToReport {
  format: ReportFormat;
  findings: readonly Finding[];
  about: Parameters<typeof reportOf>[1];
}

export const writeFindings = defineComputation(
  import.meta.url,
  'writeFindings',
  ({ format, findings, about }: ToReport): string =>
    writeReport(format, { tool: TOOL, emails: [reportOf(findings, about)] }),
);
