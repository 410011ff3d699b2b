// What an answer, or none, means for a link.
import type { FetchReason } from '../fetch/index.ts';
import type { LinkStatus } from './types.ts';

const FAILURES: Record<FetchReason, LinkStatus> = {
  invalid_url: 'broken',
  refused: 'blocked',
  dns: 'dns',
  connect: 'broken',
  tls: 'tls',
  timeout: 'timeout',
  protocol: 'broken',
  too_large: 'ok',
  wrong_type: 'ok',
  too_many_redirects: 'loop',
  redirect_loop: 'loop',
  not_followed: 'not_followed',
  aborted: 'not_followed',
};

export function statusOfFailure(reason: FetchReason, url: string): LinkStatus {
  // A redirect into an app, `itms-apps:` or `intent:`, is well formed but nothing to ask.
  const isOtherScheme = reason === 'invalid_url' && URL.canParse(url) && !/^https?:/i.test(url);
  return isOtherScheme ? 'unsupported_scheme' : FAILURES[reason];
}

interface Answer {
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  isRedirected: boolean;
}

/**
 * Login wanted, forbidden, proxy login, too many requests, forbidden by law here, and what LinkedIn says to programs.
 */
const REFUSALS = new Set([401, 403, 407, 429, 451, 999]);

/** The status of an answered link: dead is what is dead for a reader as well. */
export function statusOfAnswer({ status, headers, isRedirected }: Answer): LinkStatus {
  if (status >= 200 && status < 300) return isRedirected ? 'redirected' : 'ok';
  if (REFUSALS.has(status)) return isMissingObject(status, headers) ? 'broken' : 'refused_to_robots';
  // Walls against robots also come as 503, and then they sign it.
  if (status === 503 && isChallenge(headers)) return 'refused_to_robots';
  return 'broken';
}

/** Object stores say "forbidden" for what does not exist, to everybody. */
function isMissingObject(status: number, headers: Record<string, string>): boolean {
  const server = headers['server']?.toLowerCase() ?? '';
  return (
    status === 403 && (server === 'amazons3' || server === 'uploadserver' || headers['x-amz-request-id'] !== undefined)
  );
}

function isChallenge(headers: Record<string, string>): boolean {
  return (
    headers['cf-mitigated'] !== undefined ||
    headers['x-datadome'] !== undefined ||
    headers['x-amzn-waf-action'] !== undefined
  );
}

/** Seconds of a Retry-After header (RFC 9110 §10.2.3), a number or a date; null without one that can be read. */
export function retryAfterSecondsOf(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  if (/^\s*\d{1,9}\s*$/.test(header)) return Number(header);
  const time = Date.parse(header);
  return Number.isNaN(time) ? null : Math.max(0, Math.ceil((time - now.getTime()) / 1000));
}
