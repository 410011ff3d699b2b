import type { Certificate, FetchReason, Hop, HopTimings } from '../fetch/index.ts';

/**
 * What became of a link. `refused_to_robots` is a server that is there but does not serve a program, `blocked` an
 * address that this service does not ask, `not_followed` a link that was not asked at all.
 */
export type LinkStatus =
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

/** The reason, if the status alone does not say it: the client's reason, or why no request was sent. */
export type LinkReason = FetchReason | 'empty' | 'fragment' | 'relative' | 'scheme' | 'too_many' | 'deadline';

export interface LinkCertificate extends Certificate {
  /** Signed by a trusted authority and within its dates, whatever host it is for. */
  isChainValid: boolean;
  /** Whole days until it expires, negative afterwards; null when its date cannot be read. */
  daysLeft: number | null;
}

/** One answer on the way. Times in milliseconds; null for a phase that did not happen. */
export interface LinkHop extends HopTimings {
  url: string;
  method: Hop['method'];
  status: number;
  /** How the way led here. */
  via: 'link' | 'redirect' | 'meta_refresh';
  remoteAddress: string;
  isReused: boolean;
  certificate: LinkCertificate | null;
}

export interface LinkReport {
  /** As given. */
  url: string;
  status: LinkStatus;
  reason: LinkReason | null;
  /** The system's code behind a failure, such as `ENOTFOUND` or `ECONNREFUSED`. */
  errorCode: string | null;
  /** The status of the last answer. */
  statusCode: number | null;
  /** Where the way ended or broke off, without fragment. */
  finalUrl: string | null;
  chain: LinkHop[];
  /** Lower case, without parameters. */
  contentType: string | null;
  /** Bytes, as declared or counted. */
  contentLength: number | null;
  /** The file name of a download, empty when it has none; null for what is shown in the browser. */
  downloadName: string | null;
  retryAfterSeconds: number | null;
  /** Whether the page has the anchor that the link's fragment names; null without fragment or when it is unknown. */
  isFragmentFound: boolean | null;
  /** The time from the first request to the last answer, without the wait for a turn. */
  totalMs: number;
}
