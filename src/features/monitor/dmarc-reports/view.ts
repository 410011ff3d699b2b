// How figures and reports look on the wire.
import { EVIDENCE_WORDS, type Assessment } from '../../../engines/dmarc-reports/index.ts';
import type { ShownRow, Sums } from './figures-store.ts';
import type { StoredReport } from './store.ts';

export const countsView = ({ messages, pass, fail, quarantine, reject }: Sums) => ({
  messages,
  pass,
  fail,
  quarantine,
  reject,
});

export const groupView = (sums: Sums) => ({
  ...countsView(sums),
  dkim_aligned: sums.dkimAligned,
  spf_aligned: sums.spfAligned,
});

export const dayView = ({ date, pass, fail, quarantine, reject }: Sums & { date: string }) => ({
  date,
  pass,
  fail,
  quarantine,
  reject,
});

export const evidenceView = (evidence: Assessment['sources'][number]['evidence']) =>
  evidence.map(({ kind, messages }) => ({ kind, messages, ...EVIDENCE_WORDS[kind] }));

export function rowView({ isDkimAligned, isSpfAligned, headerFrom, envelopeFrom, details, ...row }: ShownRow) {
  return {
    ...row,
    dkim_aligned: isDkimAligned,
    spf_aligned: isSpfAligned,
    header_from: headerFrom,
    envelope_from: envelopeFrom,
    ...details,
  };
}

export function reportView(report: StoredReport) {
  const { id, kind, domain, organization, reportId, beginAt, endAt, receivedAt, via, vouchedBy, messages } = report;
  return {
    id,
    kind,
    domain,
    organization,
    report_id: reportId,
    begin: beginAt.toISOString(),
    end: endAt.toISOString(),
    received_at: receivedAt.toISOString(),
    via,
    vouched_by: vouchedBy,
    messages: Number(messages),
    content: report.content as Record<string, unknown>,
  };
}
