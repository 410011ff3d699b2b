// A computation that was ended from outside, and why.
import { AppError } from '../errors/index.ts';

/**
 * `time`, `memory`: it took more than it may; another try would end no better. `stopped`: its process ended by itself.
 */
type ComputeFailure = 'time' | 'memory' | 'stopped';

export interface ComputeLimits {
  /** Seconds of CPU that one computation may take. */
  seconds: number;
  /** MiB of heap that one computation may take. */
  memoryMb: number;
}

/** The message is for whoever sent the email. */
export class ComputeError extends AppError {
  readonly reason: ComputeFailure;

  constructor(reason: ComputeFailure, message: string, cause?: unknown) {
    super(reason === 'stopped' ? 'internal' : 'too_large', message, { cause });
    this.name = 'ComputeError';
    this.reason = reason;
  }

  /** Whether the input is to blame. */
  get isOverrun(): boolean {
    return this.reason !== 'stopped';
  }
}

export function tookTooLong({ seconds }: ComputeLimits): ComputeError {
  return new ComputeError(
    'time',
    `The message is too slow to analyze: it took more than ${seconds} ` +
      `${seconds === 1 ? 'second' : 'seconds'} of computing.`,
  );
}

export function tookTooMuch({ memoryMb }: ComputeLimits, cause?: unknown): ComputeError {
  const message = `The message is too large to analyze: it took more than ${memoryMb} MB of memory.`;
  return new ComputeError('memory', message, cause);
}

/** Nothing is wrong with the message, and it will do later. */
export function stopping(): AppError {
  return new AppError('unavailable', 'The service is stopping. Try again in a few seconds.', {
    headers: { 'retry-after': '2' },
  });
}
