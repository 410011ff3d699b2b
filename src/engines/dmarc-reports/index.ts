// Reports about a domain's mail: who sends in its name, and what a stricter policy would do to it.
export {
  assessRows,
  EVIDENCE_WORDS,
  judgeRow,
  tellRejection,
  type Assessment,
  type JudgedRow,
  type Tie,
} from './assess.ts';
export { nameAddresses } from './name-addresses.ts';
export { nameHost, nameSource, registeredDomain, SENDERS_DATE, type Source } from './name-source.ts';
export { readPolicyRecord, writePolicyRecord, type Policy, type PolicyRecord } from './policy-record.ts';
export { FILE_BYTES_MAX, readReportFile } from './read-file.ts';
export { nextPolicy, roadOf, type AppliedRecord } from './road.ts';
export type {
  AggregateReport,
  DomainReport,
  FailureReport,
  PublishedPolicy,
  ReadFile,
  TlsPolicy,
  TlsReport,
} from './types.ts';
