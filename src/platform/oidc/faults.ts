// What went wrong at a provider, in plain words.
import * as oauth from 'oauth4webapi';
import { AppError } from '../errors/index.ts';
import type { FetchReason } from '../fetch/index.ts';

/** No answer came; its reason is one of the guarded client's. */
export class NoAnswer extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason, cause: Error) {
    super(cause.message, { cause });
    this.reason = reason;
  }
}

const RETRY_SECONDS = 10;
const SAID_LENGTH_MAX = 200;

const WITHOUT_ANSWER: Partial<Record<FetchReason, string>> = {
  timeout: 'it took too long to answer',
  too_large: 'its answer is too large',
  not_followed: 'it answered with a redirect',
  tls: 'it has no trusted TLS certificate',
};

/** What a provider said, made fit for a sentence. */
function saidOf(text: string | undefined): string {
  const plain = (text ?? '').replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ').trim();
  return plain.length > SAID_LENGTH_MAX ? `${plain.slice(0, SAID_LENGTH_MAX)}…` : plain;
}

function withDescription(error: string, description: string | undefined): string {
  const said = saidOf(description);
  return said === '' ? saidOf(error) : `${saidOf(error)} (${said})`;
}

const CLAIMS: Readonly<Record<string, string>> = {
  iss: 'its token names another issuer',
  aud: 'its token is for another client',
  azp: 'its token is for another client',
  nonce: 'its token belongs to another sign-in',
  sub: 'its two answers are about different people',
};

/** `nonce` of an error about a claim. */
function claimOf({ cause }: Error): string {
  const claim = typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : undefined;
  return typeof claim === 'string' ? claim : '';
}

function invalidWords(error: Error): string {
  const { code } = error as Error & { code?: string };
  switch (code) {
    case oauth.JWT_TIMESTAMP_CHECK:
      return 'its token has expired, or one of the two clocks is wrong';
    case oauth.JWT_CLAIM_COMPARISON:
      return CLAIMS[claimOf(error)] ?? 'its token is not for this sign-in';
    case oauth.KEY_SELECTION:
      return 'its token is not signed with one of its keys';
    case oauth.UNSUPPORTED_OPERATION:
      return 'its token is not signed in a way that can be verified';
    case oauth.JSON_ATTRIBUTE_COMPARISON:
      return 'it names itself otherwise than GALLEY_OIDC_ISSUER does';
    default:
      return 'its answer is not valid';
  }
}

/**
 * What is thrown to callers: `unavailable` where the provider is away, `unauthorized` where it does not vouch for
 * anybody. The cause is for the log.
 */
export function faultOf(name: string, cause: unknown): AppError {
  if (cause instanceof AppError) return cause;
  if (cause instanceof NoAnswer) {
    const why = WITHOUT_ANSWER[cause.reason] ?? 'it cannot be reached';
    const headers = { 'retry-after': String(RETRY_SECONDS) };
    return new AppError('unavailable', `You cannot sign in with ${name} at the moment: ${why}.`, { headers, cause });
  }
  if (cause instanceof oauth.AuthorizationResponseError)
    return new AppError(
      'unauthorized',
      `The provider of ${name} did not let you in: ${withDescription(cause.error, cause.error_description)}.`,
      { cause },
    );
  if (cause instanceof oauth.ResponseBodyError)
    return new AppError(
      'unauthorized',
      `The provider of ${name} refused the sign-in: ${withDescription(cause.error, cause.error_description)}.`,
      { cause },
    );
  const why = cause instanceof Error ? invalidWords(cause) : 'its answer is not valid';
  return new AppError('unauthorized', `The provider of ${name} did not prove who you are: ${why}.`, { cause });
}
