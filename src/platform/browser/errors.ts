// One error for every way a render can fail.
import { AppError } from '../errors/index.ts';

/**
 * - `start_failed`: the engine's process did not come up.
 * - `crashed`: the engine, or the page in it, was ended from outside during the render.
 * - `timeout`: the engine did not answer, for a reason that is not known.
 * - `load_failed`: the engine refused to load the document.
 * - `aborted`: the caller's signal fired.
 * - `closed`: the engine was closed by us.
 *
 * And what the document itself brought about:
 * - `too_slow`: it took more processor time than a render may.
 * - `too_large`: it took more memory than a render may.
 * - `stalled`: nothing was computed for a long time, and still it was not ready.
 * - `broke`: the page, or the whole engine, ended itself over it.
 * - `not_drawn`: it loaded, but the engine could not draw it.
 */
export type RenderFailure =
  | 'start_failed'
  | 'crashed'
  | 'timeout'
  | 'load_failed'
  | 'aborted'
  | 'closed'
  | DocumentFailure;
type DocumentFailure = 'too_slow' | 'too_large' | 'stalled' | 'broke' | 'not_drawn';

const DOCUMENT_FAILURES: ReadonlySet<string> = new Set<DocumentFailure>([
  'too_slow',
  'too_large',
  'stalled',
  'broke',
  'not_drawn',
]);

/**
 * A failed render. Its message is a sentence that a user can read. Everything but `aborted` and `closed` may be tried
 * again.
 */
export class RenderError extends AppError {
  readonly reason: RenderFailure;
  /** Processor time that the failed render took, where it was measured. */
  cpuMs = 0;

  constructor(reason: RenderFailure, message: string, cause?: unknown) {
    super('unavailable', message, { cause, details: { reason } });
    this.name = 'RenderError';
    this.reason = reason;
  }

  /** Only what was called off passes by itself: else a picture that can't be made would be tried for ever. */
  override get isPassing(): boolean {
    return this.reason === 'aborted' || this.reason === 'closed';
  }

  /** The document is the cause: trying again and again would end the same way each time. */
  get isOfDocument(): boolean {
    return DOCUMENT_FAILURES.has(this.reason);
  }
}
