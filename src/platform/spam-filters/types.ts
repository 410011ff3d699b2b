// What a spam filter is asked and what it answers, whichever it is.

/** How the message is said to have arrived: the filter judges it as the receiver that was connected to. */
export interface FilterEnvelope {
  /** Address of the connecting server. */
  ip: string;
  helo: string;
  /** Name that the address resolves to and back; null when it has none. */
  reverseDns: string | null;
  /** Empty for the null sender of a bounce. */
  mailFrom: string;
  rcptTo: readonly string[];
  /** The name of the receiving host. Default `mx.local-receiver.example`. */
  receivedBy?: string;
  /** ISO 8601. Default: left to the filter. */
  receivedAt?: string;
  isEncrypted?: boolean;
}

export interface FilterRule {
  /** The filter's own name of it: `MISSING_DATE`. */
  name: string;
  /** Negative speaks for the message. */
  points: number;
  description: string;
  /** What the filter adds, such as the address that was found. */
  options?: readonly string[];
}

/** `soft`: not spam yet, but treated worse: marked, greylisted or slowed down. */
export type FilterVerdict = 'nothing_found' | 'soft' | 'spam';

export interface FilterReport {
  score: number;
  threshold: number;
  verdict: FilterVerdict;
  /** What the filter would have the server do, in its own word: `add header`; null when it leaves that open. */
  action: string | null;
  /** Most points first. */
  rules: FilterRule[];
  version: string | null;
  tookMs: number;
}

/**
 * `unreachable`: nobody listens. `broken`: the answer is not the filter's protocol. `too_large`: not asked, or the
 * answer has no end.
 */
export type FilterFailureReason = 'unreachable' | 'timeout' | 'broken' | 'refused' | 'too_large' | 'aborted';

export type FilterEngine = 'spamassassin' | 'rspamd';

export type FilterOutcome =
  | ({ ok: true; engine: FilterEngine } & FilterReport)
  /** `message` is one sentence for the caller. */
  | { ok: false; engine: FilterEngine; reason: FilterFailureReason; message: string };

export interface SpamFilter {
  name: FilterEngine;
  /** Where it listens, as configured. */
  address: string;
  /** Never throws for what the filter or the network does, never waits longer than its time limit. */
  check(raw: Buffer, envelope: FilterEnvelope, signal?: AbortSignal): Promise<FilterOutcome>;
}

/**
 * `configured`: a setting names it. `found`: it runs on this machine. `installed`: it is on this machine, and does not
 * run. `absent`: it is not there. `not_looked_for`: looking is switched off.
 */
export interface FilterState {
  engine: FilterEngine;
  state: 'configured' | 'found' | 'installed' | 'absent' | 'not_looked_for';
  address: string | null;
}

/** The filters that are there now; a filter that starts later is found later. */
export interface FilterSource {
  /** The filters to ask. */
  current(): Promise<readonly SpamFilter[]>;
  /** One row for each kind of filter, there or not. */
  states(): Promise<readonly FilterState[]>;
}
