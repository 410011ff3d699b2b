// Signed requests to an authority: each with a nonce that was not used before, its refusals as errors.
import { messageOf } from '../errors/index.ts';
import type { Fetched, GuardedFetch } from '../fetch/index.ts';
import type { AccountKey } from './account-key.ts';

/** What an authority refused, or that it could not be asked. The message is for who asked for the certificate. */
export class AcmeError extends Error {
  /** When the authority wants to be asked again, if it said so. */
  readonly retryMs: number | undefined;
  constructor(message: string, { retryMs, cause }: { retryMs?: number | undefined; cause?: unknown } = {}) {
    super(message.slice(0, MESSAGE_LENGTH_MAX), { cause });
    this.retryMs = retryMs;
  }
}

export interface Conversation {
  /** A signed POST; without a payload what only reads (RFC 8555 §6.3). Throws {@link AcmeError} for a refusal. */
  post(url: string, payload?: object): Promise<AcmeReply>;
  /** The address of one of the authority's services. */
  placeOf(service: string): string;
  /** Signs with the account from now on. */
  useAccount(url: string): void;
}

export interface AcmeReply {
  /** Empty where the answer is not JSON. */
  json: Record<string, unknown>;
  text: string;
  location: string | undefined;
  retryMs: number | undefined;
}

interface Doors {
  fetch: Pick<GuardedFetch, 'request'>;
  directoryUrl: string;
  key: AccountKey;
  now: () => number;
  signal: AbortSignal;
}

const MESSAGE_LENGTH_MAX = 600;
const BYTES_MAX = 256 * 1024;
const REQUEST_MS = 20_000;
/** A nonce may have ended before it is used (RFC 8555 §6.5). */
const NONCE_TRIES = 6;
const RETRY_MS_MAX = 7 * 86_400_000;

/** `Retry-After`: seconds, or a date (RFC 9110 §10.2.3). */
function retryMsOf(header: string | undefined, now: number): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), RETRY_MS_MAX) : undefined;
}

function jsonOf({ headers, body }: Fetched): Record<string, unknown> {
  if (!/json/i.test(headers['content-type'] ?? '')) return {};
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** What a problem document says (RFC 7807), with the short name of its kind. */
export function describeProblem(problem: unknown): string {
  const { type = '', detail = '' } = (problem ?? {}) as Record<string, unknown>;
  const kind = String(type).split(':').at(-1);
  return `${String(detail) || 'it gives no reason'}${kind ? ` (${kind})` : ''}`;
}

/** Reads the directory of the authority, and says what it offers. Throws {@link AcmeError}. */
export async function openConversation({ fetch, directoryUrl, key, now, signal }: Doors): Promise<Conversation> {
  let account: string | undefined;
  let nonce: string | undefined;
  const ask = async (url: string, options: Parameters<GuardedFetch['request']>[1]): Promise<Fetched> => {
    const limits = { sizeBytesMax: BYTES_MAX, timeoutMs: REQUEST_MS, signal };
    const outcome = await fetch.request(url, { ...options, ...limits });
    if (!outcome.ok)
      throw new AcmeError(`The authority at ${directoryUrl} cannot be reached: ${messageOf(outcome.error)}.`, {
        cause: outcome.error,
      });
    nonce = outcome.headers['replay-nonce'] ?? nonce;
    return outcome;
  };
  const directory = await ask(directoryUrl, {});
  const services = jsonOf(directory);
  const placeOf = (service: string): string => {
    const place = services[service];
    if (typeof place !== 'string')
      throw new AcmeError(
        `${directoryUrl} is no ACME directory: it answers ${directory.status} and names no ${service}.`,
      );
    return place;
  };
  const takeNonce = async (): Promise<string> => {
    if (nonce === undefined) await ask(placeOf('newNonce'), { method: 'HEAD' });
    const taken = nonce;
    nonce = undefined;
    if (taken === undefined) throw new AcmeError('The authority gave no nonce.');
    return taken;
  };
  const post: Conversation['post'] = async (url, payload) => {
    for (let attempt = 1; ; attempt += 1) {
      const who = account === undefined ? { jwk: key.jwk } : { kid: account };
      const json = key.signed({ nonce: await takeNonce(), url, ...who }, payload ? JSON.stringify(payload) : '');
      const answer = await ask(url, { method: 'POST', json, headers: { 'content-type': 'application/jose+json' } });
      const body = jsonOf(answer);
      const retryMs = retryMsOf(answer.headers['retry-after'], now());
      if (answer.status < 300)
        return { json: body, text: answer.body.toString('utf8'), location: answer.headers['location'], retryMs };
      if (String(body['type']).endsWith(':badNonce') && attempt < NONCE_TRIES) continue;
      throw new AcmeError(`The authority refused with ${answer.status}: ${describeProblem(body)}`, { retryMs });
    }
  };
  return {
    post,
    placeOf,
    useAccount(url) {
      account = url;
    },
  };
}
