// Follows one link to its end.
import type { FetchFailure, FetchOutcome, GuardedFetch, Hop, RequestOptions } from '../fetch/index.ts';
import { DAY_MS } from '../times/index.ts';
import { retryAfterSecondsOf, statusOfAnswer, statusOfFailure } from './link-status.ts';
import { isHtml, readPage } from './read-page.ts';
import type { LinkCertificate, LinkHop, LinkReason, LinkReport, LinkStatus } from './types.ts';

export interface CheckLinkOptions {
  fetch: GuardedFetch;
  /** Replaces the user agent of the client. */
  userAgent?: string | undefined;
  /** The time for the link with its redirects. Default: 15 seconds. */
  timeoutMs?: number | undefined;
  /** Asked before every request, redirects included; a link or way it declines is reported as `not_followed`. */
  mayFollow?: ((url: string) => boolean) | undefined;
  /**
   * Links that act when they are followed. One of them is asked with HEAD only, and where it redirects to is not asked;
   * the report is `not_followed` with the status of that answer. On the way of another link it ends the way.
   */
  onlyTouch?: ((url: string) => boolean) | undefined;
  /** 2 for a link that is asked again after a pause. Default: 1. */
  round?: number | undefined;
  signal?: AbortSignal | undefined;
}

const TIMEOUT_MS = 15_000;
/** The head of a page is in its first part, and few pages are longer. */
const PAGE_BYTES_MAX = 256 * 1024;
const SHORT_BYTES_MAX = 64 * 1024;
const REFRESHES_MAX = 5;
const ACCEPT = 'text/html,application/xhtml+xml,*/*;q=0.8';

/**
 * Where a link leads and how: every hop with its times, address and certificate, meta refreshes followed (at most five,
 * from the first 256 KB of HTML), type and length of what is there, and whether it has the place that the fragment
 * names. Files are asked with HEAD first, pages with GET. Only http and https are asked. Never throws: whatever happens
 * is a status.
 */
export async function checkLink(url: string, options: CheckLinkOptions): Promise<LinkReport> {
  const target = targetOf(url);
  if (typeof target !== 'string') return unaskedReport(url, target);
  const [report] = await checkTarget(target, [url], options);
  return report!;
}

/**
 * The same for links to one target (see `targetOf`) that differ in their fragments only; one report for each, in their
 * order.
 */
export async function checkTarget(
  target: string,
  urls: readonly string[],
  options: CheckLinkOptions,
): Promise<LinkReport[]> {
  const fragments = urls.map(fragmentOf);
  const wanted = fragments.filter((fragment) => fragment !== undefined);
  const isTouched = options.onlyTouch !== undefined && [target, ...urls].some(options.onlyTouch);
  const { places, ...report } = isTouched ? await touch(target, options) : await followPath(target, wanted, options);
  return urls.map((url, index) => {
    const fragment = fragments[index];
    return { ...report, url, isFragmentFound: fragment === undefined || !places ? null : places.has(fragment) };
  });
}

/** The report of a link that was not asked. */
export function unaskedReport(url: string, why: { status: LinkStatus; reason: LinkReason }): LinkReport {
  const { status, reason } = why;
  const nothing = {
    errorCode: null,
    statusCode: null,
    finalUrl: null,
    contentType: null,
    contentLength: null,
    downloadName: null,
  };
  return { url, status, reason, ...nothing, chain: [], retryAfterSeconds: null, isFragmentFound: null, totalMs: 0 };
}

/** The absolute URL to ask, without fragment; or why there is none. */
export function targetOf(url: string): string | { status: LinkStatus; reason: LinkReason } {
  const text = url.trim();
  if (text === '') return { status: 'not_followed', reason: 'empty' };
  if (text.startsWith('#')) return { status: 'not_followed', reason: 'fragment' };
  // Without a page there is no base; "//host" means https to every client's own pages.
  const base = text.startsWith('//') ? 'https://base.invalid' : undefined;
  if (!URL.canParse(text, base))
    return isWeb(text) ? { status: 'broken', reason: 'invalid_url' } : { status: 'not_followed', reason: 'relative' };
  const parsed = new URL(text, base);
  if (['mailto:', 'tel:', 'sms:'].includes(parsed.protocol)) return { status: 'not_followed', reason: 'scheme' };
  if (!isWeb(parsed.href)) return { status: 'unsupported_scheme', reason: 'scheme' };
  parsed.hash = '';
  return parsed.href;
}

function isWeb(url: string): boolean {
  return /^https?:/i.test(url);
}

/** The place that a link names, decoded; undefined for none, the top, routes of scripts and text directives. */
function fragmentOf(url: string): string | undefined {
  const hash = url.includes('#') ? url.slice(url.indexOf('#') + 1).trim() : '';
  if (hash === '' || hash.toLowerCase() === 'top' || /^[!/]|:~:|[=&]/.test(hash)) return undefined;
  try {
    return decodeURIComponent(hash);
  } catch (error) {
    if (error instanceof URIError) return hash;
    throw error;
  }
}

