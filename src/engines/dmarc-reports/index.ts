// Reports about a domain's mail: who sends in its name, and what a stricter policy would do to it.
export { assessRows, EVIDENCE_WORDS, judgeRow, tellRejection, type Assessment } from './assess.ts';
export { nameAddresses } from './name-addresses.ts';
export { nameSource, SENDERS_DATE, type Source } from './name-source.ts';
export { readPolicyRecord, writePolicyRecord } from './policy-record.ts';
export { FILE_BYTES_MAX, readReportFile } from './read-file.ts';
export type { AggregateReport, DomainReport, FailureReport, ReadFile, TlsReport } from './types.ts';
