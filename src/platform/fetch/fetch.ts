// The guarded HTTP client: the only code that fetches anything from outside.
import tls from 'node:tls';
import { systemAddresses } from '../dns/index.ts';
import { AppError } from '../errors/index.ts';
import { parseAllowList } from './addresses.ts';
import type { Answer } from './answer.ts';
import { keepCookies } from './chain-cookies.ts';
import type { CertificatePolicy } from './connect.ts';
import { keepConnections } from './connections.ts';
import { FetchError, type FetchReason } from './fetch-error.ts';
import { openHop, type AddressResolver, type Door, type Hop } from './hop.ts';
import { readBody, readStart } from './read-body.ts';
import { whenAborted } from './when-aborted.ts';

export interface FetchOptions {
  /** The operator's allow list, see `parseAllowList`. */
  allowHosts: readonly string[];
  userAgent: string;
  /** Default: the system's resolver, hosts file included. */
  resolver?: AddressResolver;
  /** Certificates trusted besides the built-in ones, PEM. */
  ca?: string;
  redirectsMax?: number;
  /** Whole time of a request, redirects and body included, unless the request says otherwise. */
  timeoutMs?: number;
  /** Time to a ready connection (TCP and TLS), per hop. */
  connectTimeoutMs?: number;
  sizeBytesMax?: number;
  headerBytesMax?: number;
}

export interface RequestOptions {
  /** A POST is sent once: redirects are its answer. */
  method?: 'GET' | 'HEAD' | 'POST';
  /** Body of a POST, `application/x-www-form-urlencoded`. */
  form?: string;
  /** Body of a POST, `application/json`. */
  json?: string;
  /** Body of a POST of any other type. */
  body?: { type: string; bytes: Buffer };
  /** Bytes of the body after decompression. */
  sizeBytesMax?: number;
  timeoutMs?: number;
  /** Time to a ready connection, where it is not the client's. */
  connectTimeoutMs?: number;
  /** The Accept header. */
  accept?: string;
  /** Media ranges (such as `text/html`, `image/*`) a successful answer must have; any when left out. */
  types?: readonly string[];
  certificates?: CertificatePolicy;
  /** Replaces the user agent of the client. */
  userAgent?: string;
  /** Further fields, such as `authorization`. A redirect to another origin goes without them. Lower-case names. */
  headers?: Readonly<Record<string, string>>;
  /** What becomes of a body over `sizeBytesMax`: `fail` (default), or `cut`, which keeps its beginning. */
  tooLarge?: 'fail' | 'cut';
  /** Asked before the body of the last answer is read; false leaves it unread. */
  wantsBody?: (hop: Hop) => boolean;
  /** Asked before every request of the chain; false ends it with `not_followed`. */
  mayFollow?: (url: string) => boolean;
  /** `chain`: cookies set by a redirect go with the requests after it. Default: none are kept. */
  cookies?: 'none' | 'chain';
  /** Above 1 for what is asked again on purpose: a client that remembers answers then asks again. Default: 1. */
  attempt?: number;
  signal?: AbortSignal;
}

export interface Fetched {
  /** The address of the last hop, and its status. */
  url: string;
  status: number;
  /** Lower-case names. */
  headers: Record<string, string>;
  /** Decompressed; empty when it was not wanted. */
  body: Buffer;
  /** True when `body` is only the beginning, or was not read. */
  isCut: boolean;
  hops: Hop[];
  /** From the first request to the last byte that was read. */
  tookMs: number;
}

/**
 * Why there was no answer. `url` is the one that failed, as far as it could be read; `hops` what was answered before.
 */
export interface FetchFailure {
  ok: false;
  reason: FetchReason;
  error: FetchError;
  url: string;
  hops: Hop[];
  tookMs: number;
}

/** An answer of any status, or why there was none. */
export type FetchOutcome = ({ ok: true } & Fetched) | FetchFailure;

export interface GuardedFetch {
  /** Never throws for a failed request: the outcome names the reason. */
  request(url: string, options?: RequestOptions): Promise<FetchOutcome>;
  /** Like `request`, but throws AppError `source_unreachable` (or the signal's reason); any status is an answer. */
  get(url: string, options?: RequestOptions): Promise<Fetched>;
  /** Closes kept connections. */
  close(): void;
}

const URL_LENGTH_MAX = 8192;
const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);
const DEFAULTS = { timeoutMs: 15_000, connectTimeoutMs: 5_000, sizeBytesMax: 10 * 1024 * 1024, redirectsMax: 10 };

type Settings = typeof DEFAULTS & { userAgent: string; door: Door };

/**
 * Builds the client. Only http and https, only public addresses or what `allowHosts` opens, checked after DNS and at
 * every redirect, with the connection pinned to the checked addresses. No cookies, no credentials, no proxy.
 * Throws a TypeError for an unreadable entry of `allowHosts`.
 */
