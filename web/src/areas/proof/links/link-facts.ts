// What a link test says of a link, taken out of its findings.
import type { LinkResult, Place, Severity } from '../../../shared/report/report-api.ts';

type WireFinding = LinkResult['passes'][number];

/** One answer on the way. Times in milliseconds; null for a phase that did not happen. */
export interface Hop {
  url: string;
  method: string;
  status_code: number;
  via: 'link' | 'redirect' | 'meta_refresh';
  dns_ms: number | null;
  connect_ms: number | null;
  tls_ms: number | null;
  first_byte_ms: number;
  total_ms: number;
  reused_connection: boolean;
  remote_address: string;
}

export interface Certificate {
  host: string;
  subject: string;
  issuer: string;
  names: string[];
  valid_from: string;
  valid_to: string;
  days_left: number | null;
  chain_valid: boolean;
  host_matches: boolean;
  problem: string | null;
  protocol: string;
  cipher: string;
}

export type Verdict = 'broken' | 'warning' | 'redirect' | 'ok' | 'other';

export interface LinkFacts {
  number: number;
  link: LinkResult;
  verdict: Verdict;
  severity: Severity;
  place: Place | undefined;
  hops: Hop[];
  certificates: Certificate[];
  contentType: string | null;
  contentLength: number | null;
  totalMs: number | null;
  /** What is wrong or worth knowing, the worst first. */
  problems: { severity: Severity; finding: WireFinding }[];
}

function detailsOf(all: readonly WireFinding[], rule: string): Record<string, unknown>[] {
  return all.find((finding) => finding.rule === rule && finding.details.length > 0)?.details ?? [];
}

const SEVERITY: Record<LinkResult['status'], Severity> = { Error: 'error', warning: 'warning', pass: 'pass' };

function verdictOf({ status, status_code: code }: LinkResult, hops: readonly Hop[]): Verdict {
  if (status === 'Error') return 'broken';
  if (status === 'warning') return 'warning';
  if (hops.length > 1) return 'redirect';
  return code === undefined ? 'other' : 'ok';
}

function placeOf({ line, column, selector, absolute_index: offset }: LinkResult): Place | undefined {
  if (line === undefined && selector === undefined) return undefined;
  return {
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(selector !== undefined && { selector }),
    ...(offset !== undefined && { offset }),
  };
}

/** The facts of one link, by its place in the result. */
export function linkFacts(link: LinkResult, number: number): LinkFacts {
  const all = [...link.failures, ...link.informational, ...link.passes];
  const hops = detailsOf(all, 'redirects') as unknown as Hop[];
  const [content = {}] = detailsOf(all, 'content');
  const [reach = {}] = ['reachable', 'refuses-programs', 'unsubscribe'].flatMap((rule) => detailsOf(all, rule));
  const total = reach['total_ms'];
  const failing: Severity = link.status === 'Error' ? 'error' : 'warning';
  return {
    number,
    link,
    hops,
    verdict: verdictOf(link, hops),
    severity: SEVERITY[link.status],
    place: placeOf(link),
    certificates: detailsOf(all, 'certificate') as unknown as Certificate[],
    contentType: (content['content_type'] ?? reach['content_type'] ?? null) as string | null,
    contentLength: (content['content_length'] ?? reach['content_length'] ?? null) as number | null,
    totalMs: typeof total === 'number' ? total : hops.length ? hops.reduce((sum, hop) => sum + hop.total_ms, 0) : null,
    problems: [
      ...link.failures.map((finding) => ({ severity: failing, finding })),
      ...link.informational.map((finding) => ({ severity: 'info' as const, finding })),
    ],
  };
}

/** `320 ms`, `1.4 s`. */
export function milliseconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}
