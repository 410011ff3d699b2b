import type { AuthenticationFacts } from '../receivers/index.ts';

export interface BulkSenderInput {
  /** All fields in their order, values unfolded (decoded or not). */
  headers: readonly { name: string; value: string }[];
  authentication: AuthenticationFacts;
  /** Address, name and encryption of the last hop, as far as known. */
  connection?: { ip?: string | undefined; helo?: string | undefined; isEncrypted?: boolean | undefined } | undefined;
  /** Whether the domain of From has an address or mail exchanger; undefined when nobody asked. */
  fromDomainExists?: boolean | undefined;
  /** Whether the body offers it; when left out, the body's parts are searched. */
  offersToUnsubscribe?: boolean | undefined;
  /** The body parts, for the visible unsubscribe link. */
  html?: string | undefined;
  text?: string | undefined;
  /** Of the header block, when the raw message is at hand: 8-bit bytes, lines over 998, bare line feeds. */
  syntaxProblems?: readonly string[] | undefined;
  /** The answer of the live POST, when the caller asked for it. */
  liveUnsubscribe?: LiveUnsubscribe | undefined;
  /** `transactional` mail is not held to the rules for mailings. Default `bulk`. */
  kind?: 'bulk' | 'transactional' | undefined;
}

/** What the live POST of RFC 8058 found; `platform/one-click` makes it. */
export interface LiveUnsubscribe {
  url: string;
  outcome: 'accepted' | 'redirected' | 'page' | 'refused' | 'unreachable';
  status: number | null;
  message: string;
}

export type CheckStatus = 'pass' | 'fail' | 'warning' | 'unknown' | 'not_applicable';

export interface Requirement {
  /** The provider that requires it: `Gmail`, `Yahoo`, `Outlook.com`, by the name of the public guideline. */
  provider: string;
  document: string;
  /** Since when it is enforced, ISO date or month. */
  since: string;
}

export interface BulkCheck {
  /** `spf`, `dkim`, `alignment`, `one-click` …; stable. */
  id: string;
  title: string;
  status: CheckStatus;
  /** One sentence about this message. */
  reason: string;
  /** Null when there is nothing to do. */
  fix: string | null;
  requirements: readonly Requirement[];
}

export interface BulkSenderReport {
  checks: BulkCheck[];
  passed: number;
  failed: number;
  warnings: number;
  unknown: number;
}
