/** Why a request got no answer. `refused`: the guard forbids it; `not_followed`: the caller did; else it failed. */
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
    // Failures outside get no stack trace: making one takes a millisecond.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(message, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'FetchError';
    this.reason = reason;
  }
}

/** The error of a connection that was not made in time. */
export class ConnectTimeout extends FetchError {
  constructor(message: string) {
    super('timeout', message);
  }
}

/** Whether the host itself could not be reached, so that its other addresses cannot be, either. */
export function isHostDown(error: FetchError): boolean {
  return error.reason === 'dns' || error.reason === 'connect' || error instanceof ConnectTimeout;
}
