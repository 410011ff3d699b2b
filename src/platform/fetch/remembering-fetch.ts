// An HTTP client that requests every address once, for one run over many messages with the same links and images.
import { answerOf, type FetchFailure, type FetchOutcome, type GuardedFetch, type RequestOptions } from './fetch.ts';
import { ConnectTimeout, FetchError, isHostDown } from './fetch-error.ts';
import { politeQueue, type PoliteQueue } from './polite-queue.ts';
import { whenAborted } from './when-aborted.ts';

interface RememberingOptions {
  /** Aborts the whole run, with the requests under way. */
  signal: AbortSignal;
  /** Of all bodies kept; the oldest answers are forgotten first, and asked for again when needed. Default: 256 MiB. */
  bytesMax?: number;
}

interface Known {
  outcome: Promise<FetchOutcome>;
  /** What was asked with: who has more time, or more room, may hear something else. */
  timeoutMs: number;
  sizeBytesMax: number;
}

/** What the run knows of a host, by attempt: a deliberate second attempt is made once for the whole run. */
interface Host {
  /** Resolves with the first answer, or when a host that is there would have given one. */
  first: Promise<unknown>;
  /** Why the host cannot be reached. */
  down?: FetchFailure | undefined;
}

interface Memory {
  door: GuardedFetch;
  signal: AbortSignal;
  queue: PoliteQueue;
  /** By attempt and origin. */
  hosts: Map<string, Host>;
}

const AT_ONCE = 48;
/** As many connections as the client opens to a host. */
const PER_HOST = 8;
const BYTES_MAX = 256 * 1024 * 1024;
const ANSWERS_MAX = 50_000;
/** A little longer than a connection may take. */
const FIRST_ANSWER_MS = 6_000;
/** Of a request that is otherwise the same; the time that its caller spent before it. */
const TIMEOUT_SLACK_MS = 1_000;

/**
 * Answers what was asked before, whoever asked, failures included; the same at once goes out once. A host that cannot
 * be reached is asked once, and once more by whoever tries again on purpose (`attempt`). Answers are those of a door
 * that forgets: what a caller's `mayFollow`, time or size would have made different is asked for anew. POST is never
 * remembered.
 */
export function rememberingFetch(door: GuardedFetch, options: RememberingOptions): GuardedFetch {
  const { signal, bytesMax = BYTES_MAX } = options;
  const queue = politeQueue({ concurrency: AT_ONCE, perHostMax: PER_HOST });
  const memory: Memory = { door, signal, queue, hosts: new Map() };
  const known = new Map<string, Known & { bytes: number }>();
  let bytes = 0;

  const forget = (key: string): void => {
    bytes -= known.get(key)?.bytes ?? 0;
    known.delete(key);
  };
  const remember = (key: string, url: string, options: RequestOptions): Known => {
    const outcome = ask(url, options, memory);
    const entry = { outcome, timeoutMs: options.timeoutMs ?? 0, sizeBytesMax: options.sizeBytesMax ?? 0, bytes: 0 };
    forget(key);
    known.set(key, entry);
    void outcome.then(
      (answer) => {
        if (!answer.ok || known.get(key) !== entry) return;
        entry.bytes = answer.body.length;
        bytes += entry.bytes;
        for (const oldest of known.keys()) {
          if (bytes <= bytesMax && known.size <= ANSWERS_MAX) break;
          forget(oldest);
        }
      },
      () => forget(key),
    );
    return entry;
  };
  const request = async (url: string, options: RequestOptions = {}): Promise<FetchOutcome> => {
    if (options.method === 'POST' || !URL.canParse(url)) return door.request(url, options);
    const key = keyOf(url, options);
    const entry = known.get(key);
    if (!entry) return inTime(remember(key, url, options).outcome, url, options.signal);
    const outcome = await inTime(entry.outcome, url, options.signal);
    if (!isPathOf(outcome, options)) return inTime(ask(url, options, memory), url, options.signal);
    const isEnough = !isShort(outcome, entry, options);
    return isEnough ? fitted(outcome, options) : inTime(remember(key, url, options).outcome, url, options.signal);
  };
  const get: GuardedFetch['get'] = async (url, asked) => answerOf(await request(url, asked), asked?.signal);
  return { request, get, close: () => door.close() };
}

const functionIds = new WeakMap<object, number>();
let functions = 0;

function idOf(given: object | undefined): number {
  if (!given) return 0;
  const id = functionIds.get(given) ?? ++functions;
  functionIds.set(given, id);
  return id;
}

