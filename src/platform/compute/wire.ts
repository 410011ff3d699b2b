// The messages between this process and the computing processes.
import { AppError, type ErrorCode } from '../errors/index.ts';

/** To the child. */
export interface Order {
  id: number;
  module: string;
  name: string;
  input: unknown;
}

/** The computation is loaded and starts now: what follows is its own time. */
export interface Begun {
  begun: number;
}

/** From the child. */
export type Reply =
  | { ready: true }
  | Begun
  | { id: number; output: unknown; rssBytes: number }
  | { id: number; error: ThrownError; rssBytes: number };

/** A child that holds more than this after an order, with all that was left behind given back, is replaced. */
export const KEPT_RSS_BYTES = 400 * 1024 * 1024;

/** A thrown error as plain data: classes do not survive the way. */
interface ThrownError {
  message: string;
  name: string;
  stack?: string | undefined;
  /** Of an `AppError`. */
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

/** The error to throw here in the place of the one that was thrown there. */
export function errorFrom({ name, message, stack, code, details }: ThrownError): Error {
  const error = code ? new AppError(code, message, { ...(details && { details }) }) : new Error(message);
  if (!code) error.name = name;
  if (stack !== undefined) error.stack = stack;
  return error;
}
