// Verdicts on a received message. Each says in one sentence why, and where the rule stands.

export type AuthRecordType = 'A' | 'AAAA' | 'MX' | 'TXT' | 'PTR';

/**
 * How a DNS question is asked. A rejection carries a `code`: `ENOTFOUND` and `ENODATA` say that there is no such
 * record, anything else that the answer is not known.
 */
export interface AuthDns {
  resolve(name: string, type: AuthRecordType): Promise<unknown[]>;
}

/** How the message came. For a simulated sender, what the sender would have said. */
export interface AuthEnvelope {
  /** Of the client that connected. */
  ip: string;
  /** What it called itself in HELO or EHLO. */
  helo: string;
  /** MAIL FROM; empty for the null sender. */
  mailFrom: string;
  /** Name of the receiving host, which signs the results. */
  mta: string;
}

interface Verdict<Result extends string> {
  result: Result;
  /** One sentence in plain words. */
  reason: string;
  /** Such as `RFC 7208 §2.6.3`. */
  rfc: string;
}

export type SpfResult = 'pass' | 'fail' | 'softfail' | 'neutral' | 'none' | 'temperror' | 'permerror';

export interface SpfVerdict extends Verdict<SpfResult> {
  /** Which name was checked (RFC 7208 §2.3, §2.4). */
  identity: 'mailfrom' | 'helo';
  domain: string;
  ip: string;
  /** As published; null when there is none. */
  record: string | null;
  /** Of at most 10 DNS-querying terms and 2 void lookups (RFC 7208 §4.6.4). */
  lookups: { count: number; limit: number; voidCount: number };
  /** The publisher's own words for a fail (`exp=`); from outside. */
  explanation: string | null;
  /** With the domain in From, as DMARC sees it. */
  isAligned: boolean;
}

export type DkimResult = 'pass' | 'fail' | 'neutral' | 'none' | 'policy' | 'temperror' | 'permerror';

export interface DkimVerdict extends Verdict<DkimResult> {
  domain: string;
  selector: string;
  /** `rsa-sha256`, `ed25519-sha256`, … */
  algorithm: string;
  keyBits: number | null;
  /** Names in `h=`, lower case, in order. */
  signedFields: string[];
  /** Signed once more than they occur: adding one breaks the signature (RFC 6376 §8.15). */
  oversignedFields: string[];
  /** Less than `bodyBytes` when `l=` leaves a rest that anybody may change. */
  coveredBytes: number | null;
  bodyBytes: number | null;
  signedAt: string | null;
  expiresAt: string | null;
  /** The key record says `t=y`: the domain only tests. */
  isTesting: boolean;
  isAligned: boolean;
}

export type DmarcResult = 'pass' | 'fail' | 'none' | 'temperror' | 'permerror';
export type DmarcPolicy = 'none' | 'quarantine' | 'reject';

export interface DmarcVerdict extends Verdict<DmarcResult> {
  /** Of the author, from From; null when there is not exactly one. */
  fromDomain: string | null;
  /** Found by the DNS tree walk (RFC 9989 §4.10). */
  organizationalDomain: string | null;
  /** Where the record that applies is published. */
  policyDomain: string | null;
  record: string | null;
  /** What the domain asks for, `sp`, `np` and test mode counted in; null without a record. */
  policy: DmarcPolicy | null;
  isTesting: boolean;
  /** What a receiver that follows the policy does with this message. */
  disposition: DmarcPolicy;
  alignment: { spf: DmarcAlignment; dkim: DmarcAlignment };
}

interface DmarcAlignment {
  mode: 'relaxed' | 'strict';
  /** The domain that passed and aligns; null when none does. */
  domain: string | null;
}

export interface ArcVerdict extends Verdict<'pass' | 'fail' | 'none'> {
  /** Those who sealed, first to last. */
  sealers: { instance: number; domain: string; selector: string }[];
}

export interface BimiVerdict extends Verdict<'pass' | 'fail' | 'none' | 'skipped' | 'declined' | 'temperror'> {
  logoUrl: string | null;
  /** Of the mark certificate. */
  authorityUrl: string | null;
}

/** Forward-confirmed reverse DNS (RFC 8601 §3, `iprev`). */
export interface ReverseDnsVerdict extends Verdict<'pass' | 'fail' | 'temperror' | 'permerror'> {
  ip: string;
  names: string[];
  /** The first name that leads back to the address. */
  confirmedName: string | null;
  /** Whether the name in HELO leads to the address, too. */
  isHeloConfirmed: boolean;
}

export interface Authentication {
  /** The identity that DMARC uses: MAIL FROM, or HELO for the null sender. */
  spf: SpfVerdict;
  /** Of the HELO name; null when it is the one above. */
  spfHelo: SpfVerdict | null;
  /** One per signature, in the order of the header; one with `none` for an unsigned message. */
  dkim: DkimVerdict[];
  dmarc: DmarcVerdict;
  arc: ArcVerdict;
  bimi: BimiVerdict;
  reverseDns: ReverseDnsVerdict;
  /** Fields that a receiver puts on top of the message, lines ended by CRLF (RFC 8601, RFC 7208 §9.1). */
  headerFields: string;
}
