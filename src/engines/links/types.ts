// What judging links is made from. An answer has the shape of the platform's link report, of which only this is looked
// at.
import type { Completion } from '../html/index.ts';
import type { Place, Severity } from '../findings/index.ts';

/** How much it hurts the reader, in axe's words. */
type Impact = 'critical' | 'serious' | 'moderate' | 'minor';

export interface AnswerCertificate {
  /** OpenSSL's or Node's code; null when trusted. */
  problem: string | null;
  hostMatches: boolean;
  isChainValid: boolean;
  subject: string;
  issuer: string;
  altNames: string[];
  /** ISO 8601. */
  validFrom: string;
  validTo: string;
  daysLeft: number | null;
  fingerprint: string;
  protocol: string;
  cipher: string;
}

/** One request on the way. Milliseconds; null for a phase that did not happen. */
export interface AnswerHop {
  url: string;
  method: string;
  status: number;
  via: 'link' | 'redirect' | 'meta_refresh';
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  firstByteMs: number;
  remoteAddress: string;
  isReused: boolean;
  certificate: AnswerCertificate | null;
}

/** What became of a link when it was followed. */
export interface LinkAnswer {
  status:
    | 'ok'
    | 'redirected'
    | 'broken'
    | 'refused_to_robots'
    | 'loop'
    | 'blocked'
    | 'timeout'
    | 'dns'
    | 'tls'
    | 'unsupported_scheme'
    | 'not_followed';
  reason: string | null;
  errorCode: string | null;
  statusCode: number | null;
  finalUrl: string | null;
  chain: AnswerHop[];
  contentType: string | null;
  contentLength: number | null;
  downloadName: string | null;
  retryAfterSeconds: number | null;
  isFragmentFound: boolean | null;
  totalMs: number;
}

/** One link at one place, with all that is known of it; rules say nothing about what is not known. */
export interface LinkSubject {
  /** As written; where that was relative and could be completed, complete. */
  url: string;
  /** How it was written, where that was relative, and what completed it. */
  relative?: { written: string; completedBy: Completion };
  /** What readers see, or have read to them; undefined when that is not known. */
  text?: string;
  /** All it shows is pictures. */
  isImageOnly?: boolean;
  place?: Place;
  /** Whether the message has the place that a link into itself names. */
  isAnchorThere?: boolean;
  /** Following it may unsubscribe somebody: it was touched only. */
  isUnsubscribe?: boolean;
  /** Undefined when nothing was asked. */
  answer?: LinkAnswer;
}

export interface Verdict {
  /** Without the `links/` in front. */
  rule: RuleName;
  severity: Severity;
  /** Left out for passes. */
  impact?: Impact;
  message: string;
  fix?: string;
  source?: string;
  /** Particulars, one object per thing meant. */
  details?: Record<string, unknown>[];
}

export type RuleName =
  | 'target'
  | 'merge-tag'
  | 'url-syntax'
  | 'address'
  | 'reachable'
  | 'private-address'
  | 'refuses-programs'
  | 'unsubscribe'
  | 'not-checked'
  | 'redirects'
  | 'meta-refresh'
  | 'response-time'
  | 'content'
  | 'fragment'
  | 'https'
  | 'certificate'
  | 'host'
  | 'shortener'
  | 'tracking'
  | 'personal-data'
  | 'text-domain'
  | 'text-missing';

/** In the words of the wire. */
export interface WireFinding {
  id: string;
  rule: string;
  description: string;
  impact?: Impact;
  recommendation?: string;
  details: Record<string, unknown>[];
}

/** One link at one place, in the words of the wire. */
export interface LinkResult {
  url: string;
  /** `Error`: something is broken. `warning`: it works, with a risk. */
  status: 'pass' | 'warning' | 'Error';
  status_code?: number;
  line?: number;
  column?: number;
  selector?: string;
  absolute_index?: number;
  text?: string;
  final_url?: string;
  passes: WireFinding[];
  failures: WireFinding[];
  informational: WireFinding[];
}
