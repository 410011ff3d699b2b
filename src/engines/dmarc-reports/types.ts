// What reports about a domain's mail say: aggregate and failure reports of DMARC, and reports of TLS.

/** Days, organizations and messages are counted from these; names and texts are from outside. */
export interface AggregateReport {
  kind: 'aggregate';
  /** RFC 9990 adds `np`, `testing` and the way the record was found; RFC 7489 has `pct`. */
  schema: 'rfc7489' | 'rfc9990';
  organization: string;
  email: string;
  reportId: string;
  /** Seconds since 1970; the end is the last second that counts. */
  begin: number;
  end: number;
  generator: string;
  /** What the reporter says went wrong. */
  errors: string[];
  policy: PublishedPolicy;
  rows: AggregateRow[];
  /** Sum of the counts. */
  messages: number;
  /** Elements `record`; rows that say the same are one row. */
  records: number;
  /** What is odd about the file, though it could be read. */
  problems: string[];
}

/** The policy that the reporter found. Empty: it does not say. */
export interface PublishedPolicy {
  domain: string;
  p: string;
  sp: string;
  np: string;
  adkim: string;
  aspf: string;
  /** Of RFC 7489; RFC 9989 knows it no longer. */
  pct: string;
  /** RFC 9990: `y` when the domain only tests (`t=y`). */
  testing: string;
  /** RFC 9990: `psl` or `treewalk`. */
  discoveryMethod: string;
  fo: string;
}

export interface AggregateRow {
  sourceIp: string;
  count: number;
  /** What the receiver did. `pass` of RFC 9990 is `none`. */
  disposition: 'none' | 'quarantine' | 'reject';
  /** Whether DKIM or SPF passed for a domain that aligns. */
  isDkimAligned: boolean;
  isSpfAligned: boolean;
  /** Why the receiver did something else than the policy asks for. */
  reasons: { type: string; comment: string }[];
  headerFrom: string;
  envelopeFrom: string;
  dkim: { domain: string; selector: string; result: string }[];
  spf: { domain: string; scope: string; result: string }[];
}

/** SMTP TLS reporting (RFC 8460). */
export interface TlsReport {
  kind: 'tls';
  organization: string;
  contact: string;
  reportId: string;
  begin: number;
  end: number;
  policies: TlsPolicy[];
}

export interface TlsPolicy {
  /** `sts`, `tlsa` or `no-policy-found`. */
  type: string;
  domain: string;
  mxHosts: string[];
  successful: number;
  failed: number;
  failures: TlsFailure[];
}

interface TlsFailure {
  /** Such as `certificate-expired` (RFC 8460 §4.3). */
  type: string;
  count: number;
  sendingIp: string;
  receivingHost: string;
  receivingIp: string;
  reason: string;
}

/** One message that failed (RFC 6591, RFC 9991). */
export interface FailureReport {
  kind: 'failure';
  /** ISO 8601; empty: it does not say. */
  arrived: string;
  sourceIp: string;
  domain: string;
  /** Such as `dmarc`, `dkim`, `spf`. */
  failure: string;
  /** What the receiver did with it, as it says. */
  result: string;
  reporter: string;
  from: string;
  subject: string;
  messageId: string;
}

export type DomainReport = AggregateReport | TlsReport | FailureReport;

/** The reports of a file, and what in it is none, with the reason. */
export interface ReadFile {
  reports: DomainReport[];
  refused: { name: string; reason: string }[];
  /** A mail of another kind: no part of it is a report. */
  isOther?: true;
}