/** What is known of a chain of redirects while it is followed. */
interface Path {
  chain: LinkHop[];
  /** Of the time that the link has; waiting for a turn is not the server's. */
  usedMs: number;
  options: CheckLinkOptions;
}

type PathReport = Omit<LinkReport, 'url' | 'isFragmentFound'> & { places: Set<string> | undefined };

async function followPath(start: string, wanted: readonly string[], options: CheckLinkOptions): Promise<PathReport> {
  const path: Path = { chain: [], usedMs: 0, options };
  const visited = new Set([start]);
  let via: LinkHop['via'] = 'link';
  for (let url = start; ;) {
    const outcome = await ask(url, via, path);
    const page = pageOf(outcome, wanted);
    const next = page?.refreshUrl === undefined ? undefined : withoutHash(page.refreshUrl);
    if (next === undefined || next === outcome.url) return reportOf(outcome, path, page?.places);
    if (visited.has(next) || visited.size > REFRESHES_MAX)
      return { ...reportOf(outcome, path), status: 'loop', reason: 'redirect_loop' };
    visited.add(next);
    url = next;
    via = 'meta_refresh';
  }
}

/** Whether a link is there, without doing what it does. */
async function touch(target: string, options: CheckLinkOptions): Promise<PathReport> {
  const path: Path = {
    chain: [],
    usedMs: 0,
    options: {
      ...options,
      onlyTouch: undefined,
      mayFollow: (url) => url === target && options.mayFollow?.(url) !== false,
    },
  };
  const outcome = await request(target, { method: 'HEAD', attempt: 1 }, path);
  addHops(path, outcome.hops, 'link');
  const report = reportOf(outcome, path);
  // Servers refuse HEAD in many ways, so any answer to it only shows that the server is there.
  return outcome.ok ? { ...report, status: 'not_followed', reason: 'not_followed' } : report;
}

