// One attempt: a signed POST through the guarded client.
import { createHmac } from 'node:crypto';
import type { Outside } from '../../../platform/feature/index.ts';
import type { FetchOutcome, FetchReason } from '../../../platform/fetch/index.ts';
import { randomHex } from '../../../platform/ids/index.ts';
import { unixSeconds } from '../../../platform/times/index.ts';
import { VERSION } from '../../../platform/version/index.ts';
import type { Attempt } from './outbox-store.ts';
import { isSuccess } from './schedule.ts';

const CONNECT_MS = 2000;
const ANSWER_MS = 10_000;
/** Of the answer, for the log of deliveries. */
const ANSWER_BYTES_MAX = 500;
const TOKEN_BYTES = 25;

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

/** `signature` of the body: HMAC-SHA256 of timestamp and token, as hexadecimal digits. */
function sign(key: string, now: Date) {
  const timestamp = String(unixSeconds(now));
  const token = randomHex(TOKEN_BYTES);
  return {
    timestamp,
    token,
    signature: createHmac('sha256', key)
      .update(timestamp + token)
      .digest('hex'),
  };
}

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

/** Posts an event, with a fresh token and signature. */
export async function postEvent(
  { fetch, clock }: Pick<Outside, 'fetch' | 'clock'>,
  { url, key, event, signal }: { url: string; key: string; event: object; signal?: AbortSignal },
): Promise<Attempt> {
  const now = clock.now();
  const outcome = await fetch.request(url, {
    method: 'POST',
    json: JSON.stringify({ signature: sign(key, now), 'event-data': event }),
    connectTimeoutMs: CONNECT_MS,
    timeoutMs: ANSWER_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
    tooLarge: 'cut',
    userAgent: `Galley/${VERSION} (webhooks)`,
    ...(signal && { signal }),
  });
  return { at: now.toISOString(), ...endOf(outcome), tookMs: Math.round(outcome.tookMs) };
}
