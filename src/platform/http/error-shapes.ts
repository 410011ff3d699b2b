// The error bodies of the API's generations (spec/wire-facts A.2), in one table.
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

/** `Reason` stands where the group's documents say so; `message` stands everywhere, since every client reads it. */
export const ERROR_SHAPES = {
  message: (error: AppError): Body => ({ message: error.message }),
  /** 400 and 401: Reason; 403, 429 and 500: message; any other: a named error. */
  preview: (error: AppError): Body => {
    if (error.status === 400 || error.status === 401) return { Reason: error.message, message: error.message };
    if ([403, 429, 500].includes(error.status)) return { message: error.message };
    return { error: { name: NAMES[error.code] ?? 'Error', message: error.message }, message: error.message };
  },
  /** Sharing, exports and the preview address: Reason for all but 500. */
  reason: (error: AppError): Body => (error.status === 500 ? { message: error.message } : { Reason: error.message, message: error.message }),
  /** Accessibility: a list of what is wrong for 400, message otherwise. */
  errors: (error: AppError): Body => (error.status === 400 ? { errors: [{ status: '400', title: 'Bad Request', detail: [error.message] }], message: error.message } : { message: error.message }),
} as const;

export type ErrorShape = keyof typeof ERROR_SHAPES;