export function createFetch(options: FetchOptions): GuardedFetch {
  const connectOptions = {
    secureContext: options.ca ? tls.createSecureContext({ ca: [...tls.rootCertificates, options.ca] }) : undefined,
    headerBytesMax: options.headerBytesMax ?? 32 * 1024,
    idleMs: 30_000,
  };
  const limits = { perHostMax: 8, totalMax: 128 };
  const door: Door = {
    resolve: options.resolver ?? systemAddresses,
    allow: parseAllowList(options.allowHosts),
    connections: { http: keepConnections(limits, connectOptions), https: keepConnections(limits, connectOptions) },
  };
  const settings: Settings = {
    timeoutMs: options.timeoutMs ?? DEFAULTS.timeoutMs,
    connectTimeoutMs: options.connectTimeoutMs ?? DEFAULTS.connectTimeoutMs,
    sizeBytesMax: options.sizeBytesMax ?? DEFAULTS.sizeBytesMax,
    redirectsMax: options.redirectsMax ?? DEFAULTS.redirectsMax,
    userAgent: options.userAgent,
    door,
  };
  return {
    request: (url, requestOptions = {}) => requestWithin(url, requestOptions, settings),
    async get(url, requestOptions = {}) {
      return answerOf(await requestWithin(url, requestOptions, settings), requestOptions.signal);
    },
    close() {
      door.connections.http.close();
      door.connections.https.close();
    },
  };
}

/** The answer, where there is one. Throws as {@link GuardedFetch.get} does. */
export function answerOf(outcome: FetchOutcome, signal: AbortSignal | undefined): Fetched {
  if (outcome.ok) return outcome;
  if (outcome.reason === 'aborted') throw signal?.reason ?? outcome.error;
  throw new AppError('source_unreachable', describeFailure(outcome.reason), { cause: outcome.error });
}

/** A request on its way: what was asked, what was answered so far, and what may still be open. */
interface Chain {
  options: RequestOptions;
  signal: AbortSignal;
  /** Where the chain is now. */
  url: string;
  hops: Hop[];
  answers: Answer[];
}

async function requestWithin(url: string, options: RequestOptions, settings: Settings): Promise<FetchOutcome> {
  const timeoutMs = options.timeoutMs ?? settings.timeoutMs;
  const startedAt = performance.now();
  const deadline = new AbortController();
  const chain: Chain = { options, signal: deadline.signal, url, hops: [], answers: [] };
  const onAbort = () => deadline.abort(new FetchError('aborted', 'the caller gave up', options.signal?.reason));
  deadline.signal.addEventListener('abort', () => {
    for (const answer of chain.answers) answer.destroy(deadline.signal.reason as Error);
  });
  const timer = setTimeout(
    () => deadline.abort(new FetchError('timeout', `${url.slice(0, 200)} was not finished within ${timeoutMs} ms`)),
    timeoutMs,
  );
  const forget = options.signal && whenAborted(options.signal, onAbort);
  try {
    return { ok: true, ...(await follow(chain, settings)), tookMs: performance.now() - startedAt };
  } catch (error) {
    const failure = deadline.signal.aborted ? (deadline.signal.reason as unknown) : error;
    if (!(failure instanceof FetchError)) throw failure;
    return {
      ok: false,
      reason: failure.reason,
      error: failure,
      url: chain.url,
      hops: chain.hops,
      tookMs: performance.now() - startedAt,
    };
  } finally {
    clearTimeout(timer);
    forget?.();
    // The rest of the body is not wanted.
    for (const answer of chain.answers)
      if (!answer.isComplete) answer.destroy(new FetchError('aborted', 'it is not wanted'));
  }
}

async function follow(chain: Chain, settings: Settings): Promise<Omit<Fetched, 'tookMs'>> {
  const { options, hops, signal } = chain;
  const { method = 'GET', certificates = 'verified', mayFollow } = options;
  const body = method === 'POST' ? sentBy(options).bytes : undefined;
  const { connectTimeoutMs = settings.connectTimeoutMs } = options;
  const step = { method, ...(body && { body }), certificates, signal, connectTimeoutMs };
  const cookies = options.cookies === 'chain' ? keepCookies() : undefined;
  const seen = new Set<string>();
  let url = parseUrl(chain.url);
  const { origin } = url;
  for (;;) {
    chain.url = url.href;
    const cookie = cookies?.headerFor(url) ?? '';
    // With another cookie the same address may answer otherwise.
    const state = `${url.href} ${cookie}`;
    if (seen.has(state)) throw new FetchError('redirect_loop', `${url.href} redirects to itself`);
    if (seen.size > settings.redirectsMax)
      throw new FetchError('too_many_redirects', `${url.href} comes after too many redirects`);
    if (mayFollow?.(url.href) === false) throw new FetchError('not_followed', `the caller does not want ${url.href}`);
    seen.add(state);
    const headers = { ...headersOf(options, settings, cookie), ...(url.origin === origin && options.headers) };
    const { hop, answer } = await openHop({ ...step, url, headers }, settings.door);
    hops.push(hop);
    chain.answers.push(answer);
    const location = method === 'POST' ? undefined : locationOf(hop);
    if (location === undefined)
      return {
        url: hop.url,
        status: hop.status,
        headers: hop.headers,
        hops,
        ...(await bodyOf(hop, answer, { options, settings })),
      };
    cookies?.keep(answer.setCookies, url);
    // The next request can use its connection when it has arrived; it is not waited for.
    answer.ignore();
    chain.url = location;
    url = parseUrl(location, url);
  }
}

