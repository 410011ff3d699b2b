// What reads reports: in processes of their own, for strangers wrote them.
import {
  judgeRow,
  nameSource,
  readReportFile,
  type AggregateReport,
  type FailureReport,
  type TlsReport,
} from '../../../engines/dmarc-reports/index.ts';
import { defineComputation } from '../../../platform/compute/index.ts';

const here = import.meta.url;

/** An aggregate report whose rows are JSON, as the database takes them: lists of at most so many rows. */
type ReadAggregate = Omit<AggregateReport, 'rows'> & { parts: string[] };
export type ReadReport = ReadAggregate | TlsReport | FailureReport;

const PART = 2000;

/** A row by the names of the columns. */
function columnsOf(row: AggregateReport['rows'][number], begin: number) {
  const source = nameSource(row, null);
  const { isForwarded, tie } = judgeRow(row, source);
  return {
    day: new Date(begin * 1000).toISOString().slice(0, 10),
    source_ip: row.sourceIp,
    source_id: source.id,
    source_name: source.name,
    source_type: source.type,
    source_by: source.by,
    count: row.count,
    disposition: row.disposition,
    is_dkim_aligned: row.isDkimAligned,
    is_spf_aligned: row.isSpfAligned,
    is_forwarded: isForwarded,
    tie,
    header_from: row.headerFrom,
    envelope_from: row.envelopeFrom,
    details: { dkim: row.dkim, spf: row.spf, reasons: row.reasons },
  };
}

function withParts({ rows, ...report }: AggregateReport): ReadAggregate {
  const parts: string[] = [];
  for (let from = 0; from < rows.length; from += PART)
    parts.push(JSON.stringify(rows.slice(from, from + PART).map((row) => columnsOf(row, report.begin))));
  return { ...report, parts };
}

/** The reports of a file or a mail. */
export const readReports = defineComputation(here, 'readReports', async (file: { name: string; bytes: Uint8Array }) => {
  const { reports, refused, isOther = false } = await readReportFile(file);
  const shown = reports.map((report) => (report.kind === 'aggregate' ? withParts(report) : report));
  return { reports: shown, refused, isOther };
});
