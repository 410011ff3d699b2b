import type { FilterEngine, FilterFailureReason, FilterOutcome } from './types.ts';

/** A filter that gave no verdict, and why; each adapter catches it. */
export class FilterFailure extends Error {
  readonly reason: FilterFailureReason;

  constructor(reason: FilterFailureReason, message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

export interface FilterLimits {
  /** The time for the whole request, connecting included. */
  timeoutMs: number;
  connectTimeoutMs: number;
  /** Larger messages are not asked about. */
  messageBytesMax: number;
  answerBytesMax: number;
  /** Rules beyond this are dropped, least points first. */
  rulesMax: number;
}

export const LIMITS: FilterLimits = {
  timeoutMs: 15_000,
  connectTimeoutMs: 2_000,
  messageBytesMax: 20 * 1024 * 1024,
  answerBytesMax: 2 * 1024 * 1024,
  rulesMax: 400,
};

/** What a socket's error means. */
export function connectionFailure(engine: FilterEngine, address: string, error: unknown): FilterFailure {
  if (error instanceof FilterFailure) return error;
  return new FilterFailure('unreachable', `${TITLES[engine]} at ${address} cannot be reached.`, error);
}

export const TITLES: Record<FilterEngine, string> = { spamassassin: 'SpamAssassin', rspamd: 'Rspamd' };

/** Runs one request within its time; a failure of the filter becomes a value. */
export async function asOutcome(
  engine: FilterEngine,
  bounds: { timeoutMs: number; signal: AbortSignal | undefined },
  ask: (signal: AbortSignal) => Promise<Extract<FilterOutcome, { ok: true }>>,
): Promise<FilterOutcome> {
  const stop = new AbortController();
  const late = () =>
    stop.abort(new FilterFailure('timeout', `${TITLES[engine]} did not answer within ${bounds.timeoutMs / 1000} s.`));
  const timer = setTimeout(late, bounds.timeoutMs);
  const onAbort = () => stop.abort(new FilterFailure('aborted', 'The question was given up.', bounds.signal?.reason));
  bounds.signal?.addEventListener('abort', onAbort, { once: true });
  if (bounds.signal?.aborted) onAbort();
  try {
    stop.signal.throwIfAborted();
    return await ask(stop.signal);
  } catch (error) {
    const failure: unknown = stop.signal.aborted ? stop.signal.reason : error;
    if (!(failure instanceof FilterFailure)) throw error;
    return { ok: false, engine, reason: failure.reason, message: failure.message };
  } finally {
    clearTimeout(timer);
    bounds.signal?.removeEventListener('abort', onAbort);
  }
}
