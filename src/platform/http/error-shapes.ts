// The error bodies of the API's generations, in one table.
import { AppError, type ErrorCode } from '../errors/index.ts';

/** Names that the preview API puts in `error.name`. */
const NAMES: Partial<Record<ErrorCode, string>> = {
  unauthorized: 'AccessDenied',
  forbidden: 'PermissionError',
  too_many_requests: 'RateLimited',
  invalid_request: 'InvalidParameter',
  invalid_client: 'InvalidClient',
  bounced_client: 'InvalidClient',
  not_found: 'InvalidTestID',
};

type Body = Record<string, unknown>;

/** What the preview API's own documents call the default error. */
function named({ code, message }: AppError): Body {
  return { error: { name: NAMES[code] ?? 'Error', message }, message };
}

/** `Reason` stands where the group's documents say so; `message` stands everywhere, since every client reads it. */
export const ERROR_SHAPES = {
  message: (error: AppError): Body => ({ message: error.message }),
  /** Sending: as `message`, but that a wrong key is answered with one word. */
  sending: (error: AppError): Body | string => (error.status === 401 ? 'Forbidden' : { message: error.message }),
  /** A named error; of 400 and 401 the Reason, too. */
  preview: (error: AppError): Body =>
    error.status === 400 || error.status === 401 ? { Reason: error.message, ...named(error) } : named(error),
  /** Sharing, exports and the preview address: Reason for all but 500, and a named error as well. */
  reason: (error: AppError): Body => (error.status === 500 ? named(error) : { Reason: error.message, ...named(error) }),
  /** Overrides of dynamic pools: which field a 400 is about, and what it held. */
  field: (error: AppError): Body => {
    const { field = '', value = '' } = error.details ?? {};
    return { ...(error.status === 400 && { Field: String(field), Value: String(value) }), message: error.message };
  },
  /** Webhooks of an account. */
  described: (error: AppError): Body => ({ Description: error.message, message: error.message }),
  /** Postmaster data: `Reason` for 400, `Description` for 404. */
  analytics: (error: AppError): Body => ({
    ...(error.status === 400 && { Reason: error.message }),
    ...(error.status === 404 && { Description: error.message }),
    message: error.message,
  }),
  /** Certificates of tracking hosts: `Reason` for 400 and 402, `Description` for what is missing or under way. */
  certificates: (error: AppError): Body => ({
    ...((error.status === 400 || error.status === 402) && { Reason: error.message }),
    ...([404, 409, 429].includes(error.status) && { Description: error.message }),
    message: error.message,
  }),
  /** Accessibility: a list of what is wrong for 400, message otherwise. */
  errors: (error: AppError): Body =>
    error.status === 400
      ? { errors: [{ status: '400', title: 'Bad Request', detail: [error.message] }], message: error.message }
      : { message: error.message },
} as const;

export type ErrorShape = keyof typeof ERROR_SHAPES;
