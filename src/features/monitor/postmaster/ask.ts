// One question to a provider, through the guarded client: its answer, or what became of the access.
import type { Outside } from '../../../platform/feature/index.ts';
import { VERSION } from '../../../platform/version/index.ts';

/** `expired`: somebody must renew the access. `limited`: asked too often. `failed`: it may go well next time. */
export type RefusalKind = 'expired' | 'limited' | 'failed';

/** A provider did not answer what was asked. The message is for the account's people. */
export class Refusal extends Error {
  readonly kind: RefusalKind;
  /** After which it may be asked again. */
  readonly waitSeconds: number | undefined;

  constructor(kind: RefusalKind, message: string, waitSeconds?: number) {
    super(message);
    this.kind = kind;
    this.waitSeconds = waitSeconds;
  }
}

export type Door = Pick<Outside, 'fetch' | 'clock'>;

interface Question {
  /** Who is asked, for messages. */
  who: string;
  url: string;
  form?: string;
  json?: object;
  token?: string;
  /** The header, where there is no token. */
  authorization?: string;
  /** What it is for, as the name of the program says. */
  about?: string;
  signal: AbortSignal;
}

interface Told {
  status: number;
  type: string;
  body: Buffer;
}

const TIMEOUT_MS = 60_000;
const ANSWER_BYTES_MAX = 10 * 1024 * 1024;
const WAIT_SECONDS = { usual: 3600, min: 60, max: 86_400 };

/** Retry-After (RFC 9110 §10.2.3): seconds, or a time. A minute to a day; an hour where nothing can be read. */
export function waitSecondsOf(text: string | undefined, now: Date): number {
  const given = text?.trim() ?? '';
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : (Date.parse(given) - now.getTime()) / 1000;
  if (!Number.isFinite(seconds)) return WAIT_SECONDS.usual;
  return Math.min(WAIT_SECONDS.max, Math.max(WAIT_SECONDS.min, Math.ceil(seconds)));
}

/**
 * Any answer but 429 and 5xx. Throws {@link Refusal} for those and where there is none. Redirects are not followed: a
 * page to log in at is no answer.
 */
export async function ask({ fetch, clock }: Door, question: Question): Promise<Told> {
  const { who, url, form, json, token, signal, about = 'postmaster data' } = question;
  const authorization = token === undefined ? question.authorization : `Bearer ${token}`;
  const { origin, pathname, search } = new URL(url);
  const asked = `${origin}${pathname}${search}`;
  const outcome = await fetch.request(url, {
    method: form === undefined && json === undefined ? 'GET' : 'POST',
    ...(form !== undefined && { form }),
    ...(json !== undefined && { json: JSON.stringify(json) }),
    ...(authorization !== undefined && { headers: { authorization } }),
    timeoutMs: TIMEOUT_MS,
    sizeBytesMax: ANSWER_BYTES_MAX,
    userAgent: `Galley/${VERSION} (${about})`,
    mayFollow: (next) => next === asked,
    signal,
  });
  signal.throwIfAborted();
  if (!outcome.ok) {
    if (outcome.reason === 'not_followed')
      throw new Refusal('expired', `${who} answered with the address of another page, as it does where one logs in.`);
    if (outcome.reason === 'too_large')
      throw new Refusal('failed', `${who} answered with more than ${ANSWER_BYTES_MAX / 1024 / 1024} MB.`);
    throw new Refusal('failed', `${who} could not be asked: ${outcome.reason.replaceAll('_', ' ')}.`);
  }
  const { status, headers, body } = outcome;
  if (status === 429) {
    const wait = waitSecondsOf(headers['retry-after'], clock.now());
    throw new Refusal('limited', `${who} was asked too often (429); the reading goes on in ${wait} seconds.`, wait);
  }
  if (status >= 500) throw new Refusal('failed', `${who} answered ${status}.`);
  return { status, type: headers['content-type'] ?? '', body };
}

/** JSON, as an object. Throws {@link Refusal} for what is none. */
export function objectOf(who: string, body: Buffer): Record<string, unknown> {
  const value = jsonOf(who, body);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal('failed', `${who} answered with JSON that is no object.`);
  return value as Record<string, unknown>;
}

/** JSON of any kind. Throws {@link Refusal} for what is none. */
export function jsonOf(who: string, body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new Refusal('failed', `${who} answered with what is no JSON.`);
  }
}

/** What an error's body says, shortened; empty where it says nothing that can be read. */
export function wordsOf(body: Buffer): string {
  const text = body.toString('utf8', 0, 4000);
  if (!text.trimStart().startsWith('{')) return '';
  const [, said = ''] = /"(?:error_description|message)"\s*:\s*"((?:[^"\\]|\\.){1,300})/.exec(text) ?? [];
  const [, code = ''] = /"error"\s*:\s*"([a-z_]{1,60})"/.exec(text) ?? [];
  return [code, said.replaceAll(/\\./g, ' ')].filter((one) => one !== '').join(': ');
}

/**
 * An access token (RFC 6749 §5). Throws {@link Refusal} `expired` where the grant is refused, which only a person can
 * mend.
 */
export async function askForToken(
  door: Door,
  { who, url, form, signal }: { who: string; url: string; form: Record<string, string>; signal: AbortSignal },
): Promise<{ token: string; refreshToken?: string }> {
  const { status, body } = await ask(door, { who, url, form: new URLSearchParams(form).toString(), signal });
  if (status === 400 || status === 401 || status === 403)
    throw new Refusal('expired', `${who} no longer grants access (${wordsOf(body) || status}).`);
  if (status !== 200) throw new Refusal('failed', `${who} answered ${status} when asked for a token.`);
  const { access_token: token, refresh_token: refreshToken } = objectOf(who, body);
  if (typeof token !== 'string' || token === '') throw new Refusal('failed', `${who} answered without a token.`);
  return { token, ...(typeof refreshToken === 'string' && refreshToken !== '' && { refreshToken }) };
}