/** The body of a POST. */
function sentBy({ json, form = '', body }: RequestOptions): { type: string; bytes: Buffer } {
  if (body) return body;
  return json === undefined
    ? { type: 'application/x-www-form-urlencoded', bytes: Buffer.from(form) }
    : { type: 'application/json', bytes: Buffer.from(json) };
}

function headersOf(options: RequestOptions, settings: Settings, cookie: string): Record<string, string> {
  const { accept = '*/*', userAgent = settings.userAgent } = options;
  const form: Record<string, string> =
    options.method === 'POST'
      ? {
          'content-type': sentBy(options).type,
          'content-length': String(sentBy(options).bytes.length),
        }
      : {};
  return {
    ...form,
    'user-agent': userAgent,
    accept,
    'accept-encoding': 'gzip, deflate, br',
    ...(cookie ? { cookie } : {}),
  };
}

async function bodyOf(
  hop: Hop,
  answer: Answer,
  { options, settings }: { options: RequestOptions; settings: Settings },
): Promise<{ body: Buffer; isCut: boolean }> {
  const { method = 'GET', tooLarge = 'fail', wantsBody, sizeBytesMax = settings.sizeBytesMax } = options;
  refuseWrongType(hop, options.types);
  if (method === 'HEAD' || wantsBody?.(hop) === false) {
    answer.ignore();
    return { body: Buffer.alloc(0), isCut: method !== 'HEAD' };
  }
  if (tooLarge === 'cut') return readStart(answer, sizeBytesMax);
  return { body: await readBody(answer, sizeBytesMax), isCut: false };
}

/**
 * One sentence for the caller. A refused, an unknown and a dead host sound the same: nobody maps a network by asking.
 */
function describeFailure(reason: FetchReason): string {
  return FAILURES[reason];
}

const UNREACHABLE = 'The URL could not be fetched: its host cannot be reached.';
const FAILURES: Record<FetchReason, string> = {
  invalid_url: 'The URL is not a complete http or https address without user name and password.',
  refused: UNREACHABLE,
  dns: UNREACHABLE,
  connect: UNREACHABLE,
  tls: 'The URL could not be fetched: its host offers no trusted TLS connection.',
  timeout: 'The URL could not be fetched: the answer took too long.',
  protocol: 'The URL could not be fetched: the answer is not valid HTTP.',
  too_large: 'The URL could not be fetched: the answer is too large.',
  wrong_type: 'The URL could not be fetched: the answer is of a type that cannot be used here.',
  too_many_redirects: 'The URL could not be fetched: it redirects too often.',
  redirect_loop: 'The URL could not be fetched: it redirects in a circle.',
  not_followed: 'The URL was not asked for.',
  aborted: 'The request was given up.',
};

function parseUrl(text: string, base?: URL): URL {
  const url = URL.canParse(text, base?.href) ? new URL(text, base) : undefined;
  if (!url || text.length > URL_LENGTH_MAX) throw new FetchError('invalid_url', `"${text.slice(0, 200)}" is not a URL`);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new FetchError('invalid_url', `the scheme ${url.protocol} is not fetched`);
  }
  if (url.username || url.password) throw new FetchError('invalid_url', `the URL of ${url.host} carries credentials`);
  url.hash = '';
  return url;
}

function locationOf(hop: Hop): string | undefined {
  const location = hop.headers['location'];
  if (!REDIRECT_STATUSES.has(hop.status) || location === undefined) return undefined;
  // Node reads headers as Latin-1; a location with raw bytes is UTF-8 to browsers.
  return Buffer.from(location, 'latin1').toString('utf8');
}

function refuseWrongType(hop: Hop, types: readonly string[] | undefined): void {
  if (!types || hop.status < 200 || hop.status > 299) return;
  const type = (hop.headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
  const isWanted = types.some(
    (range) => range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1))),
  );
  if (!isWanted) throw new FetchError('wrong_type', `${hop.url} is of type "${type.slice(0, 100)}"`);
}
