// The faults a caller may see. A finding about an email is a value, not one of these.

/** Every error code, its HTTP status and its one-line meaning. `docs/errors.md` is generated from this table. */
export const ERRORS = {
  invalid_request: { status: 400, title: 'A field of the request is missing or wrong.' },
  invalid_client: { status: 400, title: 'The email client is unknown, or not part of this test.' },
  bounced_client: { status: 400, title: 'The client refused the message; that cannot be retried.' },
  source_unreachable: { status: 400, title: 'The URL given as source could not be fetched.' },
  unauthorized: { status: 401, title: 'The API key is missing, unknown, revoked or expired.' },
  forbidden: { status: 403, title: 'The key may not do this, or not for this account.' },
  not_found: { status: 404, title: 'There is no such thing, or it belongs to another account.' },
  method_not_allowed: { status: 405, title: 'The path exists, but not with this method.' },
  conflict: { status: 409, title: 'The thing is in a state that does not allow this.' },
  expired: { status: 410, title: 'The link has expired or was disabled.' },
  damaged: { status: 410, title: 'A stored file of this thing is missing or damaged.' },
  too_large: { status: 413, title: 'The request is larger than the endpoint accepts.' },
  path_too_long: { status: 414, title: 'A part of the path is longer than the endpoint accepts.' },
  unsupported_media_type: { status: 415, title: 'The body is in a format the endpoint does not read.' },
  too_early: { status: 425, title: 'The result is not ready yet.' },
  too_many_requests: { status: 429, title: 'Too many requests; try again after the stated time.' },
  internal: { status: 500, title: 'The service failed; the request id finds it in the log.' },
  unavailable: {
    status: 503,
    title: 'The service is starting, stopping or overloaded, or a part of it is away; try again after the stated time.',
  },
  out_of_space: { status: 507, title: 'The disk of the service is full; try again when there is room.' },
} as const;

export type ErrorCode = keyof typeof ERRORS;

interface ErrorContext {
  /** Extra wire fields, safe to show. */
  details?: Record<string, unknown>;
  /** Response headers, such as `Retry-After`. */
  headers?: Record<string, string>;
  cause?: unknown;
}

/** An error with two faces: `message` is for the caller, `cause` is for the log. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly headers: Record<string, string> | undefined;

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, { cause: context.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = context.details;
    this.headers = context.headers;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }

  /** True when the same request may succeed later. */
  get isPassing(): boolean {
    return this.code === 'unavailable' || this.code === 'out_of_space';
  }
}

/** `notFound('preview test', id)`. Another account's thing gets the same answer as no thing. */
export function notFound(what: string, id: string): AppError {
  return new AppError('not_found', `No ${what} has the id "${id}".`);
}

/** `invalid('clients', 'must name at least one client')`. */
export function invalid(field: string, why: string): AppError {
  return new AppError('invalid_request', `${field} ${why}`, { details: { field } });
}

/** The parts outside its own process that the service depends on. */
type Part = 'database' | 'objects' | 'events';

const PARTS: Record<Part, string> = {
  database: 'The database',
  objects: 'The object store',
  events: 'The log of events',
};
/** Why a part does not take anything new. */
export const FULL = 'its disk is full';
const RETRY_SECONDS = 2;
const RETRY_FULL_SECONDS = 60;

/** `unavailable('database', 'it refuses connections')`: nothing is wrong with the request, and it will do later. */
export function unavailable(part: Part, reason: string, cause?: unknown): AppError {
  return new AppError(
    'unavailable',
    `${PARTS[part]} is not available at the moment: ${reason}. Try again in a few seconds.`,
    { details: { part, reason }, headers: { 'retry-after': String(RETRY_SECONDS) }, cause },
  );
}

/** The disk, or the quota, under a part is full. */
export function outOfSpace(part: Part, cause?: unknown): AppError {
  return new AppError(
    'out_of_space',
    `${PARTS[part]} cannot store anything more: its disk is full. Reading still works; try again when there is room.`,
    { details: { part, reason: FULL }, headers: { 'retry-after': String(RETRY_FULL_SECONDS) }, cause },
  );
}

/** Whether the same request may succeed later: a part of the service is away, overloaded or full. */
export function isPassing(error: unknown): boolean {
  return error instanceof AppError && error.isPassing;
}

/** The text of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
