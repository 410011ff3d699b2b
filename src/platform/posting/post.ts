// One attempt to post JSON to a URL that somebody gave, through the guarded client.
import type { Clock } from '../clock/index.ts';
import type { FetchOutcome, FetchReason, GuardedFetch } from '../fetch/index.ts';
import { VERSION } from '../version/index.ts';
import { isSuccess } from './retries.ts';

/** How an attempt ended. */
export interface Attempt {
  /** RFC 3339. */
  at: string;
  /** The status of the answer; null: there was none. */
  code: number | null;
  /** In words, where there was no answer or it is not what is expected. */
  message: string;
  tookMs: number;
  /** The beginning of the body of the answer. */
  answer: string;
}

const CONNECT_MS = 2000;
const ANSWER_MS = 10_000;
/** Of the answer, for the log of deliveries. */
const ANSWER_BYTES_MAX = 500;

/** Refused, unknown and dead hosts sound the same: nobody maps a network by reading his log. */
const UNREACHABLE = 'The host could not be reached.';
const FAILURES: Partial<Record<FetchReason, string>> = {
  refused: UNREACHABLE,
  dns: UNREACHABLE,
  connect: UNREACHABLE,
  timeout: `There was no connection within ${CONNECT_MS / 1000} seconds, or no answer within ${ANSWER_MS / 1000}.`,
  tls: 'The host has no trusted TLS certificate.',
  protocol: 'The answer is not valid HTTP.',
  aborted: 'The attempt was given up because the service stopped.',
};

function messageOf(code: number): string {
  if (isSuccess(code)) return 'Delivered.';
  if (code >= 300 && code < 400) return `The URL redirects (${code}); redirects are not followed.`;
  if (code === 406) return 'The receiver wants no further attempt (406).';
  return `The receiver answered ${code}.`;
}

function endOf(outcome: FetchOutcome): Pick<Attempt, 'code' | 'message' | 'answer'> {
  // The status counts, though the body did not end in time.
  const code = outcome.ok ? outcome.status : (outcome.hops.at(-1)?.status ?? null);
  if (code === null)
    return {
      code,
      message: outcome.ok ? '' : (FAILURES[outcome.reason] ?? 'The URL could not be requested.'),
      answer: '',
    };
  return { code, message: messageOf(code), answer: outcome.ok ? outcome.body.toString('utf8') : '' };
}

interface Doors {
  fetch: Pick<GuardedFetch, 'request'>;
  clock: Clock;
}

interface Request {
  url: string;
  /** JSON; without one, the URL is asked with GET. */
  json?: string;
  /** In its place, a body of another type. */
  body?: { type: string; bytes: Buffer };
  /** What the request is for, in the name of the client. */
  purpose: string;
  headers?: Readonly<Record<string, string>>;
  signal?: AbortSignal;
}

/** Posts once, or asks once. Redirects are an answer like any other and are not followed. */
export async function attempt({ fetch, clock }: Doors, { url, json, body, purpose, headers, signal }: Request) {
  const now = clock.now();
  let asked = 0;
  const outcome = await fetch.request(url, {
    ...(json === undefined && body === undefined && { mayFollow: () => asked++ === 0 }),
    ...(json !== undefined && { method: 'POST' as const, json }),
    ...(body && { method: 'POST' as const, body }),
    connectTimeoutMs: CONNECT_MS,
    timeoutMs: ANSWER_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
    tooLarge: 'cut',
    userAgent: `Galley/${VERSION} (${purpose})`,
    ...(headers && { headers }),
    ...(signal && { signal }),
  });
  const made: Attempt = { at: now.toISOString(), ...endOf(outcome), tookMs: Math.round(outcome.tookMs) };
  return made;
}
