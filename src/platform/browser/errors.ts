// One error for every way a render can fail.
import { AppError } from '../errors/index.ts';

/**
 * - `start_failed`: the engine's process did not come up.
 * - `crashed`: the engine, or the page in it, went away during the render.
 * - `timeout`: the render ran over its time, and the engine was ended.
 * - `load_failed`: the engine refused to load the document.
 * - `aborted`: the caller's signal fired.
 * - `closed`: the engine was closed by us.
 */
export type RenderFailure = 'start_failed' | 'crashed' | 'timeout' | 'load_failed' | 'aborted' | 'closed';

/** A failed render. Everything but `aborted` and `closed` may be tried again. */
export class RenderError extends AppError {
  readonly reason: RenderFailure;

  constructor(reason: RenderFailure, message: string, cause?: unknown) {
    super('unavailable', message, { cause, details: { reason } });
    this.name = 'RenderError';
    this.reason = reason;
  }
}