/** A key that is equal for requests with the same answer. */
function keyOf(url: string, options: RequestOptions): string {
  const { method = 'GET', attempt = 1, certificates = 'verified', cookies = 'none', tooLarge = 'fail' } = options;
  const { accept, types, userAgent, headers, wantsBody, sizeBytesMax } = options;
  const target = new URL(url);
  target.hash = '';
  const size = tooLarge === 'cut' || sizeBytesMax === undefined ? sizeBytesMax : true;
  const how = [method, attempt, certificates, cookies, tooLarge, accept, types, userAgent, headers];
  return JSON.stringify([target.href, ...how, size, idOf(wantsBody)]);
}

/** Whether this caller would have gone the same way. */
function isPathOf(outcome: FetchOutcome, { mayFollow }: RequestOptions): boolean {
  if (!outcome.ok && outcome.reason === 'not_followed') return false;
  return outcome.hops.every((hop) => mayFollow?.(hop.url) !== false);
}

/** Whether this caller, with more time or more room, might get an answer. */
function isShort(outcome: FetchOutcome, asked: Known, { timeoutMs = 0, sizeBytesMax = 0 }: RequestOptions): boolean {
  if (outcome.ok || outcome.error instanceof ConnectTimeout) return false;
  if (outcome.reason === 'timeout') return timeoutMs > asked.timeoutMs + TIMEOUT_SLACK_MS;
  return outcome.reason === 'too_large' && sizeBytesMax > asked.sizeBytesMax;
}

/** An answer that was asked for with more room than this caller has. */
function fitted(outcome: FetchOutcome, { tooLarge = 'fail', sizeBytesMax = Infinity }: RequestOptions): FetchOutcome {
  if (!outcome.ok || tooLarge === 'cut' || outcome.body.length <= sizeBytesMax) return outcome;
  const { url, hops, tookMs } = outcome;
  const error = new FetchError('too_large', `the body is larger than ${sizeBytesMax} bytes`);
  return { ok: false, reason: error.reason, error, url, hops, tookMs };
}

/** The outcome, or that this caller gave up: others may still wait for it. */
async function inTime(
  outcome: Promise<FetchOutcome>,
  url: string,
  signal: AbortSignal | undefined,
): Promise<FetchOutcome> {
  if (!signal) return outcome;
  const { promise, resolve } = Promise.withResolvers<FetchFailure>();
  const take = whenAborted(signal, () => {
    const error = new FetchError('aborted', 'the caller gave up', signal.reason);
    resolve({ ok: false, reason: error.reason, error, url, hops: [], tookMs: 0 });
  });
  try {
    return await Promise.race([outcome, promise]);
  } finally {
    take();
  }
}

/** One real request, in its host's turn, and none to a host that is known to be down. */
async function ask(url: string, options: RequestOptions, memory: Memory): Promise<FetchOutcome> {
  const { door, signal, queue, hosts } = memory;
  const { mayFollow, attempt = 1 } = options;
  const key = hostKeyOf(url, attempt);
  let stopped: FetchFailure | undefined;
  const follow = (next: string): boolean => {
    stopped = hosts.get(hostKeyOf(next, attempt))?.down;
    return stopped === undefined && mayFollow?.(next) !== false;
  };
  const request = { ...options, mayFollow: follow, signal };
  const send = (): Promise<FetchOutcome> => queue.run(new URL(url).origin, () => door.request(url, request));
  const host = hosts.get(key);
  if (host) await host.first;
  const sent = send();
  if (!host) hosts.set(key, { first: firstOf(sent) });
  const outcome = await sent;
  if (outcome.ok) noteUp(outcome.url, attempt, hosts);
  else if (stopped) return { ...outcome, reason: stopped.reason, error: stopped.error };
  else if (isHostDown(outcome.error)) noteDown(outcome, attempt, hosts);
  return outcome;
}

function firstOf(sent: Promise<unknown>): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, FIRST_ANSWER_MS);
  return Promise.race([sent.catch(() => undefined), promise]).finally(() => clearTimeout(timer));
}

function hostKeyOf(url: string, attempt: number): string {
  return `${attempt} ${URL.canParse(url) ? new URL(url).origin : ''}`;
}

function noteDown(failure: FetchFailure, attempt: number, hosts: Map<string, Host>): void {
  const key = hostKeyOf(failure.url, attempt);
  hosts.set(key, { first: hosts.get(key)?.first ?? Promise.resolve(), down: failure });
}

/** It is there after all, for whoever asks first and for whoever tries again. */
function noteUp(url: string, attempt: number, hosts: Map<string, Host>): void {
  for (let at = 1; at <= attempt; at += 1) {
    const host = hosts.get(hostKeyOf(url, at));
    if (host) host.down = undefined;
  }
}