function withoutHash(url: string): string {
  return url.replace(/#.*$/s, '');
}

/** Of an absolute URL as browsers write it, which has a path at least of `/`. */
function pathOf(url: string): string {
  const end = url.search(/[?#]/);
  return end === -1 ? url : url.slice(0, end);
}

/** Paths that lead to a file, which HEAD describes as well as GET does, without moving it. */
const FILE =
  /\.(?:pdf|docx?|xlsx?|pptx?|csv|ics|vcf|zip|gz|7z|rar|dmg|exe|msi|apk|ipa|jpe?g|png|gif|webp|avif|svg|ico|mp3|m4a|wav|mp4|m4v|mov|webm|avi)$/i;

/**
 * One request with its redirects. Everything but a file is asked with GET at once: pages have to be read for what they
 * say, and many servers end the connection after HEAD or answer it wrongly. A connection that failed is tried once
 * more.
 */
async function ask(url: string, via: LinkHop['via'], path: Path): Promise<FetchOutcome> {
  const method = FILE.test(pathOf(url)) ? 'HEAD' : 'GET';
  const first = settle(await request(url, { method, attempt: 1 }, path));
  if (!isOpen(first, method)) {
    addHops(path, first.hops, via);
    return first;
  }
  // What led to the answer was answered well; only its end is asked again.
  const before = first.ok ? first.hops.slice(0, -1) : first.hops;
  const second = settle(await request(first.url, { method: 'GET', attempt: 2 }, path));
  addHops(path, before, via);
  addHops(path, second.hops, before.length > 0 ? 'redirect' : via);
  return second;
}

async function request(
  url: string,
  { method, attempt }: { method: 'GET' | 'HEAD'; attempt: 1 | 2 },
  path: Path,
): Promise<FetchOutcome> {
  const { fetch, userAgent, timeoutMs = TIMEOUT_MS, mayFollow, onlyTouch, round = 1, signal } = path.options;
  const agent = userAgent
    ?.replace(/[^\x20-\x7e]/g, '')
    .trim()
    .slice(0, 500);
  const options: RequestOptions = {
    method,
    attempt: (round - 1) * 2 + attempt,
    accept: ACCEPT,
    certificates: 'reported',
    cookies: 'chain',
    tooLarge: 'cut',
    sizeBytesMax: PAGE_BYTES_MAX,
    wantsBody,
    timeoutMs: Math.max(1, timeoutMs - path.usedMs),
    ...(agent ? { userAgent: agent } : {}),
    ...(mayFollow || onlyTouch
      ? { mayFollow: (next: string) => mayFollow?.(next) !== false && onlyTouch?.(next) !== true }
      : {}),
    ...(signal ? { signal } : {}),
  };
  const outcome = await fetch.request(url, options);
  path.usedMs += outcome.tookMs;
  return outcome;
}

/** A page says more, and what has no declared length has to be counted. */
function isTelling(hop: Hop): boolean {
  return (
    hop.status >= 200 &&
    hop.status < 300 &&
    (isHtml(typeOf(hop.headers)) || hop.headers['content-length'] === undefined)
  );
}

/** A short body costs less than the new connection that leaving it unread would. */
function wantsBody(hop: Hop): boolean {
  return isTelling(hop) || Number(hop.headers['content-length'] ?? 0) <= SHORT_BYTES_MAX;
}

/** An answer whose body broke off is still an answer. */
function settle(outcome: FetchOutcome): FetchOutcome {
  const last = outcome.hops.at(-1);
  if (outcome.ok || !last || last.url !== outcome.url || !['timeout', 'protocol'].includes(outcome.reason))
    return outcome;
  return {
    ok: true,
    url: last.url,
    status: last.status,
    headers: last.headers,
    body: Buffer.alloc(0),
    isCut: true,
    hops: outcome.hops,
    tookMs: outcome.tookMs,
  };
}

/**
 * Servers that refuse HEAD do it in every way there is; only success without a page and "too many requests" are
 * believed.
 */
function isOpen(outcome: FetchOutcome, method: 'GET' | 'HEAD'): boolean {
  if (!outcome.ok) return outcome.reason === 'connect' || outcome.reason === 'protocol';
  const { status } = outcome;
  return method === 'HEAD' && status !== 429 && (status < 200 || status > 299 || isTelling(outcome.hops.at(-1)!));
}

function addHops(path: Path, hops: readonly Hop[], via: LinkHop['via']): void {
  for (const [index, hop] of hops.entries()) {
    const { url, method, status, remoteAddress, isReused, timings } = hop;
    const certificate = hop.certificate && certificateOf(hop.certificate);
    path.chain.push({
      url,
      method,
      status,
      via: index === 0 ? via : 'redirect',
      ...timings,
      remoteAddress,
      isReused,
      certificate,
    });
  }
}

function certificateOf(certificate: NonNullable<Hop['certificate']>): LinkCertificate {
  const expires = Date.parse(certificate.validTo);
  return {
    ...certificate,
    isChainValid: certificate.isTrusted || certificate.problem === 'ERR_TLS_CERT_ALTNAME_INVALID',
    daysLeft: Number.isNaN(expires) ? null : Math.floor((expires - Date.now()) / DAY_MS),
  };
}

function typeOf(headers: Record<string, string>): string | null {
  return headers['content-type']?.split(';')[0]!.trim().toLowerCase() || null;
}

function pageOf(
  outcome: FetchOutcome,
  wanted: readonly string[],
): { refreshUrl: string | undefined; places: Set<string> | undefined } | undefined {
  if (!outcome.ok || outcome.body.length === 0 || !isHtml(typeOf(outcome.headers))) return undefined;
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(outcome.headers['content-type'] ?? '')?.[1];
  const page = readPage(outcome.body, { url: outcome.url, charset, wanted });
  const isWhole = !outcome.isCut || wanted.every((place) => page.places.has(place));
  // A redirect that names a place of its own overrides the link's, and what was not read may hold it.
  const isOverridden = outcome.hops.some((hop) => hop.headers['location']?.includes('#'));
  return { refreshUrl: page.refreshUrl, places: isWhole && !isOverridden ? page.places : undefined };
}

function reportOf(outcome: FetchOutcome, path: Path, places?: Set<string>): PathReport {
  const { chain } = path;
  const totalMs = chain.reduce(
    (sum, hop) => sum + (hop.dnsMs ?? 0) + (hop.connectMs ?? 0) + (hop.tlsMs ?? 0) + hop.firstByteMs,
    0,
  );
  const about = { statusCode: chain.at(-1)?.status ?? null, finalUrl: outcome.url, chain, totalMs };
  if (!outcome.ok) {
    const status = statusOfFailure(outcome.reason, outcome.url);
    const unknown = {
      contentType: null,
      contentLength: null,
      downloadName: null,
      retryAfterSeconds: null,
      places: undefined,
    };
    return { ...about, ...unknown, status, reason: outcome.reason, errorCode: errorCodeOf(outcome) };
  }
  const { headers } = outcome;
  return {
    ...about,
    status: statusOfAnswer({ status: outcome.status, headers, isRedirected: chain.length > 1 }),
    reason: null,
    errorCode: null,
    contentType: typeOf(headers),
    contentLength: lengthOf(outcome),
    downloadName: downloadNameOf(headers['content-disposition']),
    retryAfterSeconds: retryAfterSecondsOf(headers['retry-after'], new Date()),
    places,
  };
}

function lengthOf(outcome: FetchOutcome & { ok: true }): number | null {
  const declared = outcome.headers['content-length'];
  if (declared !== undefined && /^\d+$/.test(declared)) return Number(declared);
  return outcome.isCut || outcome.hops.at(-1)!.method === 'HEAD' ? null : outcome.body.length;
}

function downloadNameOf(disposition: string | undefined): string | null {
  if (disposition === undefined || !/^\s*attachment\b/i.test(disposition)) return null;
  return /;\s*filename\s*=\s*(?:"([^"]*)"|([^;\s]*))/i.exec(disposition)?.slice(1).find(Boolean)?.slice(0, 200) ?? '';
}

function errorCodeOf(failure: FetchFailure): string | null {
  const cause = failure.error.cause as NodeJS.ErrnoException | undefined;
  // Several addresses tried make an AggregateError; they mostly fail alike.
  const first = cause instanceof AggregateError ? (cause.errors[0] as NodeJS.ErrnoException) : cause;
  return typeof first?.code === 'string' ? first.code : null;
}
