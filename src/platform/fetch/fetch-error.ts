/** Why nothing came back. `refused` is the guard's verdict, `not_followed` the caller's; the others are the world's. */
export type FetchReason =
  | 'invalid_url'
  | 'refused'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'protocol'
  | 'too_large'
  | 'wrong_type'
  | 'too_many_redirects'
  | 'redirect_loop'
  | 'not_followed'
  | 'aborted';

/** A request that got no answer. `message` is precise and meant for the log, not for the caller. */
export class FetchError extends Error {
  readonly reason: FetchReason;

  constructor(reason: FetchReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'FetchError';
    this.reason = reason;
  }
}
