// The messages between this process and the computing processes.
import { AppError, type ErrorCode } from '../errors/index.ts';
import type { ListPart } from './long-lists.ts';

/** What the parent sends to the child; long lists of the input come before it. */
export interface Order {
  id: number;
  module: string;
  name: string;
  input: unknown;
}

/** The child has loaded the computation and starts it now: its time counts from here. */
export interface Begun {
  begun: number;
}

/** What the child sends to its parent; long lists of an output come before it. */
export type Reply =
  | { ready: true }
  | Begun
  | ListPart
  | { id: number; output: unknown; rssBytes: number }
  | { id: number; error: ThrownError; rssBytes: number };

/** A child that holds more than this after an order and a garbage collection is replaced. */
export const KEPT_RSS_BYTES = 400 * 1024 * 1024;

/** A thrown error as plain data: messages between processes carry no classes. */
interface ThrownError {
  message: string;
  name: string;
  stack?: string | undefined;
  /** The code of an `AppError`. */
  code?: ErrorCode;
  details?: Record<string, unknown> | undefined;
  /** The system denied memory for a buffer. */
  isOutOfMemory?: boolean;
}

const NO_MEMORY = 'ERR_MEMORY_ALLOCATION_FAILED';

export function describeThrown(thrown: unknown): ThrownError {
  if (!(thrown instanceof Error)) return { name: 'Error', message: String(thrown) };
  const { name, message, stack } = thrown;
  const isOutOfMemory = (thrown as { code?: unknown }).code === NO_MEMORY;
  return {
    name,
    message,
    stack,
    isOutOfMemory,
    ...(thrown instanceof AppError && { code: thrown.code, details: thrown.details }),
  };
}

/** The error to throw in the parent for the one that was thrown in the child. */
export function errorFrom({ name, message, stack, code, details }: ThrownError): Error {
  const error = code ? new AppError(code, message, { ...(details && { details }) }) : new Error(message);
  if (!code) error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
